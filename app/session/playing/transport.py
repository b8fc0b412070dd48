"""The transport: play, pause, single steps, and which instant of the run is shown at which speed."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from app.session.playing.engine_link import EngineLink
from app.session.playing.messages import Messages
from app.session.playing.phases import Event, Phase, Phases
from app.session.playing.playhead import Playhead
from app.session.playing.session_state import SessionState, State
from app.session.playing.shown import Shown
from app.session.recorded.run import Run
from app.session.recorded.run_list import RunList


class Transport:
    """Commands to the run that is watched. From an earlier instant its record is played."""

    def __init__(
        self,
        runs: RunList,
        playhead: Playhead,
        phases: Phases,
        engine: EngineLink,
        shown: Shown,
        state: SessionState,
        messages: Messages,
    ) -> None:
        self.loop = False  # at its end the record is played again
        self._speed = 1.0
        self._endless = False
        self._duration = math.inf
        self._play_when_ready = False
        self._runs = runs
        self._playhead = playhead
        self._phases = phases
        self._engine = engine
        self._shown = shown
        self._state = state
        self._messages = messages

    # going on

    @property
    def play_when_ready(self) -> bool:
        """Whether the run that is being made, or the next that can be made, shall play at once."""
        return self._play_when_ready

    def ask_to_play(self, asked: bool) -> None:
        """Play as soon as there is a run, or no longer."""
        self._play_when_ready = asked

    def play_if_asked(self) -> None:
        """There is a run."""
        if self._play_when_ready:
            self._play_when_ready = False
            self.play()

    def play(self) -> None:
        """Go on; from an earlier instant the record is played, and what comes after it is live."""
        if self._phases.compiling:
            self._play_when_ready = True
            return
        self._shown.let_go()
        run, playhead = self._runs.current, self._playhead
        looking_back = run is not None and not playhead.live
        if self._phases.broken and not looking_back:  # what is recorded can be played all the same
            self._messages.tell("warning", "the scene cannot be simulated as it is now; see the problems")
            return
        if run is None:
            return
        if looking_back:
            playhead.replay(playhead.t if playhead.t < run.t_last else run.t_first)
        elif self._engine.ended and (run.kind != "live" or self.loop):
            playhead.replay(run.t_first)
        elif self._engine.ended:
            self._messages.tell("info", _ended_text(run))
        elif self._engine.failed:
            status = self._engine.status
            self._messages.tell(
                "error", status.message if status else "the run has failed", self._engine.offender
            )
        else:
            self._go()
        self._state.update()

    def pause(self) -> None:
        self._play_when_ready = False
        self.halt()
        self._state.update()

    def toggle(self) -> None:
        self.pause() if self._state.now is State.PLAYING else self.play()

    def halt(self) -> None:
        """The engine and the replay stand; views are not told yet."""
        self._playhead.stand()
        if self._phases.going:
            self._engine.loop.pause()
        self._phases.happens(Event.HALT)

    def _go(self) -> None:
        self._phases.happens(Event.PLAY)
        self._engine.loop.play()

    def step(self, n: int = 1) -> None:
        """Single steps: through the record, and on from its end; negative ones go back."""
        run = self._runs.current
        if run is None or self._phases.compiling:
            return
        self.pause()
        if run.empty or not n:
            return
        if n > 0 and self._playhead.t >= run.t_last:
            self._playhead.show_newest()
            if not (self._engine.ended or self._engine.failed or self._phases.broken):
                self._engine.loop.step(n)
            return
        times = run.times()
        side: Literal["left", "right"] = "right" if n > 0 else "left"
        at = int(np.searchsorted(times, self._playhead.t, side)) + (n - 1 if n > 0 else n)
        self.seek(float(times[min(max(at, 0), len(times) - 1)]))

    # the instant that is shown

    def seek(self, t: float) -> None:
        """Show another instant of the record; the engine goes on."""
        run = self._runs.current
        if run is None or run.empty:
            return
        self._playhead.show(min(max(t, run.t_first), run.t_last))
        if self._playhead.t == run.t_last and not self._phases.going:
            self._playhead.show_newest()
        self._state.update(force=True)

    def go_live(self) -> None:
        """Show the newest state again."""
        self._playhead.show_newest()
        self._engine.follow()
        self._state.update(force=True)

    def go_on_replaying(self) -> None:
        """One frame of a replay; from its end on the run goes on live."""
        run = self._runs.current
        if not self._playhead.replaying:
            return
        if run is None or run.empty:
            self._playhead.stand()
            return
        over = self._engine.ended or self._engine.failed
        live = self._playhead.go_on(run, self._speed, again=run.repeats or (self.loop and over))
        if live and not over and self._phases.now is Phase.HALTED:
            self._go()

    def finished(self, run: Run) -> None:
        """The engine has come to the end of the run."""
        if self.loop and self._playhead.live:
            self._playhead.replay(run.t_first)

    # how fast, how far

    @property
    def speed(self) -> float:
        """Simulated seconds per second."""
        return self._speed

    def set_speed(self, speed: float) -> None:
        """Simulated seconds per second; infinite: as fast as possible."""
        if not speed > 0.0:
            raise ValueError(f"the speed is {speed}; give a positive number")
        self._speed = speed
        self._engine.loop.set_speed(speed)
        self._state.advanced.emit()

    @property
    def endless(self) -> bool:
        return self._endless

    def set_endless(self, endless: bool) -> None:
        self._endless = endless
        self._engine.loop.set_limit(self.t_end)
        self._state.update()

    @property
    def t_end(self) -> float:
        """Where the run ends [s]; infinite when endless."""
        return math.inf if self._endless else self._duration

    def begin(self, duration: float) -> None:
        """Another run, which ends then [s]; the engine learns of it with the run."""
        self._duration = duration

    def set_duration(self, duration: float) -> None:
        """The present run ends then [s]."""
        if duration != self._duration:
            self._duration = duration
            self._engine.loop.set_limit(self.t_end)


def _ended_text(run: Run) -> str:
    """What can be done at the end of a run."""
    return (
        f"{run.name} has ended at t = {run.t_last:.4g} s: Back to start begins a new run, a longer duration"
        " goes on from here; to see it again, go to an earlier instant and play"
    )
