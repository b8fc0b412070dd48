"""The real window used at random: actions, keys, clicks, drags, dialogs, edits, opened files.

    python -m tests.attack use --actions 10000 --seed 1

Counts exceptions that nobody caught, faults that the program itself tells, and actions that took above two
seconds, each with the last things that were done; memory is measured along the way. An action that takes long
tells where it was. Time in which a thread waited for a processor of a busy machine does not count.
"""

import ctypes
import gc
import random
import sys
import tempfile
import threading
import time
import traceback
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from app.platform.resources import scene_paths
from app.window.main_window import MainWindow
from engine import load_scene
from tests.app.use.monkey import Monkey, no_desktop
from tests.app.window.windows import open_window

MAX_SECONDS = 2.0  # of one action: more is a hang
MEASURED = 500  # actions between two looks at the memory
SETTLED = 20  # frames after a scene was opened
WARM = 0.3  # of the actions, after which caches are full
LEAK = 60e6  # bytes from then to the end
REMEMBERED = 12  # last actions that a finding tells
FAULT = "fault of the program"  # what the program says of an exception that it caught at its edge


@dataclass
class Use:
    """What was found."""

    seed: int
    actions: int = 0
    findings: list[str] = field(default_factory=list)
    slowest: float = 0.0  # s
    memory: list[float] = field(default_factory=list)  # bytes beside samples, after every MEASURED actions

    @property
    def grown(self) -> float:
        """Bytes from the end of the warm-up on."""
        later = self.memory[round(WARM * len(self.memory)) :]
        return later[-1] - later[0] if later else 0.0

    @property
    def is_good(self) -> bool:
        return not self.findings and self.grown < LEAK

    def __str__(self) -> str:
        megabytes = ", ".join(f"{size / 1e6:.0f}" for size in self.memory)
        return (
            f"seed {self.seed}: {self.actions} actions, {len(self.findings)} findings, slowest "
            f"{self.slowest:.2f} s, {self.grown / 1e6:+.0f} MB after warm-up ({megabytes})"
        )


def used(actions: int, seed: int) -> Use:
    """Use a window so often; needs an application."""
    found, done, rng = Use(seed), deque[str](maxlen=REMEMBERED), random.Random(seed)
    with (
        tempfile.TemporaryDirectory() as folder,
        pytest.MonkeyPatch.context() as patch,
        _exceptions(found, done),
    ):
        no_desktop(patch)
        with open_window(Path(folder)) as window:
            window.session.message.connect(
                lambda level, text, ref: _tell(found, done, text) if FAULT in text else None
            )
            monkey = Monkey(window, seed)
            monkey.keep_answering()
            _open(window)
            for number in range(actions):
                with Watched() as watched:
                    try:
                        done.append(monkey.act())
                        for _ in range(rng.randrange(3)):
                            frame(window)
                    except Exception:
                        _tell(found, done, traceback.format_exc())
                found.slowest, found.actions = max(found.slowest, watched.seconds), number + 1
                if watched.seconds > MAX_SECONDS:
                    spent = f"took {watched.seconds:.1f} s, {watched.computed:.1f} s of processor time"
                    _tell(found, done, f"{spent}, at one time in\n{watched.place}")
                if window.session.state in ("ready", "paused") and number % 10 == 0:
                    window.session.transport.play()  # most of it while it runs
                if number % MEASURED == MEASURED - 1:
                    _open(window)  # the same scene at every look: a large one takes more
                    found.memory.append(_memory() - _recorded(window))
                    sys.stderr.write(f"{found}\n")  # so far: the whole takes long on a busy machine
            monkey.calm = True
            if not window.isVisible():
                _tell(found, done, "the window has gone")
    return found


class Watched:
    """How long the thread takes for what is inside, and where it is when that is long.

    Python's own `faulthandler.dump_traceback_later` reads frames of threads that run, and crashes at times.
    """

    def __init__(self) -> None:
        self.seconds, self.computed, self.place = 0.0, 0.0, ""
        self._over = threading.Event()
        self._of = threading.get_ident()

    def __enter__(self) -> "Watched":
        self._begin, self._queued, self._computed = time.perf_counter(), _queued(), time.process_time()
        threading.Thread(target=self._look, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self.computed = time.process_time() - self._computed
        # threads that ended in between have taken their part of the second look with them
        self.seconds = time.perf_counter() - self._begin - max(0.0, _queued() - self._queued)

    def _look(self) -> None:
        if not self._over.wait(MAX_SECONDS):
            ours = [call for call in _calls(self._of) if "site-packages" not in call[0]]
            self.place = "".join(traceback.format_list(ours[-REMEMBERED:]))


def _calls(thread: int) -> list[tuple[str, int, str, str]]:
    """File, line, function and an empty text of the calls of another thread, from the outermost.

    No frame is kept: a painter lives as long as the frame that made it, and Qt crashes over one that is still
    there when its event is over.
    """
    found, frame = [], sys._current_frames().get(thread)
    while frame is not None:
        found.append((frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name, ""))
        frame = frame.f_back
    return found[::-1]


def _queued() -> float:
    """Seconds that threads have waited for a processor: this one waits for others; 0 where unknown."""
    waited = 0.0
    for file in Path("/proc/self/task").glob("*/schedstat"):
        with suppress(OSError):  # the thread has ended meanwhile
            waited += 1e-9 * int(file.read_text(encoding="ascii").split()[1])
    return waited


def _tell(found: Use, done: deque[str], what: str) -> None:
    found.findings.append(f"action {found.actions}: {what}\n    after: {' | '.join(done)[:1500]}")


@contextmanager
def _exceptions(found: Use, done: deque[str]) -> Iterator[None]:
    """Exceptions in slots, which Qt hands to the hook of the interpreter."""
    before = sys.excepthook

    def note(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        _tell(found, done, "".join(traceback.format_exception(kind, error, trace)))

    sys.excepthook = note
    try:
        yield
    finally:
        sys.excepthook = before


def _open(window: MainWindow) -> None:
    window.session.document.load(load_scene(scene_paths()["four_bar"]))
    for _ in range(SETTLED):
        frame(window)


def frame(window: MainWindow) -> None:
    """What the event loop does in a turn; without one, Qt leaves to us what was to be deleted later."""
    QApplication.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    window.session.tick()


def _memory() -> float:
    """Bytes of this process that are in memory; what the allocator keeps for later is given back first."""
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
    return 4096.0 * int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])


def _recorded(window: MainWindow) -> float:
    """Bytes of samples that the runs of the window hold in memory: they may take what their budget allows."""
    recorders = [segment.recorder for run in window.session.runs for segment in run.record.segments]
    return sum(8.0 * recorder.width * (recorder.count - recorder.spilled) for recorder in recorders)


def main(actions: int, seed: int) -> int:
    application = QApplication.instance() or QApplication(["trammel"])
    found = used(actions, seed)
    for finding in found.findings:
        sys.stdout.write(f"{finding}\n")
    sys.stdout.write(f"{found}\n")
    sys.stdout.flush()
    del application
    return 0 if found.is_good else 1
