"""Mechanisms with known answers, small enough for hundreds of runs."""

import math

from engine.model.files.scene_file import load_scene
from engine.model.scene import Scene
from tests.paths import ROOT

START = 0.5  # rad, of the crank


def offset_slider_crank() -> Scene:
    """Of the page on studies: a crank r, a rod l, a guide h above the crank's axle; a turn a second."""
    return load_scene(ROOT / "docs" / "studies" / "offset_slider_crank.json")


def stroke(r: float, rod: float, h: float) -> float:
    """At both ends crank and rod stand in line."""
    return math.sqrt((rod + r) ** 2 - h * h) - math.sqrt((rod - r) ** 2 - h * h)


def near_end(r: float, rod: float, h: float) -> float:
    """When the slider turns back near the axle: the crank points away from it, along the rod [s]."""
    return (math.pi + math.asin(h / (rod - r)) - START) / (2.0 * math.pi)


def pendulum() -> Scene:
    """A point mass on a massless bar of length L, let go at the angle `swing` from hanging down."""
    return (
        Scene(space="planar")
        .with_parameter("L", 1.0)
        .with_parameter("swing", 1.0)
        .with_body("bob", mass=1.0, inertia=[0.0], com=["L", 0], angle="swing - pi/2")
        .with_joint("revolute", "pin", a={"body": "world"}, b={"body": "bob"})
        .with_simulation(duration=0.8, dt=0.002)
    )
