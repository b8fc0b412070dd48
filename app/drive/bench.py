"""How fluent the window is: frames, delays, throughput. Times in ms unless the name says otherwise."""

import json
import math
import os
import platform
import statistics
import threading
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication

import app
from app.document import Edit, refs_of
from app.drive.window import own_window
from app.errors import InputError
from app.main_window import MainWindow
from app.panels.plots import whole_span
from app.plots.box import PlotBox
from app.session import Session
from app.viewport.scene_view import SceneView
from app.viewport.widget import ViewportWidget
from engine.model.io import loads
from engine.model.resolve import resolve
from engine.model.scene import Scene
from engine.model.set_value import set_value
from engine.problems import Array
from engine.runtime.live import LiveSimulation

SIZE = (800, 600)  # px of the viewport
EDITS = 20
ROUNDS = 5  # of the throughput, alternating
ROUND = 1.5  # s
CURVES, SAMPLES = 6, 1_000_000
REFRESHES = 40
FRAME_SAMPLES, PIXEL_SAMPLES = 17, 1500  # by which they grow in a frame, and until it shows
BODIES = 100
WITHIN = 20.0  # ms from the wall clock
PICKS = 12  # per side of a grid
PROBE = 0.01  # s between two posted events
PATIENCE = 300.0  # s; a first run may have to compile

Figures = dict[str, Any]


class TimedViewport(ViewportWidget):
    """Notes when each picture was on the screen, and which instant it showed."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.session = session
        self.frames: list[tuple[float, float, float]] = []  # end [s], ms of painting, t shown [s]

    def paintEvent(self, event: QPaintEvent) -> None:
        begin, t = time.perf_counter(), self.session.t
        super().paintEvent(event)
        end = time.perf_counter()
        self.frames.append((end, 1e3 * (end - begin), t))


class _Posted(QEvent):
    KIND = QEvent.Type(QEvent.registerEventType())

    def __init__(self, clock: float) -> None:
        super().__init__(self.KIND)
        self.clock = clock


class EventProbe(QObject):
    """Posts events from another thread, as the system does, and notes how long each waited."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: list[float] = []
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._post, name="trammel-probe", daemon=True)

    def _post(self) -> None:
        while not self._ended.wait(PROBE):
            QCoreApplication.postEvent(self, _Posted(time.perf_counter()))

    def event(self, event: QEvent) -> bool:
        if isinstance(event, _Posted):
            self.waits.append(1e3 * (time.perf_counter() - event.clock))
            return True
        return super().event(event)

    def __enter__(self) -> "EventProbe":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()
        QCoreApplication.removePostedEvents(self)


def measure(path: Path, seconds: float, *, begin: float, offscreen: bool = False) -> Figures:
    """All figures; `begin` is the clock when the program was started."""
    made: list[TimedViewport] = []

    def viewport(session: Session) -> TimedViewport:
        made.append(TimedViewport(session))
        return made[0]

    with own_window(offscreen=offscreen, viewport=viewport) as window:
        bench = _Bench(window, made[0])
        return bench.run(path, seconds, begin)


