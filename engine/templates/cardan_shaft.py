"""A shaft with one or two universal joints."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.maths.rotations import Array
from engine.model.scene import Scene
from engine.templates.base import Fact, Made, Parameter, Template, Values, angle, length, speed
from engine.templates.look import BLUE, DARK, DENSITY, GREEN, GREY, ORANGE, RED
from engine.templates.shapes import box, rod
from engine.templates.spatial import Pose, listed, moving, rotation


def driven_angle(theta: float, bend: float) -> float:
    """Angle of the shaft behind a joint, without jumps; at zero the input's fork lies in the bend's plane.

    tan φ = tan θ / cos β, so that φ'/θ' = cos β/(1 - sin²β cos²θ)
    """
    turns = round(theta / math.pi) * math.pi
    return math.atan(math.tan(theta - turns) / math.cos(bend)) + turns


def poses(v: Values, theta: float) -> list[Pose]:
    """Each shaft has x along its axis and begins at a joint, or at the first bearing."""
    R1 = rotation("x", theta)
    bent = rotation("y", v["bend"])
    second = driven_angle(theta, v["bend"])
    found: list[Pose] = [(np.array([-v["shaft"], 0.0, 0.0]), R1), (np.zeros(3), bent @ rotation("x", second))]
    if v["joints"]:
        end = bent @ np.array([v["middle"], 0.0, 0.0])
        found.append((end, R1))  # the forks of the middle shaft are in line: evenly again
    return found


def build(v: Values) -> Made:
    two = bool(v["joints"])
    reach, radius = v["shaft"], v["shaft"] / 18.0
    fields = moving(lambda theta: poses(v, theta), v["start"], v["speed"])
    names = ["input", "middle", "output"] if two else ["input", "output"]
    lengths = [reach, v["middle"], reach] if two else [reach, reach]
    scene = Scene()
    for i, (name, size, color) in enumerate(zip(names, lengths, (BLUE, ORANGE, GREEN), strict=False)):
        forks = [(size, -1.0, 2)] if i == 0 else [(0.0, 1.0, 1 if i == 1 else 2)]
        if two and i == 1:
            forks.append((size, -1.0, 1))
        scene = scene.with_body(
            name,
            color=color,
            **fields[i],
            points=[
                {"name": "begin", "position": [0.0, 0.0, 0.0]},
                {"name": "end", "position": [size, 0.0, 0.0]},
                {"name": "mark", "position": [size / 2.0, 0.0, 2.5 * radius]},
            ],
            shapes=_shaft(size, radius, forks),
        )
    bent = rotation("y", v["bend"])
    axis = [1.0, 0.0, 0.0]
    scene = scene.with_joint(
        "revolute",
        "input bearing",
        a={"body": "world", "point": [-reach, 0.0, 0.0], "axis": axis},
        b={"body": "input", "point": "begin"},
    )
    cross = [{"axis": [0.0, 0.0, 1.0]}, {"axis": [0.0, 1.0, 0.0]}]
    scene = scene.with_joint(
        "universal",
        "first joint",
        a={"body": "input", "point": "end", **cross[0]},
        b={"body": names[1], "point": "begin", **cross[1]},
    )
    if two:
        scene = scene.with_joint(
            "universal",
            "second joint",
            a={"body": "output", "point": "begin", **cross[0]},
            b={"body": "middle", "point": "end", **cross[1]},
        )
        end: Array = bent @ np.array([v["middle"], 0.0, 0.0]) + np.array([reach, 0.0, 0.0])
        scene = scene.with_joint(
            "cylindrical",
            "output bearing",
            a={"body": "world", "point": listed(end), "axis": axis},
            b={"body": "output", "point": "end"},
        )
    else:
        out = bent @ np.array([1.0, 0.0, 0.0])
        scene = scene.with_joint(
            "point_on_line",
            "output bearing",
            a={"body": "world", "point": listed(reach * out), "axis": listed(out)},
            b={"body": "output", "point": "end"},
        )
    if v["speed"]:
        scene = scene.with_motion(
            "joint_motion", "drive", joint="input bearing", level="velocity", function=v["speed"]
        )
    scene = scene.with_trace("path of the mark", body=names[1], point="mark", color=RED)
    last = poses(v, v["start"])[-1]
    end = last[0] + (np.array([reach, 0.0, 0.0]) if two else reach * bent[:, 0])
    box = ([-reach, -3.0 * radius, float(end[2]) - 3.0 * radius], [float(end[0]), 3.0 * radius, 3.0 * radius])
    return Made(scene, 1, _facts(v, two), box)


def _facts(v: Values, two: bool) -> tuple[Fact, ...]:
    shaft = "Middle shaft" if two else "Output"
    slow, quick = math.cos(v["bend"]), 1.0 / math.cos(v["bend"])
    found = [Fact(f"{shaft}: slowest to input", slow), Fact(f"{shaft}: fastest to input", quick)]
    if two:
        found.append(Fact("Output", "runs evenly, as the input"))
        found.append(Fact("Parallel offset of the shafts", v["middle"] * math.sin(v["bend"]), "m"))
    return tuple(found)


def _shaft(size: float, radius: float, forks: list[tuple[float, float, int]]) -> list[dict[str, Any]]:
    """A round bar with a flag that shows the turning, and at each joint a fork with its arm of the cross."""
    out = 2.0 * radius
    begin = out if any(at == 0.0 for at, _, _ in forks) else 0.0
    end = size - (out if any(at == size for at, _, _ in forks) else 0.0)
    shapes: list[dict[str, Any]] = [
        rod([begin, 0.0, 0.0], [end, 0.0, 0.0], radius, density=DENSITY),
        box([4.0 * radius, 0.4 * radius, 2.0 * radius], [size / 2.0, 0.0, 1.5 * radius], DARK),
    ]
    for at, inward, axis in forks:
        tips = [[at, 0.0, 0.0], [at, 0.0, 0.0]]
        tips[0][axis], tips[1][axis] = -out, out
        shapes += [rod([at + inward * out, 0.0, 0.0], tip, 0.35 * radius) for tip in tips]
        shapes.append(rod(tips[0], tips[1], 0.25 * radius, color=GREY))
    return shapes


TEMPLATE = Template(
    name="cardan_shaft",
    title="Cardan shaft",
    group="Drives",
    summary="Universal joints carry a turning shaft around a bend: unevenly with one, evenly with two.",
    source="Hooke's joint: speed ratio cos β/(1 - sin²β cos²θ).",
    parameters=(
        length("shaft", "Input and output shaft", 0.5, "length of each", 0.05, 5.0),
        length("middle", "Middle shaft", 0.6, "between two joints", 0.05, 5.0),
        angle("bend", "Bend", math.radians(35), 0.0, math.radians(75), "at each joint"),
        Parameter(
            name="joints",
            title="Joints",
            default=1,
            low=0,
            high=1,
            whole=True,
            choices=("one", "two"),
            help="with two, the forks of the middle shaft are in line",
        ),
        angle("start", "Angle of the input", 0.0, -6.3, 6.3, "at the start"),
        speed(6.0, "Speed of the input"),
    ),
    build=build,
    picture_time=0.4,
)
