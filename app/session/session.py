"""The session: a document, its runs, one playhead, and the engine thread behind them. No widgets."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QObject

from app.document.document import Document, Edit, SceneChange
from app.document.scene_change import engine_sees, start_changed, what_changed
from app.document.selection import Selection
from app.edits import method_fields, set_simulation
from app.session.background.coalesced_edit import Names
from app.session.background.length_trials import Order, Trials
from app.session.background.validation import Validator
from app.session.preview import Preview
from app.session.run import Run
from app.session.run_lifecycle import Launching
from app.session.storage.run_streaming import Streaming
from engine.errors import Problem, SceneError
from engine.model.resolve import resolve
from engine.model.scene import Scene
from engine.results.recorder import MEMORY
from engine.simulation.live.live_simulation import Carried
from engine.solvers.catalogue import find_method

SHUTDOWN = 2.0  # s for all threads together


class Session(Launching):
    """What views show and command. `tick` pulls from the engine; nothing here ever waits for it.

    How the document acts on the run is here; what the run does by itself, in the classes below.
    """

    def __init__(
        self,
        document: Document | None = None,
        parent: QObject | None = None,
        *,
        memory: int = MEMORY,
        warm: bool = True,
    ) -> None:
        super().__init__(document, parent, memory, warm=warm)
        self.selection = Selection(self)
        self.preview = Preview(self)
        self.streaming = Streaming(self)
        self.streaming.ended.connect(self._tell_streaming)
        self._validator = Validator(self._fault, self._faults.set_unsound)
        self._trials = Trials(self._fault)
        self._workers = (
            self._builder.worker,
            self._checker.worker,
            self._validator.worker,
            self._trials.worker,
        )
        self._closed = False
        self.document.changed.connect(self._document_changed)
        if self.document.scene.bodies:
            self._open()

    def _tell_streaming(self, level: str, text: str) -> None:
        self.message.emit(level, text, None)

    @property
    def busy(self) -> bool:
        """Whether something is still being worked out behind the views: a run, an edit, the check."""
        return self._building or any(worker.busy for worker in self._workers)

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

    def _document_changed(self, change: SceneChange) -> None:
        self._validator.check(change.after)
        self._posed = None
        if change.reset:
            self._trials.forget()  # of a number of the scene before
            self.selection.clear()
            self._open()
            return
        self.selection.follow(change)
        self._given = None
        run = self.current
        if run is not None:
            run.present = change.after
        emptied = not any(not body.fixed for body in change.after.bodies)
        if run is None or run.empty or self._building or self._stale or emptied or start_changed(change):
            if engine_sees(change) or self._building:
                self._tell_new_run()
                self._build(play=self._start_playing)
            return
        if not run.moved and run.parent is None and not self._going and engine_sees(change):
            self._build()  # nothing has run yet: the start is worked out anew
            return
        names = {(ref.where, ref.name): new for ref, new in change.renamed.items() if not ref.part}
        if names:
            run.renamed(names)
        if any(ref.where == "measures" for ref in (*change.added, *change.removed, *change.changed)) or names:
            run.set_measures(change.after)
        self._apply_settings(change)
        if engine_sees(change):
            self._show_where_edits_act(run)
            self._edit(change, names)
        self._seen = ()  # the next frame shows it: the edit itself waits for no view

    def _show_where_edits_act(self, run: Run) -> None:
        """An edit while an earlier instant is shown: it acts at the end of the run, so that is shown now."""
        if self.playhead.live:
            return
        self.go_live()
        text = (
            f"the edit acts at the end of {run.name}, at t = {run.t_last:.4g} s, which is shown now."
            " To change an earlier instant, go there and fork first"
        )
        self.message.emit("info", text, None)

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

    def _prepared(self, problems: tuple[Problem, ...]) -> None:
        """The kernels of an edited scene are there, or it cannot be simulated."""
        if not problems:
            self._send_pending()
            return
        self._broken = True
        self._forget_check()
        self.pause()
        self._tell_problems(problems)
