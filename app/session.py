"""The session: a document, its runs, one playhead, and the engine thread behind them. No widgets."""

from __future__ import annotations

import contextlib
import math
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np
from PySide6.QtCore import QObject, Signal

import engine
from app.commands import set_simulation
from app.document import MOVING, SETTINGS, SIMULATION, Document, Ref, SceneChange, find
from app.run import Poses, Run, given_poses
from app.selection import Selection
from app.stored import stored_run
from engine.analyses.check import Report, check_scene
from engine.errors import Problem, SceneError
from engine.model.io import save_scene
from engine.model.resolve import resolve
from engine.model.scene import LISTS, Scene
from engine.problems import StepStatus
from engine.runtime.live import LiveSimulation, Record
from engine.runtime.loop import EngineLoop, Happening
from engine.runtime.methods import find_method
from engine.runtime.recorder import MEMORY, Budget
from engine.runtime.stream import News, Snapshot
from engine.runtime.warmup import kernels_ready
from engine.system.compile import compile_scene

STATES = ("empty", "ready", "playing", "paused", "detached", "failed", "compiling")
START_FIELDS = ("position", "angle", "orientation", "velocity", "angular_velocity", "hold", "start")
SETTINGS_SEEN = ("space", "gravity")  # fields of the scene that the engine sees
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442", "#000000")
SHUTDOWN = 2.0  # s for all threads together
Names = dict[tuple[str, str], str]  # (list, old name) → new name
CHECK_DELAY = 0.2  # s without another edit before the mobility is worked out
KEPT_RUNS = 20  # earlier runs that stay unless pinned


@dataclass
class Playhead:
    """The instant that is shown; live: the newest one."""

    t: float = 0.0
    live: bool = True


@dataclass(frozen=True)
class _Built:
    """What the worker made of a scene."""

    generation: int
    run: Run
    simulation: LiveSimulation | None
    problems: tuple[Problem, ...] = ()
    text: str = ""
    play: bool = False


@dataclass
class _Pending:
    """Edits that wait for the worker."""

    scene: Scene
    renamed: Names = field(default_factory=dict)
    text: str = ""


