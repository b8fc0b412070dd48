"""Where the runs of a study are computed."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from typing import Protocol

from engine.progress import Cancel
from engine.studies.outcomes.row import Row
from engine.studies.running.batch import Batch, run_batch


class Place(Protocol):
    """Processes, threads or machines that take batches."""

    workers: int  # batches that it computes at once

    def submit(self, batch: Batch) -> Future[list[Row]]: ...

    def renew(self, error: BrokenExecutor) -> None:
        """Go on after a worker died; raises the error where that is not possible."""

    def stop(self) -> None:
        """Break runs off that are under way."""


class Given:
    """Any executor, such as that of a cluster: what is under way there comes to its end."""

    def __init__(self, executor: Executor, workers: int) -> None:
        self._executor = executor
        self.workers = workers

    def submit(self, batch: Batch) -> Future[list[Row]]:
        return self._executor.submit(run_batch, batch)

    def renew(self, error: BrokenExecutor) -> None:
        raise error

    def stop(self) -> None:
        pass


class ThisProcess:
    """One batch after the other, here and now."""

    workers = 1

    def __init__(self, cancel: Cancel | None) -> None:
        self._cancel = cancel

    def submit(self, batch: Batch) -> Future[list[Row]]:
        return _done(lambda: run_batch(batch, self._cancel))

    def renew(self, error: BrokenExecutor) -> None:
        raise error

    def stop(self) -> None:
        pass


def _done(call: Callable[[], list[Row]]) -> Future[list[Row]]:
    future: Future[list[Row]] = Future()
    try:
        future.set_result(call())
    except Exception as error:
        future.set_exception(error)
    return future
