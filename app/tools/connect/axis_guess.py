"""Which axis a joint may have at a spot: guessed from the shapes of its bodies, best first. No Qt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from app.tools.snap_targets import rods
from app.viewport.scene.scene_view import SceneView
from engine.compiled.layout import Array
from engine.elements.bodies.shapes import shape_kind
from engine.model.mass import rotation

DIRECTION_TOLERANCE = 1e-6  # sine of the angle below which two directions are one


@dataclass(frozen=True)
class Axis:
    """A direction in the world, and where it comes from."""

    title: str
    direction: Array
    given: bool = False  # by the user: kept when the kind or the bodies are changed


def axes_at(
    view: SceneView, bodies: Sequence[str], *, along: bool, normal: Array | None = None
) -> list[Axis]:
    """Directions for a joint of these bodies. `along`: it slides, so directions of bars come first."""
    found = list(_of_bodies(view, bodies))
    if view.stage.planar:
        flat = [axis for axis in found if abs(axis.direction[2]) < DIRECTION_TOLERANCE]
        across = [
            Axis(axis.title.replace("along", "across"), np.cross((0.0, 0.0, 1.0), axis.direction))
            for axis in flat
        ]
        x, y = Axis("x", np.array([1.0, 0.0, 0.0])), Axis("y", np.array([0.0, 1.0, 0.0]))
        return distinct([*flat, *across, x, y])
    bars = [axis for axis in found if axis.title.startswith("along")]
    turned = [axis for axis in found if not axis.title.startswith("along")]
    sight = np.cross(*view.camera.screen_axes())
    nearest = np.eye(3)[int(np.argmax(np.abs(sight)))]
    plane = [] if normal is None else [Axis("across the work plane", normal)]
    world = [Axis(name, axis) for name, axis in zip("xyz", np.eye(3), strict=True)]
    facing = next(axis for axis in world if np.allclose(axis.direction, nearest))
    rest = [*plane, facing, *world, Axis("towards me", sight)]
    return distinct([*bars, *turned, *rest] if along else [*turned, *plane, *bars, *rest])


def _of_bodies(view: SceneView, bodies: Sequence[str]) -> Iterator[Axis]:
    known = {body.name: body for body in view.stage.scene.bodies}
    for name in bodies:
        pose = view.stage.poses.get(name)
        if name not in known or pose is None:
            continue
        R = pose[1]
        for shape in known[name].shapes:
            own = R @ rotation(shape.orientation, float(shape.angle))
            kind = shape_kind(shape)
            if kind.direction:
                sight = np.cross(*view.camera.screen_axes())
                axis = int(np.argmax(np.abs(own.T @ sight))) if kind.has_faces else 2
                yield Axis(f"{kind.direction} {name}", own[:, axis])
        for start, end in rods(known[name]):
            way = R @ (end - start)
            if np.linalg.norm(way) > 0.0:
                yield Axis(f"along {name}", way / np.linalg.norm(way))


def distinct(axes: Sequence[Axis]) -> list[Axis]:
    """The first of each direction."""
    found: list[Axis] = []
    for axis in axes:
        if all(
            np.linalg.norm(np.cross(axis.direction, other.direction)) > DIRECTION_TOLERANCE for other in found
        ):
            found.append(axis)
    return found
