"""The engine thread: advances one simulation in short slices, paced to the wall clock.

Commands run between two slices; what happens is told by snapshots, which may be missed, and by
notifications, which may not. Whoever watches never waits for this thread, and this thread never waits for
anyone.
"""

from __future__ import annotations

import math
import queue
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from engine.compiled.columns import counters as COUNT
from engine.compiled.layout import StepStatus
from engine.errors import Problem, SceneError
from engine.model.scene import Scene
from engine.results.run_events import RunEvent
from engine.simulation.live.live_simulation import FAST_SLICE_TIME, SLICE_TIME, LiveSimulation, same_method
from engine.simulation.live.mailbox import Mailbox, Notifications, Snapshot
from engine.system.mouse_pulls import Pull
from engine.system.prepared import prepare

REST = 0.004  # s between two slices when simulation time has caught up with the wall clock
LONGEST_REST = 0.02  # s; slow motion still tells its time so often
AHEAD = 0.025  # s that the record is ahead of the clock, so that a picture can show when it will be seen
RESYNC_LAG = 0.100  # s; further behind than this, forget the lost time
ENERGY_INTERVAL = 0.25  # s between two looks at the energy of the run
WINDOW = 0.5  # s over which load and real-time factor are taken
SHUTDOWN = 2.0  # s that `stop` waits for the end of a slice

Names = Mapping[tuple[str, str], str]  # (list, old name) → new name
Command = Callable[[], object]
Kind = Literal[
    "edited", "pull", "event", "warning", "doubt", "finished", "stopped", "failed", "refused", "crashed"
]


@dataclass(frozen=True)
class EngineEvent:
    """Something to remember: an edit took effect, a run ended, an edit was refused."""

    run_id: int
    kind: Kind
    t: float
    text: str = ""
    problems: tuple[Problem, ...] = ()
    happened: RunEvent | None = None  # to an element of the mechanism


def joined(renamed: Names, then: Names) -> dict[tuple[str, str], str]:
    """Two edits as one: (list, oldest name) → newest name."""
    names = {old: then.get((old[0], new), new) for old, new in renamed.items()}
    passed = {(where, new) for (where, _), new in renamed.items()}
    names.update({old: new for old, new in then.items() if old not in passed})
    return names


