"""Mechanisms with known answers, small enough for hundreds of runs."""

import math

from engine.model.scene import Scene

START = 0.5  # rad, of the crank


def offset_slider_crank() -> Scene:
    """A crank r, a rod l, and a guide h above the crank's axle; one turn in a second."""
    steep = f"asin((h - r*sin({START}))/l)"
    return (
        Scene(space="planar", gravity=(0.0, 0.0))
        .with_parameter("r", 0.05)
        .with_parameter("l", 0.2)
        .with_parameter("h", 0.03)
        .with_body("crank", mass=1.0, com=["r/2", 0], inertia=[1e-3], angle=START)
        .with_body(
            "rod",
            mass=1.0,
            com=["l/2", 0],
            inertia=[1e-3],
            position=[f"r*cos({START})", f"r*sin({START})"],
            angle=steep,
        )
        .with_body("slider", mass=1.0, inertia=[1e-3], position=[f"r*cos({START}) + l*cos({steep})", "h"])
        .with_joint("revolute", "A", a={"body": "world"}, b={"body": "crank"})
        .with_joint("revolute", "B", a={"body": "crank", "point": ["r", 0]}, b={"body": "rod"})
        .with_joint("revolute", "C", a={"body": "rod", "point": ["l", 0]}, b={"body": "slider"})
        .with_joint(
            "prismatic", "guide", a={"body": "world", "point": [0, "h"], "axis": [1, 0]}, b={"body": "slider"}
        )
        .with_motion("joint_motion", "drive", joint="A", function=f"{START} + 2*pi*t")
        .with_simulation(duration=1.0, dt=0.001)
    )


def stroke(r: float, rod: float, h: float) -> float:
    """At both ends crank and rod stand in line."""
    return math.sqrt((rod + r) ** 2 - h * h) - math.sqrt((rod - r) ** 2 - h * h)


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
