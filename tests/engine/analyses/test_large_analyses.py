"""Driven motions, equilibria and modes of large mechanisms: closed forms, and what small ones get."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
import pytest
import scipy

from engine import loads
from engine.analyses import ANALYSES
from engine.analyses.answers.result import Result
from engine.analyses.base import Question
from engine.analyses.dynamics import equilibrium, large_equilibrium, modes
from engine.analyses.dynamics.sparse_spectrum import slowest
from engine.analyses.kinematics import driven
from engine.analyses.mobility.mobility import mobility
from engine.benchmarks.cost_over_size import chain, row_of_four_bars
from engine.system.assembly.assemble import assemble
from engine.system.assembly.row_factor import RowFactor
from engine.system.assembly.scaling import scales_of, subspaces
from engine.system.compiling.compile import compile_scene
from engine.system.equations.evaluator import Evaluator
from engine.system.small_motions.force_balance import State
from tests.engine.system.mechanisms import shipped
from tests.verification import test_modes

GRAVITY = 9.81


def ask(name: str, raw: dict[str, Any], **options: Any) -> Result:
    analysis = ANALYSES[name]
    return analysis.run(Question(loads(json.dumps(raw)), analysis.options(**options)))


def driven_row(n: int) -> dict[str, Any]:
    """A row of four-bars whose first crank is led by −t, so that all cranks turn alike."""
    motion = {
        "name": "M",
        "kind": "joint_motion",
        "joint": "A0",
        "coordinate": "angle",
        "function": "-0.3*t - 0.5*t^2",
    }
    return {**row_of_four_bars(n), "motions": [motion]}


def hanging(n: int) -> dict[str, Any]:
    """The chain along x with gravity along x."""
    return {**chain(n), "gravity": [GRAVITY, 0.0, 0.0]}


def linear(raw: dict[str, Any] | str) -> tuple[Evaluator, Any, State]:
    mechanism = compile_scene(shipped(raw) if isinstance(raw, str) else loads(json.dumps(raw)))
    start = assemble(mechanism)
    return (
        Evaluator(mechanism, tangents=True),
        scales_of(mechanism),
        State(0.0, start.q, start.v, start.angles),
    )


def test_all_cranks_of_a_driven_row_follow_the_first() -> None:
    result = ask("kinematic", driven_row(20), duration=0.5, step=0.05)
    motion = result.motions[0]
    t, v, a = motion.t, np.asarray(motion.v), np.asarray(motion.a)
    assert motion.mechanism.nv > 150
    for b, name in enumerate(motion.mechanism.bodies):
        if name.startswith("crank"):
            np.testing.assert_allclose(v[:, 6 * b + 5], -0.3 - t, rtol=0, atol=1e-9)
            np.testing.assert_allclose(a[:, 6 * b + 5], -1.0, rtol=0, atol=1e-8)


@pytest.mark.parametrize("name", ["kinematic", "inverse"])
def test_sparse_and_full_factors_lead_a_motion_alike(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    full = ask(name, driven_row(3), duration=0.5, step=0.05)
    monkeypatch.setattr(driven, "LARGE", 0)
    sparse = ask(name, driven_row(3), duration=0.5, step=0.05)
    for part in ("q", "v", "a", "multipliers"):
        one, other = getattr(full.motions[0], part), getattr(sparse.motions[0], part)
        assert (one is None) == (other is None)
        if one is not None:
            np.testing.assert_allclose(one, other, rtol=1e-8, atol=1e-8)
    if name == "inverse":
        assert [row[-1] for row in full.tables[1].rows] == [row[-1] for row in sparse.tables[1].rows]


def test_a_dead_point_ends_a_large_driven_motion() -> None:
    raw = driven_row(13)
    raw["motions"][0]["function"] = "-t"  # a row of parallelograms lies flat after a quarter turn
    summary = ask("kinematic", raw, duration=2.0, step=0.02).summary
    assert "Change point at t = 1.57" in summary or "determine the mechanism" in summary


def test_a_long_chain_falls_from_level_to_hanging() -> None:
    result = ask("static", chain(60))
    assert result.summary.startswith("Stable equilibrium")
    poses = np.asarray(result.motions[0].q)[0].reshape(-1, 7)
    np.testing.assert_allclose(poses[:, 0], 0.0, atol=1e-7)
    np.testing.assert_allclose(poses[:, 1], -0.5 - np.arange(60), atol=1e-7)
    carried = {row[0].name: row[1] for row in result.tables[-1].rows}  # type: ignore[union-attr]
    assert carried["H0"] == pytest.approx(60 * GRAVITY, rel=1e-9)
    assert carried["H59"] == pytest.approx(GRAVITY, rel=1e-7)


@pytest.mark.parametrize("name", ["double_pendulum", "four_bar_spring_damper"])
def test_both_searches_end_in_the_same_equilibrium(name: str) -> None:
    evaluator, scales, state = linear(name)
    one = equilibrium.Search(evaluator, scales, 0.0).find(state.q, state.angles)
    other = large_equilibrium.LargeSearch(evaluator, scales, 0.0).find(state.q, state.angles)
    assert one.found
    assert other.found
    assert one.stability == other.stability
    np.testing.assert_allclose(one.state.q, other.state.q, atol=1e-7)
    np.testing.assert_allclose(np.sort(one.squares.real), np.sort(other.squares.real), rtol=1e-6)


def test_modes_of_a_hanging_chain_are_zeros_of_a_bessel_function() -> None:
    # ω_k = j_0k/2 √(g/L) for a heavy string; bars of 1 m differ by terms of 1/n
    n = 200
    evaluator, scales, state = linear(hanging(n))
    found = slowest(evaluator, scales, state, 4)
    frequencies = np.sort(found.exponents.imag[found.exponents.imag > 0.0])
    wanted = scipy.special.jn_zeros(0, 4) / 2.0 * np.sqrt(GRAVITY / n)
    np.testing.assert_allclose(frequencies, wanted, rtol=1e-3)
    assert np.max(np.abs(found.exponents.real)) < 1e-10


@pytest.mark.parametrize(
    "known",
    [
        test_modes.test_a_rigid_body_mode_has_frequency_zero,
        test_modes.test_damping,
        test_modes.test_an_upright_pendulum_falls,
    ],
)
def test_sparse_exponents_meet_what_is_known(
    known: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Free translations, dampers, an unstable equilibrium: closed forms."""
    monkeypatch.setattr(modes, "LARGE", 0)
    known()