class EngineLoop(threading.Thread):
    """All methods may be called from any thread; those that change something only post a command."""

    def __init__(self) -> None:
        super().__init__(name="trammel-engine", daemon=True)
        self.mailbox = Mailbox()
        self.notifications: Notifications[EngineEvent] = Notifications()
        self._commands: queue.SimpleQueue[Command] = queue.SimpleQueue()
        self._stopping = False
        self._simulation: LiveSimulation | None = None
        self._run_id = 0
        self._playing = False
        self._speed = 1.0
        self._limit = math.inf  # s, where the run ends
        self._pause_at = math.inf  # s, where single steps end
        self._base = (0.0, 0.0)  # simulation time and the wall clock at which it was due
        self._lag = 0.0
        self._resynchronised = 0
        self._wanted: Pull | None = None  # written by whoever pulls, read here
        self._pull_posted = False
        self._missed: dict[tuple[str, str], str] = {}  # new names of edits that were refused
        self._looked = 0.0  # wall clock
        self._slices: deque[tuple[float, float, float]] = deque()  # wall clock, work done, simulation time

    # commands

    def post(self, command: Command) -> None:
        """Run a function on the engine thread, between two slices."""
        self._commands.put(command)

    def adopt(self, simulation: LiveSimulation | None, run_id: int, *, limit: float = math.inf) -> None:
        """Take over another simulation, paused; None ends the present one."""
        self.post(lambda: self._adopt(simulation, run_id, limit))

    def play(self) -> None:
        self.post(self._play)

    def pause(self) -> None:
        self.post(self._pause)

    def step(self, n: int = 1) -> None:
        """Advance by n points of the step grid, then pause."""
        self.post(lambda: self._step(n))

    def set_speed(self, speed: float) -> None:
        """Simulated seconds per second; infinite: as fast as possible."""
        self.post(lambda: self._set_speed(speed))

    def set_limit(self, t: float) -> None:
        """Where the run ends [s]; infinite: nowhere."""
        self.post(lambda: self._set_limit(t))

    def edit(self, scene: Scene, *, renamed: Names | None = None, text: str = "") -> None:
        """Go on with an edited scene, in the same segment or a new one."""
        self.post(lambda: self._edit(scene, renamed or {}, text))

    def pull(self, pull: Pull | None) -> None:
        """Pull at a body; the newest word counts. None lets go."""
        self._wanted = pull
        if not self._pull_posted:
            self._pull_posted = True
            self.post(self._pull)

    def stop(self, timeout: float = SHUTDOWN) -> bool:
        """End the thread; False when it did not end in time."""
        self.post(self._leave)
        if self.is_alive():
            self.join(timeout)
        return not self.is_alive()

    # the thread

    def run(self) -> None:
        while not self._stopping:
            try:
                rest = self._slice()
                self._obey(rest)
            except Exception:  # a fault of the program: tell it, stay alive for the next command
                self._playing = False
                self._post()
                self._tell("crashed", traceback.format_exc())
        self._simulation = None

    def _obey(self, rest: float | None) -> None:
        """Run the commands that wait; wait for one at most so long, None: until there is one."""
        try:
            command = self._commands.get_nowait() if rest == 0.0 else self._commands.get(timeout=rest)
            while True:
                command()
                command = self._commands.get_nowait()
        except queue.Empty:
            pass

    def _slice(self) -> float | None:
        """Some milliseconds of work; how long to rest after it, None: until a command comes."""
        simulation = self._simulation
        if simulation is None or not self._playing:
            return None
        now = time.perf_counter()
        end = min(self._limit, self._pause_at)
        paced = math.isfinite(self._speed)
        simulation.call_time = SLICE_TIME if paced else FAST_SLICE_TIME
        until = min(simulation.grid_after(self._due(now + AHEAD)), end) if paced else end
        if simulation.t >= until and until < end:
            ahead = (simulation.t - self._due(now + AHEAD)) / self._speed
            self._post()
            return min(max(ahead, REST), LONGEST_REST)
        before, divided, crawled = simulation.t, simulation.divided.count, simulation.crawl.step
        seen, warned = len(simulation.events), simulation.step_watch.warning
        status = simulation.advance(until)
        after = time.perf_counter()
        self._measure(now, after, simulation.t - before)
        self._catch_up(simulation.t, after)
        over = simulation.t >= end
        if status is not StepStatus.OK or over:
            self._playing, self._pause_at = False, math.inf
        self._post()  # before the notifications: who reads them finds the state that they are about
        if not self._playing or after - self._looked > ENERGY_INTERVAL:
            self._looked = after
            if accuracy_warning := simulation.accuracy_warning():
                self._tell("doubt", accuracy_warning)
        for event in simulation.events[seen:]:
            told = EngineEvent(self._run_id, "event", event.t, event.text, happened=event)
            self.notifications.post(told)
        if divided == 0 and simulation.divided.count:
            self._tell("warning", simulation.divided.warning)
        if simulation.crawl.step and not crawled:
            self._tell("warning", simulation.crawl.warning(simulation.method))
        if simulation.step_watch.warning and not warned:
            self._tell("warning", simulation.step_watch.warning)
        if status is not StepStatus.OK:
            self._tell_end(simulation)
        elif over and end == self._limit:
            self._tell("finished", f"finished at t = {simulation.t:.9g} s")
        return REST if simulation.t >= until else 0.0

    def _due(self, now: float) -> float:
        """Simulation time that the wall clock asks for."""
        t, wall = self._base
        return t + (now - wall) * self._speed if math.isfinite(self._speed) else math.inf

    def _catch_up(self, t: float, now: float) -> None:
        if not math.isfinite(self._speed):
            self._lag = 0.0
            return
        self._lag = max(0.0, (self._due(now) - t) / self._speed)
        if self._lag > RESYNC_LAG:
            self._base = (t, now)
            self._resynchronised += 1

    def _measure(self, begin: float, end: float, simulated: float) -> None:
        self._slices.append((begin, end - begin, simulated))
        while len(self._slices) > 1 and self._slices[0][0] < end - WINDOW:
            self._slices.popleft()

    def _tell_end(self, simulation: LiveSimulation) -> None:
        kind: Kind = "failed" if simulation.status.failed else "stopped"
        self._tell(kind, simulation.message)

    # what the commands do

    def _adopt(self, simulation: LiveSimulation | None, run_id: int, limit: float) -> None:
        self._simulation, self._run_id, self._limit = simulation, run_id, limit
        self._playing, self._pause_at = False, math.inf
        self._missed = {}
        self._slices.clear()
        self._lag, self._resynchronised = 0.0, 0
        self._post()
        if simulation is not None and simulation.done:
            self._tell_end(simulation)

    def _play(self) -> None:
        simulation = self._simulation
        if simulation is None or simulation.done or simulation.t >= self._limit:
            return
        self._playing, self._pause_at = True, math.inf
        self._rebase()
        self._post()

    def _pause(self) -> None:
        self._playing, self._pause_at = False, math.inf
        self._post()

    def _step(self, n: int) -> None:
        simulation = self._simulation
        if simulation is None or simulation.done or n < 1:
            return
        self._pause_at = simulation.grid_ahead(n)
        self._playing = True
        self._base = (self._pause_at, time.perf_counter())  # at once, whatever the speed

    def _set_speed(self, speed: float) -> None:
        self._rebase()
        self._speed = speed
        self._post()

    def _set_limit(self, t: float) -> None:
        self._limit = t
        self._post()

    def _rebase(self) -> None:
        if self._simulation is not None:
            self._base = (self._simulation.t, time.perf_counter())
        self._slices.clear()

    def _edit(self, scene: Scene, renamed: Names, text: str) -> None:
        simulation = self._simulation
        if simulation is None:
            return
        names = joined(self._missed, renamed)
        try:
            prepare(scene).refuse_problems()
            refilled = self._go_on(simulation, scene, names)
            self._missed = {}
        except SceneError as error:
            self._missed = names
            self._playing = False
            self._post()
            self._tell("refused", str(error), error.problems)
            return
        edited = self._simulation
        if edited is not None and edited.status.failed:
            self._playing = False
        self._post()
        self._tell("edited", text)
        for warning in edited.warnings if edited is not None else ():
            if warning not in simulation.warnings:
                self._tell("warning", warning)
        if refilled:
            self._tell_not_looked_ahead(simulation)
        if edited is not None and edited.status.failed:
            self._tell_end(edited)

    def _go_on(self, simulation: LiveSimulation, scene: Scene, renamed: Names) -> bool:
        """Begin a segment with the edited scene: True, with its numbers; False, with another simulation."""
        if not renamed and same_method(scene, simulation.scene) and simulation.refill(scene):
            simulation.sample_every = scene.simulation.sample_every
            return True
        begin = time.perf_counter()
        self._simulation = simulation.rebuilt(scene, renamed)
        self._base = (self._base[0], self._base[1] + time.perf_counter() - begin)  # building is no lag
        return False

    def _pull(self) -> None:
        self._pull_posted = False  # first: who asks from now on is obeyed later
        pull, simulation = self._wanted, self._simulation
        if simulation is None:
            return
        before = simulation.pulled
        if (pull is None and before is None) or not simulation.pull(pull):
            return
        if pull is None and before is not None:
            self._tell("pull", f"let go of {before.body}")
        elif pull is not None and (before is None or before.body != pull.body):
            self._tell("pull", f"pulled at {pull.body}")
            self._tell_not_looked_ahead(simulation)
        if simulation.status.failed:
            self._playing = False
            self._post()
            self._tell_end(simulation)

    def _tell_not_looked_ahead(self, simulation: LiveSimulation) -> None:
        """A change between two steps is not looked ahead of: that would take longer than a frame."""
        if warning := simulation.not_looked_ahead():
            self._tell("warning", warning)

    def _leave(self) -> None:
        self._stopping = True

    # telling

    def _tell(self, kind: Kind, text: str = "", problems: tuple[Problem, ...] = ()) -> None:
        t = self._simulation.t if self._simulation is not None else 0.0
        self.notifications.post(EngineEvent(self._run_id, kind, t, text, problems))

    def _post(self) -> None:
        simulation = self._simulation
        if simulation is None:
            return
        now = time.perf_counter()
        busy = sum(work for _, work, _ in self._slices)
        span = now - self._slices[0][0] if self._slices else 0.0
        finished = simulation.t >= self._limit and simulation.status is StepStatus.OK
        self.mailbox.post(
            Snapshot(
                run_id=self._run_id,
                t=simulation.t,
                sample=simulation.sample.copy(),
                status=StepStatus.FINISHED if finished else simulation.status,
                real_time_factor=sum(t for _, _, t in self._slices) / span if span > 0.0 else 0.0,
                load=min(1.0, busy / span) if span > 0.0 and self._playing else 0.0,
                lag=self._lag if self._playing else 0.0,
                steps=int(simulation.driver.work.counters[COUNT.STEPS]),
                message=simulation.message,
                playing=self._playing,
                offender=simulation.offender,
                shown=min(self._due(now), simulation.t) if self._playing else simulation.t,
                clock=now,
                speed=self._speed,
                resynchronised=self._resynchronised,
            )
        )
