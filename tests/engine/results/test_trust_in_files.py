"""Every file that a run is saved as tells how far to trust it."""

import csv
import json

import numpy as np
import pytest

from engine.benchmarks.error_estimate import error_by_second_run
from engine.model.files.scene_file import load_scene
from engine.results.files.formats import endings
from engine.results.saved_runs import load_curves, load_trajectory
from engine.simulation.simulation import simulate
from engine.simulation.streaming import stream
from tests.paths import SCENES


@pytest.fixture(scope="module")
def crude():
    return simulate(load_scene(SCENES / "four_bar.json"), method="lagrange/euler/none", dt=0.01, duration=0.3)


def test_a_table_has_the_verdict_as_its_last_column(crude, tmp_path):
    file = tmp_path / "run.csv"
    crude.save(file, ["energy.total", "body.crank.pos.x"])
    with open(file, encoding="utf-8", newline="") as text:
        rows = list(csv.reader(text))
    assert rows[0][-1].startswith("trust: red: ")
    assert {row[-1] for row in rows[1:]} == {"2"}
    numbers = np.genfromtxt(file, delimiter=",", skip_header=1)
    np.testing.assert_array_equal(numbers[:, 1], crude.channel("energy.total"))
    curves = load_curves(file)  # and is no channel when it is read again
    assert list(curves.values) == ["energy.total", "body.crank.pos.x"]
    assert curves.units["energy.total"] == "J"


@pytest.mark.parametrize("ending", endings(states=True))
def test_the_estimated_error_comes_back_with_the_states(crude, tmp_path, ending):
    file = tmp_path / f"run{ending}"
    crude.position_error = error_by_second_run(crude)
    assert crude.trust.error == crude.position_error > 1e-4
    crude.save(file)
    again = load_trajectory(file)
    assert again.position_error == crude.position_error
    assert again.trust == crude.trust
    crude.position_error = None


def test_matlab_has_the_words(crude, tmp_path):
    from scipy.io import loadmat

    crude.save(tmp_path / "run.mat", ["energy.total"])
    assert loadmat(tmp_path / "run.mat", simplify_cells=True)["summary"]["trust"] == crude.trust.words


def test_json_has_all_findings(crude, tmp_path):
    file = tmp_path / "run.json"
    crude.save(file, ["energy.total"])
    trust = json.loads(file.read_text(encoding="utf-8"))["summary"]["trust"]
    assert trust["level"] == "red"
    assert {finding["question"] for finding in trust["findings"]} >= {"energy", "constraints", "reactions"}
    assert all(finding["remedy"] for finding in trust["findings"] if finding["level"] != "green")


def test_a_streamed_run_tells_what_was_seen_on_the_way(tmp_path):
    scene = load_scene(SCENES / "four_bar.json")
    facts = stream(scene, tmp_path / "run.h5", method="lagrange/euler/none", dt=0.01, duration=0.3)
    assert facts["trust"]["level"] == "red"
    assert load_trajectory(tmp_path / "run.h5").trust.color == "red"


def test_a_verdict_that_a_stranger_wrote_is_not_believed(crude, tmp_path):
    file = tmp_path / "run.npz"
    crude.save(file)
    with np.load(file) as archive:
        content = dict(archive)
    summary = json.loads(str(content["summary"]))
    summary["trust"] = {"level": "green", "words": "green: fine", "position_error": "zero"}
    content["summary"] = np.array(json.dumps(summary))
    np.savez(file, **content)
    again = load_trajectory(file)
    assert again.position_error is None
    assert again.trust.color == "red"
