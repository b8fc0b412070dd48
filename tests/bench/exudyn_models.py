"""Exudyn models of three mechanisms, and the time one of its steps takes: the peer to measure against.

Exudyn is an optional extra and is imported only inside functions. From a shell::

    python -m tests.bench.exudyn_models              # the three models, presets
    python -m tests.bench.exudyn_models --survey     # every setting tried

The mechanisms are those of `planar_mechanisms`, in general 3D absolute coordinates but for the squeezer,
which is planar in both programs.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import sys
import time
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from tests.bench.planar_mechanisms import GROUND, MODELS, Body, Mechanism, Point

AXIAL_INERTIA = 0.01  # of a rod, as a fraction of its transverse inertia; planar motion does not feel it
WARM_UP_STEPS = 50
CALLS_PER_REPEAT = 20
CHECK_TOLERANCE = 1e-3  # m, rad; the schemes are of second order, the errors at the default steps below 3e-4


@dataclass(frozen=True)
class Settings:
    """The choices that decide how fast Exudyn is; the defaults are its own, but for the linear solver."""

    node: str = "RotationEulerParameters"  # or RotationRotationVector (Lie group), RotationRxyz; spatial only
    joint: str = "revolute_z"  # or generic; spatial only
    reduced: bool = False  # loop-closing hinges fix x and y only, so that no constraint is redundant
    linear_solver: str = "EigenDense"  # or EXUdense, EigenSparse: both refuse redundant constraints
    full_pivoting: bool = True  # EigenDense only: what lets it solve redundant constraints
    reuse_pattern: bool = False  # EigenSparse only
    modified_newton: bool = True  # keep the Jacobian while the iteration contracts
    contractivity: float = 0.5  # ... by at least this factor
    jacobian_per_step: bool = False
    scheme: str = "GeneralizedAlpha"  # or TrapezoidalIndex2; Exudyn's explicit schemes take no joints
    spectral_radius: float = 0.9


EULER = Settings()
LIE = Settings(node="RotationRotationVector")
ANGLES = Settings(node="RotationRxyz")
REDUCED = replace(ANGLES, reduced=True, full_pivoting=False, jacobian_per_step=True)

# default: what a user gets. tuned: the fastest found for the same constraints. reduced: the fastest found
# once somebody takes the redundant ones away by hand. All of them give the right motion.
PRESETS = {
    "andrews": {
        "default": EULER,
        "tuned": replace(EULER, full_pivoting=False, contractivity=0.01),
    },
    "double_four_bar": {
        "default": EULER,
        "tuned": replace(ANGLES, contractivity=0.2),
        "reduced": replace(REDUCED, linear_solver="EigenSparse", reuse_pattern=True),
    },
    "four_bar": {
        "default": EULER,
        "tuned": replace(ANGLES, contractivity=0.1),
        "reduced": REDUCED,
    },
}
# what else was tried, one change at a time; after that, what only spatial models can do
EVALUATION = {
    "Jacobian each step": replace(EULER, jacobian_per_step=True),
    "full Newton": replace(EULER, modified_newton=False),
    "contractivity 0.1": replace(EULER, contractivity=0.1),
    "index 2 trapezoidal": replace(EULER, scheme="TrapezoidalIndex2"),
    "spectral radius 0.6": replace(EULER, spectral_radius=0.6),
}
SPATIAL_EVALUATION = {
    "generic joints": replace(EULER, joint="generic"),
    "Lie group": LIE,
    "Lie group, contractivity 0.1": replace(LIE, contractivity=0.1),
    "angles": ANGLES,
    "angles, Jacobian each step": replace(ANGLES, jacobian_per_step=True),
    "reduced, EigenDense": REDUCED,
    "reduced, EigenDense, contractivity 0.1": replace(REDUCED, jacobian_per_step=False, contractivity=0.1),
    "reduced, EXUdense": replace(REDUCED, linear_solver="EXUdense"),
    "reduced, EigenSparse, pattern kept": replace(REDUCED, linear_solver="EigenSparse", reuse_pattern=True),
}


class Model(NamedTuple):
    """An assembled Exudyn system, the container that owns it, and its body numbers."""

    container: Any
    system: Any
    bodies: list[Any]


def load_exudyn() -> Any:
    """The exudyn module, or a clear refusal.

    It has two builds, of which a process can load one: the one that `import exudyn` gives, and a fast one (no
    range checks, AVX2), which is taken unless the environment variable EXUDYN_BUILD says "installed".
    """
    if "exudyn" not in sys.modules and os.environ.get("EXUDYN_BUILD") != "installed":
        sys.exudynFast = True  # type: ignore[attr-defined]
    try:
        with contextlib.redirect_stdout(io.StringIO()):  # it announces the build
            import exudyn
            import exudyn.itemInterface
            import exudyn.utilities
    except ImportError as error:
        raise ImportError("the side-by-side benchmark needs exudyn: pip install 'exudyn>=1.13'") from error
    return exudyn


def build(mechanism: Mechanism, settings: Settings) -> Model:
    """The mechanism as an assembled Exudyn system."""
    exu = load_exudyn()
    items = exu.itemInterface
    container = exu.SystemContainer()
    system = container.AddSystem()
    add_body = _add_planar_body if mechanism.planar else _add_spatial_body
    bodies = [add_body(exu, system, body, settings) for body in mechanism.bodies]
    ground = system.AddObject(items.ObjectGround())

    def marker(body: int, p_WP: Point, kind: Any) -> Any:
        if body == GROUND:
            return system.AddMarker(kind(bodyNumber=ground, localPosition=[*p_WP, 0.0]))
        p_WB, angle = np.array(mechanism.bodies[body].p_WB), mechanism.bodies[body].angle
        x, y = np.array(p_WP) - p_WB
        cos, sin = np.cos(angle), np.sin(angle)
        p_BP = [cos * x + sin * y, -sin * x + cos * y, 0.0]
        return system.AddMarker(kind(bodyNumber=bodies[body], localPosition=p_BP))

    for hinge in mechanism.hinges:
        kind = items.MarkerBodyPosition if mechanism.planar else items.MarkerBodyRigid
        markers = [marker(body, hinge.p_WP, kind) for body in (hinge.body_a, hinge.body_b)]
        if mechanism.planar:
            joint = items.ObjectJointRevolute2D(markerNumbers=markers)
        elif settings.reduced and hinge.closes_loop:
            joint = items.GenericJoint(markerNumbers=markers, constrainedAxes=[1, 1, 0, 0, 0, 0])
        elif settings.joint == "generic":
            joint = items.GenericJoint(markerNumbers=markers, constrainedAxes=[1, 1, 1, 1, 1, 0])
        else:
            joint = items.ObjectJointRevoluteZ(markerNumbers=markers)
        system.AddObject(joint)
    for spring in mechanism.springs:
        ends = [marker(GROUND, spring.p_WQ, items.MarkerBodyPosition)]
        ends.append(marker(spring.body, spring.p_WP, items.MarkerBodyPosition))
        system.AddObject(
            items.ObjectConnectorSpringDamper(
                markerNumbers=ends, stiffness=spring.stiffness, referenceLength=spring.length
            )
        )
    if mechanism.gravity:
        for number in bodies:
            mass = system.AddMarker(items.MarkerBodyMass(bodyNumber=number))
            system.AddLoad(
                items.LoadMassProportional(markerNumber=mass, loadVector=[0, -mechanism.gravity, 0])
            )
    if mechanism.torque:
        frame = system.AddMarker(items.MarkerBodyRigid(bodyNumber=bodies[0]))
        system.AddLoad(items.LoadTorqueVector(markerNumber=frame, loadVector=[0, 0, mechanism.torque]))
    system.Assemble()
    return Model(container, system, bodies)


def _add_planar_body(exu: Any, system: Any, body: Body, settings: Settings) -> Any:
    items = exu.itemInterface
    node = system.AddNode(
        items.NodeRigidBody2D(
            referenceCoordinates=[*body.p_WB, body.angle], initialVelocities=[*body.v_WB, body.omega]
        )
    )
    return system.AddObject(items.ObjectRigidBody2D(mass=body.mass, inertia=body.inertia, nodeNumber=node))


def _add_spatial_body(exu: Any, system: Any, body: Body, settings: Settings) -> Any:
    cos, sin = np.cos(body.angle), np.sin(body.angle)
    return system.CreateRigidBody(
        referencePosition=[*body.p_WB, 0.0],
        referenceRotationMatrix=np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]]),
        initialVelocity=[*body.v_WB, 0.0],
        initialAngularVelocity=[0.0, 0.0, body.omega],
        inertia=exu.utilities.RigidBodyInertia(
            mass=body.mass, inertiaTensor=np.diag([AXIAL_INERTIA, 1.0, 1.0]) * body.inertia
        ),
        nodeType=getattr(exu.NodeType, settings.node),
    )


def simulation_settings(settings: Settings, dt: float, steps: int) -> Any:
    """Exudyn's settings object: fixed step, one thread, nothing written or printed."""
    exu = load_exudyn()
    options = exu.SimulationSettings()
    options.parallel.numberOfThreads = 1
    options.solution.file.write = False
    options.solution.sensors.active = False
    options.timeIntegration.verboseMode = 0
    options.timeIntegration.numberOfSteps = steps
    options.timeIntegration.endTime = steps * dt
    options.timeIntegration.adaptiveStep = False
    options.timeIntegration.newton.useModifiedNewton = settings.modified_newton
    options.timeIntegration.newton.modifiedNewtonContractivity = settings.contractivity
    options.timeIntegration.newton.modifiedNewtonJacUpdatePerStep = settings.jacobian_per_step
    alpha = options.timeIntegration.generalizedAlpha
    alpha.spectralRadius = settings.spectral_radius
    alpha.useNewmark = alpha.useIndex2Constraints = settings.scheme == "TrapezoidalIndex2"
    options.linearSolver.solverType = getattr(exu.LinearSolverType, settings.linear_solver)
    options.linearSolver.ignoreSingularJacobian = settings.full_pivoting
    options.linearSolver.reuseAnalyzedPattern = settings.reuse_pattern
    return options


