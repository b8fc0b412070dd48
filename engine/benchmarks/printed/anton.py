"""Figures of [Antón 2015, chapter 5]: what solutions with Φ_q^d take, full and reordered."""

from __future__ import annotations

from typing import NamedTuple

from engine.benchmarks.printed.base import Figure, PrintedTable, known
from engine.natural.mechanisms import NATURAL_MECHANISMS
from engine.natural.natural_motion import FULL, NaturalMotion, NaturalRun, Scheme, State

REORDERED = "bordered"
REASON = "its times are those of MATLAB on a machine of its day; neither poses nor masses are printed"
LIFT = 0.03  # m: of the vehicle over where its tyres stand


class SourceRun(NamedTuple):
    """A run as the source made it, as far as it is printed."""

    duration: float  # s
    state: State
    scheme: Scheme
    tolerance: float
    steps: int  # printed
    evaluations: int


RUNS = {  # [Antón 2015, tables 5.2 to 5.9]
    "pendulum": SourceRun(10.0, "index two", "dopri5", 1e-6, 590, 3673),
    "tether": SourceRun(3.0, "index three", "adams", 1e-5, 8809, 17620),
    "bricard 1": SourceRun(15.0, "index two", "dopri5", 1e-6, 136, 865),
    "vehicle": SourceRun(1.0, "index three", "adams", 1e-5, 1182, 2509),
}
KICK = {"tether": {"bend10": 12.0, "twist10": 20.0}}  # rad/s, as the scene `tether` begins
# ms per evaluation in solutions: with the full matrix, and as the source orders it
PRINTED = {
    "pendulum": (0.871, 0.065),
    "tether": (5.75, 0.560),
    "bricard 1": (0.879, 0.647),
    "vehicle": (10.55, 1.60),
}


def run_of(name: str, ordering: str) -> NaturalRun:
    """The run of that mechanism, its matrix full or ordered."""
    run, kind = RUNS[name], NATURAL_MECHANISMS[name]
    motion = NaturalMotion(kind, ordering)
    if name == "vehicle":
        for corner in ("C1.z", "C2.z", "C3.z"):
            motion.q[motion.equations.number[corner]] += LIFT
    rates = [KICK.get(name, {}).get(coordinate, 0.0) for coordinate in kind.independent]
    return motion.run(run.duration, state=run.state, scheme=run.scheme, tolerance=run.tolerance, rates=rates)


def _per_evaluation(name: str, ordering: str) -> float:
    """Milliseconds of processor time in solutions; the second run counts, the first one compiles."""
    found = [run_of(name, ordering) for _ in range(2)][-1]
    return 1e3 * found.solve_seconds / found.evaluations


def _figure(name: str, ordering: str, printed: float) -> Figure:
    words = "full matrix" if ordering == FULL else "reordered"
    title = NATURAL_MECHANISMS[name].title
    return Figure(f"{title}, {words}", printed, known(lambda: _per_evaluation(name, ordering)), REASON)


SOLVES = PrintedTable(
    name="natural-solves",
    source="[Antón 2015, tables 5.2, 5.4, 5.7 and 5.9]",
    title="Solutions with Φ_q^d per evaluation, full and in bordered form",
    unit="ms",
    figures=tuple(
        _figure(name, ordering, time)
        for name, times in PRINTED.items()
        for ordering, time in zip((FULL, REORDERED), times, strict=True)
    ),
)
