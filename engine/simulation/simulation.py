"""A run without a window: compile, assemble, advance in short calls, record; and the façade `simulate`."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.arguments import call, number, numbers, whole
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import counters as COUNT
from engine.compiled.layout import Array, Ints, StepStatus
from engine.errors import Problem
from engine.model.scene import Scene, refuse_other
from engine.progress import Cancel, Progress
from engine.results.channels import Channels
from engine.results.recorder import Budget, Recorder
from engine.results.run_events import RunEvent
from engine.results.trajectory import Segment, Trajectory
from engine.simulation.carried_state import carried_over
from engine.simulation.checks.far_away import far_away
from engine.simulation.checks.held_together import held_together
from engine.simulation.checks.lookahead import refuse_or_warn
from engine.simulation.checks.method_warnings import method_warnings
from engine.simulation.checks.reaction_friction import undetermined_friction
from engine.simulation.checks.run_times import check_periods, check_times
from engine.simulation.checks.starts_beyond import refuse_beyond, starts_beyond
from engine.simulation.step_control.crawling import HOPELESS, Crawl
from engine.simulation.step_control.divided_steps import Parts
from engine.simulation.step_control.step_watch import StepWatch
from engine.simulation.step_control.stepped_events import SteppedEvents
from engine.simulation.step_control.switching import Change, Switching
from engine.simulation.stepping.method_driver import Driver, full_order
from engine.simulation.stops.conditions import Condition, StopConditions, locate
from engine.simulation.stops.messages import explain, outside_table, stop_text, unbounded
from engine.simulation.timing.linear_share import linear_time_of_run
from engine.solvers.catalogue import find_method
from engine.system.assembly.assemble import assemble
from engine.system.compiling.mechanism import Mechanism
from engine.system.prepared import prepare
from engine.system.prescribed.jumps import refuse_jumps

# s; what one call of `advance` should take: progress, cancel and edits come between two calls
CALL_TIME = 0.02
FIRST_STEPS = 20  # of the first call, before the speed is known
GROWTH = 4  # a call may have this many times the steps of the one before
ROWS = 1024  # samples in the buffer that `advance` fills
ON_GRID = 1e-6  # of a step: a sample so near to a point of the grid stands there; rounding grows with time
# spacings of floating-point numbers: a step ends so far before a jump and does not see beyond it
BEFORE_KNOT = 4.0


@dataclass
class OpenSegment:
    """What was recorded with one set of numbers."""

    mechanism: Mechanism
    channels: Channels
    edits: float  # energy that edits have added up to here
    recorder: Recorder


class Simulation:
    """A run that is advanced by whoever owns it: `simulate`, or the thread of the program.

    `advance` does some milliseconds of work and comes back; everything recorded stays, whatever happens. A
    subclass that records elsewhere overrides `new_segment` or `store`, one that starts elsewhere `restart`.
    """

    call_time = CALL_TIME  # s; what one call of `advance` should take
    watched = False  # by somebody who ends it when it takes too long

    def __init__(
        self,
        scene: Scene,
        *,
        method: str | None = None,
        dt: float | None = None,
        duration: float | None = None,
        options: Mapping[str, float] | None = None,
        sample_every: int | None = None,
    ) -> None:
        mechanism = self.compile(scene)
        settings = mechanism.scene.simulation
        self.scene = scene
        self.dt = number("dt", settings.dt if dt is None else dt)
        self.duration = number("duration", settings.duration if duration is None else duration)
        every = settings.sample_every if sample_every is None else sample_every
        self.sample_every = whole("sample_every", every)
        check_times(self.dt, self.duration, self.sample_every)
        self.method = find_method(settings.method if method is None else method)
        own = {name: float(value) for name, value in settings.options.items()}
        if method is not None and find_method(settings.method) is not self.method:
            own = {name: value for name, value in own.items() if self.method.knows(name)}
        self.options = {**own, **numbers("options", {} if options is None else options)}
        check_periods(mechanism.scene, self.dt)
        self.driver = Driver(mechanism, self.method, dt=self.dt, options=self.options)
        self.warnings: tuple[str, ...] = ()
        self.assembly_notes: tuple[str, ...] = ()  # of the warnings, what is told of the start as given
        self.status = StepStatus.OK
        self.restart()

    def compile(self, scene: Scene) -> Mechanism:
        """The arrays of a scene; raises SceneError with all that is wrong with it."""
        return prepare(scene).refuse_problems().mechanism

    @property
    def mechanism(self) -> Mechanism:
        """With the numbers that hold now."""
        return self.driver.mechanism

    @property
    def open_segment(self) -> OpenSegment:
        """What is being recorded, with the numbers that hold now."""
        return self._segments[-1]

    @property
    def channels(self) -> Channels:
        return self.open_segment.channels

    @property
    def sample(self) -> Array:
        """The newest complete sample, recorded or not."""
        return self._last

    @property
    def t(self) -> float:
        return self.driver.t

    @property
    def done(self) -> bool:
        return self.status is not StepStatus.OK

    def restart(self) -> None:
        """Back to the start of the scene; what was recorded is forgotten, the numbers that hold now stay."""
        start = assemble(self.mechanism)
        self.assembly_notes = start.notes
        self.begin(0.0, start.q, start.v, start.angles, warnings=start.notes)
        if self.status is StepStatus.OK and self.duration == 0.0:
            self.status = StepStatus.FINISHED

    def begin(
        self,
        t: float,
        q: Array,
        v: Array,
        angles: Array,
        works: Array | None = None,
        *,
        edits: float = 0.0,
        warnings: tuple[str, ...] = (),
    ) -> None:
        """Begin at a consistent state; what was recorded is forgotten."""
        self.message, self.wall_time = "", 0.0
        self.problem: Problem | None = None  # why it stopped, with a remedy, after a failure
        refuse_jumps(self.mechanism, t, self.horizon(t))
        warning = self.method.warns(self.driver.work.options, self.driver.system)
        self.warnings = (
            *warnings,
            *method_warnings(
                self.method, self.mechanism.scene, warning, full_order(self.mechanism.system, self.method)
            ),
            *far_away(self.mechanism, q),
            *refuse_or_warn(self.driver, t, q, v, angles, end=self.horizon(t)),
        )
        self._buffer = np.zeros((ROWS, self.driver.width))
        self._steps = FIRST_STEPS
        self._segments: list[OpenSegment] = []
        self._budget = Budget()
        self.divided, self.crawl = Parts(), Crawl(self.mechanism)
        self.step_watch = StepWatch(self.mechanism, self.method, self.dt, self.horizon(t) - t)
        self.events: list[RunEvent] = []
        self._switching = Switching()
        self._stepped = SteppedEvents(self.driver)
        self.driver.work.counters[:] = 0
        self.status = self.driver.start(t, q, v, angles, works)
        if self.status is StepStatus.OK:
            refuse_beyond(self.driver)
            change = self._switching.begin(self.driver)
            self.status = change.status
            self.events += change.events
        if self.status is StepStatus.OK:
            self.warnings += (
                *starts_beyond(self.driver),
                *undetermined_friction(self.driver, t, q, angles),
                *held_together(self.driver, t, q, v, angles),
            )
        self._begin_segment(edits)
        if self.status is StepStatus.OK and not np.isfinite(self._last).all():
            self.status = StepStatus.NOT_FINITE
            self.driver.work.counters[COUNT.OFFENDER] = -1  # the sample itself tells
        if self.status is not StepStatus.OK:
            self._explain(self.status, self._last)
            return
        self.step_watch.look(self._last)
        if self.step_watch.warning:
            self.warnings += (self.step_watch.warning,)

    def _explain(self, status: StepStatus, broken: Array | None = None) -> None:
        """Find the cause of a failure at the last good sample; `broken` is one that is not finite."""
        self.problem = explain(self.driver, status, self._last, broken)
        if status is StepStatus.NOT_FINITE and self.problem.path.partition(".")[0] in ("", "bodies"):
            self.step_watch.look_back(self.open_segment.recorder)
            self.problem = self.step_watch.problem or self.problem
        self.message = stop_text(float(self._last[self.driver.layout.t]), self.problem)

    def horizon(self, t: float) -> float:
        """Up to when singular configurations are looked for that the method does not pass [s]; t is the
        start."""
        return self.duration

    def _begin_segment(self, edits: float) -> None:
        self._segments = [*self._segments, self.new_segment(edits)]
        self._conditions = StopConditions(self.channels)
        self._last = self.driver.sample()
        self._last_recorded = -math.inf
        self._note(self._last[None])

    def new_segment(self, edits: float) -> OpenSegment:
        """Where samples go from now on; the numbers are those that hold now."""
        recorder = Recorder(self.driver.width, budget=self._budget)
        return OpenSegment(self.mechanism, Channels(self.mechanism), edits, recorder)

    def store(self, rows: Array) -> None:
        """Keep these samples; the rows are overwritten later."""
        self.open_segment.recorder.append(rows)

    def _note(self, rows: Array) -> None:
        if len(rows):
            self.store(rows)
            self._last_recorded = float(rows[-1, 0])

    # advancing

    def advance(self, until: float = math.inf) -> StepStatus:
        """Some milliseconds of steps, at most to `until` or the end. OK means: call again."""
        if self.done:
            return self.status
        begin, before = time.perf_counter(), self.t
        end = min(until, self.duration)
        knot = self.mechanism.next_knot(self.t)
        landing = knot - BEFORE_KNOT * float(np.spacing(knot)) if knot < end else end
        steps = int(self.driver.work.counters[COUNT.STEPS])
        every = 1 if self._conditions or len(self._stepped.lines) else self.sample_every
        held = self.driver.held
        status, written = StepStatus.FINISHED, 0
        if landing > self.t:
            status, written = self.driver.advance(
                landing,
                self._buffer,
                most_steps=self._steps,
                every=every,
                horizon=landing if knot < end else knot,
            )
            status = self.divided.take(self.driver, status, landing)
        stepped = self._stepped.look(self._last, self._buffer[:written])
        change = Change(status)
        if status is StepStatus.SWITCHED:
            change = self._switching.take(self.driver)
            status = change.status
            self.crawl.watch_changes(change.elements, self.dt, self.t)
        if status is StepStatus.FINISHED and knot < end:
            # begin again at the knot, so that no step sees both sides of a jump
            status = self.driver.resume(self.driver.sample(), t=knot)
        elif status is StepStatus.FINISHED and end < self.duration:
            status = StepStatus.OK
        self._keep(self._buffer[:written], status, held, change)
        self.events += [event for event in (*stepped, *change.events) if event.t <= self._last[0]]
        if status is not StepStatus.OK and not self.done:
            self._finish(status)
        if self.done:
            self.events += [event for event in self._stepped.rest() if event.t <= self._last[0]]
        taken = int(self.driver.work.counters[COUNT.STEPS]) - steps
        self.crawl.watch(
            self.method, self.dt, self.t, taken, self.t - before, self._last[self.driver.layout.v]
        )
        ahead = self.crawl.steps_left(self.duration - self.t)
        if ahead > HOPELESS and not self.watched and not self.done:
            self._finish(StepStatus.STEP_TOO_SMALL)
            self.message = f"gave up at t = {self.t:.9g} s: its end is {ahead:.2g} such steps away"
        endless = self.crawl.endless(self.duration - self.t)
        if endless and not self.watched and not self.done:
            self._finish(StepStatus.STEP_TOO_SMALL)
            self.message = f"gave up at t = {self.t:.9g} s: {endless}"
        if not self.status.failed:
            self.step_watch.follow(self._buffer[:written])
        self._pace(time.perf_counter() - begin, taken)
        return self.status

    def _pace(self, taken: float, steps: int) -> None:
        """Choose the number of steps of the next call from the time that this one took."""
        self.wall_time += taken
        fitting = int(steps * self.call_time / max(taken, 1e-6)) if steps else FIRST_STEPS
        self._steps = max(1, min(fitting, GROWTH * self._steps))

    def _keep(self, rows: Array, status: StepStatus, held: Ints, change: Change) -> None:
        """Record what is due of the new rows, after looking for stop conditions in them.

        `held`: the states of laws before the last row.
        """
        due = self._due(rows)
        happened = bool(change.events)
        more: list[Array] = []
        if not status.failed:
            more = self._sides(change, rows[due]) if happened else self._between(rows)
        if more:
            rows = np.concatenate([rows, more])
            due = np.concatenate([due, self._due(np.array(more)) | happened])
        if not len(rows):
            return
        broken = np.flatnonzero(~np.isfinite(rows).all(axis=1))
        if len(broken):
            self._break_off(rows[: broken[0]], rows[broken[0]])
            return
        met = self._conditions.first_met(self._last, rows)
        if met is not None:
            i, condition = met
            before = self._last if i == 0 else rows[i - 1]
            self._note(rows[:i][due[:i]])
            self._stop_at(before, rows[i], condition, held)
            return
        self._note(rows[due])
        self._last = rows[-1].copy()

    def _sides(self, change: Change, rows: Array) -> list[Array]:
        """An event has two samples of one instant, so that nobody interpolates across a jump."""
        assert change.before is not None
        recorded = rows[-1, 0] if len(rows) else self._last_recorded
        before = [change.before] if change.before[0] > recorded else []
        return [*before, self.driver.sample()]

    def _between(self, rows: Array) -> list[Array]:
        """Where the run stands, if that is a knot, or between two points of the grid."""
        newest = rows[-1, 0] if len(rows) else self._last[0]
        return [self.driver.sample()] if self.t > newest else []

    def _due(self, rows: Array) -> NDArray[np.bool_]:
        """Which rows stand at every n-th point of the step grid."""
        place = (rows[:, 0] - self.driver.clock[CLOCK.ORIGIN]) / self.dt
        index = np.rint(place)
        return np.asarray((np.abs(place - index) <= ON_GRID) & (index % self.sample_every == 0))

    # stopping

    def _stop_at(self, before: Array, after: Array, condition: Condition, held: Ints) -> None:
        """End where a condition is met between two samples; `held`: the states of laws at the first."""
        sample = None
        if after[0] > before[0]:  # else by the event that lies between them
            self.driver.held = held
            with self.driver.holding():
                sample = locate(self.driver, self.channels, condition, before, after)
        self._last = after.copy() if sample is None else sample
        self.status = StepStatus.STOPPED
        self.message = f"stopped at t = {self._last[0]:.9g} s by its condition: {condition.text}"
        if self._last[0] > self._last_recorded or after[0] == before[0]:
            self._note(self._last[None])

    def _break_off(self, rows: Array, broken: Array) -> None:
        """End after these rows: the next one has numbers that are not finite."""
        self._note(rows[self._due(rows)])
        self._last = rows[-1].copy() if len(rows) else self._last
        self.driver.resume(self._last)
        self.driver.work.counters[COUNT.OFFENDER] = -1  # the sample itself tells
        outside = outside_table(self.mechanism, self.t, self.dt)
        self.status = StepStatus.OUTSIDE_TABLE if outside else StepStatus.NOT_FINITE
        self._explain(self.status, broken)
        if self._last[0] > self._last_recorded:
            self._note(self._last[None])

    def _finish(self, status: StepStatus) -> None:
        """End with the last good state as the last sample."""
        if status.failed:
            offender = int(self.driver.work.counters[COUNT.OFFENDER])
            if not status.is_fault and self.driver.refresh() is StepStatus.OK:
                self._last = self.driver.sample()
            self.driver.work.counters[COUNT.OFFENDER] = offender
            if status is not StepStatus.STEP_TOO_SMALL and not status.is_fault:
                # whatever a method failed at: what is not finite is the cause
                if outside_table(self.mechanism, self.t, self.dt):
                    status = StepStatus.OUTSIDE_TABLE
                elif unbounded(self.driver, self._last):
                    status = StepStatus.NOT_FINITE
            self._explain(status)
        else:
            self._last = self.driver.sample()
        if status is StepStatus.FINISHED and self._conditions:
            self.message = f"came to its end without its stop condition: {self._conditions.text}"
        if self._last[0] > self._last_recorded:
            self._note(self._last[None])
        self.status = status

    def tell(self, progress: Progress) -> None:
        """Tell how far it has come."""
        progress(self.t / self.duration, f"t = {self.t:.3f} s{self.crawl.words}")

    def cancel(self) -> None:
        """End here; what was recorded stays."""
        if not self.done:
            self._finish(StepStatus.CANCELLED)
            self.message = f"cancelled at t = {self.t:.9g} s"

    # live edits

    def refill(self, scene: Scene) -> bool:
        """Go on with the numbers of an edited scene; False, nothing done, when its structure differs.

        The change of energy is booked.
        """
        new, old, opened = self.compile(scene), self.mechanism, self._segments[-1]
        if not old.same_structure(new) or old.bodies != new.bodies:
            return False
        sample = self.driver.sample()
        before = opened.channels.energy(sample)
        state = carried_over(opened.channels, sample, new)
        self.driver.refill(new)
        layout = self.driver.layout
        sample[layout.q], sample[layout.v] = state.q, state.v
        self.scene = scene
        self.status = self.driver.resume(sample)
        if self.status is StepStatus.OK:
            self.status = self._switching.begin(self.driver).status
        self._begin_segment(opened.edits)
        self._segments[-1].edits += self.channels.energy(self._last) - before
        return True

    # results

    @property
    def account(self) -> str:
        """What to know about the run so far: warnings at its start, divided steps, why it ended."""
        crawl = self.crawl.warning(self.method)
        on_the_way = (self.step_watch.warning, self.divided.warning, self._stepped.warning, crawl)
        return " ".join(filter(None, dict.fromkeys((*self.warnings, *on_the_way, self.message))))

    def _linear_time(self) -> float:
        first = self._segments[-1].recorder.row(0)
        return linear_time_of_run(self.driver, first, self.options, self.dt, self.wall_time)

    def trajectory(self, *, timed: bool = True) -> Trajectory:
        """What was recorded so far; `timed`: with the time of linear algebra, which is measured now."""
        segments = [Segment(p.mechanism, p.channels, p.recorder.whole(), p.edits) for p in self._segments]
        return Trajectory(
            tuple(segments),
            scene=self.scene,
            method=self.method,
            dt=self.dt,
            status=self.status,
            message=self.account,
            counters=self.driver.work.counters.copy(),
            wall_time=self.wall_time,
            time_linear=self._linear_time() if timed else math.nan,
            options=self.options,
            problem=self.problem,
            events=tuple(self.events),
        )


def simulate(
    scene: Scene,
    *,
    method: str | None = None,
    dt: float | None = None,
    duration: float | None = None,
    options: Mapping[str, float] | None = None,
    sample_every: int | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    timed: bool = True,
) -> Trajectory:
    """Run a scene to its end; what is not given is the scene's own. A duration of 0 gives the start only.

    `progress(share, words)` is told between two calls, `cancel()` asked. `timed`: a few more steps at the end
    tell the share of linear algebra, which takes as long as a short run. Raises SceneError for a scene that
    cannot run; trouble on the way is the trajectory's status.
    """
    refuse_other("simulate", scene)
    call("progress", progress), call("cancel", cancel)
    run = Simulation(
        scene, method=method, dt=dt, duration=duration, options=options, sample_every=sample_every
    )
    while not run.done:
        if cancel is not None and cancel():
            run.cancel()
            break
        run.advance()
        if progress is not None:
            run.tell(progress)
    return run.trajectory(timed=timed)
