"""Saved runs come back: with states as runs that know every channel, without as curves."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from engine import load_curves, load_trajectory, set_value
from engine.results.files.formats.base import ReadError
from engine.results.saved_runs import is_saved_run
from engine.simulation.simulation import Simulation
from tests.engine.simulation.scenes import rod_pendulum


@pytest.fixture(scope="module")
def run():
    """A pendulum of which the mass was changed on the way: two segments."""
    simulation = Simulation(rod_pendulum(), dt=0.001, duration=0.1)
    simulation.advance(0.05)
    while simulation.t < 0.05:
        simulation.advance(0.05)
    assert simulation.refill(set_value(simulation.scene, "bodies.rod.mass", 5.0))
    while not simulation.done:
        simulation.advance()
    return simulation.trajectory()


@pytest.mark.parametrize("ending", [".npz", ".h5"])
def test_states_give_every_channel_again(run, tmp_path, ending):
    path = tmp_path / f"run{ending}"
    run.save(path, channels=["energy.total"])
    again = load_trajectory(path)
    assert len(again.segments) == 2
    assert again.scene == run.scene
    assert (again.method, again.dt, again.status) == (run.method, run.dt, run.status)
    assert_array_equal(again.samples, run.samples)
    assert again.names() == run.names()
    assert_array_equal(again.table(run.names()), run.table(run.names()))
    assert again.summary()["steps"] == run.summary()["steps"]


@pytest.mark.parametrize("ending", [".csv", ".mat", ".json"])
def test_curves_come_back(run, tmp_path, ending):
    path = tmp_path / f"run{ending}"
    names = ["energy.total", "body.rod.pos.x"]
    run.save(path, channels=names)
    curves = load_curves(path)
    assert is_saved_run(path)
    assert list(curves.values) == names
    assert curves.units == {"energy.total": "J", "body.rod.pos.x": "m"}
    assert_array_equal(curves.t, run.t)
    assert_array_equal(curves.values["body.rod.pos.x"], run.channel("body.rod.pos.x"))


def test_tables_of_others_are_read(tmp_path):
    path = tmp_path / "measured.csv"
    path.write_text("time (s);angle [rad]\n0;0.5\n0.1;0.25\n")
    curves = load_curves(path)
    assert curves.units == {"angle": "rad"}
    assert_allclose(curves.values["angle"], [0.5, 0.25])
    path.write_text("0 1\n1 2\n")
    assert_allclose(load_curves(path).values["column 2"], [1.0, 2.0])


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.csv", "t,x\n0,1\n1\n", "line 3: it has 1 columns"),
        ("a.csv", "t,x\n1,1\n0,1\n", "do not increase"),
        ("a.csv", "", "empty"),
        ("a.csv", "t,x\nnow,1\n", "line 2: 'now' is no number"),
        ("a.mat", "nothing", "no curves"),
        ("a.json", "{}", "no trajectory"),
    ],
)
def test_bad_curves_are_refused_with_the_reason(tmp_path, name, content, words):
    (tmp_path / name).write_text(content)
    with pytest.raises(ReadError, match=words):
        load_curves(tmp_path / name)


@pytest.mark.parametrize("ending", [".npz", ".h5"])
def test_a_file_cut_short_is_refused(run, tmp_path, ending):
    path = tmp_path / f"run{ending}"
    run.save(path, channels=["energy.total"])
    path.write_bytes(path.read_bytes()[:-2000])
    with pytest.raises(ReadError, match=r"run\."):
        load_trajectory(path)


def test_a_foreign_npz_is_refused(tmp_path):
    np.savez(tmp_path / "a.npz", x=np.zeros(3))
    with pytest.raises(ReadError, match="no states"):
        load_trajectory(tmp_path / "a.npz")
