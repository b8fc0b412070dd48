"""The state that views show, in one word: from the phase, the playhead and how the run is."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.session.playing.engine_link import EngineLink
from app.session.playing.phases import Phase, Phases
from app.session.playing.playhead import Playhead
from app.session.recorded.run import Run
from app.session.recorded.run_list import RunList


class State(StrEnum):
    EMPTY = "empty"
    READY = "ready"  # at the start, nothing has moved yet
    PLAYING = "playing"  # what is shown moves: live, or as the record is played
    PAUSED = "paused"
    DETACHED = "detached"  # an earlier instant is shown, whatever the engine does
    FAILED = "failed"
    COMPILING = "compiling"


def state_of(phase: Phase, run: Run | None, playhead: Playhead, *, failed: bool) -> State:
    """`failed`: the engine could not go on with the run."""
    if phase is Phase.COMPILING:
        return State.COMPILING
    if run is None:
        return State.FAILED if phase is Phase.BROKEN else State.EMPTY
    if playhead.replaying:
        return State.PLAYING
    if not playhead.live:
        return State.DETACHED
    if phase is Phase.GOING:
        return State.PLAYING
    if failed or phase is Phase.BROKEN:
        return State.FAILED
    return State.PAUSED if run.moved else State.READY


class SessionState(QObject):
    """Tells when the state, or anything else that a frame shows, has changed."""

    changed = Signal(str)
    advanced = Signal()  # the playhead, its state or the newest snapshot changed

    def __init__(
        self, runs: RunList, playhead: Playhead, phases: Phases, engine: EngineLink, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._runs = runs
        self._playhead = playhead
        self._phases = phases
        self._engine = engine
        self._now = State.EMPTY
        self._seen: tuple[Any, ...] = ()

    @property
    def now(self) -> State:
        """As views were told last."""
        return self._now

    def update(self, *, force: bool = False) -> None:
        """Work out the state and tell what changed."""
        run, playhead = self._runs.current, self._playhead
        state = state_of(self._phases.now, run, playhead, failed=self._engine.failed)
        changed = state is not self._now
        self._now = state
        if changed:
            self.changed.emit(state.value)
        count = run.count if run is not None else 0
        seen = (state, playhead.t, playhead.live, id(run), count)
        if force or seen != self._seen:
            self._seen = seen
            self.advanced.emit()

    def look_again(self) -> None:
        """The next update tells that something has changed."""
        self._seen = ()
