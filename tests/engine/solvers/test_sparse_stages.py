"""Implicit schemes over a formulation: sparse and full matrices of a stage solve the same equations."""

import json

import numpy as np
import pytest

from engine import loads
from engine.benchmarks.cost_over_size import RawScene, row_of_four_bars
from engine.compiled.columns import counters as COUNT
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


def run(raw: RawScene, method: str) -> tuple[Array, Driver]:
    mechanism = compile_scene(loads(json.dumps(raw)))
    start = assemble(mechanism)
    driver = Driver(mechanism, find_method(method), dt=DT)
    driver.start(0.0, start.q, start.v, start.angles)
    status, _ = driver.advance(STEPS * DT, np.zeros((1, driver.width)), every=STEPS + 1)
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


def test_large_mechanisms_have_no_full_matrix() -> None:
    mechanism = compile_scene(loads(json.dumps(row_of_four_bars(60))))
    driver = Driver(mechanism, find_method("sdirk2"), dt=DT)
    assert not driver.work.newton.size
    assert driver.work.factors.shape[1] < 200 * mechanism.nv