class Session(QObject):
    """What views show and command. `tick` pulls from the engine; nothing here ever waits for it."""

    advanced = Signal()  # the playhead, its state or the newest snapshot changed
    state_changed = Signal(str)
    runs_changed = Signal()
    checked = Signal()  # `check` is there, or gone
    message = Signal(str, str, object)  # level (info, warning, error), text, Ref or None

    def __init__(
        self,
        document: Document | None = None,
        parent: QObject | None = None,
        *,
        memory: int = MEMORY,
        warm: bool = True,
    ) -> None:
        super().__init__(parent)
        self.document = document or Document(self)
        self.selection = Selection(self)
        self.runs: list[Run] = []
        self.current: Run | None = None
        self.playhead = Playhead()
        self.status: Snapshot | None = None
        self.check: Report | None = None
        self.loop = False
        self.endless = False
        self.speed = 1.0
        self.progress = ""  # what is being compiled
        self.budget = Budget(memory)
        self._warm = warm
        self._state = "empty"
        self._engine = EngineLoop()
        self._engine.start()
        self._worker = _Worker("trammel-worker", self._fault)
        self._checker = _Worker("trammel-checker", self._fault)
        self._checks = 0
        self._generation = 0
        self._runs_made = 0
        self._building = False
        self._broken = False  # the scene as it is now cannot be simulated
        self._stale = False  # the run does not begin as the scene does: a new one is needed
        self._pending: _Pending | None = None
        self._replaying = False
        self._replayed = 0.0  # wall clock of the last tick of a replay
        self._given: Poses | None = None  # worked out when asked for
        self._seen: tuple[Any, ...] = ()
        self._closed = False
        self.document.changed.connect(self._document_changed)
        if self.document.scene.bodies:
            self._open()

    # state

    @property
    def state(self) -> str:
        return self._state

    @property
    def t(self) -> float:
        return self.playhead.t

    @property
    def playing(self) -> bool:
        """Whether the engine goes on, watched or not."""
        return self._going and not self._building

    @property
    def busy(self) -> bool:
        """Whether something is still being worked out behind the views: a run, an edit, the check."""
        return self._building or self._worker.busy or self._checker.busy

    @property
    def t_end(self) -> float:
        """Where the run ends [s]; infinite when endless."""
        return math.inf if self.endless else self._duration

    def poses(self) -> Poses:
        """Where all bodies are at the playhead; before there is a run, as the scene gives them."""
        if self.current is None or self.current.empty:
            if self._given is None:
                self._given = given_poses(self.document.scene)
            return self._given
        return self.current.poses_at(self.playhead.t)

    # transport

    def play(self) -> None:
        """Go on; from an earlier instant the record is played, and what comes after it is live."""
        if self._building:
            self._start_playing = True
            return
        run = self.current
        if run is None:
            return
        if self._broken:
            self.message.emit("warning", "the scene cannot be simulated as it is now; see the problems", None)
            return
        if not self.playhead.live:
            self._replay(self.playhead.t if self.playhead.t < run.t_last else run.t_first)
        elif self._ended:
            self._replay(run.t_first)
        elif self._failed:
            text = self.status.message if self.status else "the run has failed"
            self.message.emit("error", text, self._guilty())
        else:
            self._going = True
            self._engine.play()
        self._update()

    def pause(self) -> None:
        self._start_playing = False
        if self._replaying:
            self._replaying = False
        if self._going:
            self._going = False
            self._engine.pause()
        self._update()

    def toggle(self) -> None:
        self.pause() if self._state == "playing" else self.play()

    def step(self, n: int = 1) -> None:
        """Single steps: through the record, and on from its end; negative ones go back."""
        run = self.current
        if run is None or self._building:
            return
        self.pause()
        if run.empty or not n:
            return
        if n > 0 and self.playhead.t >= run.t_last:
            self.playhead.live = True
            if not (self._ended or self._failed or self._broken):
                self._engine.step(n)
            return
        times = run.times()
        side: Literal["left", "right"] = "right" if n > 0 else "left"
        at = int(np.searchsorted(times, self.playhead.t, side)) + (n - 1 if n > 0 else n)
        self.seek(float(times[min(max(at, 0), len(times) - 1)]))

    def reset(self) -> None:
        """Back to the start of the scene. What has run stays as a run."""
        if not self.document.scene.bodies:
            return
        self._build()

    def set_speed(self, speed: float) -> None:
        """Simulated seconds per second; infinite: as fast as possible."""
        if not speed > 0.0:
            raise ValueError(f"the speed is {speed}; give a positive number")
        self.speed = speed
        self._engine.set_speed(speed)
        self.advanced.emit()

    def set_endless(self, endless: bool) -> None:
        self.endless = endless
        self._engine.set_limit(self.t_end)
        self._update()

    def seek(self, t: float) -> None:
        """Show another instant of the record; the engine goes on."""
        run = self.current
        if run is None or run.empty:
            return
        self._replaying = False
        self.playhead.t = min(max(t, run.t_first), run.t_last)
        self.playhead.live = False
        if self.playhead.t == run.t_last and not self._going:
            self.playhead.live = True
        self._update(force=True)

    def go_live(self) -> None:
        """Show the newest state again."""
        self._replaying = False
        self.playhead.live = True
        self._follow(self._engine.mailbox.peek())
        self._update(force=True)

    def set_method(
        self, name: str | None = None, options: Mapping[str, Any] | None = None, dt: float | str | None = None
    ) -> None:
        """Another method, options or step, from the present state on; raises SceneError."""
        fields: dict[str, Any] = {}
        if name is not None:
            method = find_method(name)
            fields["method"] = name
            if options is None:
                known = {option.name for option in method.options}
                fields["options"] = {
                    key: value
                    for key, value in self.document.scene.simulation.options.items()
                    if key in known
                }
        if options is not None:
            method = find_method(name or self.document.scene.simulation.method)
            method.numbers(
                {key: float(value) for key, value in options.items() if not isinstance(value, str)}
            )
            fields["options"] = dict(options)
        if dt is not None:
            fields["dt"] = dt
        if fields:
            self.document.apply(set_simulation(self.document.scene, **fields))

    # runs

    def remove_run(self, run: Run) -> None:
        """Dismiss an earlier run."""
        if run in self.runs and run is not self.current:
            self.runs.remove(run)
            self.runs_changed.emit()

    def add_run(self, run: Run) -> None:
        """Show a run from elsewhere: a reference, a replay, the result of an analysis."""
        self.runs.append(run)
        self.runs_changed.emit()

    def new_run_id(self) -> int:
        self._runs_made += 1
        return self._runs_made

    def rename_run(self, run: Run, name: str) -> None:
        run.name = name.strip() or run.name
        self.runs_changed.emit()

    def pin_run(self, run: Run, pinned: bool = True) -> None:
        run.pinned = pinned
        self.runs_changed.emit()

    def ghost_run(self, run: Run, ghost: bool = True) -> None:
        """Show a run in the viewport as a ghost, or no longer."""
        if ghost != run.ghost:
            run.ghost = ghost
            self.runs_changed.emit()

    def ghosts(self) -> list[Run]:
        """Other runs that are shown in the viewport."""
        return [
            run
            for run in self.runs
            if run.ghost and run.visible and run is not self.current and not run.empty
        ]

    # the frame

    def tick(self) -> None:
        """Pull what is new from the engine; called by the window's frame timer."""
        if self._closed:
            return
        for worker in (self._worker, self._checker):
            for done in worker.results.read():
                done()
        for happening in self._engine.news.read():
            self._happened(happening)
        self._follow(self._engine.mailbox.peek())
        if self._replaying:
            self._go_on_replaying()
        self._update()

    def close(self) -> bool:
        """End all threads; False when one did not end in time."""
        if self._closed:
            return True
        self._closed = True
        self._generation += 1
        self.document.changed.disconnect(self._document_changed)
        deadline = time.perf_counter() + SHUTDOWN
        workers = (self._worker, self._checker)
        for worker in workers:
            worker.cancel()
        ended = [self._engine.stop(SHUTDOWN)]
        ended += [worker.stop(max(0.1, deadline - time.perf_counter())) for worker in workers]
        return all(ended)

    # following the engine

    _going = False  # what we asked of the engine, or what it told us since
    _start_playing = False
    _duration = math.inf

    @property
    def _failed(self) -> bool:
        return self.status is not None and self.status.status.failed

    @property
    def _ended(self) -> bool:
        return self.status is not None and self.status.status in (StepStatus.FINISHED, StepStatus.STOPPED)

    def _guilty(self) -> Ref | None:
        return Ref(*self.status.guilty) if self.status is not None and self.status.guilty else None

    def _follow(self, snapshot: Snapshot | None) -> None:
        run = self.current
        if snapshot is None or run is None or snapshot.run_id != run.id:
            return
        self.status = snapshot
        if not self.playhead.live or run.empty:
            return
        last = run.t_last
        if snapshot.playing and math.isfinite(snapshot.speed):
            # between two snapshots the wall clock goes on; recorded states lie a step ahead of it
            due = snapshot.shown + (time.perf_counter() - snapshot.clock) * snapshot.speed
            self.playhead.t = min(max(due, min(self.playhead.t, last)), last)
        else:
            self.playhead.t = last

    def _happened(self, happening: Happening) -> None:
        run = self.current
        if run is None or happening.run_id != run.id:
            return
        kind, text = happening.kind, happening.text
        newest = self._engine.mailbox.peek()
        if newest is not None and newest.run_id == run.id:
            self.status = newest
        if kind in ("finished", "stopped", "failed", "refused", "crashed"):
            self._going = False
        if kind in ("edited", "segment"):
            if text:
                run.events.append((happening.t, text))
            self._broken = False
        elif kind == "failed":
            run.events.append((happening.t, text))
            self.message.emit("error", text, self._guilty())
        elif kind == "stopped":
            run.events.append((happening.t, text))
            self.message.emit("info", text, None)
        elif kind == "refused":
            self._broken = True
            self._tell_problems(happening.problems)
        elif kind == "crashed":
            self.message.emit("error", f"the engine met a fault of the program:\n{text}", None)
        if kind == "finished" and self.loop and self.playhead.live:
            self._replay(run.t_first)
        self.runs_changed.emit()

    def _replay(self, t: float) -> None:
        self.playhead.t, self.playhead.live = t, False
        self._replaying, self._replayed = True, time.perf_counter()

    def _go_on_replaying(self) -> None:
        run, now = self.current, time.perf_counter()
        if run is None or run.empty:
            self._replaying = False
            return
        speed = self.speed if math.isfinite(self.speed) else 100.0
        t, last = self.playhead.t + (now - self._replayed) * speed, run.t_last
        self._replayed = now
        if t < last:
            self.playhead.t = t
        elif run.kind == "replay" or (self.loop and (self._ended or self._failed)):
            self.playhead.t = run.t_first
        else:
            self._replaying = False
            self.playhead.t, self.playhead.live = last, True
            if not (self._ended or self._failed or self._broken or self._going):
                self._going = True
                self._engine.play()

    def _update(self, *, force: bool = False) -> None:
        """Work out the state and tell what changed."""
        run = self.current
        if self._building and (run is None or self.progress):
            state = "compiling"
        elif run is None:
            state = "failed" if self._broken else "empty"
        elif self._building:
            state = "ready"
        elif self._replaying:
            state = "playing"
        elif not self.playhead.live:
            state = "detached"
        elif self._going:
            state = "playing"
        elif self._failed or self._broken:
            state = "failed"
        else:
            state = "paused" if run.moved else "ready"
        changed = state != self._state
        self._state = state
        if changed:
            self.state_changed.emit(state)
        count = run.count if run is not None else 0
        seen = (state, self.playhead.t, self.playhead.live, id(run), count, self.progress)
        if force or seen != self._seen:
            self._seen = seen
            self.advanced.emit()

    # the document

    def _document_changed(self, change: SceneChange) -> None:
        if change.reset:
            self.selection.clear()
            self._open()
            return
        self.selection.follow(change)
        self._given = None
        run = self.current
        if run is None or run.empty or self._building or self._stale or _start_changed(change):
            if _engine_sees(change) or self._building:
                self._build(play=self._start_playing)
            return
        if not run.moved and not self._going and _engine_sees(change):
            self._build()  # nothing has run yet: the start is worked out anew
            return
        names = {(ref.where, ref.name): new for ref, new in change.renamed.items() if not ref.part}
        run.scene = change.after
        if names:
            run.renamed(names)
        if any(ref.where == "measures" for ref in (*change.added, *change.removed, *change.changed)) or names:
            run.set_measures(change.after)
        self._apply_settings(change)
        if _engine_sees(change):
            self._edit(change, names)
        self._update(force=True)

    def _apply_settings(self, change: SceneChange) -> None:
        before, after = change.before.simulation, change.after.simulation
        if before == after and change.before.parameters == change.after.parameters:
            return
        try:
            settings = resolve(change.after).simulation
        except SceneError:
            return
        if float(settings.duration) != self._duration:
            self._duration = float(settings.duration)
            self._engine.set_limit(self.t_end)
        if before.speed != after.speed:
            self.set_speed(float(settings.speed))

    def _edit(self, change: SceneChange, renamed: Names) -> None:
        """Hand an edited scene to the engine, through the worker when it may need other kernels."""
        text = _what_changed(change)
        if self.document.problems:
            self._broken = True
            self.pause()
            self._tell_problems(self.document.problems)
            self._hold_back(change.after, renamed, text)
            return
        self._hold_back(change.after, renamed, text)
        same = not change.structural and change.before.simulation.method == change.after.simulation.method
        if same and not self._worker.busy:
            self._send_pending()
            return
        generation, scene = self._generation, change.after
        self._worker.post(lambda: self._prepare_edit(generation, scene))

    def _hold_back(self, scene: Scene, renamed: Names, text: str) -> None:
        pending = self._pending or _Pending(scene)
        joined = {old: renamed.get((old[0], new), new) for old, new in pending.renamed.items()}
        passed = {(where, new) for (where, _), new in pending.renamed.items()}
        joined.update({old: new for old, new in renamed.items() if old not in passed})
        words = dict.fromkeys(filter(None, (*pending.text.split("; "), text)))
        self._pending = _Pending(scene, joined, "; ".join(words))

    def _send_pending(self) -> None:
        pending, self._pending = self._pending, None
        if pending is not None:
            self._engine.edit(pending.scene, renamed=pending.renamed, text=pending.text)
            self._recheck(pending.scene)

    def _prepare_edit(self, generation: int, scene: Scene) -> None:
        """On the worker: see to it that the kernels of an edited scene are there."""
        try:
            self._ensure_kernels(scene, generation)
        except SceneError as error:
            problems = error.problems
            self._worker.results.post(lambda: self._refused(generation, problems))
            return
        self._worker.results.post(lambda: self._edit_ready(generation))

    def _edit_ready(self, generation: int) -> None:
        if generation == self._generation:
            self.progress = ""
            self._send_pending()

    def _refused(self, generation: int, problems: tuple[Problem, ...]) -> None:
        if generation != self._generation:
            return
        self.progress = ""
        self._broken = True
        self.pause()
        self._tell_problems(problems)

    # building runs

    def _open(self) -> None:
        """Another document: all earlier runs belong to the old one."""
        self.pause()
        self._engine.adopt(None, 0)
        self.runs.clear()
        self.current, self.status, self.check = None, None, None
        self.playhead.t, self.playhead.live = 0.0, True
        self._replaying = self._broken = self._building = self._start_playing = self._stale = False
        self._pending = None
        self._generation += 1
        self._checks += 1
        scene = self.document.scene
        self._given = None
        self.runs_changed.emit()
        self.checked.emit()
        with contextlib.suppress(SceneError):
            self.set_speed(float(resolve(scene).simulation.speed))
        if scene.bodies:
            self._build()
        self._update(force=True)

    def _keep_current(self) -> None:
        """The present run is over; it stays among the runs when it has anything to show."""
        run = self.current
        if run is None:
            return
        if run.kind == "live":
            run.kind = "finished"
        if not run.moved and run in self.runs:
            self.runs.remove(run)
        old = [r for r in self.runs if r.kind == "finished" and not r.pinned]
        for surplus in old[:-KEPT_RUNS]:
            self.runs.remove(surplus)

    def _build(self, *, play: bool = False) -> None:
        """Make a new run from the start of the scene, on the worker."""
        self._generation += 1
        self._pending = None
        if self._going:
            self._going = False
            self._engine.pause()
        self._replaying = False
        self._stale = True
        self._start_playing = play
        scene, generation = self.document.scene, self._generation
        if self.document.problems:
            self._building, self._broken = False, True
            self._tell_problems(self.document.problems)
            self._update(force=True)
            return
        if not any(not body.fixed for body in scene.bodies):
            self._building = self._broken = self._stale = False
            self._keep_current()
            self._engine.adopt(None, 0)
            self.current, self.status = None, None
            self._update(force=True)
            return
        run = Run(self.new_run_id(), scene, record=Record(self.budget), color=COLORS[self._runs_made % 8])
        self._building = True
        self._worker.post(lambda: self._make_run(generation, run, scene))
        self._update(force=True)

    def _make_run(self, generation: int, run: Run, scene: Scene) -> None:
        """On the worker: compile, assemble, start."""
        if generation != self._generation:
            return
        try:
            self._ensure_kernels(scene, generation)
            simulation = LiveSimulation(scene, record=run.record)
            built = _Built(generation, run, simulation)
        except SceneError as error:
            built = _Built(generation, run, None, error.problems)
        self._worker.results.post(lambda: self._adopt(built))

    def _adopt(self, built: _Built) -> None:
        if built.generation != self._generation:
            return
        self._building, self.progress = False, ""
        if built.simulation is None:
            self._broken = True
            self._tell_problems(built.problems)
            self._update(force=True)
            return
        run, simulation = built.run, built.simulation
        self._broken = self._stale = self._replaying = False
        self._keep_current()
        self.current = run
        self.runs.append(run)
        self._duration = float(simulation.mechanism.scene.simulation.duration)
        self.playhead.t, self.playhead.live = run.t_first, True
        self.status = None
        self._engine.set_speed(self.speed)
        self._engine.adopt(simulation, run.id, limit=self.t_end)
        for remark in simulation.remarks:
            self.message.emit("warning", remark, None)
        self.runs_changed.emit()
        if self._pending is not None:
            self._send_pending()
        else:
            self._recheck(run.scene)
        if self._start_playing:
            self._start_playing = False
            self.play()
        self._update(force=True)

    def _ensure_kernels(self, scene: Scene, generation: int) -> None:
        """On the worker: have missing kernels compiled by another process; raises SceneError."""
        mechanism = compile_scene(scene)
        method = find_method(mechanism.scene.simulation.method)
        if not self._warm or kernels_ready(mechanism, method):
            return

        def tell(text: str) -> None:
            if generation == self._generation:
                self.progress = text

        self._worker.results.post(lambda: self._show_stored(generation))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "scene.json"
            save_scene(scene, path)
            self._worker.run_process(_warmup_command(path), tell)

    def _show_stored(self, generation: int) -> None:
        """While kernels are being compiled, a shipped scene moves as it did when it was stored."""
        path = self.document.path
        if generation != self._generation or self.current is not None or path is None:
            return
        run = stored_run(self.document.scene, path.stem, self.new_run_id())
        if run is not None:
            self.current = run
            self._replay(run.t_first)

    # the check

    def _recheck(self, scene: Scene) -> None:
        self._checks += 1
        number = self._checks
        self._checker.post(lambda: self._check(number, scene))

    def _check(self, number: int, scene: Scene) -> None:
        """On the checker: only the newest scene counts."""
        if number != self._checks or not self._checker.rest(CHECK_DELAY) or number != self._checks:
            return
        try:
            report = check_scene(scene)
        except SceneError:
            return
        self._checker.results.post(lambda: self._checked(number, report))

    def _checked(self, number: int, report: Report) -> None:
        if number == self._checks:
            self.check = report
            self.checked.emit()

    def _fault(self, text: str) -> None:
        self._building, self.progress = False, ""
        self.message.emit("error", f"a background job met a fault of the program:\n{text}", None)

    def _tell_problems(self, problems: tuple[Problem, ...] | list[Problem]) -> None:
        for problem in problems[:5]:
            self.message.emit(
                "error", f"{problem.message}; {problem.cure}", ref_of(self.document.scene, problem)
            )


