"""What sits on bodies, at another place of them: a shape in its body, a joint on both its bodies."""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec.structs import replace

from app.document.document import Edit, Ref, find
from app.edits.fields import Poses
from app.edits.geometry.joint_frames import anchored, axis_in_plane, frames_of, written
from engine.compiled.layout import Array
from engine.elements.base import IDENTITY
from engine.elements.bodies.body import Body
from engine.elements.coordinates.frames import Frame
from engine.errors import Problem, SceneError
from engine.maths.rotations import quaternion_of
from engine.model.mass import rotation
from engine.model.resolve import resolve_leniently
from engine.model.scene import Scene

PLACE_TOLERANCE = 1e-12  # m, and of directions: what differs by less has not moved


def move_shape(scene: Scene, ref: Ref, index: int, shift: Array, turn: Array, about: Array) -> Edit:
    """A shape of a body, turned about a point and then shifted, all in the frame of the body.

    Numbers that stay are kept as they are written. Raises SceneError.
    """
    body, place = _resolved(scene, ref.element, index)
    p = np.array(place.position, float)
    R = rotation(place.orientation, float(place.angle))
    shape = body.shapes[index]
    new: dict[str, Any] = {}
    moved = about + turn @ (p - about) + shift
    if np.abs(moved - p).max() > PLACE_TOLERANCE:
        given = (*shape.position, 0.0)[:3]
        new["position"] = tuple(
            old if abs(b - a) <= PLACE_TOLERANCE else float(b)
            for old, a, b in zip(given, p, moved, strict=True)
        )
    if np.abs(turn - np.eye(3)).max() > PLACE_TOLERANCE:
        R = turn @ R
        if scene.space == "planar" and place.orientation == IDENTITY:
            new["angle"] = float(np.arctan2(R[1, 0], R[0, 0]))
        else:
            new["angle"], new["orientation"] = 0.0, tuple(map(float, quaternion_of(R)))
    shapes = tuple(replace(shape, **new) if i == index else other for i, other in enumerate(body.shapes))
    return Edit(f"Move shape of {body.name}", scene.replace(replace(body, shapes=shapes)))


def move_joint(
    scene: Scene, ref: Ref, shift: Array, turn: Array, about: Array, poses: Poses | None = None
) -> Edit:
    """A joint, turned about a point of the world and then shifted, where its bodies have these poses.

    Both its frames go together, so that it stays as open or closed, and as far turned, as it was. What frame
    B leaves to the given pose stays so while that means the same. Raises SceneError.
    """
    item = anchored(scene, ref)
    if item is None:
        raise SceneError(
            [Problem(str(ref), ref.name, f"{ref.name} has no place of its own", "choose a joint")]
        )
    known = dict(poses or {})
    pair = frames_of(scene, item)
    there = [known.get(end.body, (frame.place.origin, frame.place.R_WB)) for end, frame in _ends(item, pair)]
    sides = {}
    for side, (anchor, frame), (origin, R) in zip("ab", _ends(item, pair), there, strict=True):
        fields = _moved(scene, item, frame, shift, turn, R.T @ (about - origin), R)
        if side == "b" and _as_given(pair, there):
            fields = {name: value for name, value in fields.items() if getattr(anchor, name) is not None}
            if anchor.axis is None and anchor.reference is None:
                fields = {name: value for name, value in fields.items() if name == "point"}
        sides[side] = replace(anchor, **fields)
    return Edit(f"Move {item.name}", scene.replace(replace(item, **sides)))


def _ends(item: Any, pair: tuple[Frame, Frame]) -> list[tuple[Any, Frame]]:
    return [(item.a, pair[0]), (item.b, pair[1])]


def _moved(
    scene: Scene, item: Any, frame: Frame, shift: Array, turn: Array, about: Array, R: Array
) -> dict[str, Any]:
    """Fields of an anchor that change; `about` and R are those of its body."""
    planar, fields = scene.space == "planar", {}
    Q = R.T @ turn @ R
    point = about + Q @ (frame.p_B - about) + R.T @ shift
    if np.abs(point - frame.p_B).max() > PLACE_TOLERANCE:
        fields["point"] = written(point, planar)
    axes = Q @ frame.axes_B
    if np.abs(axes - frame.axes_B).max() > PLACE_TOLERANCE:
        if not planar:
            fields["axis"], fields["reference"] = written(axes[:, 2], False), written(axes[:, 0], False)
        elif axis_in_plane(scene, item):
            fields["axis"] = written(axes[:, 0], True)
        else:
            fields["reference"] = written(axes[:, 0], True)
    return fields


def _as_given(pair: tuple[Frame, Frame], there: list[tuple[Array, Array]]) -> bool:
    """Whether the bodies lie to each other as the scene gives them."""
    (p_a, R_a), (p_b, R_b) = there
    a, b = (frame.place for frame in pair)
    given = a.R_WB.T @ (b.origin - a.origin), a.R_WB.T @ b.R_WB
    return bool(
        np.allclose(R_a.T @ (p_b - p_a), given[0], atol=1e-9)
        and np.allclose(R_a.T @ R_b, given[1], atol=1e-9)
    )


def _resolved(scene: Scene, ref: Ref, index: int) -> tuple[Body, Any]:
    """A body and one of its shapes in numbers; raises SceneError where that is not to be had."""
    body = find(scene, ref)
    if not isinstance(body, Body) or not 0 <= index < len(body.shapes):
        raise SceneError(
            [Problem(str(ref), index, f"{ref.name} has no such shape", "choose one of its shapes")]
        )
    resolved, _ = resolve_leniently(scene)
    place: Any = next(other for other in resolved.bodies if other.name == ref.name).shapes[index]
    try:
        numbers = np.array([*place.position, float(place.angle)], float)
    except (TypeError, ValueError):
        numbers = np.array([np.nan])
    if not np.isfinite(numbers).all():
        text = f"the place of a shape of {ref.name} cannot be computed"
        raise SceneError([Problem(str(ref), index, text, "mend its numbers first")])
    return body, place
