"""Printed tables of the sources: every figure is met, or says why not."""

import math

import pytest

from engine import load_scene
from engine.benchmarks.printed import TABLES
from engine.benchmarks.printed.base import Figure, NotComputed, PrintedTable, compare_figures, of_run
from engine.benchmarks.problem_measures import energy_drift
from engine.model.scene import Scene
from tests.paths import SCENES

CHEAP = [
    "step-limits",
    "baumgarte-gains",
    "null-space-newmark",
    "cd-bricard",
    "driven-pendulum",
    "natural-solves",
]  # the others with -m soak


def shipped(name: str) -> Scene:
    return load_scene(SCENES / f"{name}.json")


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in CHEAP else pytest.mark.soak) for name in TABLES.names],
)
def test_a_figure_is_met_or_says_why_not(name: str) -> None:
    for compared in compare_figures(TABLES[name], shipped):
        assert math.isfinite(compared.ours), compared.message
        if not compared.figure.reason:  # printed with two digits at least
            assert compared.ratio == pytest.approx(1.0, rel=0.03), compared.figure.label


def test_a_run_that_breaks_off_is_a_row_with_the_reason() -> None:
    lost = Figure("20 ms", 1.0, of_run("flyball_governor", "central_differences", 0.02, energy_drift))
    (row,) = compare_figures(PrintedTable("t", "[Urkullu 2019]", "Governor", "J", (lost,)), shipped)
    assert math.isnan(row.ours)
    assert "smaller step" in row.to_dict()["reason"]
    with pytest.raises(NotComputed):
        lost.compute(shipped, None)


def test_cancelled_runs_leave_no_row() -> None:
    assert list(compare_figures(TABLES["cd-bricard"], shipped, lambda: True)) == []