def ref_of(scene: Scene, problem: Problem) -> Ref | None:
    """The element that a problem is about."""
    if problem.element is not None:
        where, index = problem.element
        items = getattr(scene, where, ())
        return Ref(where, items[index].name) if where in LISTS and index < len(items) else None
    where, _, rest = problem.path.partition(".")
    if where in LISTS:
        name = max((i.name for i in getattr(scene, where) if rest.startswith(i.name)), key=len, default="")
        return Ref(where, name) if name else None
    return Ref(SIMULATION, "") if where == SIMULATION else None


def _engine_sees(change: SceneChange) -> bool:
    """Whether the motion depends on anything that changed."""
    if change.structural:
        return True
    if {p.name: p.value for p in change.before.parameters} != {
        p.name: p.value for p in change.after.parameters
    }:
        return True
    if any(ref.where in MOVING for ref in (*change.added, *change.removed)):
        return True
    if any(ref.where == "measures" for ref in (*change.added, *change.removed, *change.changed)):
        return bool(change.after.simulation.stop_when)
    for ref in change.changed:
        if ref.where == SETTINGS and ref.name in SETTINGS_SEEN:
            return True
        if ref.where in MOVING and _bare(find(change.before, _before(change, ref))) != _bare(
            find(change.after, ref)
        ):
            return True
    one, two = change.before.simulation, change.after.simulation
    seen = ("method", "options", "dt", "stop_when", "sample_every")
    return any(getattr(one, name) != getattr(two, name) for name in seen)


