"""One general example, or more, of every kind of joint, force and motion.

General means: no zeros, no unit axes, no identity rotations, or a dropped term goes unseen. Anchors are
filled in by `cases.py`; an example gives the kind's own fields, and what it needs beside itself. A new kind
needs one line here and then goes through every contract test.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Example:
    """Fields of an element; `spatial` or `planar` None: not made in that space."""

    spatial: Mapping[str, Any] | None = field(default_factory=dict)
    planar: Mapping[str, Any] | None = None
    support: tuple[str, ...] = ()  # kinds of the joints H0, H1, … it acts on: body one to two, two to three
    grounded: bool = False  # frame A only on the world
    absolute: bool = False  # refers to the axes of the world: turning the scene changes it
    symmetric: bool = False  # exchanging A and B changes nothing
    # acts where frame B of its joint is, or its wheel: exchanging the joint's bodies moves it
    at_anchor: bool = False


def both(**fields: Any) -> dict[str, Mapping[str, Any]]:
    """The same fields in space and in the plane."""
    return {"spatial": fields, "planar": fields}


def terms(*items: tuple[str, str, float]) -> list[dict[str, Any]]:
    return [{"joint": joint, "coordinate": name, "factor": factor} for joint, name, factor in items]


BODIES: dict[str, dict[str, Any]] = {
    "one": {
        "position": [0.31, -0.22, 0.17],
        "orientation": {"axis": [0.3, -0.7, 0.5], "angle": 0.8},
        "velocity": [0.4, -0.3, 0.7],
        "angular_velocity": [0.9, 0.5, -0.6],
        "mass": 1.7,
        "com": [0.06, -0.04, 0.09],
        "inertia": [0.21, 0.27, 0.33, 0.02, -0.03, 0.04],
        "shapes": [{"kind": "sphere", "radius": 3.1, "position": [0.12, -0.07, 0.04]}],
    },
    "two": {
        "position": [1.72, 1.03, -0.71],
        "orientation": {"axis": [-0.6, 0.2, 0.9], "angle": 1.3},
        "velocity": [-0.5, 0.2, 0.3],
        "angular_velocity": [-0.4, 0.8, 0.7],
        "mass": 2.3,
        "com": [-0.05, 0.08, 0.03],
        "inertia": [0.38, 0.29, 0.24, -0.04, 0.02, 0.03],
        "shapes": [{"kind": "sphere", "radius": 4.2, "position": [-0.08, 0.11, 0.05]}],
    },
    "three": {
        "position": [-0.73, 1.24, 0.86],
        "orientation": {"axis": [0.8, 0.5, -0.4], "angle": -1.1},
        "velocity": [0.6, 0.5, -0.2],
        "angular_velocity": [0.3, -0.7, 0.4],
        "mass": 1.2,
        "com": [0.07, 0.02, -0.06],
        "inertia": [0.17, 0.23, 0.19, 0.03, 0.01, -0.02],
    },
}
PLANAR_BODIES: dict[str, dict[str, Any]] = {
    name: {
        "position": body["position"][:2],
        "angle": body["orientation"]["angle"],
        "velocity": body["velocity"][:2],
        "angular_velocity": [0.0, 0.0, body["angular_velocity"][2]],
        "mass": body["mass"],
        "com": body["com"][:2],
        "inertia": [body["inertia"][2]],
        "shapes": [{**shape, "position": [*shape["position"][:2], 0.0]} for shape in body.get("shapes", [])],
    }
    for name, body in BODIES.items()
}
GRAVITY = {"spatial": [1.3, -2.1, -8.9], "planar": [1.7, -9.2]}

# points of the anchors; B leaves its axes out, so that the frames are aligned at the given pose
POINT_A, POINT_B = [0.21, -0.13, 0.32], [-0.34, 0.26, 0.19]
AXIS, REFERENCE = [0.4, -0.5, 0.8], [0.7, 0.6, -0.2]
PLANAR_AXIS, PLANAR_REFERENCE = [0.7, -0.4], [0.6, 0.7]

TABLE = [[-1.0, 0.3], [0.2, -0.4], [0.9, 0.5], [1.6, 0.2], [3.0, -0.3]]  # t, value
WAVE = "0.4*sin(1.3*t) + 0.2*t*t - 0.1"

JOINTS: dict[str, tuple[Example, ...]] = {
    "belt": tuple(
        Example(
            **both(joint_a="H0", joint_b="H1", radius_a=0.17, radius_b=0.29, crossed=crossed),
            support=("revolute", "revolute"),
        )
        for crossed in (False, True)
    ),
    "constant_velocity": (Example(symmetric=True),),
    "coupler": (
        Example(
            **both(terms=terms(("H0", "angle", 0.7), ("H1", "displacement", -1.3)), value=WAVE),
            support=("revolute", "prismatic"),
        ),
        Example(
            {"terms": terms(("H0", "angle", 0.7), ("H0", "displacement", 1.9), ("H1", "displacement", -1.3))},
            support=("cylindrical", "screw"),
        ),
    ),
    "cylindrical": (Example(symmetric=True),),
    "distance": (
        Example(**both(length=0.83), symmetric=True),
        Example(**both(), symmetric=True),
    ),
    "fixed": (Example(**both(), symmetric=True),),
    "gear": tuple(
        Example(
            **both(joint_a="H0", joint_b="H1", ratio=1.7, internal=internal), support=("revolute", "revolute")
        )
        for internal in (False, True)
    ),
    "knife_edge": (Example({"b": {"axis": [0.6, -0.3, 0.5]}}, {"b": {"axis": [0.6, -0.3]}}, grounded=True),),
    "lock": (
        Example(
            {"coordinates": ["z", "x"], "values": [0.3, -0.2]},
            {"coordinates": ["y"], "values": [0.3]},
            absolute=True,
        ),
        Example({"coordinates": ["x", "y", "z"]}, {"coordinates": ["x", "y"]}, absolute=True),
        Example({"coordinates": ["x"]}, {"coordinates": ["angle", "x"], "angle": 0.4}, absolute=True),
        Example(None, {"coordinates": ["angle"], "angle": 0.4}, absolute=True),
    ),
    "planar": (Example(symmetric=True),),
    "point_on_line": (Example(**both()),),
    "point_on_plane": (Example(),),
    "prismatic": (Example(**both(), symmetric=True),),
    "rack_pinion": (
        Example(**both(pinion="H0", rack="H1", radius=-0.23), support=("revolute", "prismatic")),
    ),
    "revolute": (Example(**both(), symmetric=True),),
    "revolute_revolute": (Example(**both(length=0.91), symmetric=True),),
    "revolute_spherical": (Example(**both(length=0.91)),),
    "roller": (Example(**both(radius=0.37)),),
    "road_wheel": (
        Example(**both(radius="0.37 + 0.03*cos(2*x) + 0.01*sin(x)", road="0.06*sin(0.9*x) + 0.02*x")),
    ),
    "rolling": (Example({"radius": 0.37, "b": {"axis": [0.9, 0.2, 0.3]}}, {"radius": 0.37}),),
    "screw": (Example({"pitch": 0.31}, symmetric=True),),
    "spherical": (Example(**both(), symmetric=True),),
    "universal": (Example({"b": {"axis": [0.5, 0.8, -0.3]}}, symmetric=True),),
}

# a law and a smoothing speed that let tangents be compared with differences
PRESSED: dict[str, Any] = {
    "law": "hunt_crossley",
    "stiffness": 2.3,
    "exponent": 1.4,
    "impact_speed": 31.0,
    "smoothing_speed": 9.0,
}

ROUND = {"shape_a": "capsule", "shape_b": "sphere"}
BENT_SLOT = {"shape_a": "slot", "shape_b": "point", "radius_a": 0.1, "length_a": 3.1, "bend_a": 2.7}
BENT_BAR = {
    "shape_a": "arc",
    "shape_b": "sphere",
    "radius_a": 1.9,
    "radius_b": 6.2,
    "length_a": 40.0,
    "bend_a": -9.3,
}

# friction along several directions, whose tangents can be compared with differences
RUBBED = {"joint": "H0", "kinetic": 0.7, "static": 1.1, "stribeck_speed": 3.8, "viscous": 0.3}
SMOOTHED = {"model": "regularised", "smoothing_speed": 2.3}
BRISTLES = {"model": "lugre", "bristle_stiffness": 40.0, "bristle_damping": 0.9}

FORCES: dict[str, tuple[Example, ...]] = {
    "bushing": (
        Example(
            **both(
                stiffness=[31.0, 47.0, 23.0],
                damping=[1.3, 0.7, 1.9],
                rotational_stiffness=[5.1, 3.7, 6.3],
                rotational_damping=[0.4, 0.6, 0.3],
            )
        ),
    ),
    "force": (
        Example(
            {"body": "two", "point": POINT_B, "components": [WAVE, 2.1, "-1.4*t"]},
            {"body": "two", "point": POINT_B[:2], "components": [WAVE, 2.1]},
            absolute=True,
        ),
        Example(
            {"body": "two", "point": POINT_B, "frame": "body", "components": [1.7, WAVE, "-1.4*t"]},
            {"body": "two", "point": POINT_B[:2], "frame": "body", "components": [1.7, WAVE]},
        ),
        Example(
            {"body": "two", "components": [1.7, WAVE, -0.8], "application": ["0.3*t", 0.4, WAVE]},
            {"body": "two", "components": [1.7, WAVE], "application": ["0.3*t", 0.4]},
            absolute=True,
        ),
        Example(
            {
                "body": "two",
                "frame": "body",
                "components": [1.7, WAVE, -0.8],
                "application": [0.6, WAVE, "0.3*t"],
            },
            {"body": "two", "frame": "body", "components": [1.7, WAVE, 0.0], "application": [0.6, WAVE, 0.0]},
            absolute=True,
        ),
    ),
    "friction": (
        *(
            Example(
                {"coordinate": slip, **RUBBED, **model},
                None if slip == "slide" else {"coordinate": slip, **RUBBED, **model},
                support=(kind,),
                at_anchor=kind != "spherical",
            )
            for kind, slip in (("planar", "slide"), ("spherical", "swivel"), ("rolling", "slip"))
            for model in (SMOOTHED, BRISTLES)
        ),
        Example(
            **both(
                joint="H0",
                model="lugre",
                kinetic=0.7,
                static=1.1,
                stribeck_speed=0.8,
                viscous=0.3,
                bristle_stiffness=40.0,
                bristle_damping=0.9,
            ),
            support=("revolute",),
        ),
        Example(
            **both(joint="H0", kinetic=0.7, static=1.1, stribeck_speed=0.8, viscous=0.3, smoothing_speed=0.5),
            support=("revolute",),
        ),
        Example(
            **both(
                joint="H0",
                coordinate="displacement",
                coefficient=0.2,
                static_coefficient=0.3,
                preload=17.0,
                stribeck_speed=0.4,
                smoothing_speed=0.7,
            ),
            support=("prismatic",),
        ),
        Example(
            **both(joint="H0", kinetic=0.7, static=1.1, stribeck_speed=0.8, viscous=0.3, model="held"),
            support=("revolute",),
        ),
    ),
    "mesh_loss": (
        # without loss: what it does depends on multipliers, which differences of forces do not vary
        Example({"joint": "H0", "efficiency": 1.0}, support=("screw",)),
    ),
    "motor": (
        Example(
            **both(
                joint="H0",
                effort="0.7*sin(2*x) - 0.4*v*v + t",
                speed="1.3*t",
                gain=0.9,
            ),
            support=("revolute",),
        ),
        Example(
            **both(
                joint="H0", coordinate="displacement", effort="3 + 0.2*x*v", speed=WAVE, gain=0.2, limit=0.05
            ),
            support=("prismatic",),
        ),
    ),
    "linear_actuator": (
        Example(**both(force="3 + 0.2*x*v - t", limit=60.0)),
        Example(**both(speed=WAVE, gain=4.0, limit=50.0, stops=900.0, closed_length=0.2, stroke=0.15)),
    ),
    "contact": (
        Example(**both(**PRESSED, shape_a="plane", shape_b="sphere", radius_b=9.0)),
        Example(
            **both(**PRESSED, shape_a="sphere", shape_b="sphere", radius_a=3.1, radius_b=6.2, friction=0.4)
        ),
        Example(**both(**PRESSED, shape_a="bore", shape_b="point", radius_a=0.1, friction=0.3)),
        Example(None, {**PRESSED, **BENT_SLOT, "friction": 0.3}),
        Example(None, {**PRESSED, **BENT_BAR, "friction": 0.3}),
        Example({**PRESSED, **ROUND, "length_a": 40.0, "radius_a": 7.3, "friction": 0.2}),
        Example(**both(shape_a="plane", shape_b="sphere", law="rigid", restitution=0.3, friction=0.2)),
    ),
    "contact_group": (
        Example(**both(**PRESSED, friction=0.4)),
        Example(**both(law="rigid", restitution=0.3, friction=0.2)),
    ),
    "rope": (
        Example(**both(law="kelvin_voigt", longest=0.2, stiffness=37.0, damping=0.4), symmetric=True),
        Example(**both(law="hertz", shortest=9.0, stiffness=3.1, exponent=1.7), symmetric=True),
    ),
    "rotational_spring": (
        Example(
            **both(
                joint="H0", stiffness=7.3, damping=0.6, free_angle=0.4, preload=0.9, torque="0.5*x*v - t*x"
            ),
            support=("revolute",),
        ),
    ),
    "spring": (
        Example(**both(stiffness=37.0, damping=1.9, free_length=0.6, preload=2.7, force="0.8*x*x*v + t")),
        Example(**both(stiffness=21.0, damping=0.4)),
    ),
    "stop": (
        Example(
            **both(
                joint="H0", lower=4.0, upper=7.0, law="lankarani_nikravesh", stiffness=2.3, impact_speed=31.0
            ),
            support=("revolute",),
        ),
        Example(
            **both(
                joint="H0",
                coordinate="displacement",
                upper=-9.0,
                law="flores",
                stiffness=0.31,
                restitution=0.6,
                impact_speed=41.0,
            ),
            support=("prismatic",),
        ),
        Example(**both(joint="H0", lower=4.0, law="rigid", restitution=0.3), support=("revolute",)),
        Example(
            **both(
                joint="H0",
                upper=-9.0,
                stiffness=3.1,
                damping=0.7,
                against=[{"joint": "H0", "coordinate": "angle", "factor": 0.4}],
            ),
            support=("revolute",),
        ),
    ),
    "torque": (
        Example(**both(body="two", components=[WAVE, 1.1, "0.7 - t"]), absolute=True),
        Example(**both(body="two", frame="body", components=[WAVE, 1.1, "0.7 - t"])),
    ),
}

MOTIONS: dict[str, tuple[Example, ...]] = {
    "body_motion": (
        Example(
            {"body": "two", "point": POINT_B, "coordinate": "z", "function": WAVE},
            {"body": "two", "point": POINT_B[:2], "coordinate": "y", "function": WAVE},
            absolute=True,
        ),
        Example(
            {"body": "two", "point": POINT_B, "coordinate": "x", "level": "velocity", "function": WAVE},
            {"body": "two", "coordinate": "angle", "level": "velocity", "function": WAVE},
            absolute=True,
        ),
        Example(None, {"body": "two", "coordinate": "angle", "function": WAVE}, absolute=True),
    ),
    "joint_motion": (
        Example(**both(joint="H0", function=WAVE), support=("revolute",)),
        Example(**both(joint="H0", level="velocity", function=WAVE), support=("revolute",)),
        Example(
            **both(
                joint="H0", coordinate="displacement", function={"points": TABLE, "interpolation": "cubic"}
            ),
            support=("prismatic",),
        ),
        Example(
            {"joint": "H0", "coordinate": "displacement", "level": "velocity", "function": WAVE},
            support=("cylindrical",),
        ),
    ),
    "linear_motion": (
        Example(**both(function=f"1.7 + {WAVE}")),
        Example(**both(level="velocity", function=WAVE)),
    ),
}
