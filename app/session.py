"""The session: a document, its runs, one playhead, and the engine thread behind them. No widgets."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np
from PySide6.QtCore import QObject, Signal

from app.builder import Builder, Built
from app.changes import engine_sees, start_changed, what_changed
from app.checker import Checker
from app.commands import method_fields, set_simulation
from app.document import Document, Edit, Ref, SceneChange
from app.faults import Faults
from app.pending import Names, PendingEdit
from app.playhead import Playhead
from app.preview import Preview
from app.problems import ref_of
from app.run import Poses, Pulled, Run, given_poses
from app.run_list import RunList
from app.selection import Selection
from app.stored import stored_run
from app.streaming import Streaming
from app.trials import Order, Trials
from app.validator import Validator
from engine.analyses.check import Report
from engine.errors import Problem, SceneError
from engine.model.resolve import resolve
from engine.model.scene import Scene
from engine.problems import StepStatus
from engine.runtime.live import Carried
from engine.runtime.loop import EngineLoop, Happening
from engine.runtime.methods import find_method
from engine.runtime.recorder import MEMORY
from engine.runtime.stream import Snapshot
from engine.system.pulls import Pull

__all__ = ["STATES", "Session"]

STATES = ("empty", "ready", "playing", "paused", "detached", "failed", "compiling")
SHUTDOWN = 2.0  # s for all threads together


class Session(RunList):
    """What views show and command. `tick` pulls from the engine; nothing here ever waits for it."""

    advanced = Signal()  # the playhead, its state or the newest snapshot changed
    posed = Signal()  # bodies are being moved by hand, or no longer
    state_changed = Signal(str)
    checked = Signal()  # `check` is there, or gone
    problems_changed = Signal()
    message = Signal(str, str, object)  # level (info, warning, error), text, Ref or None

    def __init__(
        self,
        document: Document | None = None,
        parent: QObject | None = None,
        *,
        memory: int = MEMORY,
        warm: bool = True,
    ) -> None:
        super().__init__(parent, memory)
        self.document = document or Document(self)
        self.selection = Selection(self)
        self.playhead = Playhead()
        self.preview = Preview(self)
        self.streaming = Streaming(self)
        self.streaming.ended.connect(lambda level, text: self.message.emit(level, text, None))
        self.status: Snapshot | None = None
        self.check: Report | None = None
        self._faults = Faults(self.document, self)
        self._faults.changed.connect(self.problems_changed)
        self.lead = 0.0  # s from a frame's tick to its picture; the viewport measures it
        self.loop = False
        self.endless = False
        self.speed = 1.0
        self._state = "empty"
        self._engine = EngineLoop()
        self._engine.start()
        self._builder = Builder(self._fault, self._show_stored, warm=warm)
        self._checker = Checker(self._fault, self._checked)
        self._validator = Validator(self._fault, self._faults.set_unsound)
        self._trials = Trials(self._fault)
        self._workers = (
            self._builder.worker,
            self._checker.worker,
            self._validator.worker,
            self._trials.worker,
        )
        self._building = False
        self._broken = False  # the scene as it is now cannot be simulated
        self._stale = False  # the run does not begin as the scene does: a new one is needed
        self._pending: PendingEdit | None = None
        self._given: Poses | None = None  # worked out when asked for
        self._posed: Poses | None = None  # where bodies are being moved by hand
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
        return self._building or any(worker.busy for worker in self._workers)

    @property
    def progress(self) -> str:
        """What is being compiled."""
        return self._builder.progress

    @property
    def t_end(self) -> float:
        """Where the run ends [s]; infinite when endless."""
        return math.inf if self.endless else self._duration

    def poses(self) -> Poses:
        """Where all bodies are at the playhead; before there is a run, as the scene gives them."""
        return self._recorded_poses() if self._posed is None else {**self._recorded_poses(), **self._posed}

    @property
    def by_hand(self) -> bool:
        """Whether bodies are shown where a hand has put them, not where the run has."""
        return self._posed is not None

    def pose_by_hand(self, poses: Poses | None) -> None:
        """Show these bodies there until a run begins from such a start; None: as they were."""
        self._posed = poses
        self.posed.emit()

    def pull(self, pull: Pull | None) -> None:
        """Pull at a body of the live run, None: let go. An event of the run, not a step to undo."""
        self._engine.pull(pull)

    def pulled(self) -> Pulled | None:
        """How the mouse pulls at the playhead."""
        run = self.current
        return None if run is None or run.empty else run.pulled_at(self.playhead.t)

    def _recorded_poses(self) -> Poses:
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
        self._posed = None
        run = self.current
        if self._broken:
            self.message.emit("warning", "the scene cannot be simulated as it is now; see the problems", None)
            return
        if run is None:
            return
        if not self.playhead.live:
            self.playhead.replay(self.playhead.t if self.playhead.t < run.t_last else run.t_first)
        elif self._ended:
            self.playhead.replay(run.t_first)
        elif self._failed:
            text = self.status.message if self.status else "the run has failed"
            self.message.emit("error", text, self._guilty())
        else:
            self._going = True
            self._engine.play()
        self._update()

    def pause(self) -> None:
        self._start_playing = False
        self.playhead.replaying = False
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

    def watch(self, run: Run, *, play: bool = False) -> None:
        """Show an earlier run, or the result of an analysis, in place of the present one.

        It can be played and scrubbed; `reset`, or an edit that the engine sees, begins a new live run.
        """
        if run is self.current:
            return
        self.pause()
        self._builder.forget()
        self._engine.adopt(None, 0)
        self._building = self._start_playing = False
        self._pending = None
        self._retire_current()
        if run not in self.runs:
            self.runs.append(run)
        self.current, self.status = run, None
        self._stale = True
        self.playhead.rewind(run.t_first)
        self.playhead.live = False
        self.runs_changed.emit()
        if play:
            self.play()
        self._update(force=True)

    def fork(self) -> None:
        """Go on live from the instant that is shown, with the scene as it is now; the run becomes a ghost."""
        run = self.current
        if run is None or run.empty or self._building:
            return
        self.pause()
        segment, sample = run.sample_at(self.playhead.t)
        t = float(sample[0])
        energy = segment.channels.energy(sample)
        carried = Carried(segment.mechanism, sample, energy, segment.recorded.edits)
        fork = self.new_run(self.document.scene)
        fork.parent, fork.name = run.id, f"Fork of {run.name} at {t:.4g} s"
        run.ghost = run.visible = run.pinned = True
        self._building, self._start_playing, self._pending = True, False, None
        self._builder.make_run(fork, self._adopt, carried)
        self._update(force=True)

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
        self.playhead.replaying = False
        self.playhead.t = min(max(t, run.t_first), run.t_last)
        self.playhead.live = False
        if self.playhead.t == run.t_last and not self._going:
            self.playhead.live = True
        self._update(force=True)

    def go_live(self) -> None:
        """Show the newest state again."""
        self.playhead.replaying = False
        self.playhead.live = True
        self._follow(self._engine.mailbox.peek())
        self._update(force=True)

    def set_method(
        self, name: str | None = None, options: Mapping[str, Any] | None = None, dt: float | str | None = None
    ) -> None:
        """Another method, options or step, from the present state on; raises SceneError."""
        fields: dict[str, Any] = {}
        if name is not None:
            fields = method_fields(self.document.scene, name)
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

    def attempt(
        self,
        make: Callable[[Scene, float], Edit],
        wanted: float,
        now: float,
        refuse: Callable[[tuple[float, float] | None], object],
    ) -> None:
        """Make an edit of a number if the mechanism closes with it, found out on a thread.

        Else `refuse` is told, first with None, then with the range in which it closes.
        """
        scene, run = self.document.scene, self.current
        if run is None or run.empty or self._building or self._broken:
            self.document.apply(make(scene, wanted))
            return
        carried = None
        if run.moved and run.kind == "live":
            segment, sample = run.sample_at(run.t_last)
            carried = Carried(segment.mechanism, sample, 0.0, 0.0)

        def good() -> None:
            try:
                self.document.apply(make(self.document.scene, wanted))
            except SceneError as error:  # the scene has changed meanwhile
                problem = error.problems[0]
                self.message.emit("warning", f"{problem.message}; {problem.cure}", None)

        self._trials.ask(Order(lambda value: make(scene, value).after, wanted, now, carried), good, refuse)

    # the frame

    def tick(self) -> None:
        """Pull what is new from the engine; called by the window's frame timer."""
        if self._closed:
            return
        for worker in self._workers:
            for done in worker.results.read():
                done()
        for happening in self._engine.news.read():
            self._happened(happening)
        self._follow(self._engine.mailbox.peek())
        if self.playhead.replaying:
            self._go_on_replaying()
        self._update()
        self.streaming.look()

    def close(self) -> bool:
        """End all threads; False when one did not end in time."""
        if self._closed:
            return True
        self._closed = True
        self.preview.clear()
        self._builder.forget()
        self._checker.forget()
        self._validator.forget()
        self._trials.forget()
        self.document.changed.disconnect(self._document_changed)
        deadline = time.perf_counter() + SHUTDOWN
        for worker in self._workers:
            worker.cancel()
        ended = [self._engine.stop(SHUTDOWN)]
        self.streaming.close()
        ended += [worker.stop(max(0.1, deadline - time.perf_counter())) for worker in self._workers]
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
        """Whether nothing can be simulated any more of what is shown."""
        if self.current is not None and self.current.kind != "live":
            return True
        return self.status is not None and self.status.status in (StepStatus.FINISHED, StepStatus.STOPPED)

    def _guilty(self) -> Ref | None:
        return Ref(*self.status.guilty) if self.status is not None and self.status.guilty else None

    def _follow(self, snapshot: Snapshot | None) -> None:
        run = self.current
        if snapshot is None or run is None or snapshot.run_id != run.id:
            return
        self.status = snapshot
        self.playhead.follow(snapshot, run, self.lead)

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
            self._faults.set_problems(())
        elif kind == "pull":
            run.events.append((happening.t, text))
        elif kind == "failed":
            run.events.append((happening.t, text))
            self.message.emit("error", text, self._guilty())
        elif kind == "remark":
            self.message.emit("warning", text, None)
        elif kind == "stopped":
            run.events.append((happening.t, text))
            self.message.emit("info", text, None)
        elif kind == "refused":
            self._broken = True
            self._tell_problems(happening.problems)
        elif kind == "crashed":
            self.message.emit("error", f"the engine met a fault of the program:\n{text}", None)
        if kind == "finished" and self.loop and self.playhead.live:
            self.playhead.replay(run.t_first)
        self.runs_changed.emit()

    def _go_on_replaying(self) -> None:
        run = self.current
        if run is None or run.empty:
            self.playhead.replaying = False
            return
        over = self._ended or self._failed
        live = self.playhead.go_on(run, self.speed, again=run.repeats or (self.loop and over))
        if live and not (over or self._broken or self._going):
            self._going = True
            self._engine.play()

    def _update(self, *, force: bool = False) -> None:
        """Work out the state and tell what changed."""
        run = self.current
        if self._building:
            state = "compiling"
        elif run is None:
            state = "failed" if self._broken else "empty"
        elif self.playhead.replaying:
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
        self._validator.check(change.after)
        self._posed = None
        if change.reset:
            self.selection.clear()
            self._open()
            return
        self.selection.follow(change)
        self._given = None
        run = self.current
        if run is None or run.empty or self._building or self._stale or start_changed(change):
            if engine_sees(change) or self._building:
                self._tell_new_run()
                self._build(play=self._start_playing)
            return
        if not run.moved and run.parent is None and not self._going and engine_sees(change):
            self._build()  # nothing has run yet: the start is worked out anew
            return
        names = {(ref.where, ref.name): new for ref, new in change.renamed.items() if not ref.part}
        run.scene = change.after
        if names:
            run.renamed(names)
        if any(ref.where == "measures" for ref in (*change.added, *change.removed, *change.changed)) or names:
            run.set_measures(change.after)
        self._apply_settings(change)
        if engine_sees(change):
            self._edit(change, names)
        self._seen = ()  # the next frame shows it: the edit itself waits for no view

    def _tell_new_run(self) -> None:
        """An edit while an earlier run is watched: that stays as it is, and the user learns what happens."""
        run = self.current
        if run is None or run.kind == "live" or not self._stale or self._building:
            return
        if run not in self.runs:  # shown while kernels are compiled: nobody took it for a run
            return
        text = (
            f"{run.name} stays as it is, among the runs: the edit begins a new run at the start of the scene."
            " To change numbers at an instant of the old run, undo and fork from there first"
        )
        self.message.emit("info", text, None)

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
        self._hold_back(change.after, renamed, what_changed(change))
        same = not change.structural and change.before.simulation.method == change.after.simulation.method
        if same and not self._builder.worker.busy:
            self._send_pending()
        else:
            self._builder.prepare(change.after, self._prepared)

    def _hold_back(self, scene: Scene, renamed: Names, text: str) -> None:
        self._pending = (self._pending or PendingEdit(scene)).then(scene, renamed, text)

    def _send_pending(self) -> None:
        pending, self._pending = self._pending, None
        if pending is not None:
            self._engine.edit(pending.scene, renamed=pending.renamed, text=pending.text)
            self._checker.check(pending.scene)

    def _prepared(self, problems: tuple[Problem, ...]) -> None:
        """The kernels of an edited scene are there, or it cannot be simulated."""
        if not problems:
            self._send_pending()
            return
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
        self.playhead.rewind(0.0)
        self._broken = self._building = self._start_playing = self._stale = False
        self._pending = None
        self._builder.forget()
        self._checker.forget()
        self._faults.forget()
        scene = self.document.scene
        self._given = None
        self.runs_changed.emit()
        self.checked.emit()
        with contextlib.suppress(SceneError):
            self.set_speed(float(resolve(scene).simulation.speed))
        if scene.bodies:
            self._build()
        self._update(force=True)

    def _build(self, *, play: bool = False) -> None:
        """Make a new run from the start of the scene, on the worker."""
        self._builder.forget()
        self._pending = None
        if self._going:
            self._going = False
            self._engine.pause()
        self.playhead.replaying = False
        self._stale = True
        self._start_playing = play
        scene = self.document.scene
        if not any(not body.fixed for body in scene.bodies):
            self._building = self._broken = self._stale = False
            self._retire_current()
            self._engine.adopt(None, 0)
            self.current, self.status = None, None
            self._update(force=True)
            return
        run = self.new_run(scene)
        self._building = True
        self._builder.make_run(run, self._adopt)
        self._update(force=True)

    def _adopt(self, built: Built) -> None:
        self._building = False
        if built.simulation is None:
            self._broken = True
            self._tell_problems(built.problems)
            self._update(force=True)
            return
        run, simulation = built.run, built.simulation
        self._broken = self._stale = False
        self._posed = None
        self._faults.set_problems(())
        self._retire_current()
        self.current = run
        self.runs.append(run)
        self._duration = float(simulation.mechanism.scene.simulation.duration)
        if run.t_first >= self._duration:  # a fork from the end goes on for as long again
            self._duration += run.t_first
        self.playhead.rewind(run.t_first)
        self.status = None
        self._engine.set_speed(self.speed)
        self._engine.adopt(simulation, run.id, limit=self.t_end)
        for remark in simulation.remarks:
            self.message.emit("warning", remark, None)
        self.runs_changed.emit()
        if self._pending is not None:
            self._send_pending()
        else:
            self._checker.check(run.scene)
        if self._start_playing:
            self._start_playing = False
            self.play()
        self._update(force=True)

    def _show_stored(self) -> None:
        """While kernels are being compiled, a shipped scene moves as it did when it was stored."""
        path = self.document.path
        if self.current is not None or path is None:
            return
        run = stored_run(self.document.scene, path.stem, self.new_run_id())
        if run is not None:
            self.current = run
            self.playhead.replay(run.t_first)

    def _checked(self, report: Report) -> None:
        self.check = report
        self.checked.emit()

    def _fault(self, text: str) -> None:
        self._building, self._builder.progress = False, ""
        self.message.emit("error", f"a background job met a fault of the program:\n{text}", None)

    def faults(self) -> dict[Ref | None, list[Problem]]:
        """All that is known to be wrong with the scene, by element; None: with the scene itself.

        What an edit breaks or mends shows a moment later; `problems_changed` tells when.
        """
        return self._faults.by_element()

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What compiling or assembly found in the scene as it is now."""
        return self._faults.problems

    def _tell_problems(self, problems: tuple[Problem, ...] | list[Problem]) -> None:
        self._faults.set_problems(tuple(problems))
        for problem in problems[:5]:
            self.message.emit(
                "error", f"{problem.message}; {problem.cure}", ref_of(self.document.scene, problem)
            )
