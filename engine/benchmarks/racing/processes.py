"""Where processes of a race come from: copies of one that has loaded the engine, where the system can copy.

A copy is there in milliseconds, a new process takes as long as it takes to load Numba. The first one is
loaded once and waits; it ends with this program.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import threading
from collections.abc import Iterator
from functools import cache
from multiprocessing.context import BaseContext
from pathlib import Path

import engine

LOADED = f"{engine.__name__}.benchmarks.racing.child"
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
_starting = threading.Lock()  # the environment is that of the whole program


@cache
def process_context() -> BaseContext:
    """Not `fork`: that would copy the locks of all threads."""
    if "forkserver" in multiprocessing.get_all_start_methods():
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload([LOADED])
        return context
    return multiprocessing.get_context("spawn")


@contextlib.contextmanager
def environment() -> Iterator[None]:
    """Processes that are started meanwhile find this program, and have one thread for linear algebra each."""
    root = str(Path(engine.__file__).resolve().parent.parent)
    path = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH", ""))))
    wanted = {"PYTHONPATH": path, **dict.fromkeys(ONE_THREAD, "1")}
    with _starting:
        before = {name: os.environ.get(name) for name in wanted}
        os.environ.update(wanted)
        try:
            yield
        finally:
            for name, value in before.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value
