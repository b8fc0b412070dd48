"""Files that come back as they were written."""

import csv
import errno
import json
import os
import subprocess
import sys

import h5py
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.io import loadmat

from engine import loads, simulate
from engine.progress import Cancelled
from engine.results.files.formats import FORMATS
from tests.engine.simulation.scenes import SCENES, rod_pendulum, shipped


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
    assert values.shape == (len(run), 2 + len(run.names()))  # the last column is the verdict on the run
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
    with pytest.raises(ValueError, match=r"\.csv \.npz \.h5 \.mat \.json"):
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


def test_hdf5_explains_itself(run, tmp_path):
    names = ["energy.total", "body.middle.omega.x"]
    run.save(tmp_path / "run.h5", channels=names)
    with h5py.File(tmp_path / "run.h5") as file:
        assert file.attrs["format"] == "trammel-trajectory"
        assert file.attrs["program"].startswith("Trammel")
        assert file.attrs["method"] == run.method.name
        assert file.attrs["dt"] == run.dt
        assert file.attrs["status"] == "finished"
        assert json.loads(file.attrs["options"]) == run.options
        assert loads(file["scene"].asstr()[()]) == run.scene
        assert_array_equal(file["t"], run.t)
        assert list(file["channels"]) == names
        for name in names:
            assert_array_equal(file["channels"][name], run.channel(name))
            assert file["channels"][name].attrs["unit"] == run.unit(name)
            assert file["channels"][name].dims[0][0] == file["t"]
        states = file["segments/0/states"]
        assert_array_equal(states, run.samples)
        begin, end = json.loads(states.attrs["columns"])["v"]
        assert end - begin == run.mechanism.nv


def test_matlab_finds_channels_by_name(run, tmp_path):
    run.save(tmp_path / "run.mat", channels=["energy.total", "body.middle.omega.x"])
    content = loadmat(tmp_path / "run.mat", simplify_cells=True)
    assert list(content["names"]) == ["energy.total", "body.middle.omega.x"]
    assert list(content["units"]) == ["J", "rad/s"]
    assert_array_equal(content["t"], run.t)
    assert_array_equal(content["values"][:, 1], run.channel("body.middle.omega.x"))
    assert content["summary"]["method"] == run.method.name
    assert loads(str(content["scene"])) == run.scene


def _csv(path):
    return np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)


def test_a_range_and_every_third_sample(run, tmp_path):
    run.save(tmp_path / "some.csv", channels=["energy.error"], begin=0.01, end=0.03, every=3)
    table = _csv(tmp_path / "some.csv")
    inside = (run.t >= 0.01) & (run.t <= 0.03)
    assert_array_equal(table[:, 0], run.t[inside][::3])
    assert_array_equal(table[:, 1], run.channel("energy.error")[inside][::3])


def test_resampling_meets_a_run_with_that_step(tmp_path):
    scene = rod_pendulum()
    coarse, fine = simulate(scene, dt=0.004, duration=0.2), simulate(scene, dt=0.001, duration=0.2)
    names = ["body.rod.pos.x", "body.rod.vel.y", "energy.total"]
    coarse.save(tmp_path / "run.csv", channels=names, resample=0.001)
    table = _csv(tmp_path / "run.csv")
    assert_allclose(table[:, 0], fine.t, atol=1e-12)
    assert_allclose(table[:, 1:-1], fine.table(names), atol=1e-7)
    assert_allclose(table[::4, 1:-1], coarse.table(names), atol=1e-12)  # recorded instants as they were


def test_resampled_turns_stay_turns(run, tmp_path):
    run.save(tmp_path / "run.csv", channels=[f"body.middle.quat.{axis}" for axis in "wxyz"], resample=0.00037)
    assert_allclose(np.linalg.norm(_csv(tmp_path / "run.csv")[:, 1:], axis=1), 1.0, atol=1e-14)


@pytest.mark.parametrize("ending", FORMATS.names)
def test_a_cancelled_file_is_not_there(run, tmp_path, ending):
    told = []

    def note(share: float, words: str) -> None:
        told.append(share)

    with pytest.raises(Cancelled):
        run.save(tmp_path / f"run{ending}", progress=note, cancel=lambda: True)
    assert not list(tmp_path.iterdir())
    run.save(
        tmp_path / f"run{ending}",
        channels=["energy.total"],
        progress=note,
        cancel=lambda: False,
    )
    assert told[-1] == 1.0


LIMITED = """
import resource, sys
from engine import load_scene, simulate
run = simulate(load_scene(sys.argv[1]), duration=0.05)
sys.dont_write_bytecode = True
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
for ending in sys.argv[3:]:
    try:
        run.save(f"{sys.argv[2]}/run{ending}")
    except OSError as error:
        print(ending, error.strerror)
"""


def test_a_file_that_cannot_grow_leaves_nothing(tmp_path):
    """The system refuses to write on, as a full disk does: every format says so and cleans up."""
    (tmp_path / "run.h5").write_text("old")
    scene = SCENES / "cardan_shaft.json"
    command = [sys.executable, "-c", LIMITED, str(scene), str(tmp_path), *FORMATS.names]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(FORMATS.names), done.stdout + done.stderr
    assert all(line.endswith("nothing was saved") for line in lines)
    assert (tmp_path / "run.h5").read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["run.h5"]
