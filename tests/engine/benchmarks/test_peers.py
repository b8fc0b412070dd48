"""Problems for other programs: data that means the same, and times at equal errors."""

import math
import sys

import numpy as np
import pytest

from engine.benchmarks.cost_over_size import chain, planar_chain
from engine.benchmarks.peers import work_precision
from engine.benchmarks.peers.problems import PROBLEMS, WORLD, as_data, prepared
from engine.benchmarks.peers.work_precision import OURS, Run, ask, at_error


def test_hinges_of_a_problem_meet_at_the_start() -> None:
    problem = PROBLEMS[1]
    data = as_data(problem, *prepared(problem.load({})))
    assert len(data["bodies"]) == 5
    assert sum(hinge["closes"] for hinge in data["joints"]) == 2
    for hinge in data["joints"]:
        places, axes = [], []
        for end in hinge["ends"]:
            R, p = np.eye(3), np.zeros(3)
            if end["body"] != WORLD:
                body = data["bodies"][end["body"]]
                R, p = np.array(body["rotation"]), np.array(body["position"])
            places.append(p + R @ end["point"])
            axes.append(R @ np.array(end["axes"])[:, 2])
        np.testing.assert_allclose(places[0], places[1], atol=1e-12)
        np.testing.assert_allclose(axes[0], axes[1], atol=1e-12)


def test_time_at_an_error_lies_on_the_line_between_two_runs() -> None:
    runs = [Run("p", 10, 1.0, 1e-2), Run("p", 100, 10.0, 1e-4), Run("p", 20, 20.0, 1e-3)]
    runs.append(Run("p", 2, 0.1, math.inf))  # one that broke off
    assert at_error(runs, 1e-3) == pytest.approx(math.sqrt(10.0))  # the slow run is beaten
    assert at_error(runs, 1e-1) == 1.0
    assert math.isnan(at_error(runs, 1e-5))


def test_a_run_that_became_unstable_has_no_error() -> None:
    # Adams and Bashforth's method with steps that are too long leaves the mechanism by 1e24 m
    here = np.zeros((2, 3))
    assert work_precision._apart(here + 0.1, here) == pytest.approx(math.sqrt(0.03))
    assert work_precision._apart(here + 1e24, here) == math.inf
    assert work_precision._apart(here + math.nan, here) == math.inf


def test_a_program_that_is_not_there_is_named(tmp_path: object) -> None:
    answer, missing = ask("exudyn", "/no/such/python", {})
    assert not answer
    assert "exudyn" in missing
    try:
        import mujoco  # noqa: F401
    except ImportError:
        answer, missing = ask("mujoco", sys.executable, {})
        assert not answer
        assert "pip install mujoco" in missing


def test_a_chain_in_the_plane_moves_as_that_in_space() -> None:
    places = [work_precision._run(*prepared(raw), OURS, 0.02, 20)[1] for raw in (chain(3), planar_chain(3))]
    np.testing.assert_allclose(places[0], places[1], rtol=0.0, atol=1e-12)
    assert abs(places[0][-1, 1]) > 1e-4