class _Bench:
    def __init__(self, window: MainWindow, viewport: TimedViewport) -> None:
        self.window, self.viewport = window, viewport
        self.session = window.session
        self.errors: list[str] = []
        self.session.message.connect(
            lambda level, text, _: self.errors.append(text) if level == "error" else None
        )

    def run(self, path: Path, seconds: float, begin: float) -> Figures:
        figures: Figures = _machine()
        self._until(lambda: self.viewport.frames)
        figures["gl_renderer"] = self.window.gl_renderer()
        figures["open_s"] = time.perf_counter() - begin
        self._give_size()
        figures["viewport"] = f"{self.viewport.width()}x{self.viewport.height()}"
        clock = time.perf_counter()
        if not self.window.open_path(path):
            raise InputError(f"{path} cannot be opened", cure="see `trammel check`")
        self._until(lambda: self.session.current is not None and self.session.state == "ready")
        figures["scene_open_ms"] = 1e3 * (time.perf_counter() - clock)
        self._until(lambda: not self.session.busy)
        figures |= self._play(seconds)
        figures["hover_pick_ms"] = self._picks()
        figures |= self._edits()
        figures["rss_mb"], figures["threads"] = _memory(), threading.active_count()
        figures["native_threads"] = _native_threads()
        figures |= self._throughput(self.session.document.scene)
        figures["six_curves_ms"] = self._curves(FRAME_SAMPLES)
        figures["six_curves_redrawn_ms"] = self._curves(PIXEL_SAMPLES)
        figures["hundred_bodies_ms"] = _hundred_bodies()
        figures["rss_end_mb"] = _memory()
        figures["errors"] = len(self.errors)
        return figures

    def _pump(self) -> None:
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 5)
        time.sleep(0.0002)  # let the engine have the interpreter, as a waiting event loop does

    def _until(self, condition: Callable[[], object], limit: float = PATIENCE) -> None:
        end = time.perf_counter() + limit
        while not condition():
            if time.perf_counter() > end:
                raise InputError(f"nothing came within {limit:g} s", cure="see whether the scene runs at all")
            self._pump()

    def _rest(self, seconds: float) -> None:
        """The event loop as the program runs it."""
        loop, timer = QEventLoop(), QTimer()
        timer.setTimerType(Qt.TimerType.PreciseTimer)
        timer.timeout.connect(loop.quit)
        timer.start(round(1e3 * seconds))
        loop.exec()

    def _give_size(self) -> None:
        for _ in range(6):
            missing = (SIZE[0] - self.viewport.width(), SIZE[1] - self.viewport.height())
            if missing == (0, 0):
                return
            self.window.resize(self.window.width() + missing[0], self.window.height() + missing[1])
            self._rest(0.1)
        self.viewport.setFixedSize(*SIZE)  # the window has a least size of its own
        self._rest(0.1)

    def _play(self, seconds: float) -> Figures:
        """Play in real time and watch."""
        session, frames = self.session, self.viewport.frames
        session.set_endless(True)
        session.set_speed(1.0)
        self._rest(0.2)
        frames.clear()
        start, t_start = time.perf_counter(), session.t
        session.play()
        with EventProbe() as probe:
            self._rest(seconds)
        played = time.perf_counter() - start
        status = session.status
        session.pause()
        moving = [frame for frame in frames if frame[2] > t_start]
        if len(moving) < 2:
            raise InputError("nothing moves in this scene", cure="take another one")
        lags = [1e3 * ((end - start) - (t - t_start)) for end, _, t in moving]
        begun = [lag - ms for lag, (_, ms, _) in zip(lags, moving, strict=True)]
        return {
            "seconds": played,
            "first_motion_ms": 1e3 * (moving[0][0] - start),
            "frames_per_s": len(moving) / played,
            "frame_ms": _spread([ms for _, ms, _ in moving]),
            "frame_interval_ms": _spread([1e3 * (b[0] - a[0]) for a, b in pairwise(moving)]),
            "lag_ms": _spread([abs(lag) for lag in lags]),
            "lag_before_painting_ms": _spread([abs(lag) for lag in begun]),
            "lag_within_20_ms": _share(lags),
            "lag_before_painting_within_20_ms": _share(begun),
            "event_wait_ms": _spread(probe.waits),
            "resynchronisations": status.resynchronised if status else 0,
            "real_time_factor": status.real_time_factor if status else math.nan,
            "engine_load": status.load if status else math.nan,
        }

    def _picks(self) -> Figures:
        """What is under the pointer: at every body and joint, and all over the viewport."""
        view = self.viewport.view
        w, h = view.size
        spots = [(w * (i + 0.5) / PICKS, h * (j + 0.5) / PICKS) for i in range(PICKS) for j in range(PICKS)]
        for ref in refs_of(self.session.document.scene):
            if ref.where in ("bodies", "joints"):
                spots += [view.project(view.position_of(ref))] * PICKS
        times = []
        for x, y in spots:
            begin = time.perf_counter()
            view.pick(x, y)
            times.append(1e3 * (time.perf_counter() - begin))
        return _spread(times)

    def _edits(self) -> Figures:
        """From a changed number to a picture of a motion that knows of it, while playing."""
        session = self.session
        times: dict[str, list[float]] = {"applied": [], "engine": [], "shown": []}
        session.play()
        self._rest(0.3)
        for i in range(EDITS):
            run = session.current
            assert run is not None
            scene = session.document.scene
            gravity = _gravity(scene)
            gravity[1] += 1e-3 * (-1) ** i
            events, begin = len(run.events), time.perf_counter()
            session.document.apply(Edit("Change gravity", set_value(scene, "gravity", gravity)))
            times["applied"].append(1e3 * (time.perf_counter() - begin))
            self._until(lambda run=run, events=events: len(run.events) > events, 10.0)  # type: ignore[misc]
            times["engine"].append(1e3 * (time.perf_counter() - begin))
            edited = run.events[-1][0]
            self._until(lambda edited=edited: self.viewport.frames[-1][2] > edited, 10.0)  # type: ignore[misc]
            times["shown"].append(1e3 * (self.viewport.frames[-1][0] - begin))
            self._rest(0.1)
        session.pause()
        return {
            "edit_applied_ms": _spread(times["applied"]),  # all panels have followed
            "edit_in_engine_ms": _spread(times["engine"]),
            "edit_to_effect_ms": _spread(times["shown"]),
        }

    def _throughput(self, scene: Scene) -> Figures:
        """Simulated seconds per second, as fast as possible: with the window drawing, and without."""
        drawn, bare = [], []
        for _ in range(ROUNDS):
            drawn.append(self._drawn_rate())
            bare.append(_bare_rate(scene))
        ratios = [a / b for a, b in zip(drawn, bare, strict=True)]
        return {
            "throughput_window": statistics.median(drawn),
            "throughput_headless": statistics.median(bare),
            "throughput_ratio": statistics.median(ratios),
        }

    def _drawn_rate(self) -> float:
        session = self.session
        before = session.current
        session.reset()
        self._until(lambda: session.current is not before and not session.busy)
        if before is not None:
            session.remove_run(before)  # a grey curve of so many samples is no part of this
        session.set_speed(math.inf)
        session.play()
        self._rest(0.3)
        run = session.current
        assert run is not None
        begin, t = time.perf_counter(), run.t_last
        self._rest(ROUND)
        rate = (run.t_last - t) / (time.perf_counter() - begin)
        session.pause()
        self._rest(0.1)
        return rate

    def _curves(self, growth: int) -> Figures:
        """Six long curves that grow by so many samples: work and painting of one refresh."""
        run = _LongRun(growth)
        box = PlotBox(self.window.look, "bench", title="Six curves")
        for i in range(CURVES):
            box.add_channel(f"curve{i}")
        box.resize(SIZE[0], 300)
        box.move(QPoint(0, 0))
        box.show()
        times, shown = [], None
        for _ in range(REFRESHES + 3):
            run.grow()
            begin = time.perf_counter()
            span = whole_span(run.t_first, run.t_last)
            if span != shown:
                shown = span
                box.plot.getViewBox().setXRange(*span, padding=0.0)
            box.refresh([run], run, run.t_last, span)
            box.plot.viewport().repaint()
            times.append(1e3 * (time.perf_counter() - begin))
            self._pump()
        box.close()
        box.deleteLater()
        return _spread(times[3:])  # the first ones read the past


