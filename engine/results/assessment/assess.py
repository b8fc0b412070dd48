"""Whether a run is to be believed: one judgement, whoever runs it, from its samples as they come.

Five things speak against a run, each with one measure and one limit.

Numbers: an energy or a measure that is not finite, while the state is.

Energy: the error of its balance over the energy that was exchanged. That is the largest of the kinetic
energy, the spans of the potentials and the work of single elements: what moves slowly under large loads has
next to no kinetic energy. What rounding can do to energies of this size is no error.

Constraints: the violation of a row over the size of the row.

Slip: the rate of a row that exists for velocities only, as of a rolling wheel, over the largest speed.

Singular configurations: where two motions meet, a method that leaves by the other one may keep the energy to
many digits. But then its velocities jump, while those of the motion itself are smooth: third differences of
equally spaced samples, of order h³ on a smooth path, are as large as the jump. Velocities that only
grow, up to where a run breaks off, do not jump.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from engine.compiled.columns import body_reals as BODY_REAL
from engine.compiled.columns import quadratures as WORK
from engine.compiled.columns import row_reals as ROW_REAL
from engine.compiled.columns import rows as ROW
from engine.compiled.layout import Array
from engine.results.assessment.conditioning import APPROACH, DEPENDENT, Conditioning
from engine.results.channels import Channels
from engine.results.output_evaluation import OutputEvaluation
from engine.results.quantities.base import Channel
from engine.results.quantities.totals import KINETIC, energy_error
from engine.results.sample_layout import SampleLayout
from engine.system.assembly.scaling import scales_of
from engine.system.compiling.mechanism import Mechanism

GOOD = 1e-3  # share of the exchanged energy by which the balance may be off
CLOSED = 1e-3  # of the size of a row: violations up to this may stay
ROUNDING = 1e-12  # of the energies: noise of the arithmetic and of the tolerances of projections
REMEDY = "take a smaller step or another method"
UNBOUNDED_REMEDY = "look for numbers that are too large, a division by zero or a root of a negative number"
SLIP_ROUNDING = 1e-9  # 1/s, of the size of the mechanism: slip that says nothing
BENT = 0.1  # of the largest speed: a third difference that no smooth motion has
# times the median of the third differences: fast motion, sparsely sampled, has large ones, too
UNUSUAL = 10.0
SPACING_TOLERANCE = 1e-6  # of a step: samples so equally spaced count as equally spaced
SPREAD = 512  # samples, spread over the run, that tell what its pivots and third differences usually are
SUSPECTS = 128  # largest third differences that are kept
WINDOW = 4  # samples of a third difference


@dataclass(frozen=True)
class Gap:
    """The largest violation of a run."""

    share: float = 0.0  # of the size of the row
    value: float = 0.0  # m or rad
    row: int = 0
    t: float = 0.0  # s, when the limit was passed, or of the largest violation


@dataclass(frozen=True)
class Slip:
    """The largest rate of a velocity row."""

    rate: float = 0.0  # m/s
    row: int = 0
    t: float = 0.0  # s


class Assessment:
    """Collects what speaks against one segment of a run; needs a fixed amount of memory."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        self.error = 0.0  # J, largest error of the balance since the segment began
        self.gap = Gap()
        self._base: float | None = None  # error at the beginning of the segment: other segments answer for it
        self._energies = _Range()  # kinetic, gravity, elastic
        self._works = _Range()
        self._loads = 0.0  # J, largest reactions over the sizes of their rows
        rows = mechanism.system.rows[: len(mechanism.rows)]
        self._position_rows = np.flatnonzero(rows[:, ROW.VELOCITY] == 0)
        self._velocity_rows = np.flatnonzero(rows[:, ROW.VELOCITY] != 0)
        self._scales = scales_of(mechanism)
        self.slip = Slip()
        self._speed = 0.0  # m/s, the largest of the run
        self._measures = measure_channels(mechanism)
        self._unbounded: dict[tuple[str, str], float] = {}  # whose number is not finite → since when [s]
        self._path = _Path(mechanism)

    def look(self, evaluation: OutputEvaluation) -> None:
        """Samples that follow those before, all of them."""
        self.weigh(evaluation)
        self.follow(evaluation.samples)

    @np.errstate(over="ignore", invalid="ignore")  # numbers beyond all bounds are told, not warned of
    def weigh(self, evaluation: OutputEvaluation) -> None:
        """Energy and constraints; some of the samples are enough, since they change little by little."""
        if not len(evaluation):
            return
        error = energy_error(evaluation)
        if self._base is None:
            self._base = float(error[0])
        self.error = max(self.error, _largest(error - self._base))
        self._energies.widen(evaluation.tables.energies)
        self._works.widen(evaluation.works[:, [WORK.DISSIPATED, *evaluation.mechanism.work_columns]])
        # those of limits, contacts and friction that holds among them
        sizes = self.mechanism.system.row_reals[: evaluation.multipliers.shape[1], ROW_REAL.SCALE]
        loads = np.nan_to_num(np.abs(evaluation.multipliers), posinf=0.0) @ sizes
        self._loads = max(self._loads, _largest(loads))
        self._measure(evaluation)
        self._measure_slip(evaluation)
        self._note_unbounded("this run", "energy", evaluation.t, evaluation.tables.energies.sum(axis=1))
        for channel in self._measures:
            name = f"measure {channel.name.removeprefix('measure.')!r}"
            self._note_unbounded(name, "value", evaluation.t, channel.read(evaluation))

    @np.errstate(over="ignore", invalid="ignore")
    def follow(self, samples: Array) -> None:
        """Velocities: every sample, in order."""
        self._path.go_on(samples)

    # energy

    @property
    def exchanged(self) -> float:
        """Largest energy that was moved, stored or supplied [J]."""
        kinetic = float(self._energies.largest[KINETIC]) if self._energies.seen else 0.0
        return float(max(kinetic, self._energies.span, self._works.span))

    @property
    def floor(self) -> float:
        """Errors of the balance that say nothing [J]: energies as they are, weights and reactions over the
        size."""
        reals = self.mechanism.system.body_reals[:-1]
        weight = float(
            (reals[:, BODY_REAL.MASS] * np.linalg.norm(reals[:, BODY_REAL.GRAVITY :][:, :3], axis=1)).sum()
        )
        level = float(self._energies.largest.max(initial=0.0)) if self._energies.seen else 0.0
        return ROUNDING * (level + weight * self._scales.length + self._loads)

    @property
    def share(self) -> float:
        """Error of the balance over the exchanged energy; 0 for what rounding may do."""
        if self.error <= self.floor:
            return 0.0
        return self.error / self.exchanged if self.exchanged > 0.0 else math.inf

    # constraints

    def _measure(self, evaluation: OutputEvaluation) -> None:
        if not len(self._position_rows):
            return
        size = (
            np.abs(evaluation.tables.rows[:, self._position_rows, 0]) / self._scales.row[self._position_rows]
        )
        if not np.isfinite(size).any():
            return
        i, k = np.unravel_index(int(np.nanargmax(size)), size.shape)
        share, row = float(size[i, k]), int(self._position_rows[k])
        if share <= self.gap.share:
            return
        beyond = np.flatnonzero(size.max(axis=1) > CLOSED)
        known = self.gap.share > CLOSED  # the instant is told already
        t = self.gap.t if known else float(evaluation.t[beyond[0] if len(beyond) else i])
        self.gap = Gap(share, share * float(self._scales.row[row]), row, t)

    def _measure_slip(self, evaluation: OutputEvaluation) -> None:
        if not len(self._velocity_rows):
            return
        speeds = np.abs(evaluation.samples[:, evaluation.layout.v]) * (
            self._scales.length / self._scales.column
        )
        self._speed = max(self._speed, _largest(speeds))
        rates = np.abs(evaluation.tables.rows[:, self._velocity_rows, 1])
        if not np.isfinite(rates).any():
            return
        i, k = np.unravel_index(int(np.nanargmax(rates)), rates.shape)
        if rates[i, k] > self.slip.rate:
            self.slip = Slip(float(rates[i, k]), int(self._velocity_rows[k]), float(evaluation.t[i]))

    def _note_unbounded(self, what: str, number: str, t: Array, values: Array) -> None:
        bad = np.flatnonzero(~np.isfinite(values))
        if len(bad) and (what, number) not in self._unbounded:
            self._unbounded[what, number] = float(t[bad[0]])

    @property
    def jump(self) -> float | None:
        """When the velocities jump next to a singular configuration [s], or None."""
        return self._path.jump()

    # what to say

    def accuracy_warnings(self) -> list[str]:
        """Why not to believe the samples so far; nothing speaks against them if it is empty."""
        found = [
            f"do not trust {what} from t = {t:.6g} s on: its {number} is not finite; {UNBOUNDED_REMEDY}"
            for (what, number), t in self._unbounded.items()
        ]
        if self.share > GOOD:
            found.append(
                f"do not trust this run: its energy balance is off by {self.error:.3g} J, {self.share:.2g} "
                f"of the energy exchanged; {REMEDY}"
            )
        if self.gap.share > CLOSED:
            row = self.mechanism.rows[self.gap.row]
            unit = row.unit.split()[0] if row.unit else ""
            found.append(
                f"do not trust this run from t = {self.gap.t:.6g} s on: {row.owner} {row.name!r} "
                f"({row.label}) is off by up to {self.gap.value:.3g} {unit}, {self.gap.share:.2g} of the "
                f"size of the mechanism; {REMEDY}, or keep the constraints by projection"
            )
        if self.slip.rate > max(CLOSED * self._speed, SLIP_ROUNDING * self._scales.length):
            row = self.mechanism.rows[self.slip.row]
            found.append(
                f"do not trust this run: {row.owner} {row.name!r} ({row.label}) slips by "
                f"{self.slip.rate:.3g} m/s at t = {self.slip.t:.6g} s, "
                f"{self.slip.rate / self._speed:.2g} of the largest speed; {REMEDY}, or keep the constraints "
                "by projection"
            )
        if (jump := self.jump) is not None:
            found.append(
                f"do not trust this run from t = {jump:.6g} s on: next to a singular configuration its "
                "velocities "
                f"jump, as if it left by another motion than it came; {REMEDY}"
            )
        return found


