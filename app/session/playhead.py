"""Which instant is shown: the newest one, another one of the record, or one that moves through it."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

from app.session.run import Run
from engine.simulation.live.mailbox import Snapshot

FASTEST_REPLAY = 100.0  # simulated seconds per second


@dataclass
class Playhead:
    """The instant that is shown; live: the newest one."""

    t: float = 0.0
    live: bool = True
    replaying: bool = False
    _clock: float = 0.0  # s, of the last step of a replay

    def rewind(self, t: float) -> None:
        """To the start of another run."""
        self.t, self.live, self.replaying = t, True, False

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

    def replay(self, t: float) -> None:
        """Play the record from an instant on."""
        self.t, self.live = t, False
        self.replaying, self._clock = True, time.perf_counter()

    def go_on(self, run: Run, speed: float, *, again: bool) -> bool:
        """One frame of a replay, at its end from the start if `again`; True when it ends and is live."""
        now = time.perf_counter()
        t = self.t + (now - self._clock) * (speed if math.isfinite(speed) else FASTEST_REPLAY)
        self._clock = now
        if t < run.t_last:
            self.t = t
        elif again:
            self.t = run.t_first
        else:
            self.t, self.live, self.replaying = run.t_last, True, False
            return True
        return False
