"""A planar scene and its spatial twin are one mechanism: they agree to 1e-9 over 2 s, adaptive at 1e-12."""

import json

import numpy as np
import pytest

from engine import Scene, Trajectory, dumps, loads
from tests.verification.runs import shipped, tight

AGREE = 1e-9


def in_space(scene: Scene) -> Scene:
    """The spatial twin of a planar scene of bars and hinges: vectors get a third number, turns an axis."""
    raw = json.loads(dumps(scene))
    raw["space"], raw["gravity"] = "spatial", [0.0, -9.81, 0.0]
    for body in raw["bodies"]:
        for field in ("position", "velocity", "com"):
            if body.get(field):
                body[field] = [*body[field], 0.0][:3]
        for point in body.get("points", []):
            point["position"] = [*point["position"], 0.0][:3]
        if "angle" in body:
            body["orientation"] = {"axis": [0, 0, 1], "angle": body.pop("angle")}
        if body.get("inertia"):
            turning = body["inertia"][0]  # those about x and y play no part
            body["inertia"] = [f"0.6*({turning})", f"0.7*({turning})", turning]
        body.pop("shapes", None)
    for joint in raw["joints"]:
        for side in ("a", "b"):
            anchor = joint.get(side, {})
            for field in ("point", "axis", "reference"):
                if isinstance(anchor.get(field), list):
                    anchor[field] = [*anchor[field], 0.0][:3]
        if joint["kind"] == "prismatic":  # planar ones slide along x unless they say otherwise
            joint["a"].setdefault("axis", [1.0, 0.0, 0.0])
    for name in ("traces", "measures"):
        raw.pop(name, None)
    return loads(json.dumps(raw))


def compare(planar: Trajectory, spatial: Trajectory) -> None:
    """Positions and velocities in m and m/s; angular velocities, up to 21 rad/s, over their largest value."""
    for body in planar.mechanism.bodies:
        for what in ("com.x", "com.y", "com.vel.x", "com.vel.y"):
            name = f"body.{body}.{what}"
            assert spatial.channel(name) == pytest.approx(planar.channel(name), abs=AGREE), name
        spin = planar.channel(f"body.{body}.omega.z")
        size = max(1.0, float(np.abs(spin).max()))
        assert spatial.channel(f"body.{body}.omega.z") == pytest.approx(spin, abs=AGREE * size)


def test_four_bar_and_the_shipped_spatial_one():
    compare(tight(shipped("four_bar"), 2.0), tight(shipped("spatial_four_bar"), 2.0))


def test_double_pendulum_built_both_ways():
    scene = shipped("double_pendulum")
    compare(tight(scene, 2.0), tight(in_space(scene), 2.0))


def test_slider_crank_away_from_singular_poses():
    # from 45 degrees with 2.83 rad/s: both bars are upright after about 0.33 s
    scene = shipped("slider_crank")
    compare(tight(scene, 0.25), tight(in_space(scene), 0.25))
