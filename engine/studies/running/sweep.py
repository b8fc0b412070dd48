"""All runs of a study: what is known is skipped, the rest goes out in a bounded window of tasks."""

from __future__ import annotations

import contextlib
import os
from collections import deque
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from typing import TYPE_CHECKING

from engine.progress import Cancel, Progress
from engine.simulation.warmup import kernels_ready
from engine.studies.column_units import column_units
from engine.studies.outcomes.row import Row
from engine.studies.outcomes.store import Store
from engine.studies.outcomes.table import Table
from engine.studies.running.batch import Batch, BatchSize, Run
from engine.studies.running.pace import Pace
from engine.studies.running.place import Given, Place, ThisProcess
from engine.studies.running.process_pool import process_pool
from engine.studies.running.run_key import run_keys, version
from engine.system.prepared import prepare

if TYPE_CHECKING:
    from engine.studies.study import Study

TASKS_PER_WORKER = 2  # in flight: one that runs and one that is ready
LOOK = 0.2  # s between two looks at progress and cancel
KILLED = "killed"  # status of a run that took its process with it


def sweep(
    study: Study,
    *,
    store: str | os.PathLike[str] | None = None,
    workers: int | None = None,
    executor: Executor | None = None,
    place: Place | None = None,
    retry: bool = False,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Table:
    """Run what the store does not know; the rows in the order of the design. Raises SceneError, StoreError.

    After a cancel the table has the rows that are complete; the next sweep with the same store goes on. With
    `retry` it runs again what failed before.
    """
    points = study.points()
    keys = run_keys(study, points)
    runs = dict(zip(keys, points, strict=True))  # a point that stands there twice is run once
    sizes = (len(study.columns), len(study.objectives))
    with Store(store) as rows:
        if retry:
            rows.forget_failures(list(runs))
        known = rows.known(list(runs), sizes)
        missing = [(key, values) for key, values in runs.items() if key not in known]
        if missing:
            with _place(place, executor, workers, len(missing), cancel) as where:
                pace = Pace(len(runs), len(known))
                _Sweep(study, where, rows, missing, pace).run(progress, cancel)
            known = rows.known(list(runs))
    found = [known[key] for key in keys if key in known]
    objectives = [objective.name for objective in study.objectives]
    return Table(study.title, study.columns, objectives, found, len(keys), lambda: column_units(study))


@contextlib.contextmanager
def _place(
    place: Place | None, executor: Executor | None, workers: int | None, runs: int, cancel: Cancel | None
) -> Iterator[Place]:
    count = workers if workers is not None else processors()
    if place is not None:
        yield place
    elif executor is not None:
        yield Given(executor, count)
    elif count == 0:
        yield ThisProcess(cancel)
    else:
        with process_pool(min(count, runs)) as pool:
            yield pool


def processors() -> int:
    """Processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _Sweep:
    """Runs on their way: waiting, in flight, or kept in the store."""

    def __init__(self, study: Study, place: Place, store: Store, runs: list[Run], pace: Pace) -> None:
        self._study, self._place, self._store, self._pace = study, place, store, pace
        self._waiting = deque(runs)
        self._suspects: deque[Run] = deque()  # were in flight when a process died: one of them was the cause
        self._in_flight: dict[Future[list[Row]], Batch] = {}
        self._size = BatchSize()
        self._version = version()
        # the first run alone fills the cache of compiled code that the other processes read
        settings = study.scene.simulation
        self._warm = kernels_ready(prepare(study.scene).mechanism, settings.method)

    def run(self, progress: Progress | None, cancel: Cancel | None) -> None:
        while self._waiting or self._suspects or self._in_flight:
            if cancel is not None and cancel():
                self._break_off()
                return
            self._fill()
            done, _ = wait(self._in_flight, timeout=LOOK, return_when=FIRST_COMPLETED)
            for future in done:
                self._take(future)
            if progress is not None:
                progress(self._pace.share, self._pace.words())

    def _fill(self) -> None:
        """Send tasks until the window is full."""
        if self._suspects:
            if not self._in_flight:
                self._send([self._suspects.popleft()])
            return
        window = TASKS_PER_WORKER * self._place.workers if self._warm else 1
        while self._waiting and len(self._in_flight) < window:
            count = self._size.size(len(self._waiting), self._place.workers)
            self._send([self._waiting.popleft() for _ in range(min(count, len(self._waiting)))])

    def _send(self, runs: list[Run]) -> None:
        batch = Batch(self._study, tuple(runs), self._version)
        try:
            self._in_flight[self._place.submit(batch)] = batch
        except BrokenExecutor as error:  # found out while it was sent
            self._suspects.extend(runs)
            self._died(error)

    def _take(self, future: Future[list[Row]]) -> None:
        """Keep the rows of a task that has come back."""
        batch = self._in_flight.pop(future, None)
        if batch is None:  # put back since, after the death of a process
            return
        try:
            rows = future.result()
        except BrokenExecutor as error:
            if len(batch.runs) == 1 and not self._in_flight:  # it was alone
                self._keep([self._killed(batch.runs[0])])
            else:
                self._suspects.extend(batch.runs)
            self._died(error)
            return
        self._warm = True
        self._size.learn(rows)
        self._keep(rows)

    def _keep(self, rows: list[Row]) -> None:
        self._store.add(rows)
        self._pace.done += len(rows)
        self._pace.failed += sum(not row.done for row in rows)

    def _died(self, error: BrokenExecutor) -> None:
        """A process is gone, and with it all that was in flight: try those runs again, one at a time."""
        for future, batch in list(self._in_flight.items()):
            if future.done() and not future.cancelled() and future.exception() is None:
                continue  # came back in time
            del self._in_flight[future]
            self._suspects.extend(batch.runs)
        self._place.renew(error)

    def _killed(self, run: Run) -> Row:
        text = "the process that computed it was ended from outside, perhaps for want of memory"
        return Row(run[0], run[1], (None,) * len(self._study.objectives), KILLED, text, 0.0)

    def _break_off(self) -> None:
        """End soon; runs that are complete are kept."""
        self._place.stop()
        for future in self._in_flight:
            future.cancel()
        for future in list(self._in_flight):
            with contextlib.suppress(CancelledError, BrokenExecutor):
                self._keep(future.result())
