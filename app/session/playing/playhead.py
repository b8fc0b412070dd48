"""Which instant is shown: the newest one, another one of the record, or one that moves through it."""

from __future__ import annotations

import math
import time
from enum import Enum, auto

from app.session.recorded.run import Run
from engine.simulation.live.mailbox import Snapshot

FASTEST_REPLAY = 100.0  # simulated seconds per second


class Looking(Enum):
    """At what."""

    LIVE = auto()  # the newest instant
    BACK = auto()  # an instant of the record
    REPLAY = auto()  # the record, as it is played


class Playhead:
    """The instant that is shown."""

    def __init__(self) -> None:
        self.t = 0.0
        self._looking = Looking.LIVE
        self._clock = 0.0  # s, of the last step of a replay

    @property
    def live(self) -> bool:
        """Whether the newest instant is shown."""
        return self._looking is Looking.LIVE

    @property
    def replaying(self) -> bool:
        return self._looking is Looking.REPLAY

    def rewind(self, t: float) -> None:
        """To the start of another run, which is followed from there."""
        self.t, self._looking = t, Looking.LIVE

    def show(self, t: float) -> None:
        """Stand at an instant of the record."""
        self.t, self._looking = t, Looking.BACK

    def show_newest(self) -> None:
        self._looking = Looking.LIVE

    def stand(self) -> None:
        """End a replay where it is."""
        if self.replaying:
            self._looking = Looking.BACK

    def replay(self, t: float) -> None:
        """Play the record from an instant on."""
        self.t, self._looking = t, Looking.REPLAY
        self._clock = time.perf_counter()

    def follow(self, snapshot: Snapshot, run: Run, lead: float = 0.0) -> None:
        """Keep up with the engine, if live; the picture of it is seen `lead` seconds from now."""
        if not self.live or run.empty:
            return
        last = run.t_last
        if snapshot.playing and math.isfinite(snapshot.speed):
            # between two snapshots the wall clock goes on; recorded states lie ahead of it
            due = snapshot.shown + (time.perf_counter() + lead - snapshot.clock) * snapshot.speed
            self.t = min(max(due, min(self.t, last)), last)
        else:
            self.t = last

    def go_on(self, run: Run, speed: float, *, again: bool) -> bool:
        """One frame of a replay, at its end from the start if `again`; True when it ends and is live."""
        now = time.perf_counter()
        t = self.t + (now - self._clock) * (speed if math.isfinite(speed) else FASTEST_REPLAY)
        self._clock = now
        if run.held_at is not None:  # at its end it is waited for
            self.t = max(self.t, min(t, run.held_at, run.t_last))
        elif t < run.t_last:
            self.t = t
        elif again:
            self.t = run.t_first
        else:
            self.t, self._looking = run.t_last, Looking.LIVE
            return True
        return False
