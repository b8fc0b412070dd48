"""Poses, retraction, difference and rates of coordinates; and outputs that leave nothing unwritten."""

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from numba import types

from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.kernel import compiled
from engine.compiled.layout import F1, I2, Array
from engine.system.equations import kinematics
from engine.system.equations.evaluator import Evaluator
from tests.contract.cases import CASES, SCENES, Case, shipped
from tests.contract.numerics import evaluate, few, poses, random_state, same, seeds

PAIR = [case for case in CASES if case.id in ("fixed-spatial", "fixed-planar")]


def rates(ev: Evaluator, q: Array, v: Array) -> Array:
    out = np.full_like(q, np.nan)
    compiled(kinematics.coordinate_rates, types.void(I2, F1, F1, F1))(ev.system.bodies, q, v, out)
    return out


@pytest.mark.parametrize("case", PAIR, ids=lambda case: case.id)
@few
@example(seed=10000)  # turns by more than π
@given(seed=seeds)
def test_retraction_and_difference_are_inverse(case: Case, seed: int) -> None:
    ev = case.evaluator
    state = random_state(ev, seed)
    for size in (below_half_a_turn(ev, state.v), 1e-3, 1e-5, 1e-9):
        step = size * state.v
        same(
            "q ⊕ s ⊖ q",
            state.v,
            ev.difference(state.q, ev.retract(state.q, step)) / size,
            1e-15 / size + 1e-12,
        )
    other = random_state(ev, seed + 1).q
    there = ev.retract(state.q, ev.difference(state.q, other))
    same("distance to the aim", np.zeros(len(state.v)), ev.difference(other, there), 1e-13)
    same("no step", np.zeros(len(state.v)), ev.difference(state.q, -state.q * flips(ev)), 1e-15)


def below_half_a_turn(ev: Evaluator, v: Array) -> float:
    """The share of a step, up to 1, that turns no body by π: beyond it ⊖ takes the shorter way back."""
    if ev.mechanism.planar:
        return 1.0
    turns = np.linalg.norm(v.reshape(-1, 6)[:, 3:], axis=1)
    return min(1.0, 3.0 / float(turns.max()))


def flips(ev: Evaluator) -> Array:
    """Signs that negate the quaternions only: q and −q are one rotation."""
    width = 3 if ev.mechanism.planar else 7
    one = -np.ones(width)
    one[3:] = 1.0
    return np.tile(one, len(ev.mechanism.bodies))


@pytest.mark.parametrize("case", PAIR, ids=lambda case: case.id)
@few
@given(seed=seeds)
def test_rotations_are_orthogonal_and_turn_with_the_angular_velocity(case: Case, seed: int) -> None:
    ev = case.evaluator
    state = random_state(ev, seed)
    h = 1e-5
    ahead, behind = ev.retract(state.q, h * state.v), ev.retract(state.q, -h * state.v)
    same("q' = d(q ⊕ v t)/dt", rates(ev, state.q, state.v), (ahead - behind) / (2.0 * h), 1e-9)
    turned = [poses(ev.at(0.0, q))[0][0] for q in (ahead, behind)]
    evaluate(ev, state)
    for R, _ in poses(ev):
        same("RᵀR", np.eye(3), R.T @ R, 1e-14)
        assert np.linalg.det(R) > 0.0
    R, at = poses(ev)[0][0], 2 if ev.mechanism.planar else 3
    w = np.array([0.0, 0.0, state.v[2]]) if ev.mechanism.planar else state.v[at : at + 3]
    same("R' = R ω×", R @ np.cross(w, np.eye(3), axisb=0, axisc=0), (turned[0] - turned[1]) / (2.0 * h), 1e-9)


def results(ev: Evaluator, state: Any) -> dict[str, Array]:
    evaluate(ev, state)
    found = {
        "phi": ev.phi,
        "rate": ev.phi_rate,
        "gamma": ev.gamma,
        "J": ev.jacobian,
        "coordinate_functions": ev.coordinate_functions,
    }
    found |= {"Q": ev.forces(), "energy": ev.energy, "power": ev.power}
    found["stiffness"], found["damping"] = ev.tangents(state.a, state.multipliers)
    found["∂(Jv)/∂q"], found["∂(Ja)/∂q"], found["∂γ/∂v"] = ev.row_tangents()
    return found


def spoil(ev: Evaluator) -> None:
    """NaN wherever an evaluation must not read before it has written."""
    work, planar = ev.work, ev.mechanism.planar
    references = work.coordinate[:, COORDINATE_VALUE.REFERENCE].copy()
    multipliers = work.row[:, ROW_VALUE.LAMBDA].copy()  # the caller's, for forces that depend on reactions
    for name in ("grad", "tangent", "coordinate", "weight", "row", "vectors", "matrix", "diagonal",
                 "stiffness", "damping", "energy", "power", "stack"):  # fmt: skip
        getattr(work, name)[...] = np.nan
    work.coordinate[:, COORDINATE_VALUE.REFERENCE] = references
    work.row[:, ROW_VALUE.LAMBDA] = multipliers
    # of a planar body the rest was set once and for all
    turning = [0, 1, 3, 4, 9, 10, 12, 13, 17, 18]
    work.pose[:-1, turning if planar else slice(0, 18)] = np.nan
    work.accel[:-1, [0, 1, 5] if planar else slice(None)] = np.nan


def check_unread(ev: Evaluator, seed: int) -> None:
    state = random_state(ev, seed, shift=0.01, turn=0.2)
    expected = results(ev, state)
    spoil(ev)
    for name, value in results(ev, state).items():
        np.testing.assert_array_equal(value, expected[name], name)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_every_output_is_written(case: Case) -> None:
    check_unread(case.evaluator, 5)


@pytest.mark.parametrize("name", SCENES)
def test_every_output_of_shipped_scenes_is_written(name: str) -> None:
    check_unread(shipped(name), 5)
