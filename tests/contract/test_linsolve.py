"""Both linear solvers against dense least squares: M a = Q + Jᵀλ, J a = γ, redundant rows included."""

from dataclasses import replace

import numpy as np
import pytest

from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.kernel import compiled
from engine.compiled.layout import FACTOR, SOLVE, Array, StepStatus
from engine.model.scene import Scene
from engine.solvers.linsolve import SOLVERS
from engine.system.compiling.compile import compile_scene
from engine.system.compiling.mechanism import Mechanism
from engine.system.equations.evaluator import Evaluator
from tests.contract.cases import SCENES, quick, shipped
from tests.contract.numerics import State, assembled, evaluate, random_state, same

REFINEMENTS = 3


def with_solver(mechanism: Mechanism, name: str) -> Mechanism:
    """The same mechanism laid out for another linear solver."""
    return replace(mechanism, solver=name)


def solved(ev: Evaluator, state: State, f: Array | None = None) -> tuple[Array, Array]:
    """Acceleration and multipliers by the solver of the mechanism."""
    evaluate(ev, state)
    ev.work.vectors[VECTOR.FREE] = ev.forces() if f is None else f
    ev.work.row[:, ROW_VALUE.SOLVE] = ev.gamma
    solver = SOLVERS[ev.mechanism.solver]
    assert compiled(solver.factor, FACTOR)(ev._packed) == StepStatus.OK
    assert compiled(solver.solve, SOLVE)(ev._packed, REFINEMENTS) == StepStatus.OK
    return ev.work.vectors[VECTOR.FREE].copy(), ev.work.row[:, ROW_VALUE.SOLVE].copy()


def expected(ev: Evaluator, state: State) -> Array:
    """Least constraint (Gauss): with M = L Lᵀ and B = J L⁻ᵀ,  Lᵀa = z0 + B⁺(γ − B z0),  z0 = L⁻¹Q.

    Where M has no inverse: the whole saddle-point system by least squares.
    """
    evaluate(ev, state)
    if ev.system.sizes[SIZE.MASSLESS]:
        J, n = ev.jacobian, len(state.v)
        whole = np.block([[ev.mass_matrix(), -J.T], [J, np.zeros((len(J), len(J)))]])
        return np.linalg.lstsq(whole, np.concatenate([ev.forces(), ev.gamma]), rcond=1e-13)[0][:n]
    L = np.linalg.cholesky(ev.mass_matrix())
    B, z0 = np.linalg.solve(L, ev.jacobian.T).T, np.linalg.solve(L, ev.forces())
    z = z0 + np.linalg.lstsq(B, ev.gamma - B @ z0, rcond=1e-10)[0]
    return np.asarray(np.linalg.solve(L.T, z))


PAIRS = [(name, solver) for name in SCENES for solver in SOLVERS.names]


@pytest.mark.parametrize(("name", "solver"), PAIRS)
def test_accelerations_are_those_of_least_squares(name: str, solver: str) -> None:
    mechanism = shipped(name).mechanism
    if solver != mechanism.solver and mechanism.solver != "schur":
        pytest.skip("has massless parts: this solver needs the inverse of M")
    ev = quick(with_solver(mechanism, solver))
    for seed in range(3):
        state = assembled(ev, random_state(ev, seed, shift=0.005, turn=0.05))
        a, multipliers = solved(ev, state)
        reference = expected(ev, state)
        scale = np.abs(reference).max()
        same("acceleration", reference / scale, a / scale, 1e-9)
        evaluate(ev, state)
        load = ev.forces() + ev.jacobian.T @ multipliers
        same("M a = Q + Jᵀλ", ev.mass_matrix() @ a / np.abs(load).max(), load / np.abs(load).max(), 1e-8)


def doubled(space: str) -> Scene:
    """A pendulum whose hinge is there twice."""
    planar = space == "planar"
    pose = {"angle": 0.4} if planar else {"orientation": {"axis": [0.3, 0.5, 0.8], "angle": 0.7}}
    width = 2 if planar else 3
    scene = Scene(
        space=space
    ).with_body(  # type: ignore[arg-type]
        "bob",
        position=[0.4, -0.3, 0.2][:width],
        mass=1.3,
        com=[0.1, -0.2, 0.15][:width],
        inertia=[0.2] if planar else [0.2, 0.3, 0.25, 0.02, -0.01, 0.03],
        **pose,
    )
    for name in ("hinge", "again"):
        scene = scene.with_joint("revolute", name, a={"body": "world"}, b={"body": "bob"})
    return scene


@pytest.mark.parametrize("solver", SOLVERS.names)
@pytest.mark.parametrize("space", ["spatial", "planar"])
def test_a_joint_that_is_there_twice_changes_nothing(space: str, solver: str) -> None:
    scene = doubled(space)
    twice = quick(with_solver(compile_scene(scene), solver))
    once = quick(compile_scene(scene.remove("joints", "again")))
    state = assembled(twice, random_state(twice, 4, shift=0.1, turn=0.3))
    alone = State(
        state.t, state.q, state.v, state.a, state.multipliers[: len(once.mechanism.rows)], state.angles[:1]
    )
    reference = expected(once, alone)
    a, multipliers = solved(twice, state)
    same("acceleration", reference, a, 1e-9)
    _, single = solved(once, alone)
    m = len(single)
    evaluate(once, alone)
    together = multipliers[:m] + multipliers[m:]
    same("sum of the reactions", once.jacobian.T @ single, once.jacobian.T @ together, 1e-7)


@pytest.mark.parametrize("space", ["spatial", "planar"])
def test_a_body_without_inertia_is_carried_along(space: str) -> None:
    """A massless rod welded to a massive one leaves the accelerations of the massive one as they are."""
    planar = space == "planar"
    scene = doubled(space).remove("joints", "again")
    alone = quick(compile_scene(scene))
    nothing = [0.0] if planar else [0.0, 0.0, 0.0]
    with_rod = scene.with_body(
        "rod", position=[0.9, 0.2, -0.3][: 2 if planar else 3], mass=0.0, inertia=nothing
    ).with_joint("fixed", "weld", a={"body": "bob"}, b={"body": "rod"})
    ev = quick(compile_scene(with_rod))
    assert ev.mechanism.solver == "augmented"
    state = assembled(ev, random_state(ev, 2, shift=0.05, turn=0.3))
    a, _ = solved(ev, state)
    width = int(ev.system.bodies[1, BODY.V])
    nq, m = alone.mechanism.nq, len(alone.mechanism.rows)
    bob = State(state.t, state.q[:nq], state.v[:width], a[:width], state.multipliers[:m], state.angles[:1])
    reference = expected(alone, bob)
    scale = np.abs(reference).max()
    same("acceleration", reference / scale, a[:width] / scale, 1e-9)
    evaluate(ev, state)
    same("J a = γ", ev.gamma, ev.jacobian @ a, 1e-9)
