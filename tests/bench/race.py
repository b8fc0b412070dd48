"""A race in the real window: does it keep up with the clock, and how long do events wait meanwhile?

xvfb-run -a python -m tests.bench.race [SECONDS]
"""

import sys
import time

import numpy as np
from PySide6.QtCore import QEventLoop, QTimer

from app.cli.driving.private_window import own_window
from app.cli.driving.probes import EventProbe
from app.platform.resources import find_scene
from engine.model.races import Lane

METHODS = ("rk4", "lagrange/rk4/baumgarte", "null_space/rk4/projection", "generalized_alpha")
PATIENCE = 300.0  # s; a first run may have to compile


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 6.0
    with own_window(offscreen=False) as window:
        window.resize(1600, 1000)
        window.show()
        session = window.session
        window.open_path(find_scene("four_bar"))
        _until(lambda: session.state == "ready" and not session.busy)
        lanes = [Lane(name=method, method=method) for method in METHODS]
        scene = session.document.scene.with_race("four", lanes=lanes)
        session.document.load(scene, session.document.path)
        _until(lambda: session.state == "ready" and not session.busy)
        session.transport.set_speed(1.0)
        session.transport.play()
        _tell("one live run", _measured(session, seconds))
        window.act("run.race")
        _until(lambda: session.racing.watched and session.t > 0.2)
        _tell("race of four", _measured(session, seconds))


def _measured(session, seconds: float) -> tuple[float, float, list[float], list[float]]:
    """Simulated seconds per second, share of a processor that the window takes, waits of events [ms]."""
    with EventProbe() as probe:
        begin, busy, t = time.perf_counter(), time.thread_time(), session.t
        _for(seconds)
        taken = time.perf_counter() - begin
        found = (session.t - t) / taken, (time.thread_time() - busy) / taken
    return *found, probe.waits, probe.busy


def _tell(what: str, found: tuple[float, float, list[float], list[float]]) -> None:
    factor, busy, waits, own = found
    sys.stdout.write(f"{what}: real-time factor {factor:.3f}, window busy {busy:.2f}\n")
    for words, values in (("events waited", waits), ("of it the window was at work", own)):
        half, most, largest = np.percentile(values, [50, 95, 100])
        sys.stdout.write(f"  {words} {half:.1f} ms (p95 {most:.1f}, max {largest:.1f})\n")
    sys.stdout.flush()


def _until(condition) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        _for(0.02)


def _for(seconds: float) -> None:
    loop = QEventLoop()
    QTimer.singleShot(int(1e3 * seconds), loop.quit)
    loop.exec()


if __name__ == "__main__":
    main()