def test_sparse_exponents_of_a_bicycle_are_those_of_the_null_space(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rolling wheels, a steady motion, and zeros in chains."""
    full = test_modes.bicycle(5.0)
    monkeypatch.setattr(modes, "LARGE", 0)
    sparse = test_modes.bicycle(5.0)
    for s in full:
        assert np.min(np.abs(sparse - s)) < 1e-7


def test_shortest_multipliers_of_rows_that_repeat_each_other() -> None:
    random = np.random.default_rng(3)
    A = random.normal(size=(7, 5))
    A[5], A[6] = A[0] + A[1], A[2] - A[3]
    load = A.T @ random.normal(size=7)
    found = RowFactor(scipy.sparse.csr_array(A)).least_multipliers(load)
    np.testing.assert_allclose(found, subspaces(A).solve_transposed(load), rtol=1e-9, atol=1e-9)


def test_remedies_of_a_loop_hold_in_the_whole_mechanism() -> None:
    raw = row_of_four_bars(13)
    result = ask("redundancy", raw)
    assert result.summary.startswith("1 degree of freedom; 39 of 200 rows are redundant at every pose")
    assert "Remedy in the first loop" in result.summary
    assert any("5 further loops" in note for note in result.notes)
    scene = loads(json.dumps(raw))
    for suggestion in result.suggestions[:2]:
        replaced = {spec.name: spec for _, spec in suggestion.replaced}
        joints = tuple(replaced.get(joint.name, joint) for joint in scene.joints)
        mechanism = compile_scene(msgspec.structs.replace(scene, joints=joints))
        found = mobility(mechanism, assemble(mechanism))
        assert (found.generic_dof, found.generic_redundant) == (1, 36)
