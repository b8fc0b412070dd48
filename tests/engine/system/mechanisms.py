"""Small mechanisms that tests build by hand."""

import json
import math
from typing import Any

from engine.model.files.scene_file import load_scene, loads
from engine.model.scene import Scene
from tests.paths import SCENES


def shipped(name: str) -> Scene:
    return load_scene(SCENES / f"{name}.json")


def scene(space: str, bodies: list[dict[str, Any]], joints: list[dict[str, Any]], **more: Any) -> Scene:
    raw = {
        "format": "trammel-scene",
        "version": 1,
        "space": space,
        "bodies": bodies,
        "joints": joints,
        **more,
    }
    return loads(json.dumps(raw))


def bar(name: str, start: tuple[float, float], angle: float, **more: Any) -> dict[str, Any]:
    """A planar bar whose frame sits at its start, x along it."""
    return {
        "name": name,
        "position": list(start),
        "angle": angle,
        "mass": 1.0,
        "com": [0.1, 0],
        "inertia": [0.01],
        **more,
    }


def hinge(name: str, a: str, at: list[float], b: str, to: list[float], **more: Any) -> dict[str, Any]:
    kind = more.pop("kind", "revolute")
    return {"name": name, "kind": kind, "a": {"body": a, "point": at}, "b": {"body": b, "point": to}, **more}


def four_bar(
    coupler: float = 0.4, start: dict[str, Any] | None = None, crank: dict[str, Any] | None = None
) -> Scene:
    """Crank 0.1, rocker 0.3, ground 0.4, roughly placed; the coupler closes it at the top of the crank."""
    return scene(
        "planar",
        [
            bar("crank", (0.0, 0.0), math.pi / 2, **(crank or {})),
            bar("coupler", (0.0, 0.1), 0.45),
            bar("rocker", (0.4, 0.0), 1.7),
        ],
        [
            hinge("A", "world", [0, 0], "crank", [0, 0], start=start or {}),
            hinge("B", "crank", [0.1, 0], "coupler", [0, 0]),
            hinge("C", "coupler", [coupler, 0], "rocker", [0.3, 0]),
            hinge("D", "world", [0.4, 0], "rocker", [0, 0]),
        ],
    )


def solid(name: str, position: list[float], **more: Any) -> dict[str, Any]:
    return {"name": name, "position": position, "mass": 1.0, "inertia": [0.01, 0.01, 0.01], **more}
