"""Methods on dense and on sparse matrices over the velocities: the same motion, redundant rows included."""

import json

import numpy as np
import pytest

from engine import loads, simulate
from engine.compiled.layout import Array
from engine.model.files.scene_file import load_scene
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
    scene, found = n_four_bar(11, "planar"), []
    scene["simulation"] = {**scene.get("simulation", {}), "method": method, "dt": 2e-3, "duration": 0.1}
    for node_cost in (10**9, -(10**9)):
        monkeypatch.setattr(velocity_layout, "NODE_COST", node_cost)
        run = simulate(loads(json.dumps(scene)))
        layout = run.segments[-1].channels.layout
        found.append(np.hstack([run.samples[:, layout.q], run.samples[:, layout.v]]))
    dense, sparse = found
    assert np.abs(dense[-1] - dense[0]).max() > 0.1  # it has moved
    np.testing.assert_allclose(sparse, dense, rtol=0.0, atol=1e-10 * np.abs(dense).max())
