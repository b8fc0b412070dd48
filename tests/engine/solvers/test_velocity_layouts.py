"""Methods on dense and on sparse matrices over the velocities: the same motion, redundant rows included."""

import numpy as np
import pytest

from engine import simulate
from engine.compiled.layout import Array
from engine.model.files.scene_file import load_scene
from engine.system.compiling import velocity_layout
from engine.system.compiling.compile import compile_scene
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