class _LongRun:
    """A run of a million samples with more to come; looks like a Run to a plot."""

    id = 1
    t_first = 0.0

    def __init__(self, growth: int) -> None:
        self._count, self._growth = SAMPLES, growth
        self._t: Array = 1e-3 * np.arange(SAMPLES + growth * (REFRESHES + 10), dtype=np.float64)
        noise = np.random.default_rng(1).normal(size=len(self._t))
        self._values: list[Array] = [np.sin((i + 1) * 0.01 * self._t) + 0.1 * noise for i in range(CURVES)]

    def grow(self) -> None:
        self._count += self._growth

    @property
    def t_last(self) -> float:
        return float(self._t[self._count - 1])

    def unit(self, name: str) -> str:
        return "m"

    def is_unique(self, name: str) -> bool:
        return True

    def channel(self, name: str, begin: float | None = None, end: float | None = None) -> tuple[Array, Array]:
        first = 0 if begin is None else int(np.searchsorted(self._t, begin))
        values = self._values[int(name.removeprefix("curve"))]
        return self._t[first : self._count], values[first : self._count]


def _bare_rate(scene: Scene) -> float:
    """The same simulation in the same thread, with nothing to draw."""
    simulation = LiveSimulation(scene)
    warm = time.perf_counter() + 0.3
    while time.perf_counter() < warm:
        simulation.advance(math.inf)
    begin, t = time.perf_counter(), simulation.t
    while time.perf_counter() < begin + ROUND:
        simulation.advance(math.inf)
    return float((simulation.t - t) / (time.perf_counter() - begin))


