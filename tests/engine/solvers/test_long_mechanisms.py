"""What iterates does not iterate more because a mechanism is long: counts, which no busy machine changes."""

import json

import numpy as np
import pytest

from engine import loads
from engine.benchmarks.cost_over_size import DT, chain, row_of_four_bars
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import vectors as VECTOR
from engine.simulation.stepping.method_driver import Driver
from engine.solvers.method_patterns import select_methods
from engine.system.assembly.assemble import assemble
from engine.system.compiling.compile import compile_scene

STEPS = 5


def run(raw: dict[str, object], name: str, steps: int = STEPS) -> Driver:
    mechanism = compile_scene(loads(json.dumps(raw)))
    begin = assemble(mechanism)
    driver = Driver(mechanism, select_methods([name])[0], dt=DT)
    driver.work.counters[:] = 0
    assert not driver.start(0.0, begin.q, begin.v, begin.angles).failed
    if steps:
        status, _ = driver.advance(steps * DT, np.zeros((1, driver.width)), every=steps + 1)
        assert not status.failed
    return driver


@pytest.mark.parametrize("method", ["augmented_lagrangian/rk4/projection", "canonical_augmented/rk4/none"])
def test_augmented_lagrangian_holds_a_long_hanging_chain(method: str) -> None:
    # the topmost hinges carry a thousand bars; with the same weights at any length 60 passes do not get there
    raw = chain(1000) | {"gravity": [9.81, 0.0, 0.0]}
    assert np.abs(run(raw, method, 0).work.vectors[VECTOR.A]).max() < 1e-9 * 9.81


@pytest.mark.parametrize("raw", [chain(100), row_of_four_bars(80)], ids=["chain", "four-bars"])
def test_canonical_trapezoidal_ends_where_only_rounding_is_left(raw: dict[str, object]) -> None:
    counters = run(raw, "canonical_trapezoidal").work.counters
    assert counters[COUNT.ALL_ITERATIONS] <= 6 * STEPS  # 20 per step when it waited for σ to stay


def test_energy_of_many_bodies_is_corrected_once_per_step() -> None:
    # RK4 itself keeps that of the row to rounding, which grows with the number of bodies that are added up
    counters = run(row_of_four_bars(80), "lagrange/rk4/projection_energy").work.counters
    assert counters[COUNT.ALL_ITERATIONS] <= STEPS // 2
    counters = run(chain(100), "lagrange/rk4/projection_energy").work.counters
    assert counters[COUNT.ALL_ITERATIONS] == STEPS
