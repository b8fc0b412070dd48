"""A simulation that a person watches and edits: recorded in segments, each with one set of numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import sizes as SIZE
from engine.compiled.layout import Array, StepStatus
from engine.model.resolve import resolve
from engine.model.scene import Scene
from engine.results.assessment.energy_watch import Watch
from engine.results.body_states import body_states
from engine.results.channels import Channels
from engine.results.recorder import Budget, Recorder
from engine.results.sample_layout import SampleLayout
from engine.simulation.checks.run_times import MAX_STEPS
from engine.simulation.simulation import OpenSegment, Simulation
from engine.simulation.stepping.advance import LANDED
from engine.solvers.catalogue import Method, find_method
from engine.system.assembly.assemble import assemble
from engine.system.compiling.mechanism import Mechanism
from engine.system.mouse_pulls import Pull, PullLog, apply_pull
from engine.system.prepared import prepare

SLICE_TIME = 0.008  # s; what one call of `advance` should take, so that commands never wait long
# as fast as possible, calls are longer: after each one the interpreter must be won back from whoever draws
FAST_SLICE_TIME = 0.024
ENDLESS = 0.5 * MAX_STEPS  # steps: nobody watches longer
FULL_TURN = 2.0 * math.pi

_CULPRIT = re.compile(r"\b(joint|motion|force|body) '([^']+)'")
_LISTS = {"joint": "joints", "motion": "motions", "force": "forces", "body": "bodies"}


@dataclass
class RecordedSegment:
    """Samples with one mechanism, one method and one set of numbers."""

    scene: Scene  # as written, parameters and all; that of the mechanism is resolved
    mechanism: Mechanism
    recorder: Recorder
    method: str
    dt: float
    edits: float = 0.0  # energy that live edits have added so far [J]
    pulls: PullLog = field(default_factory=PullLog)  # of the mouse meanwhile


@dataclass
class Record:
    """Segments of a run in the order of time; the last one grows. One writer, any readers."""

    budget: Budget = field(default_factory=Budget)
    segments: list[RecordedSegment] = field(default_factory=list)

    def begin(
        self, scene: Scene, mechanism: Mechanism, method: Method, dt: float, edits: float
    ) -> RecordedSegment:
        """A new segment; it takes the place of one that never got beyond its start."""
        recorder = recorder_for(mechanism, self.budget)
        segment = RecordedSegment(scene, mechanism, recorder, method.name, dt, edits)
        if self.segments and self.segments[-1].recorder.count <= 1:
            self.segments[-1] = segment
        else:
            self.segments.append(segment)
        return segment


@dataclass(frozen=True)
class StateTransfer:
    """Where a segment goes on: the last state of another one."""

    mechanism: Mechanism
    sample: Array
    energy: float
    edits: float
    renamed: Mapping[tuple[str, str], str] = field(default_factory=dict)  # (list, old name) → new name


class LiveSimulation(Simulation):
    """Runs without an end and writes what it records into a `Record`."""

    def __init__(
        self,
        scene: Scene,
        *,
        record: Record | None = None,
        method: str | None = None,
        dt: float | None = None,
        options: Mapping[str, float] | None = None,
        transfer: StateTransfer | None = None,
    ) -> None:
        self.record = record or Record()
        self._transfer = transfer
        step = _step(scene) if dt is None else dt
        super().__init__(scene, method=method, dt=dt, options=options, duration=ENDLESS * step)

    # recording

    call_time = SLICE_TIME
    watched = True

    def new_segment(self, edits: float) -> OpenSegment:
        self._segment = self.record.begin(self.scene, self.mechanism, self.method, self.dt, edits)
        channels = Channels(self.mechanism, self._segment.pulls, checked=True)
        self._watch = Watch(channels, self._segment.recorder)
        return OpenSegment(self.mechanism, channels, edits, self._segment.recorder)

    def accuracy_warning(self) -> str:
        """Why what was recorded is not to be believed, told once; nothing otherwise."""
        if self._warned:
            return ""
        text = self._watch.look(over=self.done)
        self._warned = bool(text)
        return text

    _warned = False

    def not_looked_ahead(self) -> str:
        """That a change by hand was not looked ahead of, told once; nothing if the method needs none."""
        reason = self.method.singular_failure_of(self.driver.work.options)
        if self._told_not_looked_ahead or not self.mechanism.rows or not reason:
            return ""
        self._told_not_looked_ahead = True
        return (
            f"{self.method.name} does not pass singular configurations ({reason}), and they were looked "
            "for before "
            "this change only: do not trust this run if it comes to one."
        )

    _told_not_looked_ahead = False

    def horizon(self, t: float) -> float:
        """The end that the scene sets; who begins beyond it goes as far again."""
        duration = float(self.mechanism.scene.simulation.duration)
        return t if duration == 0.0 else duration * (1.0 + math.floor(t / duration))

    @property
    def offender(self) -> tuple[str, str] | None:
        """List and name of the element that the message blames."""
        return culprit(self.message) if self.status.failed else None

    def grid_after(self, t: float) -> float:
        """The first point of the step grid at or after t."""
        origin = float(self.driver.clock[CLOCK.ORIGIN])
        return origin + math.ceil((t - origin) / self.dt - LANDED) * self.dt

    def grid_ahead(self, steps: int) -> float:
        """The point of the step grid that lies so many steps ahead."""
        origin = float(self.driver.clock[CLOCK.ORIGIN])
        return origin + (math.floor((self.t - origin) / self.dt + LANDED) + steps) * self.dt

    # pulling

    def compile(self, scene: Scene) -> Mechanism:
        return prepare(scene).watched

    def pull(self, pull: Pull | None) -> bool:
        """Pull at a body from now on, or otherwise than before; None lets go. False: it cannot be pulled."""
        if self.done or not apply_pull(self.mechanism, self.driver.system, pull):
            return False
        self._pulled = pull
        self._segment.pulls.note(self.t, pull)
        self.status = self.driver.resume(self.driver.sample())  # the force jumps
        return True

    def _pull_on(self, pull: Pull | None) -> None:
        """Go on pulling after the numbers, or the whole mechanism, were exchanged."""
        self._pulled = None
        if pull is not None and self.status is StepStatus.OK:
            self.pull(pull)

    @property
    def pulled(self) -> Pull | None:
        return self._pulled

    _pulled: Pull | None = None

    # starting

    def restart(self) -> None:
        if self._transfer is None:
            super().restart()
            return
        transfer, self._transfer = self._transfer, None
        t, q, v, angles, works = transferred_state(transfer, self.mechanism)
        self.begin(t, q, v, angles, works, edits=transfer.edits)
        self._book(transfer, works)

    def _book(self, transfer: StateTransfer, works: Array) -> None:
        """Book the change of energy that the edit has made, and the work of elements that are gone."""
        before = transfer.sample[SampleLayout(transfer.mechanism).works]
        change = self.channels.energy(self.sample) - transfer.energy
        done = works[self.mechanism.work_columns].sum() - before[transfer.mechanism.work_columns].sum()
        self.open_segment.edits += change - float(done)
        self._tell_edits()

    def _tell_edits(self) -> None:
        if len(self.record.segments) == 1:  # still at the start, so the energy of the start is the new one
            self.open_segment.edits = 0.0
        self._segment.edits = self.open_segment.edits

    # live edits

    def refill(self, scene: Scene) -> bool:
        """As `Simulation.refill`; a run that had stopped can go on."""
        if not super().refill(scene):
            return False
        self._tell_edits()
        self._pull_on(self._pulled)
        self.message = "" if self.status is StepStatus.OK else self.message
        return True

    def rebuilt(self, scene: Scene, renamed: Mapping[tuple[str, str], str] | None = None) -> LiveSimulation:
        """A simulation of another scene or method that goes on from here; raises SceneError."""
        opened, ended = self.open_segment, self.status.failed or self.status is StepStatus.STOPPED
        sample = self.sample if ended else self.driver.sample()
        transfer = StateTransfer(
            self.mechanism, sample.copy(), opened.channels.energy(sample), opened.edits, dict(renamed or {})
        )
        next_one = LiveSimulation(scene, record=self.record, transfer=transfer)
        next_one._pull_on(self._pulled)
        return next_one


def recorder_for(mechanism: Mechanism, budget: Budget | None = None) -> Recorder:
    """A recorder for the samples of a mechanism."""
    layout = SampleLayout(mechanism)
    turning = () if mechanism.planar else range(layout.q.start + 3, layout.q.stop, 7)
    return Recorder(layout.width, quaternions=tuple(turning), budget=budget)


def culprit(message: str) -> tuple[str, str] | None:
    """List and name of the first element that a message names."""
    found = _CULPRIT.search(message)
    return (_LISTS[found[1]], found[2]) if found else None


def transferred_state(transfer: StateTransfer, new: Mechanism) -> tuple[float, Array, Array, Array, Array]:
    """t, q, v, turn references and work integrals of the new mechanism, by the names of its elements.

    Body frames stay where they are; bodies that are new stand where the scene puts them; joints are closed.
    """
    old, sample = transfer.mechanism, transfer.sample
    t, q_old, v_old, angles_old, works_old = SampleLayout(old).state(sample)
    same = old.bodies == new.bodies and old.same_structure(new) and np.array_equal(old.com, new.com)
    if same and np.array_equal(old.system.params, new.system.params):
        return t, q_old, v_old, angles_old, works_old
    before = {(where, new_name): old_name for (where, old_name), new_name in transfer.renamed.items()}
    q, v = new.q.copy(), new.v.copy()
    if old.planar == new.planar:
        nq, nv = (3, 3) if new.planar else (7, 6)
        _, R = body_states(old, sample)
        for b, name in enumerate(new.bodies):
            known = before.get(("bodies", name), name)
            if known not in old.bodies:
                continue
            o = old.bodies.index(known)
            q[b * nq : (b + 1) * nq] = q_old[o * nq : (o + 1) * nq]
            v[b * nv : (b + 1) * nv] = v_old[o * nv : (o + 1) * nv]
            shift = new.com[b] - old.com[o]
            spin = np.array([0.0, 0.0, v[b * nv + 2]]) if new.planar else v[b * nv + 3 : b * nv + 6]
            n = 2 if new.planar else 3
            q[b * nq : b * nq + n] += (R[o] @ shift)[:n]
            v[b * nv : b * nv + n] += (R[o] @ np.cross(spin, shift))[:n]
    start = assemble(new, t=t, q=q, v=v)
    angles = _turns(old, angles_old, new, start.angles.copy(), before)
    works = np.zeros(int(new.system.sizes[SIZE.QUADRATURES]))
    works[0] = works_old[0]
    for (where, name), column in new.quadratures.items():
        place = old.quadratures.get((where, before.get((where, name), name)))
        if place is not None:
            works[column] = works_old[place]
    return t, start.q, start.v, angles, works


def _turns(
    old: Mechanism, angles_old: Array, new: Mechanism, angles: Array, before: Mapping[tuple[str, str], str]
) -> Array:
    """Angles with the whole turns that the joints have made so far."""
    counted = {int(g): value for g, value in zip(old.system.tracked, angles_old, strict=True)}
    place = {int(g): i for i, g in enumerate(new.system.tracked)}
    for (joint, coordinate), coordinate_function in new.coordinates.items():
        past = old.coordinates.get((before.get(("joints", joint), joint), coordinate))
        if coordinate_function in place and past in counted:
            i = place[coordinate_function]
            angles[i] += FULL_TURN * round((counted[past] - angles[i]) / FULL_TURN)
    return angles


def _step(scene: Scene) -> float:
    """The step of the scene, which may be an expression of parameters."""
    return float(resolve(scene).simulation.dt)


def same_method(a: Scene, b: Scene) -> bool:
    """Whether method, step and options of two scenes are equal."""
    one, two = a.simulation, b.simulation
    numbers = (one.dt, two.dt, *one.options.values(), *two.options.values())
    if any(isinstance(number, str) for number in numbers):  # expressions of parameters
        one, two = resolve(a).simulation, resolve(b).simulation
    return (
        find_method(one.method) is find_method(two.method) and one.dt == two.dt and one.options == two.options
    )