def measure_channels(mechanism: Mechanism) -> list[Channel]:
    """The channels of the measures; none is made for a scene without measures."""
    if not mechanism.scene.measures:
        return []
    channels = Channels(mechanism)
    return [channels[f"measure.{measure.name}"] for measure in mechanism.scene.measures]


def assess(mechanism: Mechanism, evaluations: Iterable[OutputEvaluation]) -> Assessment:
    """The judgement of a whole segment."""
    found = Assessment(mechanism)
    for evaluation in evaluations:
        found.look(evaluation)
    return found


class _Range:
    """Smallest and largest of every column."""

    def __init__(self) -> None:
        self.seen = False
        self.low: Array = np.zeros(0)
        self.high: Array = np.zeros(0)

    def widen(self, table: Array) -> None:
        known = np.nan_to_num(table, nan=0.0, posinf=0.0, neginf=0.0)  # analyses know of no work
        low, high = known.min(axis=0), known.max(axis=0)
        self.low = np.minimum(self.low, low) if self.seen else low
        self.high = np.maximum(self.high, high) if self.seen else high
        self.seen = True

    @property
    def largest(self) -> Array:
        return np.asarray(np.maximum(np.abs(self.low), np.abs(self.high)))

    @property
    def span(self) -> float:
        """Of the column that varies most."""
        return float((self.high - self.low).max(initial=0.0)) if self.seen else 0.0