def _advance(system: Any, options: Any) -> tuple[float, Any]:
    """Wall time of the steps [s], without assembly and initialisation, and the solver with its counters."""
    solver = load_exudyn().MainSolverImplicitSecondOrder()
    if not solver.InitializeSolver(system, options):
        raise RuntimeError("Exudyn could not initialise its solver")
    start = time.perf_counter()
    success = solver.SolveSteps(system, options)
    seconds = time.perf_counter() - start
    solver.FinalizeSolver(system, options)
    if not success:
        raise RuntimeError(
            f"Exudyn stopped at t = {solver.it.currentTime:g} s; try other settings or a smaller step"
        )
    return seconds, solver


def check_error(name: str, *, dt: float | None = None, settings: Settings | None = None) -> float:
    """Largest deviation of body 0 in position [m] and angle [rad] from the independent solution."""
    mechanism, settings, dt = _resolve(name, dt, settings)
    model = build(mechanism, settings)
    _advance(model.system, simulation_settings(settings, dt, round(mechanism.check_time / dt)))
    kind = load_exudyn().OutputVariableType
    x, y, _ = model.system.GetObjectOutputBody(model.bodies[0], kind.Position)
    R_WB = np.reshape(model.system.GetObjectOutputBody(model.bodies[0], kind.RotationMatrix), (3, 3))
    turn = np.arctan2(R_WB[1, 0], R_WB[0, 0]) - mechanism.check[2]
    turn = np.remainder(turn + np.pi, 2 * np.pi) - np.pi
    return float(max(abs(x - mechanism.check[0]), abs(y - mechanism.check[1]), abs(turn)))


