"""The window with large mechanisms: how long its thread is busy at most while it is used.

    OPENBLAS_NUM_THREADS=1 xvfb-run -a python -m tests.bench.large_window chain 1000 net 20 four_bars 320

Every 10 ms an event is posted. What counts is the processor time of the window's thread between two of them,
which a busy machine hardly changes; the time that events wait is beside it. The program itself sets that one
thread of OpenBLAS; two of them wait for each other on a busy machine.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QPointF, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget

from app.cli.driving.private_window import own_window
from app.cli.driving.probes import EventProbe
from app.document.element_ref import Ref
from app.window.heap_release import keep_for_good
from engine import Scene
from engine.model.files.scene_file import save_scene
from engine.templates import TEMPLATES
from scenes.generators.n_four_bar import n_four_bar


def rest(seconds: float) -> None:
    loop = QEventLoop()
    QTimer.singleShot(round(1e3 * seconds), loop.quit)
    loop.exec()


def until(condition: Callable[[], bool], limit: float = 180.0) -> None:
    end = time.perf_counter() + limit
    while not condition() and time.perf_counter() < end:
        rest(0.02)
    if not condition():
        raise SystemExit("it did not come")


@contextmanager
def phase(scene: str, words: str) -> Iterator[None]:
    begin = time.perf_counter()
    with EventProbe() as probe:
        yield
        rest(0.3)
    took = time.perf_counter() - begin
    busy, wait = max(probe.busy, default=0.0), max(probe.waits, default=0.0)
    sys.stdout.write(f"| {scene} | {words} | {busy:.0f} | {wait:.0f} | {took:.1f} |\n")
    sys.stdout.flush()


def scene_of(kind: str, n: int) -> Scene:
    if kind == "chain":
        return TEMPLATES["pendulum_chain"].make(count=n, length=10.0 / n, start=0.4).scene
    if kind == "net":
        return TEMPLATES["net"].make(count=n).scene
    if kind == "farm":
        return TEMPLATES["stewart_farm"].make(count=n).scene
    return n_four_bar(n, "spatial")


def send(widget: QWidget, kind: QEvent.Type, x: float, y: float, down: bool) -> None:
    left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    place = QPointF(x, y)
    button = none if kind is QEvent.Type.MouseMove else left
    event = QMouseEvent(
        kind, place, widget.mapToGlobal(place), button, left if down else none, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(widget, event)


def measure(kind: str, n: int) -> None:
    scene, name = scene_of(kind, n), f"{kind} {n}"
    with TemporaryDirectory() as folder, own_window() as window:
        file = Path(folder) / f"{kind}.json"
        save_scene(scene, file)
        session, viewport = window.session, window.viewport
        window.resize(1500, 950)
        rest(0.5)
        keep_for_good()
        with phase(name, "open"):
            window.handlers.file.open_path(file)
            until(lambda: not session.busy and session.current is not None)
        with phase(name, "play"):
            session.transport.play()
            rest(3.0)
            session.transport.pause()
            until(lambda: not session.busy)
        with phase(name, "scrub"):
            run = session.current
            assert run is not None
            for share in np.linspace(0.0, 1.0, 30):
                session.transport.seek(float(share) * run.t_last)
                rest(0.03)
        names = [body.name for body in scene.bodies if not body.fixed]
        chosen = names[len(names) // 2]
        with phase(name, "hover and select"):
            x, y = viewport.view.camera.project(viewport.view.queries.position_of(Ref("bodies", chosen)))
            for k in range(20):
                send(viewport, QEvent.Type.MouseMove, x + k - 20, y, False)
                rest(0.03)
            send(viewport, QEvent.Type.MouseMove, x, y, False)
            send(viewport, QEvent.Type.MouseButtonPress, x, y, True)
            send(viewport, QEvent.Type.MouseButtonRelease, x, y, False)
            rest(0.5)
        with phase(name, "select all"):
            window.menus.actions["edit.select_all"].trigger()
            rest(0.5)
        with phase(name, "rewind"):
            window.menus.actions["run.reset"].trigger()
            until(lambda: not session.busy)
        with phase(name, "drag"):
            x, y = viewport.view.camera.project(viewport.view.queries.position_of(Ref("bodies", chosen)))
            send(viewport, QEvent.Type.MouseMove, x, y, False)
            send(viewport, QEvent.Type.MouseButtonPress, x, y, True)
            for k in range(30):
                send(viewport, QEvent.Type.MouseMove, x + 3 * k, y + k, True)
                rest(0.03)
        with phase(name, "drop"):
            send(viewport, QEvent.Type.MouseButtonRelease, x + 90, y + 30, False)
            until(lambda: not session.busy)
            rest(0.5)
        with phase(name, "undo"):
            window.menus.actions["edit.undo"].trigger()
            until(lambda: not session.busy)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sizes", nargs="*", default=["chain", "1000"], help="pairs of kind and size")
    options: Any = parser.parse_args(arguments)
    sys.stdout.write("| scene | | busy [ms] | wait [ms] | all [s] |\n|---|---|---|---|---|\n")
    for kind, n in zip(options.sizes[::2], options.sizes[1::2], strict=True):
        measure(kind, int(n))
    QCoreApplication.processEvents()
    return 0


if __name__ == "__main__":
    sys.exit(main())
