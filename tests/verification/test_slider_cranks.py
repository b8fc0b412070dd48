"""Slider-cranks: through singular configurations, and the spatial one against one coordinate."""

import pytest

from tests.verification import references as ref
from tests.verification.runs import energy_error, shipped, shipped_run, tight


def test_slider_crank_passes_its_singular_poses():
    run = shipped_run("slider_crank", "rk4", 1e-3, 10.0)
    assert energy_error(run) < 1e-3  # IFToMM's limit
    assert run.near_singular > 0
    x, _ = ref.slider_crank_slider(run.t[::500])
    # order (ω h)⁴ t / 120 ≈ (8e-3)⁴·10·8/120 ≈ 3e-9
    assert run.channel("body.slider.pos.x")[::500] == pytest.approx(x, abs=1e-8)


def test_spatial_slider_crank_against_one_coordinate():
    run = tight(shipped("spatial_slider_crank"), 5.0)
    x, v = ref.spatial_slider_crank_slider(run.t[::20])
    assert run.channel("body.slider.pos.x")[::20] == pytest.approx(x, abs=1e-8)
    assert run.channel("body.slider.vel.x")[::20] == pytest.approx(v, abs=1e-7)


def test_spatial_slider_crank_at_the_start():
    # initial values of the benchmark: x 0.2 m, 0.24 m/s
    run = tight(shipped("spatial_slider_crank"), 0.01)
    assert run.channel("body.slider.pos.x")[0] == pytest.approx(0.2, abs=1e-12)
    assert run.channel("body.slider.vel.x")[0] == pytest.approx(0.24, abs=1e-12)
