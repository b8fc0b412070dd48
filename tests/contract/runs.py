"""Runs of shipped scenes through the real driver, with what a sample must satisfy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.compiled.layout import Array, StepStatus
from engine.results.sample_layout import SampleLayout
from engine.simulation.stepping.method_driver import Driver
from engine.solvers.catalogue import Method
from engine.system.assembly.assemble import assemble
from engine.system.compiling.compile import compile_scene
from engine.system.equations.evaluator import Evaluator
from tests.engine.system.mechanisms import shipped


@dataclass(frozen=True)
class Outcome:
    """Samples of a run, and what was measured in them."""

    samples: Array
    layout: SampleLayout
    energy_error: float
    violation: tuple[float, float, float]  # position, velocity, acceleration
    residual: float  # largest entry of M a − Q − Jᵀλ

    def end(self) -> Array:
        """q and v at the end."""
        return self.samples[-1, self.layout.q.start : self.layout.v.stop]


def run(scene: str, method: Method, dt: float, stops: float | tuple[float, ...], **options: float) -> Outcome:
    """From the assembled start to each stop in turn; the stops need not lie on the grid."""
    mechanism = compile_scene(shipped(scene))
    begin = assemble(mechanism)
    driver = Driver(mechanism, method, dt=dt, options=options)
    assert driver.start(0.0, begin.q, begin.v, begin.angles) is StepStatus.OK
    rows = [driver.sample()]
    for stop in stops if isinstance(stops, tuple) else (stops,):
        buffer = np.zeros((int(stop / dt) + 3, driver.width))
        status, written = driver.advance(stop, buffer)
        assert status is StepStatus.FINISHED, status.text
        rows += [*buffer[:written], driver.sample()]
    return _measured(driver, np.array(rows))


def _measured(driver: Driver, samples: Array) -> Outcome:
    layout, evaluator = driver.layout, Evaluator(driver.mechanism)
    M, found = evaluator.mass_matrix(), []
    for row in samples:
        a, multipliers = row[layout.a], row[layout.multipliers]
        evaluator.at(row[layout.t], row[layout.q], row[layout.v], row[layout.angles])
        gap = M @ a - evaluator.forces() - multipliers @ evaluator.jacobian
        levels = (evaluator.phi, evaluator.phi_rate, evaluator.jacobian @ a - evaluator.gamma)
        found.append((evaluator.energy.sum(), *(np.abs(x).max() for x in (*levels, gap))))
    energy, position, velocity, acceleration, residual = np.array(found).T
    worst = (float(position.max()), float(velocity.max()), float(acceleration.max()))
    return Outcome(samples, layout, float(np.abs(energy - energy[0]).max()), worst, float(residual.max()))
