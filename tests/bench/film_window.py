"""How long events wait in the window while it plays and a film is made by another process.

`python -m tests.bench.film_window [SECONDS]` prints quantiles of the wait, without the film and beside it.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PySide6.QtTest import QTest

from app.cli.driving.private_window import own_window
from app.cli.driving.probes import EventProbe
from app.exchange.command_job import ProcessJob
from app.platform.resources import scene_paths

PATIENCE = 300.0  # s; a first run may have to compile
TARGET = 100.0  # ms, for 95 of 100 events
PLOTS = "energy.kinetic,energy.potential,violation.position"


def wait(until: Callable[[], bool]) -> None:
    end = time.perf_counter() + PATIENCE
    while not until() and time.perf_counter() < end:
        QTest.qWait(20)


def waits(seconds: float, until: ProcessJob | None = None) -> np.ndarray:
    """Waits [ms] of events that are posted for so long, or until the job is done."""
    with EventProbe() as probe:
        begin = time.perf_counter()
        while (until is None and time.perf_counter() - begin < seconds) or (until and not until.done):
            QTest.qWait(50)
    return np.array(probe.waits)


def main(seconds: float = 5.0) -> None:
    say = sys.stdout.write
    with own_window(offscreen=True) as window, tempfile.TemporaryDirectory() as folder:
        session = window.session
        window.resize(1280, 800)
        window.open_path(scene_paths()["double_four_bar"])
        wait(lambda: session.state == "ready")
        session.transport.set_endless(True)
        session.transport.play()
        wait(lambda: session.t > seconds)
        say(f"load of the machine: {os.getloadavg()[0]:.1f}, cores: {os.cpu_count()}\n")
        found = {"playing": waits(seconds)}
        run, file = session.current, Path(folder) / "film.mp4"
        assert run is not None
        words = ["--plots", PLOTS, "--clock", "--to", str(seconds)]
        begin = time.perf_counter()
        job = ProcessJob("render", run, window.handlers.view_memory.kept(), file, words, folder=Path(folder))
        found["playing and filming"] = waits(0.0, job)
        took = time.perf_counter() - begin
        frames = round(30 * seconds) + 1
        for name, times in found.items():
            p50, p95, worst = np.quantile(times, [0.5, 0.95, 1.0])
            say(f"{name}: {len(times)} events waited {p50:.1f} ms (half), {p95:.1f} ms (95 %),")
            say(f" {worst:.0f} ms (longest); target {TARGET:.0f} ms\n")
        say(f"film: {frames} frames in {took:.1f} s {job.error or ''}\n")
        session.document.stack.setClean()


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
