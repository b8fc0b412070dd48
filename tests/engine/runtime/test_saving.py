"""Files that come back as they were written."""

import csv
import errno
import json
import os

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from engine import loads, simulate
from tests.engine.runtime.scenes import rod_pendulum, shipped


@pytest.fixture(scope="module")
def run():
    return simulate(shipped("cardan_shaft"), duration=0.05)


def test_csv_comes_back_bit_by_bit(run, tmp_path):
    run.save(tmp_path / "run.csv")
    with open(tmp_path / "run.csv", encoding="utf-8", newline="") as file:
        headings, *rows = csv.reader(file)
    assert headings[0] == "t [s]"
    assert "body.middle.omega.x [rad/s]" in headings
    assert "measure.unevenness [rad/s]" in headings
    values = np.array(rows, dtype=float)
    assert values.shape == (len(run), 1 + len(run.names()))
    assert_array_equal(values[:, 0], run.t)
    for i, name in enumerate(run.names(), start=1):
        assert headings[i] == f"{name} [{run.unit(name)}]"
        assert_array_equal(values[:, i], run.channel(name))


def test_npz_holds_states_channels_and_scene(run, tmp_path):
    run.save(tmp_path / "run.npz", channels=["energy.total", "body.middle.omega.x"])
    with np.load(tmp_path / "run.npz", allow_pickle=False) as file:
        assert_array_equal(file["t"], run.t)
        assert_array_equal(file["states"], run.samples)
        assert_array_equal(file["energy.total"], run.channel("energy.total"))
        assert "violation.position" not in file
        assert loads(str(file["scene"])) == run.scene
        begin, end = json.loads(str(file["layout"]))["q"]
        assert_array_equal(file["states"][0, begin:end], run.samples[0, 1 : 1 + run.mechanism.nq])
        assert json.loads(str(file["summary"]))["status"] == "finished"
        assert json.loads(str(file["units"])) == {"energy.total": "J", "body.middle.omega.x": "rad/s"}


def test_json_is_json(run, tmp_path):
    run.save(tmp_path / "run.json", channels=["energy.total"])
    content = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    assert content["format"] == "trammel-trajectory"
    assert content["channels"]["energy.total"] == run.channel("energy.total").tolist()


def test_no_value_becomes_null(tmp_path):
    scene = rod_pendulum().with_measure("expression", "root", expression="sqrt(body.rod.pos.x - 1)")
    run = simulate(scene, duration=0.0)
    run.save(tmp_path / "run.json")
    assert json.loads((tmp_path / "run.json").read_text())["channels"]["measure.root"] == [None]


def test_an_unknown_ending_or_channel_writes_nothing(run, tmp_path):
    with pytest.raises(ValueError, match=r"\.csv \.npz \.json"):
        run.save(tmp_path / "run.xls")
    with pytest.raises(KeyError, match="did you mean"):
        run.save(tmp_path / "run.csv", channels=["energy.totall"])
    assert not list(tmp_path.iterdir())


def test_a_missing_folder_is_named(run, tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        run.save(tmp_path / "none" / "run.csv")
    assert str(caught.value.filename).endswith("run.csv")


def test_a_full_disk_leaves_the_old_file(run, tmp_path, monkeypatch):
    path = tmp_path / "run.csv"
    path.write_text("old")

    def full(descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left on device; nothing was saved"):
        run.save(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
