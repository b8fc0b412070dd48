"""The session: a document, its runs, one playhead, and the engine thread behind them. No widgets."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.document.document import Document, Edit, SceneChange
from app.document.known_problems import Faults
from app.document.scene_change import engine_sees, start_changed
from app.document.selection import Selection
from app.edits import method_fields, set_simulation
from app.platform import ring_collector
from app.session.background.computed_edit import ComputedEdits
from app.session.background.length_trials import Trial, Trials
from app.session.background.validation import Validator
from app.session.background.whole_motion import WholeMotionFinder
from app.session.playing.engine_events import EngineNotifications
from app.session.playing.engine_link import EngineLink
from app.session.playing.messages import Messages
from app.session.playing.phases import Phases
from app.session.playing.playhead import Playhead
from app.session.playing.session_state import SessionState, State
from app.session.playing.shown import Shown
from app.session.playing.transport import Transport
from app.session.racing import Racing
from app.session.recorded.run import Run
from app.session.recorded.run_list import KEPT_RUNS, RunList
from app.session.run_lifecycle import Lifecycle
from app.session.showing.answer_paths import AnswerPaths
from app.session.showing.preview import Preview
from app.session.storage.run_streaming import Streaming
from app.session.trusting import Trusting
from engine.errors import SceneError
from engine.model.poses import Poses
from engine.model.resolve import resolve
from engine.model.scene import Scene
from engine.results.recorder import MEMORY
from engine.simulation.warmup import kernels_ready
from engine.solvers.catalogue import Method, find_method

SHUTDOWN = 2.0  # s for all threads together


class Session(QObject):
    """What views show and command. `tick` pulls from the engine; nothing here ever waits for it.

    The parts are public, and each is the only one that writes its own data. How the document acts on
    the run is here, and the few things that everybody asks for.
    """

    advanced = Signal()  # the playhead, its state or the newest snapshot changed
    state_changed = Signal(str)
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
        ring_collector.hold()
        self.document = document or Document(self)
        self.selection = Selection(self)
        self.preview = Preview(self)
        self.faults = Faults(self.document, self)
        self.runs = RunList(self, memory)
        self.playhead = Playhead()
        self.engine = EngineLink(self.runs, self.playhead)
        self._phases = Phases()
        self._messages = Messages(self.document, self.faults, self)
        self._state = SessionState(self.runs, self.playhead, self._phases, self.engine, self)
        self.shown = Shown(self.document, self.runs, self.playhead, self._phases, self)
        self.transport = Transport(
            self.runs, self.playhead, self._phases, self.engine, self.shown, self._state, self._messages
        )
        self.lifecycle = Lifecycle(
            self.document,
            self.runs,
            self.playhead,
            self._phases,
            self.engine,
            self.shown,
            self._state,
            self.transport,
            self.faults,
            self._messages,
            self,
            warm=warm,
        )
        self._notifications = EngineNotifications(
            self.runs, self._phases, self.engine, self.transport, self.faults, self._messages
        )
        self.streaming = Streaming(self.runs)
        self._validator = Validator(self._messages.tell_fault, self.faults.set_unsound)
        self._trials = Trials(self._messages.tell_fault)
        self.computed = ComputedEdits(self.document, self.lifecycle.builder, self._messages.tell_fault)
        self.whole_motion = WholeMotionFinder(self._messages.tell_fault, self)
        self.answer_paths = AnswerPaths(self)
        self.trusting = Trusting(self.runs, self)
        self.racing = Racing(self.runs, self.playhead, self._watch_race, self._messages.tell, self)
        self._workers = (
            self.lifecycle.builder.worker,
            self.lifecycle.checker.worker,
            self._validator.worker,
            self._trials.worker,
            self.computed.worker,
            self.whole_motion.worker,
        )
        self._progress = ""  # that views were told last
        self._closed = False
        self._messages.told.connect(self.message)
        self._state.changed.connect(self.state_changed)
        self._state.advanced.connect(self.advanced)
        self.streaming.ended.connect(self._messages.tell)
        self.runs.dropped.connect(self._tell_dropped)
        self.document.changed.connect(self._document_changed)
        if self.document.scene.bodies:
            self.whole_motion.follow(self.document.scene)
            self.lifecycle.open()

    # what everybody asks for

    def compiled(self, method: Method) -> bool | None:
        """Whether the mechanism can run with this method without compiling; unknown while there is none."""
        run = self.current
        if run is None or not run.segments:
            return None
        return kernels_ready(run.segments[-1].mechanism, method)

    @property
    def state(self) -> State:
        return self._state.now

    @property
    def current(self) -> Run | None:
        """The run that is watched."""
        return self.runs.current

    @property
    def t(self) -> float:
        """The instant that is shown [s]."""
        return self.playhead.t

    @property
    def scene(self) -> Scene:
        """What the picture shows."""
        return self.shown.scene

    def poses(self) -> Poses:
        """Where all bodies are shown."""
        return self.shown.poses()

    @property
    def playing(self) -> bool:
        """Whether the engine goes on, watched or not."""
        return self._phases.going

    @property
    def not_yet(self) -> str:
        """Why nothing can be worked out of the scene at once: the engine is being compiled; else empty."""
        builder = self.lifecycle.builder
        if builder.worker.busy and builder.lacks_kernels(self.document.scene):
            return f"{self.lifecycle.waiting_words}: this can be done when that is finished"
        return ""

    @property
    def busy(self) -> bool:
        """Whether something is still being worked out behind the views: a run, an edit, the check."""
        return self._phases.compiling or any(worker.busy for worker in self._workers)

    # the frame

    def tick(self) -> None:
        """Pull what is new from the engine; called by the window's frame timer."""
        if self._closed:
            return
        for worker in self._workers:
            worker.deliver()
        self._notifications.read()
        self.computed.follow()
        self.engine.follow()
        self.racing.look(self.transport.speed)
        self.transport.go_on_replaying()
        self.trusting.look(standing=not self._phases.going and not self.playhead.replaying)
        before, self._progress = self._progress, f"{self.lifecycle.progress}{self.computed.words}"
        self._state.update(force=self._progress != before)
        self.streaming.look()

    def close(self) -> bool:
        """End all threads; False when one did not end in time."""
        if self._closed:
            return True
        self._closed = True
        self.preview.clear()
        self.lifecycle.builder.forget()
        self.document.changed.disconnect(self._document_changed)
        deadline = time.perf_counter() + SHUTDOWN
        for worker in self._workers:
            worker.cancel()
        ended = [self.engine.loop.stop(SHUTDOWN), self.racing.close(), self.trusting.close()]
        self.streaming.close()
        ended += [worker.stop(max(0.1, deadline - time.perf_counter())) for worker in self._workers]
        ring_collector.release()
        return all(ended)

    def to_start(self) -> None:
        """The start of the race while one is watched; from there, and else, the start of the scene."""
        run = self.current
        if run is not None and self.racing.watched and self.t > run.t_first:
            self.transport.pause()
            self.transport.seek(run.t_first)
        else:
            self.lifecycle.reset()

    def _watch_race(self, run: Run) -> None:
        self.lifecycle.watch(run, play=True)

    def _tell_dropped(self, run: Run) -> None:
        self._messages.tell(
            "info",
            f"{run.name} was dropped: {KEPT_RUNS} earlier runs are kept; pin under Runs what shall stay",
        )

    # edits

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
        if run is None or run.empty or self._phases.compiling or self._phases.broken:
            self.document.apply(make(scene, wanted))
            return
        transfer = run.state_at(run.t_last) if run.moved and run.kind == "live" else None

        def good() -> None:
            try:
                self.document.apply(make(self.document.scene, wanted))
            except SceneError as error:  # the scene has changed meanwhile
                problem = error.problems[0]
                self._messages.tell("warning", f"{problem.message}; {problem.remedy}")

        self._trials.ask(Trial(lambda value: make(scene, value).after, wanted, now, transfer), good, refuse)

    def _document_changed(self, change: SceneChange) -> None:
        self._validator.check(change.after)
        self.computed.forget()
        if change.reset or engine_sees(change):
            self.whole_motion.follow(change.after, other=change.reset)
        self.shown.let_go()
        if change.reset:
            self._trials.forget()  # of a number of the scene before
            self.racing.forget()
            self.selection.clear()
            self.lifecycle.open()
            return
        self.selection.follow(change)
        if engine_sees(change):
            self.racing.stop()  # its lanes are of the scene before
        run, compiling = self.current, self._phases.compiling
        if run is not None:
            run.present = change.after
        emptied = not any(not body.fixed for body in change.after.bodies)
        anew = compiling or self.lifecycle.stale or emptied or start_changed(change)
        if run is None or run.empty or anew:
            if engine_sees(change) or compiling:
                self._tell_new_run()
                self.lifecycle.build(play=self.transport.play_when_ready)
            return
        if not run.moved and run.parent is None and not self._phases.going and engine_sees(change):
            self.lifecycle.build()  # nothing has run yet: the start is worked out anew
            return
        names = {(ref.where, ref.name): new for ref, new in change.renamed.items() if not ref.part}
        if names:
            run.renamed(names)
        if any(ref.where == "measures" for ref in (*change.added, *change.removed, *change.changed)) or names:
            run.set_measures(change.after)
        self._apply_settings(change)
        if engine_sees(change):
            self._show_where_edits_act(run)
            self.lifecycle.edit(change, names)
        self._state.look_again()  # the next frame shows it: the edit itself waits for no view

    def _show_where_edits_act(self, run: Run) -> None:
        """An edit while an earlier instant is shown: it acts at the end of the run, so that is shown now."""
        if self.playhead.live:
            return
        self.transport.go_live()
        text = (
            f"the edit acts at the end of {run.name}, at t = {run.t_last:.4g} s, which is shown now."
            " To change an earlier instant, go there and fork first"
        )
        self._messages.tell("info", text)

    def _tell_new_run(self) -> None:
        """An edit while an earlier run is watched: that stays as it is, and the user learns what happens."""
        run = self.current
        if run is None or run.kind == "live" or not self.lifecycle.stale or self._phases.compiling:
            return
        if run not in self.runs:  # shown while kernels are compiled: nobody took it for a run
            return
        text = (
            f"{run.name} stays as it is, among the runs: the edit begins a new run at the start of the scene."
            " To change numbers at an instant of the old run, undo and fork from there first"
        )
        self._messages.tell("info", text)

    def _apply_settings(self, change: SceneChange) -> None:
        before, after = change.before.simulation, change.after.simulation
        if before == after and change.before.parameters == change.after.parameters:
            return
        try:
            settings = resolve(change.after).simulation
        except SceneError:
            return
        self.transport.set_duration(float(settings.duration))
        if before.speed != after.speed:
            self.transport.set_speed(float(settings.speed))
