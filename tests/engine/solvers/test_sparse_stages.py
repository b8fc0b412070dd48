"""Implicit schemes over a formulation: sparse and full matrices of a stage solve the same equations."""

import json

import numpy as np
import pytest

from engine import loads
from engine.benchmarks.cost_over_size import RawScene, chain, row_of_four_bars
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import sizes as SIZE
from engine.compiled.layout import Array
from engine.simulation.stepping import method_driver
from engine.simulation.stepping.method_driver import Driver
from engine.solvers.catalogue import find_method
from engine.system.assembly.assemble import assemble
from engine.system.compiling.compile import compile_scene

STEPS, DT = 12, 2e-3


def stiff_row() -> RawScene:
    """Three four-bars with a stiff spring and a strong damper in every crank: decay of 5000 1/s."""
    raw = row_of_four_bars(3)
    raw["forces"] = [
        {
            "name": f"spring{i}",
            "kind": "rotational_spring",
            "joint": f"A{i}",
            "stiffness": 2e4,
            "damping": 400.0,
        }
        for i in range(4)
    ]
    return raw


def run(raw: RawScene, method: str, steps: int = STEPS, dt: float = DT) -> tuple[Array, Driver]:
    mechanism = compile_scene(loads(json.dumps(raw)))
    start = assemble(mechanism)
    driver = Driver(mechanism, find_method(method), dt=dt)
    driver.start(0.0, start.q, start.v, start.angles)
    status, _ = driver.advance(steps * dt, np.zeros((1, driver.width)), every=steps + 1)
    assert not status.failed
    return driver.sample(), driver


@pytest.mark.parametrize(
    ("method", "scene", "more"),
    [
        ("bdf2", row_of_four_bars(3), 1.3),
        ("bdf2", stiff_row(), 1.3),
        ("sdirk3", stiff_row(), 1.3),
        ("lagrange/implicit_midpoint/baumgarte", row_of_four_bars(3), 2.0),  # its feedback is left out
        ("penalty/implicit_midpoint/projection", row_of_four_bars(3), 1.3),
        ("gauss2", row_of_four_bars(3), 2.5),  # one matrix for all stages, each by itself
        ("gauss3", row_of_four_bars(3), 2.5),
        ("gauss2", stiff_row(), 6.0),
        ("rodas3", row_of_four_bars(3), 1.0),
        ("rodas3", stiff_row(), 1.0),
    ],
)
def test_sparse_and_full_matrices_give_the_same_motion(
    method: str, scene: RawScene, more: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    full, by_full = run(scene, method)
    monkeypatch.setattr(method_driver, "FULL_STAGE", 10)
    sparse, by_sparse = run(scene, method)
    assert by_full.work.newton.size
    assert not by_sparse.work.newton.size
    assert np.abs(sparse[:-4] - full[:-4]).max() < 1e-9 * np.abs(full[:-4]).max()
    # as good a matrix: so many times the iterations with exact derivatives
    taken = [driver.work.counters[COUNT.ALL_ITERATIONS] for driver in (by_full, by_sparse)]
    assert taken[1] <= more * taken[0] + 2


@pytest.mark.parametrize("method", ["implicit_midpoint", "bdf3", "sdirk3"])
def test_rows_of_four_bars_pass_singular_configurations(method: str) -> None:
    # two of them, at 0.72 and 1.24 s, where rows that are too soft in the matrix keep it from converging
    sparse, usual = (run(row_of_four_bars(6), name, 1500, 1e-3) for name in (method, "rk4"))
    assert not sparse[1].work.newton.size
    places = [driver.y[: sparse[1].mechanism.nq] for _, driver in (sparse, usual)]
    assert np.abs(places[0] - places[1]).max() < 1e-3  # an error of order two, not another motion


def test_a_solution_with_the_matrix_of_a_stage_is_one_pass() -> None:
    driver = run(chain(40), "implicit_midpoint")[1]
    counters, length = driver.work.counters, driver.work.factors.shape[1]
    factors = counters[COUNT.ELIMINATIONS] * 2 * int(driver.system.sizes[SIZE.FACTOR_PRODUCTS])
    solutions = (counters[COUNT.PRODUCTS] - factors) / length
    assert solutions <= counters[COUNT.ALL_ITERATIONS]


def test_large_mechanisms_have_no_full_matrix() -> None:
    mechanism = compile_scene(loads(json.dumps(row_of_four_bars(60))))
    driver = Driver(mechanism, find_method("sdirk2"), dt=DT)
    assert not driver.work.newton.size
    assert driver.work.factors.shape[1] < 200 * mechanism.nv
