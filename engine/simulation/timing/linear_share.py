"""Time spent in linear algebra: its share in steps that are timed after the run, of the time of the run.

Both sides of the share are timed in the same instants and on copies of the state, so that a busy machine
slows both alike, and the share is at most one.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

import numpy as np

from engine.compiled.columns import counters as COUNT
from engine.compiled.layout import Array, StepStatus
from engine.simulation.stepping.method_driver import Driver
from engine.simulation.timing.linear_cost import linear_time

ROUNDS = 3  # the quickest counts: nobody else had the processor
STEPS = 20  # of one round
SPAN = 0.01  # s, where the rounds end


def linear_time_of_run(
    driver: Driver, start: Array, options: Mapping[str, float], dt: float, wall_time: float
) -> float:
    """Seconds of `wall_time` in factorisations and solutions; `start` is a sample to take steps from."""
    if not int(driver.work.counters[COUNT.STEPS]):
        return 0.0
    trial = Driver(driver.mechanism, driver.method, dt=dt, options=options)
    trial.take_ranks(driver)
    t, q, v, angles, works = driver.layout.state(start)
    if trial.start(t, q, v, angles, works) is not StepStatus.OK:
        return min(linear_time(driver), wall_time)
    scratch, shares, began = np.zeros((STEPS + 1, trial.width)), [], time.perf_counter()
    for _ in range(ROUNDS):
        trial.work.counters[:] = 0
        begin = time.perf_counter()
        status, _ = trial.advance(trial.t + STEPS * dt, scratch, most_steps=STEPS)
        taken = time.perf_counter() - begin
        if not int(trial.work.counters[COUNT.STEPS]):
            break
        shares.append((taken / int(trial.work.counters[COUNT.STEPS]), linear_time(trial) / taken))
        if status.failed or time.perf_counter() - began > SPAN:
            break
    if not shares:
        return min(linear_time(driver), wall_time)
    return min(1.0, min(shares)[1]) * wall_time
