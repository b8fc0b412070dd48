"""Comparisons of methods: errors against another reference, orders, divergence, the command line."""

import json

import numpy as np
import pytest

from app.cli import run_command_line
from engine import SceneError, set_value
from engine.benchmarks.comparison import compare
from engine.solvers.method_patterns import select_methods, showcase
from tests.verification import references as ref
from tests.verification.runs import finished, shipped


def test_errors_are_those_against_the_minimal_coordinates():
    scene = shipped("double_pendulum")
    found = compare(scene, ["rk2"], dts=[4e-3], duration=1.0)
    assert len(found.instants) == 84  # every third step of 4 ms, and the end
    theta1, theta2, _, _ = ref.double_pendulum_angles(found.instants)
    elbow = np.array([np.cos(theta1), np.sin(theta1)])
    exact = np.array([0.5 * elbow, elbow + 0.4 * np.array([np.cos(theta2), np.sin(theta2)])])
    run = finished(scene, "rk2", 4e-3, 1.0)
    rows = np.rint(found.instants / 4e-3).astype(int)
    names = [[f"body.{body}.com.{axis}" for axis in "xy"] for body in ("upper", "lower")]
    errors = [np.linalg.norm(run.table(n)[rows].T - e, axis=0) for n, e in zip(names, exact, strict=True)]
    np.testing.assert_allclose(found.runs[0].position, np.max(errors, axis=0), rtol=1e-6, atol=1e-10)


def test_observed_orders_and_costs():
    found = compare(
        shipped("double_pendulum"),
        ["lagrange/rk2/none", "lagrange/rk4/none"],
        dts=[8e-3, 4e-3, 2e-3],
        duration=1.0,
    )
    assert [found.observed_order(method) for method in found.methods] == pytest.approx([2.0, 4.0], abs=0.25)
    coarse, fine = found.of(found.methods[1])[0], found.of(found.methods[1])[-1]
    assert fine.evaluations == pytest.approx(4 * coarse.evaluations, rel=0.01)
    assert fine.error < coarse.error
    assert len(fine.t) <= 1001


def test_divergence_is_timed():
    scene = set_value(shipped("double_pendulum"), "simulation.duration", 5)
    found = compare(scene, ["lagrange/euler/none", "rk4"], dts=[1e-2])
    bad, good = found.runs
    assert bad.diverged is not None
    assert 0.0 < bad.diverged < 2.0
    assert good.diverged is None


def test_adaptive_methods_run_at_tolerances():
    found = compare(shipped("pendulum"), ["dopri5"], dts=[1e-2], tolerances=[1e-4, 1e-8], duration=2.0)
    assert [run.step for run in found.runs] == [1e-4, 1e-8]
    assert found.runs[1].error < 0.1 * found.runs[0].error
    assert np.isnan(found.observed_order(found.methods[0]))


def test_a_cancelled_comparison_keeps_complete_runs():
    asked = iter([False] * 40 + [True] * 10_000)
    found = compare(shipped("pendulum"), ["rk4", "rk2"], dts=[1e-2, 1e-3], cancel=lambda: next(asked))
    assert len(found.runs) < 4


def test_methods_are_chosen_by_name_pattern_or_all():
    assert select_methods(["rk4", "lagrange/rk4/*"])[0].name == "lagrange/rk4/projection"
    names = [method.name for method in showcase()]
    assert len(names) == len(set(names))
    assert {"lagrange/rk4/projection", "lagrange/euler/projection", "lagrange/rk4/none"} <= set(names)
    with pytest.raises(SceneError, match="called like"):
        select_methods(["no*such"])


def test_compare_on_the_command_line(tmp_path, capsys):
    folder = tmp_path / "out"
    arguments = [
        "compare",
        "double_pendulum",
        "--methods",
        "rk2,rk4",
        "--dts",
        "0.01,0.005",
        "--duration",
        "1",
    ]
    assert run_command_line([*arguments, "--set", "parameters.L1=0.9", "--out", str(folder), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert len(report["runs"]) == 4
    assert report["observed_order"]["lagrange/rk2/projection"] == pytest.approx(2.0, abs=0.3)
    for name in ("comparison.csv", "histories.csv", "work_precision.png", "histories.png"):
        assert (folder / name).stat().st_size > 100
    assert run_command_line(arguments) == 0
    assert "observed order" in capsys.readouterr().out


def test_a_condition_that_ends_the_reference_at_once_is_what_the_remedy_is_about():
    scene = set_value(shipped("double_pendulum"), "simulation.stop_when", ["t > 0"])
    with pytest.raises(SceneError) as caught:
        compare(scene, ["rk4"], dts=[0.01], duration=0.1)
    assert "stop_when" in caught.value.problems[0].remedy
