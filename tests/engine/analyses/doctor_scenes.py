"""Mechanisms whose redundancy is known by hand."""

import math
from typing import Any

from engine.model.scene import Scene
from tests.engine.system.mechanisms import bar, hinge, scene, solid

LENGTH = 0.3  # m, of the cranks


def door(hinges: int = 3) -> Scene:
    """A door on hinges one above the other, not in the axes of the world.

    One body has 6 degrees of freedom and turns about the hinges' line: rank 5 of 5 rows per hinge.
    """
    tilt = math.radians(20.0)
    up = [0.0, -math.sin(tilt), math.cos(tilt)]
    turned = {"orientation": {"axis": [1, 0, 0], "angle": tilt}}
    joints = [
        {
            "name": f"H{k + 1}",
            "kind": "revolute",
            "a": {"body": "world", "point": [0.7 * k * x for x in up], "axis": up},
            "b": {"body": "door", "point": [0, 0, 0.7 * k], "axis": [0, 0, 1]},
        }
        for k in range(hinges)
    ]
    return scene("spatial", [solid("door", [0, 0, 0], com=[0.4, 0, 0.7], **turned)], joints)


def parallelogram(angle: float = 0.9, foot: float = 0.8, **more: Any) -> Scene:
    """Five bars: the ground, a coupler and three parallel cranks; `foot` is where the third one stands.

    Planar: 4 bodies, 12 velocities; 6 pins, 12 rows. All cranks parallel and alike: 1 degree of freedom, so
    rank 11 and one row too many. With its foot elsewhere the third crank has another length and direction:
    no degree of freedom.
    """
    c, s = LENGTH * math.cos(angle), LENGTH * math.sin(angle)
    tip = (0.8 + c, s)
    length = math.hypot(tip[0] - foot, tip[1])
    bars = [
        bar("left", (0.0, 0.0), angle),
        bar("right", (0.4, 0.0), angle),
        bar("third", (foot, 0.0), math.atan2(tip[1], tip[0] - foot)),
        bar("coupler", (c, s), 0.0),
    ]
    joints = [
        hinge("A", "world", [0, 0], "left", [0, 0]),
        hinge("B", "world", [0.4, 0], "right", [0, 0]),
        hinge("C", "world", [foot, 0], "third", [0, 0]),
        hinge("D", "left", [LENGTH, 0], "coupler", [0, 0]),
        hinge("E", "right", [LENGTH, 0], "coupler", [0.4, 0]),
        hinge("F", "third", [length, 0], "coupler", [0.8, 0]),
    ]
    return scene("planar", bars, joints, **more)
