"""The published problems with many methods, one run after the other in a process of its own.

One at a time, so that the times can be compared; in a process, so that whoever watches is never held up and
a run can be broken off at any moment.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from engine.benchmarks import BENCHMARKS
from engine.benchmarks.base import run_benchmark
from engine.benchmarks.racing.processes import environment, process_context
from engine.model.scene import Scene

LOOK = 0.1  # s between two looks whether to stop
DIED = "died"  # status of a run whose process ended without a word

Row = dict[str, Any]  # an outcome as plain data, see `Outcome.to_dict`


@dataclass(frozen=True)
class Trial:
    """One method on one problem; without a method it is the scene's own."""

    benchmark: str
    scene: Scene
    method: str | None = None


class Series(threading.Thread):
    """Begins at once. `rows` grows by one per trial, in their order; `share` is that of the present one."""

    def __init__(self, trials: Sequence[Trial]) -> None:
        super().__init__(name="trammel-test-centre", daemon=True)
        self.trials = tuple(trials)
        self.rows: list[Row] = []
        self.share = 0.0
        self._stopping = threading.Event()
        self._process: Any = None
        self.start()

    @property
    def progress(self) -> float:
        return min(1.0, (len(self.rows) + self.share) / max(1, len(self.trials)))

    @property
    def over(self) -> bool:
        return not self.is_alive()

    @property
    def stopped(self) -> bool:
        return self._stopping.is_set()

    def ask_to_stop(self) -> None:
        self._stopping.set()

    def stop(self, timeout: float) -> bool:
        """Break off; False when the thread did not end in time."""
        self.ask_to_stop()
        self.join(timeout)
        return not self.is_alive()

    # the thread

    def run(self) -> None:
        while len(self.rows) < len(self.trials) and not self.stopped:
            self._run_rest()

    def _run_rest(self) -> None:
        """A process for all trials that are left; one that dies costs the trial that it was at."""
        context: Any = process_context()
        here, there = context.Pipe()
        process = self._process = context.Process(
            target=run_trials, args=(there, self.trials[len(self.rows) :]), daemon=True
        )
        with environment():
            process.start()
        there.close()
        try:
            while len(self.rows) < len(self.trials) and not self.stopped:
                if here.poll(LOOK):
                    self._take(here.recv())
        except (EOFError, OSError):
            self._note_death()
        finally:
            here.close()
            process.kill()
            process.join()
            process.close()

    def _take(self, message: float | Row) -> None:
        if isinstance(message, float):
            self.share = message
        else:
            self.rows.append(message)
            self.share = 0.0

    def _note_death(self) -> None:
        trial = self.trials[len(self.rows)]
        text = "the process ended unexpectedly; it may have been killed for want of memory"
        self.rows.append(
            {
                "benchmark": trial.benchmark,
                "method": trial.method or trial.scene.simulation.method,
                "status": DIED,
                "verdict": "fail",
                "message": text,
                "error": float("nan"),
                "wall_time": 0.0,
                "dt": float("nan"),
                "steps": 0,
            }
        )


def run_trials(pipe: Connection, trials: Sequence[Trial]) -> None:
    """What the process does: tell the share of each run now and then, and its outcome."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    with contextlib.suppress(OSError):  # nobody listens any more
        for trial in trials:
            outcome = run_benchmark(
                BENCHMARKS[trial.benchmark],
                trial.scene,
                method=trial.method,
                progress=lambda share, words: pipe.send(float(share)),
            )
            pipe.send(outcome.to_dict())
