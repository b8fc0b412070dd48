"""Heavy top against Euler-like angles, flyball governor against two coordinates and IFToMM's measure."""

import numpy as np
import pytest

from tests.verification import references as ref
from tests.verification.runs import finished, shipped, shipped_run, tight


def test_heavy_top_follows_the_rigid_top_reference():
    run = tight(shipped("spinning_top"), 2.0, dt=0.05)
    centre = np.array([run.channel(f"body.top.com.{axis}") for axis in "xyz"])
    assert np.abs(centre - np.array(ref.top_centre(run.t))).max() < 1e-8 * ref.TOP_HEIGHT


def test_heavy_top_at_its_default_step():
    # RK4, h = 1e-4, spin 524 rad/s: (ω h)⁴ / 120 = 6e-8 of the spin angle, 6e-5 rad over 2 s, while the axis,
    # which moves with 50 1/s at most, stays within 1e-6
    run = finished(shipped("spinning_top"), "rk4", 1e-4, 2.0)
    x, y, z = ref.top_centre(run.t[::2000])
    for axis, wanted in zip("xyz", (x, y, z), strict=True):
        assert run.channel(f"body.top.com.{axis}")[::2000] == pytest.approx(wanted, abs=1e-6)


def test_governor_meets_the_measure_of_the_benchmark():
    # e = sqrt(mean over instants of ((s − s_ref)/max(|s_ref|, 1e-3))²) at 101 instants
    run = shipped_run("flyball_governor", "rk4", 2e-4, 10.0)
    i = np.rint(np.arange(101) * 0.1 / 2e-4 / 5).astype(int)
    assert run.t[i] == pytest.approx(np.arange(101) * 0.1, abs=1e-9)
    s, _ = ref.governor_slider(np.arange(101) * 0.1)
    found = run.channel("body.slider.com.z")[i]
    e = np.sqrt(np.mean(((found - s) / np.maximum(np.abs(s), 1e-3)) ** 2))
    assert e < 1e-5
