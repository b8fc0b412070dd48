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
        note="Feedback keeps the violation small and leaves its own size behind; projection closes the "
        "joints to rounding. Without either the violation of positions grows without bound.",
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
        note="Positions of the plain scheme are closed, but its accelerations violate the constraints more "
        "and more, and with them the reactions; in the null space all three levels hold.",
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
        note="An explicit scheme must follow the fastest motion, whether anybody wants to see it or not: "
        "beyond its limit it leaves at once. Implicit schemes take the step of the slow motion.",
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
        note="Momenta differentiate the constraints once only, so they drift more slowly than accelerations, "
        "which differentiate them twice.",
    ),
)

READY: Registry[ReadyRace] = Registry("ready race", BAUMGARTE, NEWMARK, STIFF, CANONICAL)
