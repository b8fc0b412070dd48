"""Gough's and Stewart's platform on six legs."""

from __future__ import annotations

import math

import numpy as np

from engine.maths.rotations import Array, about_axis
from engine.model.scene import Scene
from engine.templates.base import Fact, Made, Template, Unreachable, Values, angle, length, pace
from engine.templates.look import BLUE, DARK, DENSITY, GREY, ORANGE, RED, SKY, YELLOW
from engine.templates.shapes import box, disc, rod
from engine.templates.spatial import frame, listed, placed

CYLINDER = 0.75  # of the length of a leg at the start
PISTON = 0.75
PHASES = 17  # of the motion, at which it is tried
ITERATIONS = 12
NEWTON_TOLERANCE = 1e-6  # of the platform: a step of Newton's method that is done
WEAKEST = 0.1  # singular value of the legs' directions: below it they hardly hold the platform


def feet(radius: float, half: float, first: float) -> Array:
    """Three pairs of points on a circle, `half` to either side of their middles, shape (6, 2)."""
    middles = first + np.repeat(np.arange(3), 2) * (2.0 * math.pi / 3.0)
    angles = middles + np.tile([-half, half], 3)
    return radius * np.column_stack([np.cos(angles), np.sin(angles)])


def legs(v: Values) -> tuple[Array, Array]:
    """Feet and heads of the legs in the world, shape (6, 3); pairs of feet stand between pairs of heads."""
    low = feet(v["base"], v["base_half"], 0.0)
    high = np.roll(feet(v["top"], v["top_half"], math.pi / 3.0), 1, axis=0)
    return np.column_stack([low, np.zeros(6)]), np.column_stack([high, np.full(6, v["height"])])


def check(v: Values) -> None:
    low, high = legs(v)
    sizes = np.linalg.norm(high - low, axis=1)
    stroke = v["heave"] + 2.0 * v["tilt"]
    if stroke > (CYLINDER + PISTON - 1.0) * float(sizes.min()):
        raise Unreachable("heave and tilt are longer than the stroke of the legs, half their length")
    if not holds(v):
        raise Unreachable(
            "on its way the legs come to a singular configuration, where they do not hold the platform"
        )


def extension(v: Values, phase: Array) -> Array:
    """How far each leg is drawn out at phases of the motion [m], shape (n, 6)."""
    shift = np.repeat(np.arange(3), 2) * (2.0 * math.pi / 3.0)
    wave = v["heave"] + v["tilt"] * np.sin(phase[:, None] + shift)
    return np.asarray(wave * (1.0 - np.cos(phase))[:, None] / 2.0)


def holds(v: Values) -> bool:
    """Whether the platform can follow its legs all the way, by Newton's method from the start.

    Rows of J: direction s of a leg and b × s over the radius, for a shift and a turn of the platform. Its
    smallest singular value says how well the legs hold, and det J keeps its sign.
    """
    low, high = legs(v)
    phase = np.linspace(0.0, 2.0 * math.pi, PHASES)
    wanted = np.linalg.norm(high - low, axis=1) + extension(v, phase)
    arms = high - np.array([0.0, 0.0, v["height"]])
    p = np.tile([0.0, 0.0, v["height"]], (PHASES, 1))
    R = np.tile(np.eye(3), (PHASES, 1, 1))
    for _ in range(ITERATIONS):
        b = arms @ np.swapaxes(R, 1, 2)
        reach = p[:, None] + b - low
        size = np.linalg.norm(reach, axis=2)
        s = reach / size[..., None]
        J = np.concatenate([s, np.cross(b, s) / v["top"]], axis=2)
        if np.linalg.svd(J, compute_uv=False)[:, -1].min() < WEAKEST:
            return False
        step = np.linalg.solve(J, (wanted - size)[..., None])[..., 0]
        p, turn = p + step[:, :3], step[:, 3:] / v["top"]
        R = _turned(turn) @ R
        if np.abs(step).max() < NEWTON_TOLERANCE * v["top"]:
            signs = np.sign(np.linalg.det(J))
            return bool(np.all(signs == signs[0]))
    return False


def _turned(turns: Array) -> Array:
    """Rotation matrices of rotation vectors, shape (n, 3, 3)."""
    angles = np.linalg.norm(turns, axis=1)
    return about_axis(turns / np.maximum(angles, 1e-300)[:, None], angles)


