"""The transport: play, pause, single steps, and which instant of the run is shown at which speed."""

from __future__ import annotations

from typing import Literal

import numpy as np

from app.session.run import Run
from app.session.watched_run import Watched


class Transport(Watched):
    """Commands to the run that is watched. From an earlier instant its record is played."""

    def play(self) -> None:
        """Go on; from an earlier instant the record is played, and what comes after it is live."""
        if self._building:
            self._start_playing = True
            return
        self._posed = None
        run = self.current
        looking_back = run is not None and not self.playhead.live
        if self._broken and not looking_back:  # what is recorded can be played all the same
            self.message.emit("warning", "the scene cannot be simulated as it is now; see the problems", None)
            return
        if run is None:
            return
        if looking_back:
            self.playhead.replay(self.playhead.t if self.playhead.t < run.t_last else run.t_first)
        elif self._ended and (run.kind != "live" or self.loop):
            self.playhead.replay(run.t_first)
        elif self._ended:
            self.message.emit("info", _ended_text(run), None)
        elif self._failed:
            text = self.status.message if self.status else "the run has failed"
            self.message.emit("error", text, self._guilty())
        else:
            self._going = True
            self._engine.play()
        self._update()

    def pause(self) -> None:
        self._start_playing = False
        self.playhead.replaying = False
        if self._going:
            self._going = False
            self._engine.pause()
        self._update()

    def toggle(self) -> None:
        self.pause() if self._state == "playing" else self.play()

    def step(self, n: int = 1) -> None:
        """Single steps: through the record, and on from its end; negative ones go back."""
        run = self.current
        if run is None or self._building:
            return
        self.pause()
        if run.empty or not n:
            return
        if n > 0 and self.playhead.t >= run.t_last:
            self.playhead.live = True
            if not (self._ended or self._failed or self._broken):
                self._engine.step(n)
            return
        times = run.times()
        side: Literal["left", "right"] = "right" if n > 0 else "left"
        at = int(np.searchsorted(times, self.playhead.t, side)) + (n - 1 if n > 0 else n)
        self.seek(float(times[min(max(at, 0), len(times) - 1)]))

    def set_speed(self, speed: float) -> None:
        """Simulated seconds per second; infinite: as fast as possible."""
        if not speed > 0.0:
            raise ValueError(f"the speed is {speed}; give a positive number")
        self.speed = speed
        self._engine.set_speed(speed)
        self.advanced.emit()

    def set_endless(self, endless: bool) -> None:
        self.endless = endless
        self._engine.set_limit(self.t_end)
        self._update()

    def seek(self, t: float) -> None:
        """Show another instant of the record; the engine goes on."""
        run = self.current
        if run is None or run.empty:
            return
        self.playhead.replaying = False
        self.playhead.t = min(max(t, run.t_first), run.t_last)
        self.playhead.live = False
        if self.playhead.t == run.t_last and not self._going:
            self.playhead.live = True
        self._update(force=True)

    def go_live(self) -> None:
        """Show the newest state again."""
        self.playhead.replaying = False
        self.playhead.live = True
        self._follow(self._engine.mailbox.peek())
        self._update(force=True)


def _ended_text(run: Run) -> str:
    """What can be done at the end of a run."""
    return (
        f"{run.name} has ended at t = {run.t_last:.4g} s: Back to start begins a new run, a longer duration"
        " goes on from here; to see it again, go to an earlier instant and play"
    )
