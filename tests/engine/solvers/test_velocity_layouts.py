"""Methods on dense and on sparse matrices over the velocities: the same motion, redundant rows included."""

import json
from typing import get_args, get_type_hints

import numpy as np
import pytest

from engine import loads, simulate
from engine.benchmarks.cost_over_size import chain
from engine.compiled.columns import counters as COUNT
from engine.compiled.layout import Array
from engine.maths.sparse.orderings import ORDERINGS
from engine.model.files.scene_file import load_scene
from engine.model.scene import Simulation
from engine.simulation.stepping.method_driver import Driver
from engine.solvers.catalogue import find_method
from engine.system.assembly.assemble import assemble
from engine.system.compiling import velocity_layout
from engine.system.compiling.compile import compile_scene
from scenes.generators.n_four_bar import n_four_bar
from tests.paths import ROOT

# a method for every matrix: general and symmetric, with and without tables of their own
METHODS = [
    "generalized_alpha",
    "central_differences",
    "penalty/rk4/projection",
    "canonical_trapezoidal",
    "newmark_index3",
    "radau",
]
SCENES = ["double_four_bar", "stewart_platform", "bicycle", "spatial_slider_crank"]


CHOICES = [
    {"matrices": "dense"},
    *({"matrices": "sparse", "ordering": kind.name} for kind in ORDERINGS if kind.symmetric and kind.ready()),
]


@pytest.mark.parametrize("method", ["lagrange/rk4/projection", "generalized_alpha"])
@pytest.mark.parametrize("scene", ["double_four_bar", "stewart_platform"])
def test_a_run_is_the_same_with_every_layout_and_ordering(scene: str, method: str) -> None:
    loaded = load_scene(ROOT / "scenes" / f"{scene}.json").with_simulation(
        method=method, duration=0.03, dt=1e-3
    )
    found = []
    for choice in ({}, *CHOICES):
        run = simulate(loaded.with_simulation(**choice))
        layout = run.segments[-1].channels.layout
        found.append(np.hstack([run.samples[:, layout.q], run.samples[:, layout.v]]))
    for other in found[1:]:
        np.testing.assert_allclose(other, found[0], rtol=0.0, atol=1e-10 * np.abs(found[0]).max())


def test_choices_change_what_is_stored() -> None:
    scene = load_scene(ROOT / "scenes" / "stewart_platform.json")
    systems = {
        name: compile_scene(scene.with_simulation(matrices=store, ordering=ordering)).system
        for name, store, ordering in (
            ("dense", "dense", "automatic"),
            ("sparse", "sparse", "automatic"),
            ("natural", "sparse", "natural"),
        )
    }
    assert len(systems["dense"].velocity_nodes) == 2
    assert (systems["dense"].row_ends == len(systems["dense"].rows)).all()
    assert len(systems["sparse"].velocity_nodes) == len(scene.bodies)  # one per moving body and the end
    assert not np.array_equal(systems["sparse"].velocity_order, systems["natural"].velocity_order)
    assert np.array_equal(systems["natural"].order, np.arange(len(systems["natural"].rows)))


def test_scenes_offer_every_symmetric_ordering() -> None:
    offered = get_args(get_type_hints(Simulation)["ordering"])
    assert set(offered) == {"automatic", *(kind.name for kind in ORDERINGS if kind.symmetric)}


@pytest.mark.parametrize(
    ("method", "eliminations"), [("radau", 1), ("newmark_index3", 2), ("generalized_alpha", 1)]
)
def test_a_long_chain_takes_no_more_iterations_than_a_short_one(method: str, eliminations: int) -> None:
    mechanism = compile_scene(loads(json.dumps(chain(600))))
    begin = assemble(mechanism)
    driver = Driver(mechanism, find_method(method), dt=1e-3)
    assert not driver.start(0.0, begin.q, begin.v, begin.angles).failed
    driver.work.counters[:] = 0
    status, _ = driver.advance(2e-3, np.zeros((1, driver.width)), every=3)
    assert not status.failed
    assert driver.work.counters[COUNT.ELIMINATIONS] == 2 * eliminations
    assert driver.work.counters[COUNT.NEAR_SINGULAR] == 0


def states(monkeypatch: pytest.MonkeyPatch, node_cost: int, scene: str, method: str) -> Array:
    monkeypatch.setattr(velocity_layout, "NODE_COST", node_cost)
    loaded = load_scene(ROOT / "scenes" / f"{scene}.json")
    panels = len(compile_scene(loaded).system.velocity_nodes) - 1
    assert panels == 1 if node_cost > 0 else panels > 1
    run = simulate(loaded, method=method, dt=1e-3, duration=0.03)
    layout = run.segments[-1].channels.layout
    return np.hstack([run.samples[:, layout.q], run.samples[:, layout.v]])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("scene", SCENES)
def test_dense_and_sparse_give_the_same_motion(
    scene: str, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    dense = states(monkeypatch, 10**9, scene, method)
    sparse = states(monkeypatch, -(10**9), scene, method)
    assert len(dense) == len(sparse) > 10
    np.testing.assert_allclose(sparse, dense, rtol=0.0, atol=1e-10 * np.abs(dense).max())


# no basis N, and no matrix [J; B], in the large ones
@pytest.mark.parametrize(
    "method",
    [
        "independent_coordinates/rk4/none",
        "independent_velocities/rk4/none",
        "null_space/rk4/projection",
        "partitioning/rk4/none",
    ],
)
def test_large_mechanisms_do_without_dense_matrices(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for node_cost in (10**9, -(10**9)):
        monkeypatch.setattr(velocity_layout, "NODE_COST", node_cost)
        # made anew: a scene is compiled once
        run = simulate(n_four_bar(11, "planar").with_simulation(method=method, dt=2e-3, duration=0.1))
        layout = run.segments[-1].channels.layout
        found.append(np.hstack([run.samples[:, layout.q], run.samples[:, layout.v]]))
    dense, sparse = found
    assert np.abs(dense[-1] - dense[0]).max() > 0.1  # it has moved
    np.testing.assert_allclose(sparse, dense, rtol=0.0, atol=1e-10 * np.abs(dense).max())
