"""The engine thread of a session, and its newest word on the run that is watched."""

from __future__ import annotations

from app.document.document import Ref
from app.session.playing.playhead import Playhead
from app.session.recorded.run import Run
from app.session.recorded.run_list import RunList
from engine.compiled.layout import StepStatus
from engine.simulation.live.engine_loop import EngineLoop
from engine.simulation.live.live_simulation import LiveSimulation
from engine.simulation.live.mailbox import Snapshot
from engine.system.mouse_pulls import Pull


class EngineLink:
    """The thread pulls nothing from here and waits for nobody; commands are posted to `loop`."""

    def __init__(self, runs: RunList, playhead: Playhead) -> None:
        self.loop = EngineLoop()
        self.loop.start()
        self.status: Snapshot | None = None  # the newest one of the run that is watched
        self.lead = 0.0  # s from a frame's tick to its picture; the viewport measures it
        self._runs = runs
        self._playhead = playhead

    @property
    def failed(self) -> bool:
        return self.status is not None and self.status.status.failed

    @property
    def ended(self) -> bool:
        """Whether nothing can be simulated any more of the run that is watched."""
        run = self._runs.current
        if run is not None and run.kind != "live":
            return True
        return self.status is not None and self.status.status in (StepStatus.FINISHED, StepStatus.STOPPED)

    @property
    def offender(self) -> Ref | None:
        """The element that the engine blames for a failure."""
        return Ref(*self.status.offender) if self.status is not None and self.status.offender else None

    def adopt(self, simulation: LiveSimulation, run: Run, *, speed: float, limit: float) -> None:
        """Give the engine another run, to be simulated up to an instant [s]."""
        self.status = None
        self.loop.set_speed(speed)
        self.loop.adopt(simulation, run.id, limit=limit)

    def let_go(self) -> None:
        """The engine has nothing to simulate."""
        self.status = None
        self.loop.adopt(None, 0)

    def pull(self, pull: Pull | None) -> None:
        """Pull at a body of the live run, None: let go. An event of the run, not a step to undo."""
        self.loop.pull(pull)

    def look(self) -> Run | None:
        """Take over the newest status; gives the run, if it is the one that is watched."""
        run, snapshot = self._runs.current, self.loop.mailbox.peek()
        if snapshot is None or run is None or snapshot.run_id != run.id:
            return None
        self.status = snapshot
        run.status = snapshot.status
        return run

    def follow(self) -> None:
        """Show the newest instant, if the playhead is live."""
        run = self.look()
        if run is not None and self.status is not None:
            self._playhead.follow(self.status, run, self.lead)
