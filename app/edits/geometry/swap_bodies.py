"""Bodies of a joint or a force changed for each other; the mechanism moves as before."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from app.document.document import Edit, Ref
from app.edits.elements.copies import words
from app.edits.geometry.joint_frames import anchored, axis_in_plane, frames_of, written
from app.edits.geometry.sign_reversal import with_reversed
from engine.elements.base import Anchor, Directions
from engine.elements.coordinates.frames import Frame
from engine.errors import Problem, SceneError
from engine.model.scene import Scene, kind_of


def swap_bodies(scene: Scene, refs: Iterable[Ref]) -> Edit:
    """Let A be B and B be A, at the same place; motors and motions are changed so that all moves as before.

    Where the sides differ (a point of B on a line of A) they change their parts. Raises SceneError.
    """
    wanted = tuple(dict.fromkeys(ref.element for ref in refs if anchored(scene, ref) is not None))
    if not wanted:
        text = "nothing that is selected joins two bodies"
        raise SceneError([Problem("", None, text, "select a joint or a force between two bodies")])
    after, items = scene, [anchored(scene, ref) for ref in wanted]
    for item in items:
        after = after.replace(_swapped(scene, item))
    for item in items:
        if _axis_stays(scene, item):  # so its coordinates count the other way
            after = _with_reversed_users(after, item.name, tuple(kind_of(item).coordinates_in(scene.space)))
    return Edit(f"Swap the bodies of {words(wanted)}", after)


def _axis_stays(scene: Scene, item: Any) -> bool:
    """Whether the axis cannot be turned over: across the plane it is z, whatever the side."""
    return scene.space == "planar" and _turns_axis(item) and not axis_in_plane(scene, item)


def _turns_axis(item: Any) -> bool:
    return getattr(kind_of(item), "swap_turns_axis", False)  # a force has no coordinates


def _with_reversed_users(scene: Scene, joint: str, coordinates: tuple[str, ...]) -> Scene:
    lists = {
        where: tuple(with_reversed(item, (joint,), coordinates) for item in getattr(scene, where))
        for where in ("joints", "forces", "motions")
    }
    return msgspec.structs.replace(scene, **lists)


def _swapped(scene: Scene, item: Any) -> Any:
    frame_a, frame_b = frames_of(scene, item)
    planar, in_plane = scene.space == "planar", axis_in_plane(scene, item)
    kind = kind_of(item)
    whole, points_only = kind.directions is Directions.FRAME, kind.directions is Directions.NONE
    given = item.b.axis is not None or item.b.reference is not None or whole
    sign = -1.0 if _turns_axis(item) and not _axis_stays(scene, item) else 1.0
    has_axis = not points_only and (in_plane or not planar)
    has_reference = not points_only and not in_plane and given

    def side(anchor: Anchor, frame: Frame, *, axis: bool) -> Anchor:
        column = 0 if in_plane else 2
        return replace(
            anchor,
            point=written(frame.p_B, planar) if anchor.point is None else anchor.point,
            axis=written(sign * frame.axes_B[:, column], planar) if axis else None,
            reference=written(frame.axes_B[:, 0], planar) if has_reference else None,
        )

    new: dict[str, Any] = {
        "a": side(item.b, frame_b, axis=has_axis),
        "b": side(item.a, frame_a, axis=has_axis and given),
    }
    return kind.swapped(replace(item, **new), frame_a.axes_B)