def build(v: Values) -> Made:
    low, high = legs(v)
    radius = v["base"] / 25.0
    height = np.array([0.0, 0.0, v["height"]])
    scene = Scene().with_body(
        "platform",
        color=BLUE,
        position=listed(height),
        points=[
            {"name": "centre", "position": [0.0, 0.0, 0.0]},
            *({"name": f"head {i}", "position": listed(p - height)} for i, p in enumerate(high, start=1)),
        ],
        shapes=[
            disc(v["top"], radius, position=[0.0, 0.0, radius], opacity=0.8, density=DENSITY),
            box([v["top"] / 2.0, radius, radius / 2.0], [v["top"] / 4.0, 0.0, 1.8 * radius], YELLOW),
        ],
    )
    for i, (p_foot, p_head) in enumerate(zip(low, high, strict=True), start=1):
        scene = _with_leg(scene, v, i, p_foot, p_head, radius)
    scene = scene.with_body(
        "base",
        color=DARK,
        fixed=True,
        shapes=[disc(1.1 * v["base"], radius, position=[0.0, 0.0, -1.5 * radius])],
    )
    scene = scene.with_trace("path of the centre", body="platform", point="centre", color=RED)
    sizes = np.linalg.norm(high - low, axis=1)
    facts = (
        Fact("Length of the legs at the start", float(sizes[0]), "m"),
        Fact("Stroke that the legs have", (CYLINDER + PISTON - 1.0) * float(sizes[0]), "m"),
        Fact("Degrees of freedom of the platform", "6, one for each leg"),
    )
    wide = 1.1 * max(v["base"], v["top"])
    high_up = v["height"] + v["heave"] + v["tilt"]
    return Made(scene, 6, facts, ([-wide, -wide, -2.0 * radius], [wide, wide, high_up]))


def _with_leg(scene: Scene, v: Values, i: int, p_foot: Array, p_head: Array, radius: float) -> Scene:
    """A cylinder on a universal joint, a piston in it and a ball at the head."""
    size = float(np.linalg.norm(p_head - p_foot))
    # z along the leg, x horizontal: the arm of the cross that is fixed to the base
    R = frame(p_head - p_foot, np.cross([0.0, 0.0, 1.0], p_head - p_foot))
    cylinder, piston = CYLINDER * size, PISTON * size
    scene = scene.with_body(
        f"cylinder {i}",
        color=GREY,
        **placed((p_foot, R)),
        points=[
            {"name": "foot", "position": [0.0, 0.0, 0.0]},
            {"name": "head", "position": [0.0, 0.0, size]},
        ],
        shapes=[rod([0.0, 0.0, 0.0], [0.0, 0.0, cylinder], radius, density=DENSITY)],
    )
    scene = scene.with_body(
        f"piston {i}",
        color=(ORANGE, SKY)[i % 2],
        **placed((p_head, R)),
        points=[{"name": "head", "position": [0.0, 0.0, 0.0]}],
        shapes=[rod([0.0, 0.0, -piston], [0.0, 0.0, 0.0], 0.55 * radius, density=DENSITY)],
    )
    scene = scene.with_joint(
        "universal",
        f"foot {i}",
        a={"body": "world", "point": listed(p_foot), "axis": listed(R[:, 0])},
        b={"body": f"cylinder {i}", "point": "foot", "axis": [0.0, 1.0, 0.0]},
    )
    scene = scene.with_joint(
        "prismatic",
        f"leg {i}",
        a={"body": f"cylinder {i}", "point": "head", "axis": [0.0, 0.0, 1.0]},
        b={"body": f"piston {i}", "point": "head"},
    )
    scene = scene.with_joint(
        "spherical",
        f"head {i}",
        a={"body": f"piston {i}", "point": "head"},
        b={"body": "platform", "point": f"head {i}"},
    )
    w, phase = v["pace"], (i - 1) // 2 * 2.0 * math.pi / 3.0
    function = f"({v['heave']!r} + {v['tilt']!r}*sin({w!r}*t + {phase!r}))*(1 - cos({w!r}*t))/2"
    return scene.with_motion(
        "joint_motion",
        f"drive {i}",
        joint=f"leg {i}",
        coordinate="displacement",
        level="position",
        function=function,
    )


TEMPLATE = Template(
    name="stewart_platform",
    title="Stewart platform",
    group="Spatial",
    summary="Six driven legs carry a platform with all six degrees of freedom; here they heave and tilt it.",
    source="V. E. Gough [Gough 1956]; D. Stewart [Stewart 1965].",
    parameters=(
        length("base", "Radius of the base", 1.0, "on which the feet stand", 0.05, 10.0),
        length("top", "Radius of the platform", 0.6, "on which the heads lie", 0.05, 10.0),
        length("height", "Height", 1.1, "of the platform at the start", 0.05, 10.0),
        angle("base_half", "Feet apart", math.radians(10), 0.0, math.radians(55), "half the angle of a pair"),
        angle("top_half", "Heads apart", math.radians(10), 0.0, math.radians(55), "half the angle of a pair"),
        length("heave", "Heave", 0.16, "common stroke of the legs", 0.0, 5.0),
        length("tilt", "Tilt", 0.1, "stroke that differs between the legs", 0.0, 2.0),
        pace(1.5),
    ),
    build=build,
    check=check,
    picture_time=2.0,
)
