"""A planar scene and its spatial twin are one mechanism: they agree to 1e-9 over 2 s, adaptive at 1e-12."""

import json

import numpy as np
import pytest

from engine import Scene, Trajectory, dumps, loads, set_value
from tests.verification.runs import shipped, tight

AGREE = 1e-9


def in_space(scene: Scene) -> Scene:
    """The spatial twin of a planar scene of bars and hinges: vectors get a third number, turns an axis."""
    raw = json.loads(dumps(scene))
    raw["space"], raw["gravity"] = "spatial", [*scene.gravity, 0.0][:3]
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
