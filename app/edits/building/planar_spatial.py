"""From the plane to space and back: vectors get or lose z, and angles become orientations about z."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

from app.document.document import Edit
from app.edits.elements.visitor import changed
from engine.elements.base import IDENTITY, AxisAngle
from engine.errors import SceneError
from engine.model.scene import DOWN, Scene
from engine.system.prepared import prepare

ALONG_Z = 1e-9  # of a quaternion: components across z below it count as none


def set_space(scene: Scene, space: str) -> Edit:
    """Draw in the plane or in space; raises SceneError where what is there has no place in the plane."""
    after = scene
    if scene.space != space:
        fields: dict[str, Any] = {"space": space}
        if scene.bodies:  # gravity goes on to act as it did
            fields["gravity"] = scene.gravity if scene.gravity is not None else DOWN[scene.space]
            if scene.space == "planar" and not scene.up:
                fields["up"] = "y"
        else:
            fields["gravity"], fields["up"] = None, ""
        after = msgspec.structs.replace(scene, **fields)
        after = changed(after, _to_space if space == "spatial" else _to_plane)
        after = msgspec.structs.replace(after, bodies=tuple(_turned(body, space) for body in after.bodies))
        problems = prepare(after).problems
        if problems and not prepare(scene).problems:
            raise SceneError(problems)
    return Edit("Draw in the plane" if space == "planar" else "Draw in space", after)


def _is_vector(info: Any, value: Any) -> bool:
    return info.role == "vec" and isinstance(value, tuple)


def _to_space(_node: Any, info: Any, value: Any) -> Any:
    return (*value, 0.0) if _is_vector(info, value) and len(value) == 2 else value


def _to_plane(_node: Any, info: Any, value: Any) -> Any:
    plane = _is_vector(info, value) and info.extra.get("frame") == "plane" and len(value) == 3
    return value[:2] if plane and value[2] == 0.0 else value


def _turned(node: Any, space: str) -> Any:
    """A body with its angle as an orientation, or the other way round, and its shapes too."""
    new: dict[str, Any] = {}
    if space == "spatial" and node.angle != 0.0:
        new = {"angle": 0.0, "orientation": AxisAngle(axis=(0.0, 0.0, 1.0), angle=node.angle)}
    elif space == "planar" and node.orientation != IDENTITY:
        angle = _angle_about_z(node.orientation)
        new = {} if angle is None else {"angle": angle, "orientation": IDENTITY}
    if hasattr(node, "shapes"):
        new["shapes"] = tuple(_turned(shape, space) for shape in node.shapes)
    return msgspec.structs.replace(node, **new) if new else node


def _angle_about_z(orientation: Any) -> Any:
    if isinstance(orientation, AxisAngle):
        x, y, z = (*orientation.axis, 0.0)[:3]
        return orientation.angle if x == y == 0.0 and isinstance(z, int | float) and z > 0.0 else None
    if not all(isinstance(part, int | float) for part in orientation):
        return None
    w, x, y, z = map(float, orientation)
    return 2.0 * float(np.arctan2(z, w)) if abs(x) + abs(y) < ALONG_Z else None
