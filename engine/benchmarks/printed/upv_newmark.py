"""Figures of [UPV Newmark]: null-space Newmark, orientation sets, explicit families."""

import math
from collections.abc import Callable

import numpy as np
from msgspec.structs import replace

from engine.benchmarks.printed.base import Figure, LoadScene, PrintedTable, known, of_run
from engine.benchmarks.problem_measures import energy_drift
from engine.model.scene import Scene
from engine.model.set_value import set_value
from engine.results.trajectory import Trajectory
from engine.solvers.direct.newmark_rule import FOX_GOODWIN, stability_limit

G = 9.81
FOX_GOODWIN_NULL_SPACE = "newmark_nullspace/fox_goodwin"
ORIENTATIONS = ("quaternions", "Euler angles", "reduced Euler–Rodrigues parameters", "Gibbs vector")


def weightless_swing(_load: LoadScene) -> Scene:
    """θ″ = g cos θ, m = L = 1: a body turns about its centre, so that nothing depends on velocities."""
    return (
        Scene(space="planar", gravity=(0.0, 0.0))
        .with_body("bob", mass=1.0, inertia=[1.0])
        .with_joint("revolute", "axle", a={"body": "world"}, b={"body": "bob", "point": [0.0, 0.0]})
        .with_force("rotational_spring", "weight", joint="axle", torque=f"{G}*cos(x)")
    )


def swing_energy(run: Trajectory) -> float:
    """max |E| of the swing that starts level and at rest [J]."""
    angle, rate = run.table(["joint.axle.angle", "body.bob.omega.z"]).T
    return float(np.abs(0.5 * rate**2 - G * np.sin(angle)).max())


def _family(scheme: str, alpha: float, dt: float, printed: float, reason: str = "") -> Figure:
    label = f"{scheme.upper()}, α = {alpha:.4g}, {dt:g} s"
    method = f"lagrange/{scheme}/none"
    computed = of_run(weightless_swing, method, dt, swing_energy, options={"alpha": alpha}, duration=10.0)
    return Figure(label, printed, computed, reason)


EXPLICIT_FAMILIES = PrintedTable(
    name="explicit-families",
    source="[UPV Newmark, tables 9.5, 9.6 and 9.8]",
    title="Pendulum by the explicit families, largest error of the energy over 10 s",
    unit="J",
    figures=(
        _family("d2", 1.0, 1e-3, 2.00492e-5),
        _family("d2", 1.0, 1e-4, 2.00492e-7),
        _family("d2", 4 / 3, 1e-3, 1.27955e-5),
        _family("d2", 4 / 3, 1e-4, 1.21061e-7),
        _family("d2", 2.0, 1e-3, 3.85689e-6),
        _family("d2", 2.0, 1e-4, 3.99453e-8),
        _family("d3", 0.25, 1e-3, 8.67265e-7),
        _family("d3", 0.25, 1e-4, 8.67649e-10),
        _family("d3", 0.75, 1e-3, 4.33641e-7),
        _family("d3", 0.75, 1e-4, 4.33944e-10),
        _family("d3", 1.25, 1e-3, 5.54996e-11),
    ),
)

STEP_LIMITS = PrintedTable(
    name="step-limits",
    source="[UPV Newmark, §6.2]",
    title="Largest stable step of the stiff pendulum, ω = √9.8 rad/s",
    unit="s",
    figures=(
        Figure("central differences", 0.6388765, known(lambda: stability_limit(math.sqrt(9.8), 0.0, 0.5))),
        Figure("Fox–Goodwin", 0.78246, known(lambda: stability_limit(math.sqrt(9.8), **FOX_GOODWIN))),
    ),
)

NULL_SPACE_NEWMARK = PrintedTable(
    name="null-space-newmark",
    source="[UPV Newmark, tables 8.2 and 8.5]",
    title="Energy drift over 10 s, Fox–Goodwin in the null space",
    unit="J",
    figures=(
        Figure(
            "pendulum, 0.5 ms",
            1.22185e-5,
            of_run("pendulum", FOX_GOODWIN_NULL_SPACE, 5e-4, energy_drift),
            "depends on the coordinates: separate programs give 1.2e-5 J (x, y) to 1.6e-5 J (quaternions)",
        ),
        Figure(
            "Bricard, 10 ms",
            6.89807e-4,
            of_run("bricard", FOX_GOODWIN_NULL_SPACE, 1e-2, energy_drift),
            "a separate program of the same method gives 6.63e-4 J, too",
        ),
    ),
)


def _ball_pendulum(below: float) -> Callable[[LoadScene], Scene]:
    """Types 1 and 2 of the study, close to its point mass: no push, a ball of a centimetre."""

    def made(load: LoadScene) -> Scene:
        scene = load("spatial_pendulum")
        for path, value in (("theta", below), ("push", 0.0), ("r", 0.01)):
            scene = set_value(scene, f"parameters.{path}", value)
        return scene

    return made


def _swung_about_z(load: LoadScene) -> Scene:
    """Type 2 in a frame whose z lies along the axis of the swing: Euler's second angle stays a right one."""
    scene = _ball_pendulum(0.0)(load)
    (bob,) = scene.bodies
    half = math.sqrt(0.5)
    return replace(scene, bodies=(replace(bob, orientation=(half, 0.0, half, 0.0)),))


def _orientation(label: str, printed: float, scene: Callable[[LoadScene], Scene], number: int) -> Figure:
    options = {"orientation": float(number)}
    computed = of_run(scene, "central_differences", 1e-3, energy_drift, options=options, duration=4.0)
    return Figure(label, printed, computed)


ORIENTATION_SETS = PrintedTable(
    name="orientation-sets",
    source="[UPV Newmark, table 9.2]",
    title="Spatial pendulum, central differences at 1 ms, energy drift over 4 s",
    unit="J",
    figures=(
        *(
            _orientation(f"type 1, {name}", 8.078e-6, _ball_pendulum(0.25 * math.pi), number)
            for number, name in enumerate(ORIENTATIONS)
        ),
        *(
            _orientation(f"type 2, {name}", 3.6e-5, _swung_about_z, number)
            for number, name in enumerate(ORIENTATIONS[:2])
        ),
    ),
)

DRIVEN_PENDULUM = PrintedTable(
    name="driven-pendulum",
    source="[UPV Newmark, table 9.3]",
    title="Spatial pendulum, type 3, central differences at 1 ms, largest change of the energy over 4 s",
    unit="J",
    figures=(
        Figure(
            "quaternions",
            0.058,
            of_run("spatial_pendulum", "central_differences", 1e-3, energy_drift, duration=4.0),
        ),
    ),
)
