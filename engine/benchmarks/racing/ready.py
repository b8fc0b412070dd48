"""Ready races: the classic lessons about methods, each on a shipped scene."""

from __future__ import annotations

from dataclasses import dataclass

from engine.model.races import Lane, Race
from engine.registry import Registry


@dataclass(frozen=True)
class ReadyRace:
    """A race and the scene that it is run on."""

    name: str
    scene: str  # name of the shipped scene
    race: Race


BAUMGARTE = ReadyRace(
    "baumgarte",
    "four_bar",
    Race(
        name="Baumgarte against projection",
        lanes=(
            Lane(name="no treatment", method="lagrange/rk4/none", dt=0.003),
            Lane(name="Baumgarte", method="lagrange/rk4/baumgarte", dt=0.003),
            Lane(name="projection", method="lagrange/rk4/projection", dt=0.003),
        ),
        note="Look at the violation of positions: untreated it grows without end, Baumgarte's feedback holds "
        "it at 1e-8 m but never removes it, projection closes the joints to rounding. The untreated lane "
        "leaves the reference after six seconds.",
        plots=("distance", "energy", "position"),
    ),
)
NEWMARK = ReadyRace(
    "newmark",
    "pendulum",
    Race(
        name="Index-3 Newmark against null space",
        lanes=(
            Lane(name="index 3", method="newmark_index3", dt=0.004),
            Lane(name="index 3, linear", method="newmark_index3/linear_acceleration", dt=0.004),
            Lane(name="null space", method="newmark_nullspace", dt=0.004),
            Lane(
                name="null space, linear",
                method="newmark_nullspace/linear_acceleration",
                dt=0.004,
            ),
        ),
        note="Look at the violation of accelerations: the plain index-3 scheme closes the positions, but its "
        "accelerations violate the constraints more and more, until the motion goes with them: after 6.5 s, "
        "and with linear acceleration at once. In the null space all three levels hold.",
        plots=("distance", "position", "acceleration"),
    ),
)
STIFF = ReadyRace(
    "stiff",
    "stiff_double_pendulum",
    Race(
        name="Explicit against implicit on the stiff pendulum",
        lanes=(
            Lane(name="RK4, 1 ms", method="rk4", dt=0.001),
            Lane(name="RK4, 20 µs", method="rk4", dt=2e-5),
            Lane(name="implicit Euler, 1 ms", method="implicit_euler", dt=0.001),
            Lane(name="Radau, 1 ms", method="radau", dt=0.001),
        ),
        note="Look at who leaves and at the cost: RK4 must follow the fastest motion, whether anybody wants "
        "to see it or not. With 1 ms it leaves at once, with 20 µs it stays and pays for it; the "
        "implicit schemes take the step of the slow motion.",
        plots=("distance", "energy", "cost"),
    ),
)
CANONICAL = ReadyRace(
    "canonical",
    "double_pendulum",
    Race(
        name="Canonical momenta against accelerations",
        lanes=(
            Lane(name="accelerations, drifting", method="lagrange/rk4/none", dt=0.004),
            Lane(name="accelerations, projected", method="lagrange/rk4/projection", dt=0.004),
            Lane(name="canonical momenta", method="canonical/rk4/none", dt=0.004),
            Lane(name="canonical trapezoidal", method="canonical_trapezoidal", dt=0.004),
        ),
        note="Look at the violation of positions of the two lanes without projection: momenta differentiate "
        "the constraints once only and open the joints by 1e-6 m, accelerations, which differentiate them "
        "twice, by 1e-4 m in ten seconds and more. The trapezoidal rule is of second order and leaves first.",
        plots=("distance", "energy", "position"),
    ),
)

READY: Registry[ReadyRace] = Registry("ready race", BAUMGARTE, NEWMARK, STIFF, CANONICAL)
