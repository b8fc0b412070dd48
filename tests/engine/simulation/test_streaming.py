"""Runs that are written while they run."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import h5py
import numpy as np
import pytest
from numpy.testing import assert_array_equal

from engine import load_trajectory, simulate
from engine.results.files.extract import ExtractedSegment
from engine.results.files.stream_file import StreamFile
from engine.simulation.streaming import StreamedSimulation, stream
from tests.engine.simulation.scenes import SCENES, rod_pendulum

NAMES = ["energy.total", "body.rod.pos.x"]


def test_a_streamed_run_is_the_run(tmp_path):
    path = tmp_path / "run.h5"
    facts = stream(rod_pendulum(), path, channels=NAMES, dt=0.001, duration=0.3)
    run = simulate(rod_pendulum(), dt=0.001, duration=0.3)
    assert (facts["samples"], facts["status"], facts["steps"]) == (len(run), "finished", 300)
    with h5py.File(path) as file:
        assert_array_equal(file["t"], run.t)
        for name in NAMES:
            assert_array_equal(file["channels"][name], run.channel(name))
            assert file["channels"][name].attrs["unit"] == run.unit(name)
        assert file.attrs["status"] == "finished"
    again = load_trajectory(path)
    assert_array_equal(again.samples, run.samples)
    assert [file.name for file in tmp_path.iterdir()] == ["run.h5"]


def test_on_the_way_the_file_holds_what_was_written(tmp_path):
    path = tmp_path / "run.h5"
    run = StreamedSimulation(rod_pendulum(), path, NAMES, dt=0.001, duration=100.0)
    run.advance(0.2)
    while run.t < 0.2:
        run.advance(0.2)
    run._file.write()
    part = load_trajectory(path)
    assert part.t[-1] == pytest.approx(0.2)
    assert np.isfinite(part.channel("energy.error")).all()
    assert os.stat(path).st_blocks * 512 < os.stat(path).st_size / 10  # room that nobody uses costs nothing
    run.cancel()
    run.close()
    assert load_trajectory(path).t[-1] == pytest.approx(0.2)


def test_a_file_makes_room_and_takes_segments(tmp_path):
    """Rows beyond the room, and a second mechanism with other columns, end up in one file."""
    path = tmp_path / "run.h5"
    runs = [simulate(rod_pendulum(), dt=0.001, duration=d) for d in (0.1, 0.05)]
    runs[1].samples[:, 0] += runs[0].t[-1]  # a later segment follows
    file = StreamFile(path, runs[0].scene, ["energy.total", "body.nobody.pos.x"])
    for run in runs:
        channels = run.segments[0].channels
        file.begin(ExtractedSegment(run.scene, channels, run.samples[:0], run.method.name, run.dt), 5)
        for begin in range(0, len(run), 7):
            file.append(run.samples[begin : begin + 7])
        file.write()
        assert load_trajectory(path).t[-1] == run.t[-1]  # opens on the way
    file.finish(lambda: {"status": "finished", "method": runs[0].method.name, "dt": runs[0].dt})
    again = load_trajectory(path)
    assert_array_equal(again.segments[1].samples, runs[1].samples)
    with h5py.File(path) as held:
        assert_array_equal(held["t"], np.concatenate([run.t for run in runs]))
        wanted = np.concatenate([runs[0].channel("energy.total"), runs[1].channel("energy.total")])
        assert_array_equal(held["channels/energy.total"], wanted)
        assert np.isnan(held["channels/body.nobody.pos.x"]).all()
    assert [item.name for item in tmp_path.iterdir()] == ["run.h5"]


TELLING = """
import json, sys, time
from engine import load_scene
from engine.simulation.streaming import StreamedSimulation
run = StreamedSimulation(load_scene(sys.argv[1]), __import__("pathlib").Path(sys.argv[2]), ["energy.total"],
                         dt=1e-3, duration=1e5)
print("ready", flush=True)
while True:
    run.advance()
    print(json.dumps([time.time(), run.t]), flush=True)
"""


def killed(path: Path, seconds: float) -> tuple[float, float]:
    """Stream until a kill; what was reached one second before it, and what the file holds [s of the run]."""
    command = [sys.executable, "-c", TELLING, str(SCENES / "double_four_bar.json"), str(path)]
    with open(path.with_suffix(".log"), "w+") as log, subprocess.Popen(command, stdout=log) as process:
        while not path.with_suffix(".log").read_text().startswith("ready"):
            assert process.poll() is None
            time.sleep(0.05)
        time.sleep(seconds)
        now = time.time()
        process.send_signal(signal.SIGKILL)
        process.wait()
    lines = path.with_suffix(".log").read_text().splitlines()[1:]
    told = [json.loads(line) for line in lines if line.endswith("]")]
    due = max((t for clock, t in told if clock < now - 1.0), default=0.0)
    with h5py.File(path) as file:
        count = int(file["segments/0/count"][0])
        rows = file["segments/0/states"][:count]
        assert (np.diff(rows[:, 0]) > 0.0).all()
        assert_array_equal(file["t"][:count], rows[:, 0])
        energy = file["channels/energy.total"][:count]
        assert np.ptp(energy) < 1e-2 * abs(energy).max() + 1e-9
    return due, float(rows[-1, 0])


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal on this system")
def test_a_kill_costs_at_most_the_last_second(tmp_path):
    rng = random.Random(7)
    for i in range(int(os.environ.get("TRAMMEL_KILLS", "2"))):
        due, held = killed(tmp_path / f"{i}.h5", rng.uniform(0.5, 2.5))
        assert held >= due
