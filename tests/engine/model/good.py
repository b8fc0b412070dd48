"""Sound scenes that tests start from."""

from copy import deepcopy
from typing import Any

PLANAR: dict[str, Any] = {
    "format": "trammel-scene",
    "version": 1,
    "title": "Slider crank",
    "space": "planar",
    "parameters": [
        {"name": "L", "value": 0.4, "unit": "m", "min": 0.1, "max": 1.0},
        {"name": "half", "value": "L/2"},
    ],
    "bodies": [
        {
            "name": "crank",
            "position": ["half", 0],
            "mass": 1.5,
            "inertia": ["1.5*L^2/12"],
            "points": [{"name": "tip", "position": ["half", 0]}],
            "shapes": [{"kind": "rod", "start": ["-half", 0], "end": ["half", 0], "radius": 0.01}],
        },
        {"name": "rod", "position": [0.8, 0], "mass": 1, "inertia": [0.02]},
        {
            "name": "slider",
            "position": [1.2, 0],
            "shapes": [{"kind": "box", "size": [0.1, 0.1, 0.1], "density": 900}],
        },
    ],
    "joints": [
        {"name": "J1", "kind": "revolute", "a": {"body": "world"}, "b": {"body": "crank"}},
        {"name": "J2", "kind": "revolute", "a": {"body": "crank", "point": "tip"}, "b": {"body": "rod"}},
        {"name": "J3", "kind": "revolute", "a": {"body": "rod", "point": [0.4, 0]}, "b": {"body": "slider"}},
        {"name": "J4", "kind": "prismatic", "a": {"body": "world", "axis": [1, 0]}, "b": {"body": "slider"}},
        {"name": "R", "kind": "rack_pinion", "pinion": "J1", "rack": "J4", "radius": 0.1},
    ],
    "forces": [
        {
            "name": "S",
            "kind": "spring",
            "a": {"body": "world"},
            "b": {"body": "slider", "point": [0, 0]},
            "stiffness": 50,
            "force": "-v*x",
        },
        {"name": "F", "kind": "force", "body": "slider", "components": ["sin(t)", 0]},
        {"name": "T", "kind": "motor", "joint": "J1", "effort": "2 - v"},
    ],
    "motions": [
        {"name": "M", "kind": "joint_motion", "joint": "J1", "function": {"points": [[0, 0], [1, 6]]}}
    ],
    "traces": [{"name": "path", "body": "crank", "point": "tip"}],
    "measures": [{"name": "E", "kind": "expression", "expression": "joint.J1.angle/2"}],
    "groups": [{"name": "all", "members": ["bodies.crank", "joints.J1"]}],
    "simulation": {"method": "rk4", "options": {"alpha": 5}, "dt": 0.001, "duration": 2},
}

SPATIAL: dict[str, Any] = {
    "format": "trammel-scene",
    "version": 1,
    "space": "spatial",
    "bodies": [
        {"name": "one", "mass": 2, "inertia": [1, 2, 2.5], "orientation": {"axis": [0, 0, 1], "angle": 0.3}},
        {"name": "two", "position": [1, 2, 3], "mass": 2, "inertia": [1, 2, 2.5, 0.1, 0.2, -0.1]},
    ],
    "joints": [
        {"name": "U", "kind": "universal", "a": {"body": "one"}, "b": {"body": "two", "axis": [0, 1, 0]}},
        {
            "name": "C",
            "kind": "cylindrical",
            "a": {"body": "world", "axis": [0, 0.6, 0.8]},
            "b": {"body": "one"},
        },
    ],
}


def planar() -> dict[str, Any]:
    return deepcopy(PLANAR)


def spatial() -> dict[str, Any]:
    return deepcopy(SPATIAL)