def _before(change: SceneChange, ref: Ref) -> Ref:
    """The reference that an element had before the change."""
    for old, new in change.renamed.items():
        if not old.part and old.where == ref.where and new == ref.name:
            return old
    return ref


def _bare(item: Any) -> Any:
    """An element without its looks."""
    if item is None:
        return None
    looks: dict[str, Any] = dict(color="", opacity=1.0, layer=0, visible=True, notes="")
    if hasattr(item, "shapes"):
        looks["shapes"] = tuple(
            msgspec.structs.replace(shape, **{k: v for k, v in looks.items() if hasattr(shape, k)})
            for shape in item.shapes
        )
    return msgspec.structs.replace(item, **looks)


def _start_changed(change: SceneChange) -> bool:
    """Whether the start was edited: poses, velocities or start values of what was there before."""
    for ref in change.changed:
        if ref.where not in ("bodies", "joints"):
            continue
        old, new = find(change.before, _before(change, ref)), find(change.after, ref)
        if any(getattr(old, name, None) != getattr(new, name, None) for name in START_FIELDS):
            return True
    return False


def _what_changed(change: SceneChange) -> str:
    """A few words for the timeline."""
    if change.before.simulation.method != change.after.simulation.method:
        return f"method {change.after.simulation.method}"
    if change.before.simulation.dt != change.after.simulation.dt:
        return f"step {change.after.simulation.dt} s"
    for word, refs in (("added", change.added), ("removed", change.removed)):
        if refs:
            return f"{word} {', '.join(ref.name for ref in refs[:3])}"
    if change.renamed:
        return f"renamed {', '.join(change.renamed.values())}"
    return f"changed {', '.join(dict.fromkeys(ref.name or ref.where for ref in change.changed[:3]))}"


