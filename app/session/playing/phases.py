"""What the session does: one phase at a time, which only a named event changes, by one table."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Phase(StrEnum):
    """What becomes of the run. Which instant of it is shown is the playhead's business."""

    EMPTY = "empty"  # nothing that could move, hence no run
    COMPILING = "compiling"  # a run is being made; the one before it is still shown
    HALTED = "halted"  # a run is there, and the engine stands
    GOING = "going"  # the engine goes on, watched or not
    BROKEN = "broken"  # the scene as it is now cannot be simulated; the run before it stays


class Event(StrEnum):
    """What changes the phase."""

    CLEAR = "clear"  # there is nothing to simulate
    BUILD = "build"  # a run is ordered
    ADOPT = "adopt"  # the run is there, and the engine has it
    FAIL = "fail"  # the scene has problems: no run was made
    GIVE_UP = "give up"  # a fault of the program: no run was made, the one before it stays
    WATCH = "watch"  # an earlier run is shown instead
    PLAY = "play"  # the engine was told to go on
    HALT = "halt"  # the engine was told to stand, or stands by itself
    REFUSE = "refuse"  # an edit of the run cannot be simulated
    MEND = "mend"  # an edit has reached the run


E, C, H, G, B = Phase.EMPTY, Phase.COMPILING, Phase.HALTED, Phase.GOING, Phase.BROKEN

# the phase after each event, by the phase before; docs/architecture.md has the same table
TRANSITIONS: Mapping[Event, Mapping[Phase, Phase]] = {
    Event.CLEAR: {E: E, C: E, H: E, G: E, B: E},
    Event.BUILD: {E: C, C: C, H: C, B: C},  # the engine is halted first
    Event.ADOPT: {C: H},
    Event.FAIL: {C: B},
    Event.GIVE_UP: {C: H},
    Event.WATCH: {E: H, C: H, H: H, B: B},  # the scene stays as broken as it was
    Event.PLAY: {H: G, G: G},
    Event.HALT: {E: E, C: C, H: H, G: H, B: B},
    Event.REFUSE: {C: C, H: B, B: B},  # of the run before the one that is being made: no matter
    Event.MEND: {C: C, H: H, G: G, B: H},
}


class IllegalTransition(RuntimeError):
    """An event that cannot happen in this phase: a fault of the program."""


class Phases:
    """The only place where the phase changes."""

    def __init__(self) -> None:
        self._now = Phase.EMPTY

    @property
    def now(self) -> Phase:
        return self._now

    @property
    def compiling(self) -> bool:
        return self._now is Phase.COMPILING

    @property
    def going(self) -> bool:
        return self._now is Phase.GOING

    @property
    def broken(self) -> bool:
        return self._now is Phase.BROKEN

    def happens(self, event: Event) -> None:
        """Raises IllegalTransition, and stays, when the event has no place in the phase."""
        after = TRANSITIONS[event].get(self._now)
        if after is None:
            raise IllegalTransition(f"{event.value!r} cannot happen while the session is {self._now.value}")
        self._now = after
