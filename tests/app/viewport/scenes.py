"""Scenes and measurements that several tests use."""

import numpy as np
from numpy.typing import NDArray

from app.platform.resources import scene_paths
from engine import Scene, load_scene

RED = "#FF0000"


def shipped(name: str) -> Scene:
    return load_scene(scene_paths()[name])


def crank_with_a_red_tip(angle: float = 0.0) -> Scene:
    """A planar crank of 0.5 m whose tip carries a red ball; nothing else is red."""
    return (
        Scene(space="planar")
        .with_body(
            "crank",
            color="#2060A0",
            mass=1.0,
            inertia=[0.1],
            angle=angle,
            points=[{"name": "tip", "position": [0.5, 0.0]}],
            shapes=[
                {"kind": "rod", "start": [0, 0], "end": [0.5, 0], "radius": 0.02},
                {"kind": "sphere", "position": [0.5, 0.0], "radius": 0.05, "color": RED},
            ],
        )
        .with_joint(
            "revolute", "A", a={"body": "world", "point": [0, 0]}, b={"body": "crank", "point": [0, 0]}
        )
    )


def chain(count: int) -> Scene:
    """So many bodies in a row, each hinged to the one before."""
    scene = Scene(space="spatial")
    for i in range(count):
        scene = scene.with_body(
            f"b{i}",
            color="#2060A0",
            mass=1.0,
            inertia=[0.1, 0.1, 0.1],
            position=[0.2 * i, 0.0, 0.05 * (i % 2)],
            shapes=[{"kind": "rod", "start": [0, 0, 0], "end": [0.2, 0, 0], "radius": 0.02}],
        )
        before = {"body": f"b{i - 1}", "point": [0.2, 0, 0]} if i else {"body": "world", "point": [0, 0, 0]}
        scene = scene.with_joint(
            "revolute", f"j{i}", a={**before, "axis": [0, 1, 0]}, b={"body": f"b{i}", "point": [0, 0, 0]}
        )
    return scene


def red_blob(picture: NDArray[np.uint8]) -> tuple[float, float]:
    """Centroid (x, y) of the pixels that are clearly red."""
    r, g, b = (picture[..., i].astype(int) for i in range(3))
    rows, columns = np.nonzero(r > np.maximum(g, b) + 30)
    assert len(rows) > 20
    return float(columns.mean()) + 0.5, float(rows.mean()) + 0.5


def turned(angle: float) -> NDArray[np.float64]:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
