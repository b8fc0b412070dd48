"""The run that is watched: which instant is shown, what state it is in, and what the engine tells of it."""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.document.document import Document, Ref
from app.document.known_problems import Faults
from app.document.problem_elements import ref_of
from app.session.playhead import Playhead
from app.session.run import Poses, Pulled, Run, given_poses
from app.session.runs import KEPT_RUNS, RunList
from engine.compiled.layout import StepStatus
from engine.errors import Problem
from engine.model.scene import Scene
from engine.simulation.live.engine_loop import EngineLoop, Happening
from engine.simulation.live.mailbox import Snapshot
from engine.system.mouse_pulls import Pull

STATES = ("empty", "ready", "playing", "paused", "detached", "failed", "compiling")


class Watched(RunList):
    """One run of a document, shown at the playhead, and the engine thread that goes on with it."""

    advanced = Signal()  # the playhead, its state or the newest snapshot changed
    posed = Signal()  # bodies are being moved by hand, or no longer
    state_changed = Signal(str)
    problems_changed = Signal()
    message = Signal(str, str, object)  # level (info, warning, error), text, Ref or None

    _going = False  # what we asked of the engine, or what it told us since
    _start_playing = False
    _duration = math.inf

    def __init__(self, document: Document | None, parent: QObject | None, memory: int) -> None:
        super().__init__(parent, memory)
        self.document = document or Document(self)
        self.playhead = Playhead()
        self.status: Snapshot | None = None
        self._faults = Faults(self.document, self)
        self._faults.changed.connect(self.problems_changed)
        self.dropped.connect(self._tell_dropped)
        self.lead = 0.0  # s from a frame's tick to its picture; the viewport measures it
        self.loop = False
        self.endless = False
        self.speed = 1.0
        self._state = "empty"
        self._engine = EngineLoop()
        self._engine.start()
        self._building = False
        self._broken = False  # the scene as it is now cannot be simulated
        self._given: Poses | None = None  # worked out when asked for
        self._posed: Poses | None = None  # where bodies are being moved by hand
        self._seen: tuple[Any, ...] = ()

    def _tell_dropped(self, run: Run) -> None:
        text = f"{run.name} was dropped: {KEPT_RUNS} earlier runs are kept; pin under Runs what shall stay"
        self.message.emit("info", text, None)

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
    def t_end(self) -> float:
        """Where the run ends [s]; infinite when endless."""
        return math.inf if self.endless else self._duration

    # the scene and where its bodies are

    @property
    def scene(self) -> Scene:
        """What the picture shows: the document, where it is being edited; an instant that was recorded
        before, or another run, with the scene that it was computed from."""
        run = self.current
        edited = self._building or (self.playhead.live and run is not None and run.kind == "live")
        if run is None or run.empty or edited:
            return self.document.scene
        return run.scene_at(self.playhead.t)

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

    # following the engine

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
        run.status = snapshot.status
        self.playhead.follow(snapshot, run, self.lead)

    def _happened(self, happening: Happening) -> None:
        run = self.current
        if run is None or happening.run_id != run.id:
            return
        kind, text = happening.kind, happening.text
        newest = self._engine.mailbox.peek()
        if newest is not None and newest.run_id == run.id:
            self.status = newest
            run.status = newest.status
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
        elif kind == "doubt":
            run.events.append((happening.t, text))
            self.message.emit("warning", text, None)
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
        seen = (state, self.playhead.t, self.playhead.live, id(run), count)
        if force or seen != self._seen:
            self._seen = seen
            self.advanced.emit()

    # what is wrong with the scene

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