class _Path:
    """Third differences of the velocities along a run, the largest with their samples."""

    def __init__(self, mechanism: Mechanism) -> None:
        self._mechanism, self._layout = mechanism, SampleLayout(mechanism)
        self._weights = np.sqrt(_masses(mechanism))
        self._scale = 0.0  # largest speed, weighted
        self._tail = np.zeros((0, self._layout.width))
        self._spread: list[Array] = []
        self._thirds: list[float] = []  # at the spread samples
        self._stride, self._seen = 1, 0
        self._suspects: list[tuple[float, float, Array]] = []  # third difference, instant, its samples

    def go_on(self, samples: Array) -> None:
        if not len(self._mechanism.rows):
            return
        rows = np.concatenate([self._tail, samples])
        self._tail = rows[1 - WINDOW :].copy()
        weighted = rows[:, self._layout.v] * self._weights
        speeds = np.linalg.norm(weighted, axis=1)
        self._scale = max(self._scale, _largest(speeds))
        if len(rows) < WINDOW or not self._scale > 0.0:
            return
        third = np.linalg.norm(np.diff(weighted, n=WINDOW - 1, axis=0), axis=1)
        steps = np.lib.stride_tricks.sliding_window_view(np.diff(rows[:, 0]), WINDOW - 1)
        even = (np.ptp(steps, axis=1) <= SPACING_TOLERANCE * steps.max(axis=1)) & (steps.min(axis=1) > 0.0)
        third[~even] = np.nan  # beside an event, too
        self._remember(rows, third)
        # a change that is largest in the last interval may go on to grow, as before a dead centre; a jump is
        # largest in the middle one of a later window
        changes = np.linalg.norm(np.diff(weighted, axis=0), axis=1)
        most = np.lib.stride_tricks.sliding_window_view(changes, WINDOW - 1).argmax(axis=1)
        bent = np.flatnonzero((third > BENT * self._scale) & (most < WINDOW - 2))
        for i in bent[np.argsort(third[bent])[-SUSPECTS:]]:
            before = float(rows[i + most[i], 0])
            self._suspects.append((float(third[i]), before, rows[i : i + WINDOW].copy()))
        self._suspects = sorted(self._suspects, key=lambda suspect: -suspect[0])[:SUSPECTS]

    def _remember(self, rows: Array, third: Array) -> None:
        """Every n-th sample with its third difference; n grows with the run."""
        for i in range(-self._seen % self._stride, len(third), self._stride):
            self._spread.append(rows[i].copy())
            self._thirds.append(float(third[i]))
        self._seen += len(third)
        while len(self._spread) > 2 * SPREAD:
            self._spread, self._thirds = self._spread[::2], self._thirds[::2]
            self._stride *= 2

    def jump(self) -> float | None:
        """The last sample before velocities jump next to a singular configuration, or None."""
        if not self._suspects or not np.isfinite(self._thirds).any():
            return None
        limit = max(BENT * self._scale, UNUSUAL * float(np.nanmedian(self._thirds)))
        found = [(t, rows) for third, t, rows in self._suspects if third > limit]
        if not found:
            return None
        instants, windows = zip(*found, strict=True)
        samples = np.concatenate([*windows, np.array(self._spread)])
        pivots = Conditioning(self._mechanism, samples).smallest
        near = max(APPROACH * float(np.median(pivots[WINDOW * len(windows) :])), DEPENDENT)
        lowest = pivots[: WINDOW * len(windows)].reshape(-1, WINDOW).min(axis=1)
        jumps = [t for t, pivot in zip(instants, lowest, strict=True) if pivot < near]
        return min(jumps, default=None)


def _masses(mechanism: Mechanism) -> Array:
    """Diagonal of M: what makes velocities of all units comparable."""
    reals, planar = mechanism.system.body_reals[:-1], mechanism.planar
    columns = (
        [BODY_REAL.MASS] * 2 + [BODY_REAL.INERTIA + 8]
        if planar
        else [BODY_REAL.MASS] * 3 + [BODY_REAL.INERTIA + 4 * k for k in range(3)]
    )
    return np.asarray(reals[:, columns]).ravel()


def _largest(values: Array) -> float:
    return float(np.nanmax(np.abs(values), initial=0.0)) if np.isfinite(values).any() else 0.0
