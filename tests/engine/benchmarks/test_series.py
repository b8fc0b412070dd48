"""The series of the test centre: one run after the other in a process, and the page of their results."""

import os
import signal
import time

import pytest

from engine.benchmarks import BENCHMARKS
from engine.benchmarks.problem_series import Series, Trial
from engine.benchmarks.results_page import results_page
from engine.model.files.scene_file import load_scene
from tests.paths import SCENES

PATIENCE = 90.0  # s; a first run may have to compile


def trial(method=None, **simulation):
    scene = load_scene(SCENES / "pendulum.json")
    return Trial("A01", scene.with_simulation(**simulation), method)


@pytest.fixture
def series():
    made = []

    def start(*trials):
        made.append(Series(trials))
        return made[-1]

    yield start
    assert all(one.stop(5.0) for one in made)


def until(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_trials_are_run_in_order_and_make_a_page(series):
    made = series(trial(), trial("lagrange/euler/none"), trial("rk4", dt="<b>"))
    until(lambda: made.over)
    assert [row["verdict"] for row in made.rows] == ["pass", "told", "refused"]
    assert made.rows[0]["error"] < 5e-5
    assert made.progress == 1.0
    page = results_page([BENCHMARKS["A01"], BENCHMARKS["A02"]], made.rows)
    assert "1 of 2 problems" in page
    assert "1 of 3 runs" in page
    assert "published: OpenSim 3.2" in page
    assert "<b>'" not in page  # texts of a scene are texts


def test_a_process_that_dies_costs_one_trial_and_stopping_keeps_what_is_complete(series):
    made = series(trial(duration=1e5), trial(), trial(duration=1e5))
    until(lambda: made.share > 0.0)
    os.kill(made._process.pid, signal.SIGKILL)
    until(lambda: len(made.rows) == 2)
    assert [row["status"] for row in made.rows] == ["died", "finished"]
    made.ask_to_stop()
    until(lambda: made.over)
    assert len(made.rows) == 2
    assert "stopped before its end" in results_page(BENCHMARKS, made.rows, stopped=made.stopped)
