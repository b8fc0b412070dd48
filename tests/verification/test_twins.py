"""A planar scene and its spatial twin are one mechanism: they agree to 1e-9 over 2 s, adaptive at 1e-12."""

import numpy as np
import pytest

from engine import Trajectory, set_value
from tests.verification.runs import shipped, tight
from tests.verification.twins import in_space

AGREE = 1e-9


def compare(planar: Trajectory, spatial: Trajectory) -> None:
    for body in planar.mechanism.bodies:
        for what in ("com.x", "com.y", "com.vel.x", "com.vel.y", "omega.z"):
            name = f"body.{body}.{what}"
            assert spatial.channel(name) == pytest.approx(planar.channel(name), abs=AGREE), name


def test_four_bar_and_the_shipped_spatial_one():
    compare(tight(shipped("four_bar"), 2.0), tight(shipped("spatial_four_bar"), 2.0))


def test_double_pendulum_built_both_ways():
    scene = shipped("double_pendulum")
    compare(tight(scene, 2.0), tight(in_space(scene), 2.0))


def test_slider_crank_away_from_singular_poses():
    # pulled along the slide and let go at rest it swings through 45 degrees to either side of it;
    # singular it is at 90 only, where both bars lie on each other
    scene = shipped("slider_crank")
    for path, value in (("parameters.v0", 0.0), ("gravity.0", 9.81), ("gravity.1", 0.0)):
        scene = set_value(scene, path, value)
    planar = tight(scene, 2.0)
    compare(planar, tight(in_space(scene), 2.0))
    assert np.abs(planar.channel("body.crank.angle")).max() == pytest.approx(np.pi / 4, abs=1e-9)
