"""A race in the window: lanes become runs that are watched, scrubbed and looped together.

The processes simulate ahead of the playhead by a moment and no further: it is the one clock of all. When the
slowest lane cannot keep up, the playhead waits for it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from app.session.playing.playhead import FASTEST_REPLAY, Playhead
from app.session.recorded.run import Run
from app.session.recorded.run_list import COLORS, RunList
from engine.benchmarks.racing.entry import Entry, entry_of, reference_of
from engine.benchmarks.racing.starter import Starter
from engine.benchmarks.racing.track import REFUSED, Track
from engine.compiled.layout import StepStatus
from engine.model.races import Race
from engine.model.scene import Scene
from engine.simulation.live.live_simulation import Record

AHEAD = 0.3  # s of the wall clock that lanes are ahead of what is shown
PATIENCE = 1.5  # s for the processes to end


@dataclass
class Runner:
    """A lane of the race that is shown: what its process found, and the run that shows it."""

    track: Track
    run: Run

    @property
    def name(self) -> str:
        return self.run.name


@dataclass(frozen=True)
class Mark:
    """Something on the timeline: a lane left."""

    t: float
    text: str
    color: str


class Racing(QObject):
    """At most one race at a time. `look` is called once per frame."""

    changed = Signal()  # a race began, a lane left or ended, or there is no race any more

    def __init__(
        self,
        runs: RunList,
        playhead: Playhead,
        watch: Callable[[Run], object],
        tell: Callable[[str, str], object],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self.race: Race | None = None  # that is shown
        self.reference: Runner | None = None
        self.runners: tuple[Runner, ...] = ()
        self._runs, self._playhead, self._watch, self._tell = runs, playhead, watch, tell
        self._starter: Starter | None = None
        self._ending: list[Starter] = []
        self._seen: tuple[object, ...] = ()
        self._shown = False  # its runs are among the others

    # what is asked

    @property
    def preparing(self) -> bool:
        return self._starter is not None and self._starter.is_alive() and not self._all_ready

    @property
    def running(self) -> bool:
        """Whether processes are still at work."""
        return self._starter is not None and not self._starter.over

    @property
    def ready_count(self) -> int:
        """Lanes that can go on, or are over, the reference among them."""
        tracks = self._starter.tracks if self._starter is not None else ()
        return sum(track.t > 0.0 or track.over for track in tracks)

    @property
    def _all_ready(self) -> bool:
        starter = self._starter
        return bool(starter and starter.begun.is_set() and all(t.t > 0.0 or t.over for t in starter.tracks))

    @property
    def t(self) -> float:
        """How far all lanes have come [s]."""
        return self._starter.t if self._starter is not None else 0.0

    def marks(self) -> list[Mark]:
        """Who left when, the first one first; nothing while another run is watched."""
        if not self.watched:
            return []
        found = [
            Mark(runner.track.left.t, f"{runner.name} {runner.track.left.why}", runner.run.color)
            for runner in self.runners
            if runner.track.left is not None
        ]
        return sorted(found, key=lambda mark: mark.t)

    @property
    def watched(self) -> bool:
        """Whether the playhead shows this race."""
        shown = self._runs.current
        known = [*self.runners, *([self.reference] if self.reference else [])]
        return any(runner.run is shown for runner in known)

    # what is done

    def start(self, scene: Scene, race: Race) -> None:
        """Begin a race of this scene; one that goes on is ended, its runs are dropped."""
        self.stop()
        self._drop_runs()
        self.race = race
        budget = self._runs.budget

        def entries() -> list[Entry]:
            return [reference_of(scene), *(entry_of(scene, lane) for lane in race.lanes)]

        self._starter = Starter(entries, budget=budget)
        self.changed.emit()

    def stop(self) -> None:
        """End the processes; what they found stays."""
        starter = self._starter
        if starter is None:
            return
        self._starter = None
        starter.ask_to_stop()
        self._ending = [*(one for one in self._ending if one.is_alive()), starter]
        for runner in (*self.runners, *([self.reference] if self.reference else [])):
            runner.run.held_at = None
        self.changed.emit()

    def forget(self) -> None:
        """Another document."""
        self.stop()
        self.race, self.reference, self.runners = None, None, ()
        self.changed.emit()

    def close(self) -> bool:
        """End everything; False when a process did not end in time."""
        self.stop()
        ended = [starter.stop(PATIENCE) for starter in self._ending]  # each of them
        return all(ended)

    # every frame

    def look(self, speed: float) -> None:
        """Take over what is new, and let the lanes go on."""
        starter = self._starter
        if starter is None or not starter.begun.is_set():
            return
        if starter.error or not starter.tracks:
            self._tell("error", f"the race cannot begin: {starter.error or 'a fault of the program'}")
            self._starter = None
            self.changed.emit()
            return
        if not self.runners:
            self._make_runs(starter)
        self._follow(starter, speed)

    def _make_runs(self, starter: Starter) -> None:
        colors = ["", *COLORS]
        made = [self._runner(track, color) for track, color in zip(starter.tracks, colors, strict=False)]
        self.reference, self.runners = made[0], tuple(made[1:])

    def _runner(self, track: Track, color: str) -> Runner:
        scene = track.entry.scene
        record = Record(self._runs.budget, [track.segment])
        run = Run(
            self._runs.new_id(), scene, record=record, kind="replay", name=track.entry.name, color=color
        )
        run.repeats, run.pinned, run.ghost = False, True, bool(color)
        run.held_at = 0.0
        return Runner(track, run)

    def _follow(self, starter: Starter, speed: float) -> None:
        if self._all_ready and not self._shown:
            self._shown = True
            self._show()
        if not self._all_ready:
            starter.let_run(self._spacing)
        elif self.watched:
            lead = AHEAD * (speed if math.isfinite(speed) else FASTEST_REPLAY)
            starter.let_run(self._playhead.t + max(lead, self._spacing))
        over = starter.over
        for runner in self._everyone():
            runner.run.held_at = None if over else starter.t
            runner.run.status = _status(runner.track)
        seen = (over, *((track.status, track.left) for track in starter.tracks))
        if seen != self._seen:
            self._seen = seen
            self.changed.emit()

    @property
    def _spacing(self) -> float:
        """The longest time between two samples of a lane [s]: whoever grants less waits for ever."""
        entries = [runner.track.entry for runner in self._everyone()]
        return max((entry.dt * entry.every for entry in entries), default=0.0)

    def _everyone(self) -> list[Runner]:
        return [*([self.reference] if self.reference else []), *self.runners]

    def _show(self) -> None:
        """All can begin: they are among the runs now, and the one that is measured by is watched."""
        everyone = self._everyone()
        for runner in everyone:
            if runner.track.status != REFUSED and runner.track.segment.recorder.count:
                self._runs.add(runner.run)
        able = [runner for runner in everyone if runner.run in self._runs]
        if able:
            self._watch(able[0].run)
        else:
            self._tell("error", f"no lane can begin: {everyone[0].track.message}")

    def _drop_runs(self) -> None:
        for runner in self._everyone():
            self._runs.remove(runner.run)
        self.reference, self.runners, self._seen, self._shown = None, (), (), False


def _status(track: Track) -> StepStatus:
    return StepStatus.__members__.get(track.status.upper(), StepStatus.OK)
