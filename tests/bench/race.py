"""A race in the real window: does it keep up with the clock, and how long do events wait meanwhile?

    xvfb-run -a python -m tests.bench.race [SECONDS]
"""

import sys
import time

import numpy as np
from PySide6.QtCore import QEventLoop, QTimer

from app.cli.driving.probes import EventProbe
from app.cli.driving.window import own_window
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
        window.act("run.race")
        session.transport.set_speed(1.0)
        _until(lambda: session.racing.watched and session.t > 0.2)
        with EventProbe() as probe:
            begin, t = time.perf_counter(), session.t
            _for(seconds)
            factor = (session.t - t) / (time.perf_counter() - begin)
        waits = np.percentile(probe.waits, [50, 95, 100])
        lanes_ahead = [runner.track.t - session.t for runner in session.racing.runners]
    print(f"real-time factor {factor:.3f}; events waited {waits[0]:.1f} / {waits[1]:.1f} / {waits[2]:.1f} ms")
    print(f"(median, p95, largest of {len(probe.waits)}); lanes ahead by {np.round(lanes_ahead, 3)} s")


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
