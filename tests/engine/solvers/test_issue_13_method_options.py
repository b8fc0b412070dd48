"""Options of methods: names do not clash, earlier names hold, comparisons try values, counts are whole."""

from collections import Counter

import pytest

from engine import SceneError, simulate
from engine.benchmarks.comparison import compare
from engine.solvers.catalogue import METHODS, find_method
from engine.solvers.method_patterns import option_choices
from tests.engine.simulation.scenes import rod_pendulum, shipped


def test_no_two_options_of_a_method_have_one_name_or_place() -> None:
    for method in METHODS:
        for facts in ([o.name for o in method.options], [o.slot for o in method.options]):
            assert max(Counter(facts).values(), default=1) == 1, method.name


def test_an_earlier_name_holds_where_no_other_option_has_it() -> None:
    alone, both = METHODS["lagrange/d2/projection"], METHODS["lagrange/d2/baumgarte"]
    assert (alone.numbers({"alpha": 1.5}) == alone.numbers({"scheme_alpha": 1.5})).all()
    assert (alone.numbers({"alpha": 1.5}) != alone.numbers({})).any()
    assert (both.numbers({"alpha": 1.5, "scheme_alpha": 1.2}) != both.numbers({"alpha": 1.5})).sum() == 1
    assert alone.own_names({"alpha": 1.0, "scheme_alpha": 2.0}) == {"scheme_alpha": 2.0}


def test_methods_run_with_every_value_of_the_options_they_know() -> None:
    methods = [find_method("hht"), find_method("rk4")]
    values = {"alpha": [-0.05, -0.3]}
    assert option_choices(methods, values)["hht"] == [{"alpha": -0.05}, {"alpha": -0.3}]
    assert option_choices(methods, values)["lagrange/rk4/projection"] == [{}]
    with pytest.raises(SceneError, match="none of the methods has an option 'alfa'"):
        option_choices(methods, {"alfa": [1.0]})
    found = compare(rod_pendulum(), ["hht", "rk4"], duration=0.2, options=values)
    names = [run.method.name for run in found.runs]
    assert names == ["hht (alpha = -0.05)", "hht (alpha = -0.3)", "lagrange/rk4/projection"]
    assert found.runs[0].error != found.runs[1].error


def test_iterations_and_factorisations_are_those_of_all_steps() -> None:
    scene = shipped("four_bar")
    every, tenth = (simulate(scene, method="hht", duration=0.2, sample_every=n) for n in (1, 10))
    assert every.summary()["iterations"] == tenth.summary()["iterations"] > 200
    (run,) = compare(scene, ["central_differences"], duration=0.2).runs
    assert run.factorisations >= run.steps


def test_the_time_in_linear_algebra_is_part_of_the_run() -> None:
    for method in ("rk4", "hht", "central_differences"):
        facts = simulate(shipped("four_bar"), method=method, duration=0.2).summary()
        assert 0.0 < facts["time_linear"] <= facts["wall_time"]
