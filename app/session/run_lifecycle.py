"""How a run comes to be watched: a new one from the start of the scene, a fork, or an earlier one."""

from __future__ import annotations

import contextlib

from PySide6.QtCore import QObject, Signal

from app.document.document import Document, SceneChange, difference
from app.document.known_problems import Faults
from app.document.scene_change import what_changed
from app.session.background.coalesced_edit import CoalescedEdit, Names, SceneEdit
from app.session.background.mobility_check import Checker
from app.session.background.run_builder import Builder, Built
from app.session.playing.engine_link import EngineLink
from app.session.playing.messages import Messages
from app.session.playing.phases import Event, Phases
from app.session.playing.playhead import Playhead
from app.session.playing.session_state import SessionState
from app.session.playing.shown import Shown
from app.session.playing.transport import Transport
from app.session.recorded.run import Run
from app.session.recorded.run_list import RunList
from app.session.storage.stored_poses import stored_run
from engine.analyses.check import Report
from engine.errors import Problem, SceneError
from engine.model.resolve import resolve
from engine.simulation.live.live_simulation import StateTransfer


class Lifecycle(QObject):
    """Runs are made on a thread; meanwhile the phase is "compiling", and edits are held back."""

    checked = Signal()  # `check` is there, or gone

    def __init__(
        self,
        document: Document,
        runs: RunList,
        playhead: Playhead,
        phases: Phases,
        engine: EngineLink,
        shown: Shown,
        state: SessionState,
        transport: Transport,
        faults: Faults,
        messages: Messages,
        parent: QObject,
        *,
        warm: bool,
    ) -> None:
        super().__init__(parent)
        self.check: Report | None = None  # of the scene that is simulated
        self.builder = Builder(messages.tell_fault, self._show_stored, warm=warm)
        self.checker = Checker(messages.tell_fault, self._checked)
        self._document = document
        self._runs = runs
        self._playhead = playhead
        self._phases = phases
        self._engine = engine
        self._shown = shown
        self._state = state
        self._transport = transport
        self._faults = faults
        self._messages = messages
        self._stale = False
        self._waiting_edit = CoalescedEdit()

    @property
    def stale(self) -> bool:
        """Whether the run does not begin as the scene does: a new one is needed."""
        return self._stale

    @property
    def progress(self) -> str:
        """What is being compiled."""
        return self.builder.progress

    @property
    def waiting(self) -> str:
        """What is waited for, in words, without the names of kernels; empty when nothing is."""
        if not self._phases.compiling:
            return ""
        words = self.waiting_words
        return f"{words} · plays when ready" if self._transport.play_when_ready else words

    @property
    def waiting_words(self) -> str:
        """How far the compiler is, whatever it works for."""
        done = self.progress.split(" ")[0].replace("/", " of ")
        return f"compiling the engine, once: {done}" if done else "preparing …"

    # from the start, from an instant, from the past

    def reset(self) -> None:
        """Back to the start of the scene. What has run stays as a run."""
        if self._document.scene.bodies:
            self.build()

    def watch(self, run: Run, *, play: bool = False) -> None:
        """Show an earlier run, or the result of an analysis, in place of the present one.

        It can be played and scrubbed; `reset`, or an edit that the engine sees, begins a new live run.
        """
        if run is self._runs.current:
            return
        self._transport.pause()
        self.builder.forget()
        self._engine.let_go()
        self._phases.happens(Event.WATCH)
        self._waiting_edit.forget()
        self._runs.take(run)
        run.present = self._document.scene
        if run.simulated and self.builder.lacks_kernels(run.scene):
            run.has_channels = False
            self.builder.have_kernels(run.scene, lambda _: self._give_channels(run))
        self._stale = True
        self._playhead.show(run.t_first)
        self._runs.changed.emit()
        if play:
            self._transport.play()
        self._state.update(force=True)

    def fork(self) -> None:
        """Go on live from the instant that is shown, with the scene as it is now; the run becomes a ghost."""
        run = self._runs.current
        if run is None or run.empty or self._phases.compiling:
            return
        self._transport.pause()
        segment, sample = run.sample_at(self._playhead.t)
        t = float(sample[0])
        energy = segment.channels.energy(sample)
        transfer = StateTransfer(segment.mechanism, sample, energy, segment.recorded.edits)
        fork = self._runs.new_run(self._document.scene)
        fork.parent, fork.name = run.id, f"Fork of {run.name} at {t:.4g} s"
        run.ghost = run.visible = run.pinned = True
        self._make(fork, transfer)

    def open(self) -> None:
        """Another document: all earlier runs belong to the old one."""
        self._transport.pause()
        self._engine.let_go()
        self._runs.clear()
        self.check = None
        self._playhead.rewind(0.0)
        self._phases.happens(Event.CLEAR)
        self._stale = False
        self._waiting_edit.forget()
        self.builder.forget()
        self.checker.forget()
        self._faults.forget()
        scene = self._document.scene
        self._runs.changed.emit()
        self.checked.emit()
        with contextlib.suppress(SceneError):
            self._transport.set_speed(float(resolve(scene).simulation.speed))
        if scene.bodies:
            self.build()
        self._state.update(force=True)

    # building runs

    def build(self, *, play: bool = False) -> None:
        """Make a new run from the start of the scene, on the worker."""
        self._transport.halt()
        self._transport.ask_to_play(play)
        scene = self._document.scene
        if not any(not body.fixed for body in scene.bodies):
            self._clear()
            return
        self._stale = True
        self._make(self._runs.new_run(scene))

    def _clear(self) -> None:
        """Nothing can move: there is no run."""
        self.builder.forget()
        self._waiting_edit.forget()
        self._stale = False
        self._phases.happens(Event.CLEAR)
        self._forget_check()
        self._runs.take(None)
        self._engine.let_go()
        self._state.update(force=True)

    def _make(self, run: Run, transfer: StateTransfer | None = None) -> None:
        self._waiting_edit.forget()
        self._phases.happens(Event.BUILD)
        self.builder.make_run(run, self._built, transfer)
        self._state.update(force=True)

    def _built(self, built: Built) -> None:
        """The worker tells what became of the run."""
        if built.simulation is not None:
            self._adopt(built)
        elif built.problems:
            self._phases.happens(Event.FAIL)
            self._forget_check()
            self._messages.tell_problems(built.problems)
        else:
            self._phases.happens(Event.CLEAR if self._runs.current is None else Event.GIVE_UP)
        self._state.update(force=True)

    def _adopt(self, built: Built) -> None:
        run, simulation = built.run, built.simulation
        assert simulation is not None
        self._phases.happens(Event.ADOPT)
        self._stale = False
        self._shown.let_go()
        self._faults.set_problems(())
        before = self._runs.current
        self._runs.take(run)
        duration = float(simulation.mechanism.scene.simulation.duration)
        if run.t_first >= duration:  # a fork from the end goes on for as long again
            duration += run.t_first
        self._transport.begin(duration)
        self._playhead.rewind(run.t_first)
        self._engine.adopt(simulation, run, speed=self._transport.speed, limit=self._transport.t_end)
        expected = simulation.assembly_notes if _same_drawing(before, run) else ()
        for warning in simulation.warnings:
            if warning not in expected:
                self._messages.tell("warning", warning)
        self._runs.changed.emit()
        if not self._send_edit():
            self.checker.check(run.scene)
        self._transport.play_if_asked()

    def _show_stored(self) -> None:
        """While kernels are being compiled, a shipped scene moves as it did when it was stored."""
        path = self._document.path
        if self._runs.current is not None or path is None:
            return
        run = stored_run(self._document.scene, path.stem, self._runs.new_id())
        if run is not None:
            self._runs.take(run, listed=False)
            self._playhead.replay(run.t_first)

    def _give_channels(self, run: Run) -> None:
        """The kernels that work out the channels of an opened run are there."""
        run.has_channels = True
        self._runs.changed.emit()
        self._state.update(force=True)

    # edits of the run

    def edit(self, change: SceneChange, renamed: Names) -> None:
        """Hand an edited scene to the engine, through the worker when it may need other kernels."""
        self._waiting_edit.add(SceneEdit(change.after, renamed, what_changed(change)))
        same = not change.structural and change.before.simulation.method == change.after.simulation.method
        if same and not self.builder.worker.busy:
            self._send_edit()
        else:
            self.builder.have_kernels(change.after, self._kernels_looked_for)

    def _kernels_looked_for(self, problems: tuple[Problem, ...]) -> None:
        """The kernels of an edited scene are there, or it cannot be simulated."""
        if not problems:
            self._send_edit()
            return
        self._transport.ask_to_play(False)
        self._transport.halt()
        self._phases.happens(Event.REFUSE)
        self._forget_check()
        self._state.update()
        self._messages.tell_problems(problems)

    def _send_edit(self) -> bool:
        """Hand what waits to the engine; False when nothing does."""
        edit = self._waiting_edit.take()
        if edit is None:
            return False
        self._engine.loop.edit(edit.scene, renamed=edit.renamed, text=edit.text)
        self.checker.check(edit.scene)
        return True

    # the check of the scene

    def _checked(self, report: Report) -> None:
        self.check = report
        self.checked.emit()

    def _forget_check(self) -> None:
        """Nothing is known of the mobility of the scene as it is now."""
        self.checker.forget()
        if self.check is not None:
            self.check = None
            self.checked.emit()


def _same_drawing(before: Run | None, run: Run) -> bool:
    """Whether bodies and joints are written as they were in the run before: what closing the loops did to
    them was told then, and that parameters move them is what was wanted."""
    if before is None:
        return False
    change = difference(before.scene, run.scene)
    return not change.structural and all(ref.where not in ("bodies", "joints") for ref in change.changed)
