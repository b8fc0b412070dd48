"""Batches: some runs as one task, so that short runs are not outweighed by the way to a process and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.progress import Cancel, Cancelled
from engine.studies.outcomes.row import Row
from engine.studies.running.run_key import version
from engine.studies.running.single_run import single_run
from engine.studies.variables.base import Value

if TYPE_CHECKING:
    from engine.studies.study import Study

TASK_TIME = 1.0  # s that a task should take
SHORTEST_TASK = 0.1  # s: at the end of a study tasks become so short, to keep all workers busy
MAX_RUNS = 1000  # of one task
SMOOTHING = 0.3  # weight of the newest task in the mean time of a run

Run = tuple[str, tuple[Value, ...]]  # key and values


@dataclass(frozen=True)
class Batch:
    """What a worker is given; all that it needs is in it."""

    study: Study
    runs: tuple[Run, ...]
    version: str


class OtherVersion(RuntimeError):
    """A worker has another version of the program: its numbers are not those that the keys stand for."""


def run_batch(batch: Batch, cancel: Cancel | None = None) -> list[Row]:
    """The rows of a batch; after a cancel those that are complete."""
    if version() != batch.version:
        text = f"a worker has {version()}, this program is {batch.version}"
        raise OtherVersion(f"{text}; install the same version of Trammel there")
    rows: list[Row] = []
    for key, values in batch.runs:
        try:
            rows.append(single_run(batch.study, key, values, cancel))
        except Cancelled:
            break
    return rows


class BatchSize:
    """How many runs make a task of fitting length, learnt from those that have been done."""

    def __init__(self) -> None:
        self._seconds = 0.0  # of one run; 0: not known yet

    def learn(self, rows: Sequence[Row]) -> None:
        if rows:
            mean = sum(row.seconds for row in rows) / len(rows)
            self._seconds += (SMOOTHING if self._seconds else 1.0) * (mean - self._seconds)

    def size(self, waiting: int, workers: int) -> int:
        """Runs of the next task, when so many wait for so many workers."""
        if not self._seconds:
            return 1
        fitting, least = (int(time / self._seconds) for time in (TASK_TIME, SHORTEST_TASK))
        fair = waiting // (2 * workers)
        return max(1, min(MAX_RUNS, fitting, max(fair, least)))
