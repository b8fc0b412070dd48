"""The process of one lane: it simulates up to where the clock of the race stands, and tells what it found.

What it sends: `Ready`, then `Rows` again and again, then `Ended`; or `Refused` at once. It ends when nobody
listens any more.
"""

from __future__ import annotations

import contextlib
import math
import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Lock
from typing import Any

import numpy as np

from engine.benchmarks.racing.entry import Entry
from engine.compiled.layout import Array
from engine.errors import SceneError
from engine.simulation.simulation import Simulation
from engine.simulation.warmup import kernels_ready
from engine.system.prepared import prepare

MEASURES = ("energy.error", "violation.position", "violation.velocity", "violation.acceleration")
REST = 0.004  # s between two looks at the clock
TELL = 0.03  # s between two messages
ON_GRID = 1e-6  # of a step: so near to the grid counts as on it
GIVE_WAY = 5  # niceness: the window goes first


@dataclass(frozen=True)
class Ready:
    """It can begin."""

    warnings: tuple[str, ...]


@dataclass(frozen=True)
class Refused:
    """The scene cannot be run so."""

    message: str


@dataclass(frozen=True)
class Rows:
    """Samples, shape (n, width); their measures, shape (n, 4); processor time so far [s] and where it is."""

    samples: Array
    measures: Array
    cost: float
    t: float


@dataclass(frozen=True)
class Ended:
    """Why, in the word of saved runs, and what to say about it."""

    status: str
    message: str


Message = Ready | Refused | Rows | Ended


def run_lane(pipe: Connection, clock: Any, compiling: Lock, entry: Entry) -> None:
    """What a process of a race does. `clock.value` is the instant up to which may be simulated [s]."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    with contextlib.suppress(AttributeError, OSError):
        os.nice(GIVE_WAY)
    with contextlib.suppress(OSError, EOFError):  # nobody listens any more
        try:
            simulation = _simulation(entry, compiling)
        except SceneError as error:
            pipe.send(Refused(str(error)))
            return
        pipe.send(Ready(simulation.warnings))
        _go(simulation, lambda: float(clock.value), pipe)
        pipe.send(Ended(simulation.status.name.lower(), simulation.message))


def _simulation(entry: Entry, compiling: Lock) -> Simulation:
    """What is compiled once is compiled by one of them; the others find it in the cache."""
    ready = kernels_ready(prepare(entry.scene).mechanism, entry.method)
    with contextlib.nullcontext() if ready else compiling:
        return Simulation(entry.scene, duration=entry.duration, sample_every=entry.every)


def _go(simulation: Simulation, clock: Callable[[], float], pipe: Connection) -> None:
    teller = _Teller(simulation, pipe)
    teller.tell()
    while not simulation.done:
        if pipe.poll():  # it is only closed, never written to
            raise EOFError
        until = _on_grid(clock(), simulation.dt)
        if simulation.t >= until - ON_GRID * simulation.dt:
            teller.tell()
            time.sleep(REST)
            continue
        begin = time.thread_time()
        simulation.advance(until)
        teller.cost += time.thread_time() - begin
        if time.monotonic() - teller.told > TELL:
            teller.tell()
    teller.tell()


def _on_grid(t: float, dt: float) -> float:
    """The point of the step grid at or after an instant: a step that is cut short would be another method."""
    return math.ceil(t / dt - ON_GRID) * dt if math.isfinite(t) else t


class _Teller:
    def __init__(self, simulation: Simulation, pipe: Connection) -> None:
        self.cost = 0.0  # s
        self.told = 0.0  # clock
        self._simulation, self._pipe = simulation, pipe
        self._sent = 0  # samples
        self._start_energy = simulation.channels.energy_before(simulation.sample)

    def tell(self) -> None:
        """Send what is recorded and not sent yet."""
        self.told = time.monotonic()
        segment = self._simulation.open_segment
        if segment.recorder.count == self._sent:
            return
        samples = np.array(segment.recorder.rows(self._sent, segment.recorder.count))
        self._sent += len(samples)
        evaluation = segment.channels.evaluation(samples, start_energy=self._start_energy)
        measures = np.column_stack([segment.channels[name].read(evaluation) for name in MEASURES])
        self._pipe.send(Rows(samples, measures, self.cost, self._simulation.t))
