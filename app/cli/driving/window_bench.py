"""How fluent the window is: frames, delays, throughput. Times in ms unless the name says otherwise."""

import math
import statistics
import threading
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtWidgets import QApplication

from app.cli.driving.figures import Figures, machine, memory, native_threads, spread
from app.cli.driving.heavy import SIZE, hundred_bodies, six_curves
from app.cli.driving.private_window import own_window
from app.cli.driving.probes import EventProbe, TimedViewport
from app.document.document import Edit, refs_of
from app.platform.user_error import InputError
from app.session.playing.engine_events import ONE_CHANGE
from app.session.session import Session
from app.window.main_window import MainWindow
from engine.model.resolve import resolve
from engine.model.scene import Scene
from engine.model.set_value import set_value
from engine.simulation.live.live_simulation import LiveSimulation

EDITS = 20
ROUNDS = 5  # of the throughput, alternating
ROUND = 1.5  # s
FRAME_SAMPLES, PIXEL_SAMPLES = 17, 1500  # by which they grow in a frame, and until it shows
WITHIN = 20.0  # ms from the wall clock
PICKS = 12  # per side of a grid
PATIENCE = 300.0  # s; a first run may have to compile


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
        figures: Figures = machine()
        self._until(lambda: self.viewport.frames)
        figures["gl_renderer"] = self.window.handlers.help.gl_renderer()
        figures["open_s"] = time.perf_counter() - begin
        self._give_size()
        figures["viewport"] = f"{self.viewport.width()}x{self.viewport.height()}"
        clock = time.perf_counter()
        if not self.window.open_path(path):
            raise InputError(f"{path} cannot be opened", remedy="see `trammel check`")
        self._until(lambda: self.session.current is not None and self.session.state == "ready")
        figures["scene_open_ms"] = 1e3 * (time.perf_counter() - clock)
        self._until(lambda: not self.session.busy)
        figures |= self._play(seconds)
        figures["hover_pick_ms"] = self._picks()
        figures |= self._edits()
        figures["rss_mb"], figures["threads"] = memory(), threading.active_count()
        figures["native_threads"] = native_threads()
        figures |= self._throughput(self.session.document.scene)
        figures["six_curves_ms"] = six_curves(self.window.look, FRAME_SAMPLES, self._pump)
        figures["six_curves_redrawn_ms"] = six_curves(self.window.look, PIXEL_SAMPLES, self._pump)
        figures["hundred_bodies_ms"] = hundred_bodies()
        figures["rss_end_mb"] = memory()
        figures["errors"] = len(self.errors)
        return figures

    def _pump(self) -> None:
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 5)
        time.sleep(0.0002)  # let the engine have the interpreter, as a waiting event loop does

    def _until(self, condition: Callable[[], object], limit: float = PATIENCE) -> None:
        end = time.perf_counter() + limit
        while not condition():
            if time.perf_counter() > end:
                raise InputError(
                    f"nothing came within {limit:g} s", remedy="see whether the scene runs at all"
                )
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
        session.transport.set_endless(True)
        session.transport.set_speed(1.0)
        self._rest(0.2)
        frames.clear()
        start, t_start = time.perf_counter(), session.t
        session.transport.play()
        with EventProbe() as probe:
            self._rest(seconds)
        played = time.perf_counter() - start
        status = session.engine.status
        session.transport.pause()
        moving = [frame for frame in frames if frame[2] > t_start]
        if len(moving) < 2:
            raise InputError("nothing moves in this scene", remedy="take another one")
        lags = [1e3 * ((end - start) - (t - t_start)) for end, _, t in moving]
        begun = [lag - ms for lag, (_, ms, _) in zip(lags, moving, strict=True)]
        return {
            "seconds": played,
            "first_motion_ms": 1e3 * (moving[0][0] - start),
            "frames_per_s": len(moving) / played,
            "frame_ms": spread([ms for _, ms, _ in moving]),
            "frame_interval_ms": spread([1e3 * (b[0] - a[0]) for a, b in pairwise(moving)]),
            "lag_ms": spread([abs(lag) for lag in lags]),
            "lag_before_painting_ms": spread([abs(lag) for lag in begun]),
            "lag_within_20_ms": _share(lags),
            "lag_before_painting_within_20_ms": _share(begun),
            "event_wait_ms": spread(probe.waits),
            "resynchronisations": status.resynchronised if status else 0,
            "real_time_factor": status.real_time_factor if status else math.nan,
            "engine_load": status.load if status else math.nan,
        }

    def _picks(self) -> Figures:
        """What is under the pointer: at every body and joint, and all over the viewport."""
        view = self.viewport.view
        w, h = view.camera.size
        spots = [(w * (i + 0.5) / PICKS, h * (j + 0.5) / PICKS) for i in range(PICKS) for j in range(PICKS)]
        for ref in refs_of(self.session.document.scene):
            if ref.where in ("bodies", "joints"):
                spots += [view.camera.project(view.queries.position_of(ref))] * PICKS
        times = []
        for x, y in spots:
            begin = time.perf_counter()
            view.queries.pick(x, y)
            times.append(1e3 * (time.perf_counter() - begin))
        return spread(times)

    def _edits(self) -> Figures:
        """From a changed number to a picture of a motion that knows of it, while playing."""
        session = self.session
        times: dict[str, list[float]] = {"applied": [], "engine": [], "shown": []}
        session.transport.play()
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
            self._rest(ONE_CHANGE)  # sooner than that, the timeline takes the next one for the same change
        session.transport.pause()
        return {
            "edit_applied_ms": spread(times["applied"]),  # all panels have followed
            "edit_in_engine_ms": spread(times["engine"]),
            "edit_to_effect_ms": spread(times["shown"]),
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
        session.lifecycle.reset()
        self._until(lambda: session.current is not before and not session.busy)
        if before is not None:
            session.runs.remove(before)  # an earlier curve of so many samples is no part of this
        session.transport.set_speed(math.inf)
        session.transport.play()
        self._rest(0.3)
        run = session.current
        assert run is not None
        begin, t = time.perf_counter(), run.t_last
        self._rest(ROUND)
        rate = (run.t_last - t) / (time.perf_counter() - begin)
        session.transport.pause()
        self._rest(0.1)
        return rate


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


def _gravity(scene: Scene) -> list[float]:
    given = resolve(scene).gravity
    return [0.0, 0.0, 0.0] if given is None else [float(number) for number in given]


def _share(lags: list[float]) -> float:
    return sum(abs(lag) <= WITHIN for lag in lags) / len(lags)
