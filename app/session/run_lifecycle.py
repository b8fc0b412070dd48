"""How a run comes to be watched: a new one from the start of the scene, a fork, or an earlier one."""

from __future__ import annotations

import contextlib

from PySide6.QtCore import QObject, Signal

from app.document.document import Document
from app.session.background.coalesced_edit import Names, PendingEdit
from app.session.background.mobility_check import Checker
from app.session.background.run_builder import Builder, Built
from app.session.run import Run
from app.session.storage.stored_poses import stored_run
from app.session.transport import Transport
from engine.analyses.check import Report
from engine.errors import SceneError
from engine.model.resolve import resolve
from engine.model.scene import Scene
from engine.simulation.live.live_simulation import Carried


class Launching(Transport):
    """Runs are made on a thread; meanwhile the state is "compiling", and edits are held back."""

    checked = Signal()  # `check` is there, or gone

    _told = ""  # the progress that views were told last

    def __init__(self, document: Document | None, parent: QObject | None, memory: int, *, warm: bool) -> None:
        super().__init__(document, parent, memory)
        self.check: Report | None = None
        self._builder = Builder(self._fault, self._show_stored, warm=warm)
        self._checker = Checker(self._fault, self._checked)
        self._stale = False  # the run does not begin as the scene does: a new one is needed
        self._pending: PendingEdit | None = None

    @property
    def progress(self) -> str:
        """What is being compiled."""
        return self._builder.progress

    @property
    def waiting(self) -> str:
        """What is waited for, in words, without the names of kernels; empty when nothing is."""
        if not self._building:
            return ""
        done = self.progress.split(" ")[0].replace("/", " of ")
        words = f"compiling the engine, once: {done}" if done else "preparing …"
        return f"{words} · plays when ready" if self._start_playing else words

    def _update(self, *, force: bool = False) -> None:
        told, self._told = self._told, self.progress
        super()._update(force=force or told != self._told)

    # from the start, from an instant, from the past

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
        run.present = self.document.scene
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
            self._forget_check()
            self._retire_current()
            self._engine.adopt(None, 0)
            self.current, self.status = None, None
            self._update(force=True)
            return
        run = self.new_run(scene)
        self._building = True
        self._builder.make_run(run, self._adopt)
        self._update(force=True)

    def _forget_check(self) -> None:
        """Nothing is known of the mobility of the scene as it is now."""
        self._checker.forget()
        if self.check is not None:
            self.check = None
            self.checked.emit()

    def _adopt(self, built: Built) -> None:
        self._building = False
        if built.simulation is None:
            self._broken = True
            self._forget_check()
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

    # edits that came meanwhile

    def _hold_back(self, scene: Scene, renamed: Names, text: str) -> None:
        self._pending = (self._pending or PendingEdit(scene)).then(scene, renamed, text)

    def _send_pending(self) -> None:
        pending, self._pending = self._pending, None
        if pending is not None:
            self._engine.edit(pending.scene, renamed=pending.renamed, text=pending.text)
            self._checker.check(pending.scene)

    # what the threads tell

    def _checked(self, report: Report) -> None:
        self.check = report
        self.checked.emit()

    def _fault(self, text: str) -> None:
        self._building, self._builder.progress = False, ""
        self.message.emit("error", f"a background job met a fault of the program:\n{text}", None)