def time_per_step(
    name: str,
    *,
    dt: float | None = None,
    steps: int = 1000,
    repeats: int = 8,
    settings: Settings | None = None,
) -> dict[str, Any]:
    """Best of several runs of Exudyn's implicit scheme on a model, by default with its tuned preset.

    Beside the input, the result holds ``seconds_per_step`` (without assembly and initialisation), Newton
    iterations and Jacobians per step, and ``seconds_initial_acceleration``, what Exudyn takes for the
    accelerations at the start.
    """
    mechanism, settings, dt = _resolve(name, dt, settings)
    system = build(mechanism, settings).system
    _advance(system, simulation_settings(settings, dt, WARM_UP_STEPS))
    runs = [_advance(system, simulation_settings(settings, dt, steps)) for _ in range(repeats)]
    counters = runs[-1][1].it
    return {
        "name": name,
        "dt": dt,
        "steps": steps,
        "repeats": repeats,
        "settings": settings,
        "seconds_per_step": min(seconds for seconds, _ in runs) / steps,
        "newton_per_step": counters.newtonStepsCount / steps,
        "jacobians_per_step": counters.newtonJacobiCount / steps,
        "seconds_initial_acceleration": _time_initial_acceleration(system, settings, dt, repeats),
    }


def _time_initial_acceleration(system: Any, settings: Settings, dt: float, repeats: int) -> float:
    """Best time of Exudyn's initial accelerations [s]; the rest of that call costs about 1 µs."""
    solver, options = load_exudyn().MainSolverImplicitSecondOrder(), simulation_settings(settings, dt, 1)
    solver.InitializeSolver(system, options)
    best = np.inf
    for _ in range(CALLS_PER_REPEAT * repeats):
        start = time.perf_counter()
        solver.InitializeSolverInitialConditions(system, options)
        best = min(best, time.perf_counter() - start)
    solver.FinalizeSolver(system, options)
    return best