def _hundred_bodies() -> Figures:
    """A picture of a moving chain of 100 bars with a symbol at every joint, without the window."""
    bars = [
        {
            "name": f"bar{i}",
            "mass": 1,
            "inertia": [0.1],
            "position": [i % 10, i // 10],
            "points": [{"name": "a", "position": [0, 0]}, {"name": "b", "position": [0.9, 0]}],
            "shapes": [{"kind": "rod", "start": [0, 0], "end": [0.9, 0], "radius": 0.05}],
        }
        for i in range(BODIES)
    ]
    joints = [
        {
            "name": f"joint{i}",
            "kind": "revolute",
            "a": {"body": f"bar{i - 1}" if i else "world", "point": "b" if i else [0, 0]},
            "b": {"body": f"bar{i}", "point": "a"},
        }
        for i in range(BODIES)
    ]
    facts = {"format": "trammel-scene", "version": 1, "space": "planar", "bodies": bars, "joints": joints}
    view = SceneView(SIZE)
    view.set_scene(loads(json.dumps(facts)))
    view.fit()
    times = []
    for k in range(REFRESHES + 3):
        c, s = math.cos(0.05 * k), math.sin(0.05 * k)
        R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        poses = {f"bar{i}": (np.array([i % 10, i // 10, 0.0]), R) for i in range(BODIES)}
        begin = time.perf_counter()
        view.set_poses(poses, 0.02 * k)
        view.render()
        times.append(1e3 * (time.perf_counter() - begin))
    view.close()
    return _spread(times[3:])


def _gravity(scene: Scene) -> list[float]:
    given = resolve(scene).gravity
    return [0.0, 0.0, 0.0] if given is None else [float(number) for number in given]


def _share(lags: list[float]) -> float:
    return sum(abs(lag) <= WITHIN for lag in lags) / len(lags)


def _spread(values: list[float]) -> Figures:
    p50, p95 = np.percentile(values, [50, 95]) if values else (math.nan, math.nan)
    return {"p50": float(p50), "p95": float(p95), "max": max(values, default=math.nan)}


def _machine() -> Figures:
    return {
        "version": app.__version__,
        "python": platform.python_version(),
        "processors": os.cpu_count(),
        "platform": QApplication.platformName(),
        "machine_load": os.getloadavg()[0] if hasattr(os, "getloadavg") else math.nan,  # of others, before
    }


def _memory() -> float:
    """Resident memory [MB]; NaN where the system does not say."""
    return _status("VmRSS") / 1024.0


def _native_threads() -> float:
    return _status("Threads")


def _status(word: str) -> float:
    try:
        lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    except OSError:
        return math.nan
    return next((float(line.split()[1]) for line in lines if line.startswith(f"{word}:")), math.nan)
