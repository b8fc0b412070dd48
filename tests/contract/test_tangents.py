"""Tangents of rows and forces against differences: v, a and λ kept while the pose is varied, and v varied."""

import numpy as np
import pytest
from hypothesis import given

from engine.compiled.columns import rows as ROW
from engine.system.compiling.compile import compile_scene
from engine.system.equations.evaluator import Evaluator
from tests.contract.cases import CASES, SCENES, Case, shipped
from tests.contract.numerics import TOLERANCE, State, evaluate, few, fewer, random_state, same, seeds
from tests.contract.sweep import stencil


def check_tangents(ev: Evaluator, state: State, tolerance: float = TOLERANCE) -> None:
    n = len(state.v)
    evaluate(ev, state)
    ev.forces()
    stiffness, damping = ev.tangents(state.a, state.multipliers)
    rate_q, acceleration_q, acceleration_v = ev.row_tangents()

    zero, unit, still = np.zeros(n), np.eye(n), np.zeros((n, n))
    by_pose = stencil(ev, state.t, state.q, state.v, dt=zero, dq=unit, dv=still)
    by_velocity = stencil(ev, state.t, state.q, state.v, dt=zero, dq=still, dv=unit)
    same("∂(J v)/∂q", rate_q, (by_pose.J @ state.v).T)
    same("∂(J a − γ)/∂q", acceleration_q, (by_pose.J @ state.a - by_pose.gamma).T)
    same("∂(Q + Jᵀλ)/∂q", stiffness, (by_pose.Q + state.multipliers @ by_pose.J).T, tolerance)
    same("−∂γ/∂v", acceleration_v, -by_velocity.gamma.T)
    same("∂Q/∂v", damping, by_velocity.Q.T)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
@few
@given(seed=seeds)
def test_tangents_of_every_kind(case: Case, seed: int) -> None:
    check_tangents(case.evaluator, random_state(case.evaluator, seed))


@pytest.mark.parametrize("name", SCENES)
@fewer
@given(seed=seeds)
def test_tangents_of_shipped_scenes(name: str, seed: int) -> None:
    ev = shipped(name)
    # stiff springs on short levers lose a digit to the step of the differences
    check_tangents(ev, random_state(ev, seed, shift=0.01, turn=0.2), 1e-7)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_stiffness_of_reactions_is_that_of_the_rows(case: Case) -> None:
    """Σ λ ∂²s/∂q² contracted with v is λ·∂(J v)/∂q, so the two ways to second derivatives agree exactly."""
    ev = case.evaluator
    state = random_state(ev, 7)
    evaluate(ev, state)
    ev.forces()
    with_rows, _ = ev.tangents(state.a, state.multipliers)
    rate_q = ev.row_tangents()[0]
    evaluate(ev, state)
    ev.forces()
    without, _ = ev.tangents(state.a, np.zeros_like(state.multipliers))
    same("λ·∂(J v)/∂q", state.multipliers @ rate_q, state.v @ (with_rows - without), 1e-11)


def test_a_row_that_is_switched_off_has_neither_gradient_nor_tangents() -> None:
    ev = Evaluator(compile_scene(shipped("spatial_four_bar").mechanism.scene), tangents=True)
    ev.system.rows[3, ROW.ACTIVE] = 0
    check_tangents(ev, random_state(ev, 1))
    assert not ev.row_tangents()[1][3].any()
    assert not ev.jacobian[3].any()