def _resolve(name: str, dt: float | None, settings: Settings | None) -> tuple[Mechanism, Settings, float]:
    if name not in MODELS:
        raise KeyError(f"unknown model {name!r} (known: {', '.join(MODELS)})")
    mechanism = MODELS[name]()
    return mechanism, settings or PRESETS[name]["tuned"], dt or mechanism.dt


def main() -> int:
    """Print a table: one line per model and setting."""
    parser = argparse.ArgumentParser(description="time per step of Exudyn")
    parser.add_argument("names", nargs="*", default=list(MODELS), help=f"of {', '.join(MODELS)}")
    parser.add_argument("--survey", action="store_true", help="also everything else that was tried")
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--repeats", type=int, default=8)
    args = parser.parse_args()
    if unknown := set(args.names) - set(MODELS):
        parser.error(f"unknown model {', '.join(sorted(unknown))} (known: {', '.join(MODELS)})")
    sys.stdout.write(f"Exudyn {load_exudyn().__version__}; times in µs\n")
    sys.stdout.write(
        f"{'model':16} {'setting':39} {'step':>7} {'Newton':>7} {'Jacob.':>7} {'start':>7} {'error':>9}\n"
    )
    wrong = 0
    for name in args.names:
        mechanism, _, _ = _resolve(name, None, None)
        extra = (
            (EVALUATION if mechanism.planar else EVALUATION | SPATIAL_EVALUATION) if args.evaluation else {}
        )
        for label, settings in (PRESETS[name] | extra).items():
            row = time_per_step(name, steps=args.steps, repeats=args.repeats, settings=settings)
            step, start = row["seconds_per_step"] * 1e6, row["seconds_initial_acceleration"] * 1e6
            newton, jacobians = row["newton_per_step"], row["jacobians_per_step"]
            error = check_error(name, settings=settings)
            wrong += error > CHECK_TOLERANCE
            sys.stdout.write(
                f"{name:16} {label:39} {step:7.1f} {newton:7.2f} {jacobians:7.3f} {start:7.1f} {error:9.1e}\n"
            )
            sys.stdout.flush()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
