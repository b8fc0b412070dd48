"""Damaged scenes, saved runs, meshes and URDF files opened in the real window, and played for a moment."""

import random
import sys
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

import pytest
from PySide6.QtWidgets import QApplication

from app.window.handlers.import_ import ROBOTS
from app.window.main_window import MainWindow
from engine.model.meshes import ENDINGS as MESHES
from tests.app.use.monkey import Monkey, no_desktop
from tests.app.window.windows import open_window
from tests.attack import meshes, saved_runs, scenes, texts
from tests.attack.case import MAX_MESSAGE, Case, judged
from tests.attack.damage import damaged
from tests.attack.use import frame
from tests.paths import SCENES

FAULT = "fault of the program"  # what the program says of an exception that it caught at its edge
WAIT = 60.0  # s at most for a run to be made: kernels compiled behind the window count for no other case
IMPORTED = (*MESHES, *ROBOTS)  # their dialog tells, and may be left
FRAMES = 8


def attacked(cases: int, seed: int, folder: Path, *, first: int = 0) -> Iterator[Case]:
    application = QApplication.instance() or QApplication(["trammel"])
    runs = saved_runs.sound_files(SCENES / "four_bar.json", folder)
    solids = meshes.sound_files()
    with pytest.MonkeyPatch.context() as patch:
        no_desktop(patch)
        # as the program has it: what NumPy says of numbers beyond all bounds would end handlers of events
        patch.setattr("tests.attack.case.SAID", ())
        with open_window(folder / "window") as window, Faults(window) as faults:
            monkey = Monkey(window, seed)
            monkey.keep_answering()  # imports ask before they do something
            for number in range(first, cases):
                rng = random.Random(f"{seed} {number}")
                path = _damaged_file(folder, rng, runs, solids)
                yield judged(
                    f"{seed} {number} {path.suffix}", lambda path=path: _attempt(window, path, faults), ()
                )
                path.unlink()
            monkey.calm = True
    del application


def _damaged_file(folder: Path, rng: random.Random, runs: dict[str, bytes], solids: dict[str, bytes]) -> Path:
    kind = rng.choice(("scene", "scene", "scene", "run", "mesh", "urdf"))
    if kind == "scene":
        path = folder / "x.json"
        path.write_text(scenes.mutated(rng)[1], encoding="utf-8", errors="replace")
        return path
    if kind == "urdf":
        name, data = "x.urdf", texts.URDF
    elif kind == "run":
        ending = rng.choice(list(runs))
        name, data = f"x{ending}", runs[ending]
        if ending == ".npz" and rng.random() < 0.6:
            saved_runs.crafted(data, rng, folder / name)
            return folder / name
    else:
        name, data = rng.choice(list(solids.items()))
    path = folder / name
    path.write_bytes(damaged(data, rng))
    return path


class Faults:
    """What goes wrong in slots and event handlers, and what the window tells, until it is asked for."""

    def __init__(self, window: MainWindow) -> None:
        self.found: list[str] = []
        self.told: list[str] = []
        window.session.message.connect(self._note)

    def __enter__(self) -> "Faults":
        self._before, sys.excepthook = sys.excepthook, self._catch
        return self

    def __exit__(self, *_: object) -> None:
        sys.excepthook = self._before

    def _note(self, level: str, text: str, ref: object) -> None:
        (self.found if FAULT in text else self.told).append(text)

    def _catch(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        self.found.append("".join(traceback.format_exception(kind, error, trace)[-3:]))


def _attempt(window: MainWindow, path: Path, faults: Faults) -> str:
    faults.found.clear()
    faults.told.clear()
    session = window.session
    session.document.stack.setClean()
    size = window.size()
    opened = window.open_path(path)
    begin = time.monotonic()
    while session.state == "compiling" and time.monotonic() - begin < WAIT:
        frame(window)
        time.sleep(0.005)
    if session.state == "ready":
        session.transport.play()
    for _ in range(FRAMES):
        frame(window)
        time.sleep(0.002)
    session.transport.pause()
    if faults.found:
        return f"traceback {faults.found[0]}"[-600:]
    if window.size() != size:
        return f"nonsense: the window is {window.width()} × {window.height()} pixels large"
    if any(len(text) > MAX_MESSAGE for text in faults.told):
        return "badly told"
    if not opened and not faults.told and path.suffix not in IMPORTED:
        return "badly told: refused without a word"
    return "told" if faults.told else "clean"
