"""A comparison that is cancelled during its reference, and one whose reference a condition ends."""

import pytest

from engine.benchmarks.comparison import compare
from tests.engine.simulation.scenes import rod_pendulum


def test_a_cancelled_reference_leaves_no_runs() -> None:
    assert compare(rod_pendulum(), ["rk4"], dts=(0.01,), duration=0.1, cancel=lambda: True).runs == ()


def test_a_condition_ends_the_comparison() -> None:
    scene = rod_pendulum().with_simulation(stop_when=["t - 0.045"])
    found = compare(scene, ["rk4"], dts=(0.01,), duration=0.1)
    assert found.instants[-1] == pytest.approx(0.04)
    assert found.runs[0].error < 1e-6
