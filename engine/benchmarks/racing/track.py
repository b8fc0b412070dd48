"""One lane as the starter of a race sees it: its record, its measures, and how it fares."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from engine.benchmarks.comparison import DIVERGED
from engine.benchmarks.racing.child import Ended, Message, Ready, Refused, Rows
from engine.benchmarks.racing.distance import Centres, distances
from engine.benchmarks.racing.entry import Entry
from engine.compiled.layout import Array, StepStatus
from engine.results.recorder import Budget
from engine.simulation.live.live_simulation import RecordedSegment, recorder_for
from engine.system.assembly.scaling import scales_of
from engine.system.prepared import prepare

COLUMNS = ("energy", "position", "velocity", "acceleration", "cost", "distance")
REFUSED, DIED, PREPARING, RUNNING = "refused", "died", "preparing", "running"


@dataclass(frozen=True)
class Left:
    """When a lane left the reference, and why."""

    t: float
    why: str


@dataclass
class Track:
    """Written by the thread that reads the processes, read by anyone."""

    entry: Entry
    segment: RecordedSegment
    status: str = PREPARING
    message: str = ""
    cost: float = 0.0  # s of processor time
    t: float = 0.0  # s, how far it has come
    left: Left | None = None
    _blocks: list[Array] = field(default_factory=list)  # t and COLUMNS
    _measured: int = 0  # samples whose distance is known

    @classmethod
    def of(cls, entry: Entry, budget: Budget | None = None) -> Track:
        """Raises SceneError."""
        mechanism = prepare(entry.scene).refuse_problems().mechanism
        segment = RecordedSegment(
            entry.scene, mechanism, recorder_for(mechanism, budget), entry.method, entry.dt
        )
        return cls(entry, segment)

    def __post_init__(self) -> None:
        self._centres = Centres(self.segment.mechanism)
        self._limit = DIVERGED * scales_of(self.segment.mechanism).length
        self._measures: list[Array] = []  # of samples whose distance is not known yet

    @property
    def over(self) -> bool:
        return self.status not in (PREPARING, RUNNING)

    @property
    def broke_off(self) -> bool:
        known = self.status.upper() in StepStatus.__members__
        return self.status in (REFUSED, DIED) or (known and StepStatus[self.status.upper()].failed)

    @property
    def curves(self) -> Array:
        """t and COLUMNS, shape (n, 7)."""
        blocks = list(self._blocks)
        return np.concatenate(blocks) if blocks else np.zeros((0, 1 + len(COLUMNS)))

    def largest(self, column: str) -> float:
        """The largest size of a measure so far; NaN where none is known."""
        values = np.abs(self.curves[:, 1 + COLUMNS.index(column)])
        return float(np.nanmax(values)) if np.isfinite(values).any() else math.nan

    @property
    def cost_per_second(self) -> float:
        """Processor time per simulated second."""
        return self.cost / self.t if self.t > 0.0 else math.nan

    # writing

    def take(self, message: Message) -> None:
        """What the process of this lane says."""
        if isinstance(message, Ready):
            self.status, self.message = RUNNING, " ".join(message.warnings)
        elif isinstance(message, Refused):
            self.status, self.message, self.left = REFUSED, message.message, Left(0.0, "was refused")
        elif isinstance(message, Rows):
            self._measures.append(
                np.column_stack([message.measures, np.full(len(message.samples), message.cost)])
            )
            self.segment.recorder.append(message.samples)
            self.cost, self.t = message.cost, message.t
        elif isinstance(message, Ended):
            self.status, self.message = message.status, message.message or self.message
            if self.broke_off:
                self.leave(self.t, "broke off")

    def died(self) -> None:
        """Its process is gone without a word."""
        if not self.over:
            self.status = DIED
            self.message = "the process ended unexpectedly; it may have been killed for want of memory"
            self.leave(self.t, "died")

    def leave(self, t: float, why: str) -> None:
        if self.left is None or t < self.left.t:
            self.left = Left(t, why)

    def measure(self, reference: Track | None) -> None:
        """Put the newest samples into the curves, with their distance as far as the reference has come."""
        recorder = self.segment.recorder
        end = recorder.count
        if reference is not None and reference is not self and not reference.over:
            known = reference.segment.recorder.count  # it may not have begun
            end = max(self._measured, recorder.span(None, reference.t)[1]) if known else 0
        if end <= self._measured:
            return
        rows = np.array(recorder.rows(self._measured, end))
        gap = np.zeros(len(rows))
        if reference is not self:
            gap = np.full(len(rows), np.nan)
            if reference is not None and reference.segment.recorder.count:
                other = reference.segment.recorder
                first, last = other.row_before(float(rows[0, 0])), other.row_before(float(rows[-1, 0]))
                there = other.rows(first, last + 2)
                gap = distances(self._centres, rows, reference._centres, there)
        self._note(rows, gap)
        self._measured = end

    def _note(self, rows: Array, gap: Array) -> None:
        measures = np.concatenate(self._measures)
        self._measures = [measures[len(rows) :]]
        t = rows[:, 0]
        with np.errstate(invalid="ignore", divide="ignore"):
            cost = np.where(t > 0.0, measures[: len(rows), 4] / t, np.nan)
        self._blocks.append(np.column_stack([t, measures[: len(rows), :4], cost, gap]))
        beyond = np.flatnonzero(gap > self._limit)
        if len(beyond):
            self.leave(float(t[beyond[0]]), f"was {self._limit:.2g} m from the reference")
