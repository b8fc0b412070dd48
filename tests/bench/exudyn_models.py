"""Exudyn models of three mechanisms, and the time one of its steps takes: the peer to measure against.

Exudyn is an optional extra and is imported only inside functions. From a shell::

    python -m tests.bench.exudyn_models              # the three models, presets
    python -m tests.bench.exudyn_models --survey     # every setting tried

Models (general 3D absolute coordinates but for the squeezer, which is planar in both programs):

- ``four_bar``         bars 0.10, 0.40, 0.30 m, ground 0.40 m, 1 kg/m, released at a crank angle of 90°
- ``double_four_bar``  [IFToMM 2015, A02] with N = 2: five rods of 1 m, 1 kg
- ``andrews``          Andrews' squeezer with the data of [Mazzia 2006], torque 0.033 N·m
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

GRAVITY = 9.81  # m/s², along -y
GROUND = -1  # stands for the ground in a joint's pair of bodies
AXIAL_INERTIA = 0.01  # of a rod, as a fraction of its transverse inertia; planar motion does not feel it
WARM_UP_STEPS = 50
CALLS_PER_REPEAT = 20
CHECK_TOLERANCE = 1e-3  # m, rad; the schemes are of second order, the errors at the default steps below 3e-4

Point = tuple[float, float]


class Body(NamedTuple):
    """A rigid body in the x–y plane: mass [kg], inertia about z [kg·m²], pose and velocity of its centre."""

    mass: float
    inertia: float
    p_WB: Point
    angle: float = 0.0
    v_WB: Point = (0.0, 0.0)
    omega: float = 0.0


class Hinge(NamedTuple):
    """A revolute about z; one that closes a loop repeats what the tree already fixes out of plane."""

    body_a: int
    body_b: int
    p_WP: Point
    closes_loop: bool = False


class Spring(NamedTuple):
    """A spring from a point of a body to a point of the ground [N/m, m]."""

    body: int
    p_WP: Point
    p_WQ: Point
    stiffness: float
    length: float


@dataclass(frozen=True)
class Mechanism:
    """What any multibody program needs to build the model, and a check value from an independent solution."""

    bodies: list[Body]
    hinges: list[Hinge]
    planar: bool = False
    gravity: float = GRAVITY
    springs: tuple[Spring, ...] = ()
    torque: float = 0.0  # N·m about z on body 0
    dt: float = 1e-3  # s, the step used for comparisons
    check_time: float = 1.0
    check: tuple[float, ...] = ()  # x, y, angle (modulo a turn) of body 0 at check_time


def _rod(start: Point, end: Point, mass: float, omega: float = 0.0, v_WB: Point = (0.0, 0.0)) -> Body:
    """A uniform slender rod with its local x axis from start to end."""
    (x0, y0), (x1, y1) = start, end
    length = float(np.hypot(x1 - x0, y1 - y0))
    centre = ((x0 + x1) / 2, (y0 + y1) / 2)
    return Body(mass, mass * length**2 / 12, centre, float(np.arctan2(y1 - y0, x1 - x0)), v_WB, omega)


def four_bar() -> Mechanism:
    a, b, c, d = 0.10, 0.40, 0.30, 0.40
    crank, pivot = (0.0, a), (d, 0.0)
    # coupler end: distance b from the crank pin, c from the rocker's pivot, upper branch
    diagonal = np.hypot(a, d)
    angle = np.arctan2(-a, d) + np.arccos((b**2 + diagonal**2 - c**2) / (2 * b * diagonal))
    pin = (float(b * np.cos(angle)), float(a + b * np.sin(angle)))
    phi = 5.699818839
    return Mechanism(
        bodies=[_rod((0.0, 0.0), crank, a), _rod(crank, pin, b), _rod(pivot, pin, c)],
        hinges=[
            Hinge(GROUND, 0, (0.0, 0.0)),
            Hinge(0, 1, crank),
            Hinge(1, 2, pin),
            Hinge(GROUND, 2, pivot, True),
        ],
        check_time=0.5,
        check=(a / 2 * np.cos(phi), a / 2 * np.sin(phi), phi),
    )


def double_four_bar() -> Mechanism:
    # B0 starts with 1 m/s along x: the cranks turn at -1 rad/s, the couplers translate
    cranks = [_rod((x, 0.0), (x, 1.0), 1.0, -1.0, (0.5, 0.0)) for x in (0.0, 1.0, 2.0)]
    couplers = [_rod((x, 1.0), (x + 1.0, 1.0), 1.0, 0.0, (1.0, 0.0)) for x in (0.0, 1.0)]
    tree = [Hinge(GROUND, i, (float(i), 0.0)) for i in range(3)] + [
        Hinge(0, 3, (0.0, 1.0)),
        Hinge(1, 4, (1.0, 1.0)),
    ]
    loops = [Hinge(3, 1, (1.0, 1.0), True), Hinge(4, 2, (2.0, 1.0), True)]
    x, y = -0.195020301950, -0.980799205662
    return Mechanism(cranks + couplers, tree + loops, check=(x / 2, y / 2, float(np.arctan2(y, x))))


def andrews() -> Mechanism:
    # body poses from the angles β Θ γ Φ δ Ω ε of [Mazzia 2006] and [Hairer 1996, §VII.7]
    beta, theta, gamma, phi, delta, omega, epsilon = (
        -0.0617138900142764496, 0.0, 0.455279819163070380, 0.222668390165885885,
        0.487364979543842550, -0.222668390165885885, 1.23054744454982119,
    )  # fmt: skip

    def place(origin: Point, angle: float, x: float, y: float) -> Point:
        cos, sin = np.cos(angle), np.sin(angle)
        return float(origin[0] + cos * x - sin * y), float(origin[1] + sin * x + cos * y)

    O, A, B, C = (0.0, 0.0), (-0.06934, -0.00227), (-0.03635, 0.03273), (0.014, 0.072)  # noqa: E741
    angles = (beta, beta + theta, gamma, phi + delta, delta, omega + epsilon, epsilon)
    F = place(O, beta, 0.007, 0.0)
    E = place(F, beta + theta, -0.028, 0.0)
    D = place(B, gamma, 0.02, -0.018)
    G = place(A, delta, 0.04, 0.0)
    H = place(A, epsilon, 0.0, -0.04)
    centres = (
        place(O, beta, 0.00092, 0.0),
        place(F, beta + theta, -0.0115, 0.0),
        place(B, gamma, 0.01043, -0.01874),
        place(G, phi + delta, 0.0, -(0.02 - 0.01421)),
        place(A, delta, 0.02308, 0.00916),
        place(H, omega + epsilon, 0.02 - 0.01421, 0.0),
        place(A, epsilon, -0.00449, -0.01228),
    )
    masses = (0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498)
    inertias = (2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)
    bodies = [Body(*row) for row in zip(masses, inertias, centres, angles, strict=True)]
    pairs = [(GROUND, 0, O), (0, 1, F), (1, 2, E), (1, 3, E), (1, 5, E), (GROUND, 2, B), (3, 4, G), (5, 6, H)]
    hinges = [Hinge(*pair) for pair in [*pairs, (GROUND, 4, A), (GROUND, 6, A)]]
    final = 15.81077119629904
    return Mechanism(
        bodies,
        hinges,
        planar=True,
        gravity=0.0,
        springs=(Spring(2, D, C, 4530.0, 0.07785),),
        torque=0.033,
        dt=1e-5,
        check_time=0.03,
        check=(*place(O, final, 0.00092, 0.0), final),
    )


MODELS: dict[str, Callable[[], Mechanism]] = {
    "andrews": andrews,
    "double_four_bar": double_four_bar,
    "four_bar": four_bar,
}


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