def _warmup_command(path: Path) -> list[str]:
    return [sys.executable, "-m", "engine.runtime.warmup", str(path)]


class _Worker:
    """A thread for what takes longer than a frame; results are picked up by `Session.tick`."""

    def __init__(self, name: str, fault: Callable[[str], object]) -> None:
        self.results: News[Callable[[], object]] = News()
        self._fault = fault
        self._jobs: queue.SimpleQueue[Callable[[], object] | None] = queue.SimpleQueue()
        self._process: subprocess.Popen[str] | None = None
        self._cancelled = threading.Event()
        self._open = 0  # jobs whose results have not been picked up
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    @property
    def busy(self) -> bool:
        return self._open > 0

    def post(self, job: Callable[[], object]) -> None:
        self._open += 1
        self._jobs.put(job)

    def rest(self, seconds: float) -> bool:
        """On the thread: wait; False when the end has come."""
        return not self._cancelled.wait(seconds)

    def _run(self) -> None:
        while True:
            job = self._jobs.get()
            if job is None or self._cancelled.is_set():
                return
            try:
                job()
            except Exception:
                self._told(traceback.format_exc())
            self.results.post(self._close_one)

    def _told(self, text: str) -> None:
        self.results.post(lambda: self._fault(text))

    def _close_one(self) -> None:
        self._open -= 1

    def run_process(self, command: list[str], tell: Callable[[str], object]) -> None:
        """Run a program to its end; each of its lines is told."""
        root = str(Path(engine.__file__).resolve().parent.parent)
        paths = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH", ""))))
        env = {**os.environ, "PYTHONPATH": paths}
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=env
        ) as process:
            self._process = process
            assert process.stdout is not None
            for line in process.stdout:
                tell(line.strip())
                if self._cancelled.is_set():
                    process.kill()
                    break
        self._process = None

    def cancel(self) -> None:
        self._cancelled.set()
        process = self._process
        if process is not None:
            process.kill()
        self._jobs.put(None)

    def stop(self, timeout: float) -> bool:
        self._thread.join(timeout)
        return not self._thread.is_alive()
