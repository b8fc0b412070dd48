"""Searches against closed forms, with limits, fits, cancels and things that are wrong."""

import math
import time

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from engine import Study, apply_edits, set_value
from engine.errors import SceneError
from engine.maths.expressions import parse
from engine.studies.optimisation.goal import grashof
from engine.studies.optimisation.searches import SEARCHES
from engine.studies.optimisation.trials import Standing
from tests.engine.studies.mechanisms import offset_slider_crank, pendulum, stroke

WANTED = 0.09  # m, stroke


def crank_study() -> Study:
    scene = offset_slider_crank().with_simulation(duration=1.0, dt=0.004)
    return (
        Study(scene, title="stroke")
        .with_variable("interval", "parameters.r", low=0.02, high=0.06)
        .with_objective("stroke", "body.slider.pos.x", "range")
        .with_goal("stroke", "target", target=WANTED)
    )


def right_crank(rod: float, h: float) -> float:
    """r with the wanted stroke, by bisection of the closed form."""
    low, high = 0.02, 0.06
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if stroke(middle, rod, h) < WANTED else (low, middle)
    return low


@pytest.mark.parametrize(("search", "near"), [("least_squares", 1e-7), ("nelder_mead", 1e-5)])
def test_a_crank_for_a_stroke(search: str, near: float) -> None:
    study = crank_study()
    values = {p.name: float(p.value) for p in study.scene.parameters}
    told: list[Standing] = []
    found = study.optimise(search, workers=0, budget=60, watch=told.append)
    assert found.best is not None
    assert found.best.values[0] == pytest.approx(right_crank(values["l"], values["h"]), abs=near)
    assert list(found.costs) == sorted(found.costs, reverse=True)
    assert told[-1].best == found.best
    assert apply_edits(study.scene, found.edits) == found.scene
    assert found.scene == set_value(study.scene, "parameters.r", found.best.values[0])
    assert "parameters.r" in found._repr_html_()


def test_the_length_of_a_pendulum_from_measured_angles() -> None:
    """Data of θ'' = −(g/L) sin θ with L = 1.1, integrated by another program."""
    t = np.linspace(0.1, 0.8, 8)
    data = solve_ivp(
        lambda _, y: [y[1], -9.81 / 1.1 * math.sin(y[0])], (0.0, 0.8), [1.0, 0.0],
        t_eval=t, rtol=1e-11, atol=1e-12,
    ).y[0]  # fmt: skip
    study = (
        Study(pendulum())
        .with_variable("interval", "parameters.L", low=0.5, high=2.0)
        .with_fit("body.bob.angle + pi/2", t, data)
    )
    found = study.optimise("least_squares", workers=0, budget=40)
    assert found.best is not None
    assert found.best.values[0] == pytest.approx(1.1, abs=1e-6)


def test_limits_are_kept() -> None:
    """The largest stroke of at most 0.07 m is 0.07 m; what breaks a limit on parameters is never run."""
    study = crank_study()
    limited = (
        Study(study.scene, vary=study.vary, objectives=study.objectives)
        .with_goal("stroke", "maximise")
        .with_limit(objective="stroke", max=0.07)
        .with_limit(expression="r", max=0.05)
    )
    found = limited.optimise("nelder_mead", workers=0, budget=60)
    assert found.best is not None
    assert found.best.allowed
    assert found.best.objectives[0] == pytest.approx(0.07, abs=1e-4)
    assert found.best.objectives[0] <= 0.07
    assert all(trial.allowed or trial.message for trial in found.tried)
    assert not any(trial.objectives for trial in found.tried if trial.values[0] > 0.05)


def test_differential_evolution_runs_generations_and_repeats_itself(tmp_path) -> None:
    study = crank_study()
    sizes: list[int] = []
    found = study.optimise(
        "differential_evolution", workers=0, budget=40, seed=3, store=tmp_path / "rows.sqlite",
        watch=lambda standing: sizes.append(standing.tried),
    )  # fmt: skip
    assert max(np.diff(sizes)) > 3
    again = study.optimise(
        "differential_evolution", workers=0, budget=40, seed=3, store=tmp_path / "rows.sqlite"
    )
    assert again.best == found.best


def test_optuna() -> None:
    pytest.importorskip("optuna")
    found = crank_study().optimise("optuna", workers=0, budget=16)
    assert found.best is not None
    assert found.end == "the budget is spent"
    assert len(found.tried) >= 16


def test_a_search_can_be_stopped_and_keeps_its_best() -> None:
    calls = iter([False] * 8 + [True] * 1000)
    found = crank_study().optimise("nelder_mead", workers=0, cancel=lambda: next(calls))
    assert found.end == "stopped"
    assert found.best is None or found.best.allowed


def test_grashof() -> None:
    limit = grashof("a", "b", "c", "d")
    for bars, turns in (
        ((1.0, 3.0, 3.0, 2.5), True),
        ((2.0, 3.0, 1.5, 4.0), False),
        ((1.0, 2.0, 1.0, 2.0), True),
    ):
        value = parse(limit.expression).value(dict(zip("abcd", bars, strict=True)))
        shortest, *others, longest = sorted(bars)
        assert (limit.excess(value) == 0.0) is turns is (shortest + longest <= sum(others))


def test_what_is_wrong_is_told() -> None:
    study = crank_study()
    plain = Study(study.scene, vary=study.vary, objectives=study.objectives)
    with pytest.raises(SceneError, match="no goal"):
        plain.optimise()
    with pytest.raises(SceneError, match="did you mean 'stroke'"):
        plain.with_goal("strok").optimise()
    with pytest.raises(SceneError, match="allows everything"):
        study.with_limit(objective="stroke").optimise()
    with pytest.raises(SceneError, match="needs targets"):
        plain.with_goal("stroke").optimise("least_squares")
    with pytest.raises(KeyError, match="nelder"):
        study.optimise("nelder_med")


@pytest.mark.parametrize("weight", [0.0, -1.0, math.inf, math.nan])
def test_issue_17_a_weight_that_is_none_is_told(weight: float) -> None:
    study = crank_study()
    plain = Study(study.scene, vary=study.vary, objectives=study.objectives)
    wanted = plain.with_goal("stroke", sense="target", target=0.1, weight=weight)
    with pytest.raises(SceneError, match=r"goal\[0\]\.weight: the weight is .*\n.*above 0"):
        wanted.optimise(workers=0, budget=2)


def test_a_variable_of_one_value_is_told() -> None:
    study = crank_study().with_variable("choices", "parameters.h", values=[0.03])
    with pytest.raises(SceneError, match=r"'parameters.h' has one value only"):
        study.optimise(workers=0)


def test_a_fit_takes_two_values_of_one_instant_and_many_lines_in_a_moment() -> None:
    count = 20_000
    begin = time.process_time()
    study = crank_study().with_fit(
        "body.slider.pos.x", [0.1, 0.1, *([0.2] * count)], [0.1, 0.2] + [0.0] * count
    )
    assert time.process_time() - begin < 5.0
    assert len({objective.name for objective in study.objectives}) == count + 3
    assert study.goal[-1].cost(1e200) == math.inf


def test_a_goal_out_of_reach_says_why() -> None:
    study = crank_study().with_limit(objective="stroke", min=5.0)
    found = study.optimise("nelder_mead", workers=0, budget=6)
    assert found.best is None
    assert not found.edits
    assert "not 5 ≤ stroke" in found.summary()


@pytest.mark.parametrize("kind", list(SEARCHES), ids=lambda kind: kind.name)
def test_every_search_says_what_it_is(kind) -> None:
    assert kind.title
    assert kind.summary
