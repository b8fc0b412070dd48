"""How much memory a long run takes that is written while it runs.

`python -m tests.bench.stream_memory [SECONDS]`: the double four-bar at 1 ms, 600 s, 60 channels to HDF5.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

import h5py

from app.platform.resources import scene_paths
from engine import load_scene, simulate
from engine.simulation.streaming import stream

CHANNELS = 60
TARGET = 300.0  # MB


def resident() -> float:
    """Memory of this process that is in use now [MB]."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def main(seconds: float = 600.0) -> None:
    scene = load_scene(scene_paths()["double_four_bar"])
    names = simulate(scene, duration=0.01).names()[:CHANNELS]  # kernels are there from here on
    most = start = resident()
    begin = time.perf_counter()

    def look(share: float, words: str) -> None:
        nonlocal most
        most = max(most, resident())

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.h5"
        facts = stream(scene, path, channels=names, dt=0.001, duration=seconds, progress=look)
        most = max(most, resident())
        with h5py.File(path) as file:
            rows, count = len(file["t"]), len(file["channels"])
        size = path.stat().st_size / 1e6
    took = time.perf_counter() - begin
    say = sys.stdout.write
    say(f"{rows} rows, {count} channels, {size:.0f} MB, {facts['status']} in {took:.0f} s\n")
    say(f"resident memory: {start:.0f} MB at the start, at most {most:.0f} MB,")
    say(f" {most - start:.0f} MB more (target {TARGET:.0f})\n")


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
