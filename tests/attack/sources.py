"""Sound scenes to be damaged: shipped ones, one with each kind, and two that use all that a scene can say."""

import json
from functools import cache
from typing import Any

from engine import Scene, dumps
from engine.elements.contact import CONTACT_LAWS
from tests.contract.cases import CASES
from tests.paths import SCENES

# quick ones of both spaces, with loops, springs, motors, motions, rolling and redundant rows
SHIPPED = (
    "pendulum",
    "four_bar",
    "driven_four_bar",
    "spatial_four_bar",
    "slider_crank",
    "spinning_top",
    "bicycle",
)
FULL = ("four_bar with everything", *(f"bouncing {law}" for law in CONTACT_LAWS.names))
VIEW = {
    "camera": {
        "position": [0.0, 0.0, 3.0],
        "focus": [0.2, 0.0, 0.0],
        "up": [0.0, 1.0, 0.0],
        "parallel": True,
    },
    "box": [-0.5, -0.5, -0.1, 1.0, 1.0, 0.1],
    "follow": "coupler",
    "plots": {
        "plots": [
            {"kind": "time", "title": "Energy", "log": False, "channels": ["energy.total"], "two_axes": True},
            {"kind": "phase", "title": "", "log": False, "channels": ["body.crank.angle", "energy.kinetic"]},
            {"kind": "spectrum", "title": "S", "log": True, "channels": ["energy.kinetic"], "extremes": True},
        ],
        "span": 1.0,
        "share": 0.4,
    },
}
LANES = [
    {"name": "coarse", "method": "euler", "dt": 0.002},
    {"name": "stiff", "method": "generalized_alpha", "options": {"rho": 0.8}},
    {"name": "long", "values": {"parameters.L1": 0.21}},
]


@cache
def sources() -> dict[str, str]:
    """Texts of scenes by name."""
    found = {name: (SCENES / f"{name}.json").read_text(encoding="utf-8") for name in SHIPPED}
    found |= {f"{case.sort} {case.kind} {case.space}": dumps(case.scene(gravity=True)) for case in CASES}
    found[FULL[0]] = _with_everything(found["four_bar"])
    return found | {
        name: dumps(_bouncing(law)) for name, law in zip(FULL[1:], CONTACT_LAWS.names, strict=True)
    }


def _with_everything(text: str) -> str:
    """A linkage with a view, races, measures, groups, options and conditions."""
    scene: dict[str, Any] = json.loads(text)
    scene["view"] = {**scene.get("view", {}), **VIEW}
    scene["races"] = [{"name": "three", "lanes": LANES}]
    scene["measures"] = [
        {"kind": "expression", "name": "power", "expression": "energy.kinetic/2", "unit": "J"}
    ]
    scene["groups"] = [{"name": "moving", "members": ["bodies.crank", "bodies.coupler"]}]
    conditions = {"stop_when": ["t - 0.02"], "sample_every": 2}
    scene["simulation"] = {**scene.get("simulation", {}), **conditions}
    return json.dumps(scene)


def _bouncing(law: str) -> Scene:
    """A block on a slide that meets its stop within a few steps, on a rope, with friction that holds."""
    scene = Scene(space="planar", gravity=(0.0, -9.81)).with_body("block", mass=1.0, inertia=[0.1])
    scene = scene.with_joint(
        "prismatic", "slide", a={"body": "world", "axis": [0.0, 1.0]}, b={"body": "block"}
    )
    fields: dict[str, Any] = {"restitution": 0.5} if law == "rigid" else {"stiffness": 1e4}
    scene = scene.with_force(
        "stop", "floor", joint="slide", coordinate="displacement", lower=-2e-3, law=law, **fields
    )
    ends = {"a": {"body": "world", "point": [1.0, 0.0]}, "b": {"body": "block", "point": [0.0, 0.0]}}
    scene = scene.with_force("rope", "line", longest=1.0005, law=law, **fields, **ends)
    held = {"kinetic": 0.4, "static": 0.6, "model": "held"}
    return scene.with_force("friction", "rub", joint="slide", coordinate="displacement", **held)
