"""Rows of a study against closed forms; the same rows from anywhere; failures are rows."""

from pathlib import Path

import numpy as np
import pytest
from scipy.special import ellipk

from engine import Study
from engine.studies.outcomes.row import Row
from tests.engine.studies.mechanisms import offset_slider_crank, pendulum, stroke

GRAVITY = 9.81


def slider_crank_study() -> Study:
    return (
        Study(offset_slider_crank(), title="stroke")
        .with_variable("choices", "parameters.r", values=[0.02, 0.05, 0.25])
        .with_variable("choices", "parameters.h", values=[0.0, 0.03])
        .with_objective("stroke", "body.slider.pos.x", "range")
    )


def told(row: Row) -> tuple[object, ...]:
    """All but how long it took."""
    return row.key, row.values, row.objectives, row.status, row.message


def test_the_stroke_of_the_offset_slider_crank() -> None:
    study = (
        Study(offset_slider_crank())
        .with_variable("interval", "parameters.r", low=0.02, high=0.06)
        .with_variable("interval", "parameters.l", low=0.2, high=0.4)
        .with_variable("interval", "parameters.h", low=0.0, high=0.05)
        .with_design("latin_hypercube", count=6)
        .with_objective("stroke", "body.slider.pos.x", "range")
    )
    table = study.run(workers=0)
    assert len(table) == 6
    assert not table.failed
    for r, rod, h, found in zip(*(table[name] for name in (*study.columns, "stroke")), strict=True):
        # two extremes between samples: r ω² h² / 8 each, with ω = 2π rad/s and h = 1 ms
        assert found == pytest.approx(stroke(r, rod, h), abs=2.0 * r * (2.0 * np.pi * 1e-3) ** 2 / 8.0 * 1.5)


def test_the_period_of_the_pendulum_by_the_time_of_an_event() -> None:
    study = (
        Study(pendulum())
        .with_variable("choices", "parameters.swing", values=[0.5, 1.0, 1.5])
        .with_objective("quarter", "body.bob.angle + pi/2", "time")
    )
    table = study.run(workers=0)
    # T = 4 √(L/g) K(sin²(φ₀/2)): a quarter from the turn to the lowest point
    exact = np.sqrt(1.0 / GRAVITY) * ellipk(np.sin(np.array([0.5, 1.0, 1.5]) / 2.0) ** 2)
    assert table["quarter"] == pytest.approx(exact, abs=1e-8)


def test_failures_are_rows_and_the_pool_gives_the_rows_of_this_process(tmp_path: Path) -> None:
    study = slider_crank_study()
    here, pool = study.run(workers=0), study.run(tmp_path / "rows.sqlite", workers=2)
    assert [told(row) for row in here.rows] == [told(row) for row in pool.rows]
    assert [row.done for row in here.rows] == [True] * 4 + [False] * 2  # a crank longer than the rod
    for row in here.failed:
        assert row.message
        assert row.objectives == (None,)
    assert np.isnan(here["stroke"][-2:]).all()


def test_methods_and_steps_vary_as_any_value_does() -> None:
    study = (
        Study(pendulum().with_simulation(method="lagrange/rk2/baumgarte", options={"alpha": 5.0}))
        .with_variable("choices", "simulation.method", values=["lagrange/rk4/none", "lagrange/rk2/baumgarte"])
        .with_variable("choices", "simulation.dt", values=[0.002, 0.004])
        .with_objective("error", "abs(energy.error)", "max")
    )
    table = study.run(workers=0)
    assert not table.failed  # without Baumgarte there is no option alpha: it is left out
    rk4, rk2 = table["error"].reshape(2, 2)
    assert (rk4 < rk2).all()
    assert rk4[0] < rk4[1]


def test_an_objective_without_a_value_is_missing_and_told() -> None:
    study = (
        Study(pendulum())
        .with_variable("choices", "parameters.L", values=[1.0])
        .with_objective("never", "body.bob.pos.y - 5", "time")
        .with_objective("low", "body.bob.pos.y", "min")
    )
    (row,) = study.run(workers=0).rows
    assert row.status == "finished"
    assert row.objectives[0] is None
    assert row.objectives[1] is not None
    assert "never" in row.message


def test_a_cancelled_study_keeps_its_rows_and_goes_on(tmp_path: Path) -> None:
    study = slider_crank_study()
    asked = iter([False, False, *[True] * 1000])
    part = study.run(tmp_path / "rows.sqlite", workers=0, cancel=lambda: next(asked))
    assert not part.complete
    whole = study.run(tmp_path / "rows.sqlite", workers=0)
    assert whole.complete
    assert [told(row) for row in whole.rows] == [told(row) for row in study.run(workers=0).rows]


def test_the_table_shows_itself_in_a_notebook() -> None:
    study = slider_crank_study()
    text = study.run(workers=0)._repr_html_()
    assert "stroke: 6 runs, 2 failed" in text
    assert text.count("<tr>") == 7
