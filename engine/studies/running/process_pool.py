"""Processes of this machine: each has one thread, and ends when its parent does, whatever ended that."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from multiprocessing.connection import wait
from multiprocessing.synchronize import Event

from engine.studies.outcomes.row import Row
from engine.studies.running.batch import Batch, run_batch

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


@contextlib.contextmanager
def process_pool(workers: int) -> Iterator[ProcessPool]:
    """So many processes; they are started when they are needed, and gone at the end."""
    with _one_thread_each():
        pool = ProcessPool(workers)
        try:
            yield pool
        finally:
            pool.stop()
            pool.close()


class ProcessPool:
    """A place (`engine/studies/running/place.py`)."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._context = multiprocessing.get_context("spawn")  # a fork would share locks of threads
        self._stop = self._context.Event()
        self._executor = self._made()

    def _made(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self.workers, mp_context=self._context, initializer=_begin, initargs=(self._stop,)
        )

    def submit(self, batch: Batch) -> Future[list[Row]]:
        with deaf_to_interrupts():  # it may start a process
            return self._executor.submit(_run, batch)

    def renew(self, error: BrokenExecutor) -> None:
        self._executor.shutdown()
        self._executor = self._made()

    def stop(self) -> None:
        self._stop.set()

    def close(self) -> None:
        self._executor.shutdown(cancel_futures=True)


@contextlib.contextmanager
def _one_thread_each() -> Iterator[None]:
    """Processes started meanwhile have one thread for linear algebra: more would be in each other's way."""
    before = {name: os.environ.get(name) for name in THREADS}
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextlib.contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """Processes that are started meanwhile do not hear Ctrl-C, even while they load; this one does."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# in the worker

_cancelled: Callable[[], bool] = lambda: False  # noqa: E731


def _begin(stop: Event) -> None:
    global _cancelled
    _cancelled = stop.is_set
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    threading.Thread(target=_end_with_parent, name="end with parent", daemon=True).start()


def _end_with_parent() -> None:
    """A parent that was killed cannot tell its children; they would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _run(batch: Batch) -> list[Row]:
    return run_batch(batch, _cancelled)
