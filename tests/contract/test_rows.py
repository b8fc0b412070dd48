"""Φ, J, Φ' and γ of every joint and motion, against differences of each other at general poses."""

import numpy as np
import pytest
from hypothesis import assume, given

from engine.compiled.columns import entries as ENTRY
from engine.compiled.columns import ranges as SPAN
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import rows as ROW
from engine.elements.primitives import PRIMITIVES
from engine.system.equations.evaluator import Evaluator
from tests.contract.cases import CASES, ROW_CASES, SCENES, Case, shipped
from tests.contract.numerics import (
    State,
    error,
    evaluate,
    few,
    fewer,
    function_rates,
    random_state,
    same,
    seeds,
)
from tests.contract.sweep import STEP, Samples, stencil

JUMP = 1e-4  # of the largest slope: what two differences of a smooth function do not differ by

every_row = pytest.mark.parametrize("case", ROW_CASES, ids=lambda case: case.id)
every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)


def along_motion(ev: Evaluator, state: State) -> Samples:
    """Time derivatives with constant velocities in body axes: q(t + h) = q ⊕ v h exactly."""
    v = state.v[None, :]
    return stencil(ev, state.t, state.q, state.v, dt=np.ones(1), dq=v, dv=np.zeros_like(v))


def check_rows(ev: Evaluator, state: State) -> None:
    evaluate(ev, state)
    J, rate, gamma, given_rates = ev.jacobian, ev.phi_rate, ev.gamma, function_rates(ev)
    position = np.array([not row.velocity for row in ev.mechanism.rows])

    n = len(state.v)
    by_pose = stencil(ev, state.t, state.q, state.v, dt=np.zeros(n), dq=np.eye(n), dv=np.zeros((n, n)))
    same("J = ∂Φ/∂q", J[position], by_pose.phi.T[position])
    along = along_motion(ev, state)
    first, second = along.phi[0], along.rate[0]
    same("Φ' = dΦ/dt", rate[position], first[position])
    same("γ = −dΦ'/dt without accelerations", gamma, -second)
    same("Φ' = J v − f'", rate[position], (J @ state.v - given_rates)[position])


@every_row
@few
@given(seed=seeds)
def test_rows_are_the_derivatives_of_each_other(case: Case, seed: int) -> None:
    check_rows(case.evaluator, random_state(case.evaluator, seed))


@pytest.mark.parametrize("name", SCENES)
@fewer
@given(seed=seeds)
def test_rows_of_shipped_scenes(name: str, seed: int) -> None:
    ev = shipped(name)
    check_rows(ev, random_state(ev, seed, shift=0.01, turn=0.2))


@every_row
@few
@given(seed=seeds)
def test_functions_of_time_enter_with_their_derivatives(case: Case, seed: int) -> None:
    """Φ_t = −f', Φ_tt = −f'' at a pose that does not change; Φ_qt = 0."""
    ev = case.evaluator
    state = random_state(ev, seed)

    still = np.zeros((1, len(state.v)))
    by_time = stencil(ev, state.t, state.q, state.v, dt=np.ones(1), dq=still, dv=still)
    evaluate(ev, state)
    ft, ftt = ev.work.row[:, [ROW_VALUE.FT, ROW_VALUE.FTT]].T
    velocity = np.array([info.velocity for info in ev.mechanism.rows])
    same("Φ_t", np.where(velocity, 0.0, -ft), by_time.phi[0])
    same("Φ_qt v + Φ_tt", np.where(velocity, -ft, -ftt), by_time.rate[0])


@every_case
@few
@given(seed=seeds)
def test_coordinate_functions_are_the_derivatives_of_each_other(case: Case, seed: int) -> None:
    """Also of the coordinate functions that no row holds: coordinates of joints, lines of action of
    forces."""
    ev = case.evaluator
    state = random_state(ev, seed)
    evaluate(ev, state)
    gradients, (_, rate, bias) = ev.coordinate_gradients, ev.coordinate_functions.T
    if len(rate) == 0:
        return

    assume(same_features_stay(ev, state))
    along = along_motion(ev, state).coordinate_functions[0]
    value_rate, rate_rate = along[:, 0], along[:, 1]
    holonomic = ~velocity_level(ev)
    shown = np.ones(len(rate), dtype=bool)  # a row that is switched off has no gradient
    shown[ev.system.rows[len(ev.mechanism.rows) :, ROW.COORDINATE]] = False
    same("s' = grad·v", rate[shown], (gradients @ state.v)[shown])
    same("s' = ds/dt", rate[holonomic], value_rate[holonomic])
    same("bias = ds'/dt without accelerations", bias, rate_rate)


def same_features_stay(ev: Evaluator, state: State) -> bool:
    """The slip of two shapes jumps where others of their features come nearest, and has no derivative there.

    Differences over one and over two steps are then hundreds apart; of a smooth function 1e-8 or so.
    """
    slopes = []
    for h in (STEP, 2.0 * STEP):
        rates = []
        for way in (-h, h):
            ev.at(state.t + way, ev.retract(state.q, way * state.v), state.v, state.angles)
            rates.append(ev.coordinate_functions[:, 1].copy())
        slopes.append((rates[1] - rates[0]) / (2.0 * h))
    evaluate(ev, state)
    return error(*slopes) < JUMP


def velocity_level(ev: Evaluator) -> np.ndarray:
    """Coordinate functions that have no value."""
    out = np.zeros(len(ev.system.coordinate_functions), dtype=bool)
    for kind, span in zip(PRIMITIVES, ev.system.ranges, strict=False):
        for entry in ev.system.entries[span[SPAN.BEGIN] : span[SPAN.END]]:
            first, count = entry[[ENTRY.COORDINATE, ENTRY.COUNT]]
            out[first : first + count] |= kind.velocity_level
    return out


@every_row
@few
@given(seed=seeds)
def test_power_of_the_reactions_is_that_of_the_rows(case: Case, seed: int) -> None:
    """(Jᵀλ)·v = λ·(Φ' + f'), for velocity rows λ·(A v)."""
    ev = case.evaluator
    state = random_state(ev, seed)
    evaluate(ev, state)
    velocity = np.array([info.velocity for info in ev.mechanism.rows])
    f, ft = ev.work.row[:, [ROW_VALUE.F, ROW_VALUE.FT]].T
    prescribed = np.where(velocity, f, ft)
    power = (ev.jacobian.T @ state.multipliers) @ state.v
    same("power", np.array(state.multipliers @ (ev.phi_rate + prescribed)), np.array(power), 1e-12)
