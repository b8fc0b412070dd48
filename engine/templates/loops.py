"""Scenes of closed loops of hinges: what Bennett's and Bricard's linkages have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from engine.model.scene import Scene
from engine.templates.look import COLORS, DARK, DENSITY, GREY, RED
from engine.templates.shapes import rod
from engine.templates.spatial import Pose, listed, moving, rotation


def loop_scene(
    poses: Callable[[float], Sequence[Pose]],
    start: float,
    rate: float,
    lengths: Sequence[float],
    twists: Sequence[float],
    traced: int,
) -> Scene:
    """Links joined by hinges P1 … Pn; the last link is fixed, the first hinge driven at the rate."""
    n = len(lengths)
    radius = max(lengths) / 28.0
    scene = Scene()
    for i, (fields, reach, twist) in enumerate(
        zip(moving(poses, start, rate), lengths, twists, strict=True), start=1
    ):
        fixed = i == n
        scene = scene.with_body(
            "base" if fixed else f"link {i}",
            color=GREY if fixed else COLORS[(i - 1) % len(COLORS)],
            **fields,
            fixed=fixed,
            points=[
                {"name": f"P{i}", "position": [0.0, 0.0, 0.0]},
                {"name": f"P{i % n + 1}", "position": [reach, 0.0, 0.0]},
            ],
            shapes=[
                rod([0.0, 0.0, 0.0], [reach, 0.0, 0.0], radius, density=DENSITY),
                # a stub of each hinge axis shows the twist of the link
                *(
                    rod(listed(at - out), listed(at + out), 1.5 * radius, color=DARK)
                    for at, out in (
                        (np.zeros(3), np.array([0.0, 0.0, 4.0 * radius])),
                        (np.array([reach, 0.0, 0.0]), rotation("x", twist) @ [0.0, 0.0, 4.0 * radius]),
                    )
                ),
            ],
        )
    for i in range(1, n + 1):
        a, b = ("base" if i == 1 else f"link {i - 1}"), ("base" if i == n else f"link {i}")
        axis = rotation("x", twists[i - 2]) @ [0.0, 0.0, 1.0]
        scene = scene.with_joint(
            "revolute",
            f"P{i}",
            a={"body": a, "point": f"P{i}", "axis": listed(axis)},
            b={"body": b, "point": f"P{i}", "axis": [0.0, 0.0, 1.0]},
        )
    if rate:
        scene = scene.with_motion("joint_motion", "drive", joint="P1", level="velocity", function=rate)
    return scene.with_trace(f"path of P{traced}", body=f"link {traced}", point=f"P{traced}", color=RED)
