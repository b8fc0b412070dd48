"""What the engine tells of the run: it becomes events on the timeline, messages, and another phase."""

from __future__ import annotations

import time

from app.document.known_problems import Faults
from app.session.playing.engine_link import EngineLink
from app.session.playing.messages import Messages
from app.session.playing.phases import Event, Phases
from app.session.playing.transport import Transport
from app.session.recorded.run_list import RunList
from engine.simulation.live.engine_loop import EngineEvent

ENDS = ("finished", "stopped", "failed", "refused", "crashed")  # after these the engine stands
ON_THE_TIMELINE = ("pull", "event", "failed", "doubt", "stopped")
ONE_CHANGE = 0.5  # s; an edit that follows an equal one sooner goes on with it: a slider is being dragged
LEVELS = {"failed": "error", "doubt": "warning", "warning": "warning", "stopped": "info"}


class EngineNotifications:
    """Read once per frame; those of a run that is no longer watched are dropped."""

    def __init__(
        self,
        runs: RunList,
        phases: Phases,
        engine: EngineLink,
        transport: Transport,
        faults: Faults,
        messages: Messages,
    ) -> None:
        self._runs = runs
        self._phases = phases
        self._engine = engine
        self._transport = transport
        self._faults = faults
        self._messages = messages
        self._edited: tuple[int, str, float] = (0, "", 0.0)  # the last edit: run, words, when it came [s]

    def read(self) -> None:
        """Views are told once of all of them: a contact that chatters has thousands."""
        news = [self._handle(event) for event in self._engine.loop.notifications.read()]
        if any(news):
            self._runs.changed.emit()

    def _handle(self, event: EngineEvent) -> bool:
        """Whether it was of the run that is watched."""
        run = self._runs.current
        if run is None or event.run_id != run.id:
            return False
        kind, text = event.kind, event.text
        self._engine.look()
        if kind in ENDS:
            self._phases.happens(Event.HALT)
        if kind in ON_THE_TIMELINE:
            run.events.append((event.t, text))
        if event.happened is not None:
            run.happened.append(event.happened)
        if kind in LEVELS:
            self._messages.tell(LEVELS[kind], text, self._engine.offender if kind == "failed" else None)
        elif kind == "edited":
            if text and not self._goes_on(run.id, text):
                run.events.append((event.t, text))
            self._phases.happens(Event.MEND)
            self._faults.set_problems(())
        elif kind == "refused":
            self._phases.happens(Event.REFUSE)
            self._messages.tell_problems(event.problems)
        elif kind == "crashed":
            self._messages.tell("error", f"the engine met a fault of the program:\n{text}")
        elif kind == "finished":
            self._transport.finished(run)
        return True

    def _goes_on(self, run: int, edit: str) -> bool:
        """Whether it is one change with the edit before."""
        (*before, then), now = self._edited, time.monotonic()
        self._edited = (run, edit, now)
        return before == [run, edit] and now - then < ONE_CHANGE
