"""Updates per second of dragging in the whole window, pictures included: a Jansen leg and a Stewart platform.

    QT_QPA_PLATFORM=offscreen python -m tests.bench.dragging [--moves 300] [--json FILE]

Each mouse move is one update: the linkage follows, the picture is drawn and painted before the next move. The
path leads along what the point can reach, beyond it and back.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.document.document import Document
from app.document.element_ref import Ref
from app.platform.resources import scene_paths
from app.platform.settings import Settings
from app.session.session import Session
from app.window.main_window import MainWindow
from engine.model.files.scene_file import load_scene
from engine.model.scene import Scene
from tests.linkages import jansen_corners, jansen_leg

LEFT = Qt.MouseButton.LeftButton
WAIT = 300.0  # s for kernels
SIZE = (1280, 800)


def path(window: Any, name: str, moves: int) -> tuple[QPoint, list[QPoint]]:
    """Where the button is pressed, and the places of the pointer."""
    view = window.viewport.view

    def pixel(p: Any) -> QPoint:
        x, y = view.camera.project(np.array([*p, 0.0])[:3])
        return QPoint(round(x), round(y))

    inside = 2 * moves // 3
    if name == "Jansen leg":
        start = pixel(jansen_corners(0.3)["F"])
        places = [pixel(jansen_corners(0.3 + 7.0 * k / inside)["F"]) for k in range(inside)]
        far = QPoint(140, -110)
    else:
        start = window.viewport.pixel_of(Ref("bodies", "platform", "head1")).toPoint()
        turns = [2.0 * math.pi * k / inside for k in range(inside)]
        places = [start + QPoint(round(40 * math.sin(a)), round(40 * math.cos(a)) - 40) for a in turns]
        far = QPoint(220, -120)
    rest = moves - inside
    back = [math.sin(math.pi * k / max(rest - 1, 1)) for k in range(rest)]
    return start, [*places, *(places[-1] + far * share for share in back)]


def measure(window: Any, name: str, scene: Scene, moves: int) -> dict[str, Any]:
    app, session, viewport = QApplication.instance(), window.session, window.viewport
    session.document.load(scene)
    window.pages.hide_welcome()
    end = time.perf_counter() + WAIT
    while session.state != "ready" and time.perf_counter() < end:
        app.processEvents()
        time.sleep(0.005)
    viewport.fit_all()
    app.processEvents()
    start, places = path(window, name, moves)
    QTest.mousePress(viewport, LEFT, pos=start)
    QTest.mouseMove(viewport, start + QPoint(9, 9))
    taken, violation, off = [], 0.0, []
    processor = time.process_time()
    for place in places:
        begin = time.perf_counter()
        QTest.mouseMove(viewport, place)
        viewport.repaint()  # the picture of this very pose
        app.processEvents()
        taken.append(time.perf_counter() - begin)
        linkage = viewport.tool._hand.linkage
        violation = max(violation, linkage.violation)
        if linkage.reaches:
            x, y = viewport.view.camera.project(linkage.place)
            off.append(math.hypot(x - place.x(), y - place.y()))
    processor = (time.process_time() - processor) / len(places)
    QTest.mouseRelease(viewport, LEFT, pos=places[-1])
    ms = 1e3 * np.array(taken)
    return {
        "scene": name,
        "updates per second": round(1e3 / float(ms.mean()), 1),
        "median [ms]": round(float(np.median(ms)), 1),
        "95 % below [ms]": round(float(np.percentile(ms, 95)), 1),
        "processor time per update [ms]": round(1e3 * processor, 1),
        "largest violation [m, rad]": float(f"{violation:.2g}"),
        "cursor to point inside the reach, most [px]": round(max(off, default=0.0), 2),
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
    }


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.dragging", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--moves", type=int, default=300)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    app = QApplication.instance() or QApplication([])
    found = []
    with tempfile.TemporaryDirectory() as folder:
        session = Session(Document(autosave=Path(folder) / "autosave"))
        window = MainWindow(session, Settings(Path(folder) / "settings.ini"))
        window.resize(*SIZE)
        window.show()
        scenes = {
            "Jansen leg": jansen_leg(),
            "Stewart platform": load_scene(scene_paths()["stewart_platform"]),
        }
        for name, scene in scenes.items():
            found.append(measure(window, name, scene, options.moves))
            sys.stdout.write(json.dumps(found[-1], ensure_ascii=False) + "\n")
        session.document.stack.setClean()
        window.close()
        app.processEvents()
    if options.json:
        options.json.write_text(json.dumps(found, indent=2, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
