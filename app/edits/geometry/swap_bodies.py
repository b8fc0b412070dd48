"""Bodies of a joint or a force changed for each other; the mechanism moves as before."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from app.document.document import Edit, Ref
from app.edits.arithmetic import negated
from app.edits.elements.copies import words
from app.edits.geometry.joint_frames import Seat, anchored, axis_in_plane, seats, written
from app.edits.geometry.sign_reversal import with_reversed
from engine.elements.base import Anchor
from engine.elements.forces.bushing import BushingSpec
from engine.elements.joints.lock import LockSpec
from engine.errors import Problem, SceneError
from engine.model.scene import Scene

# kinds with coordinates: their axis is turned over, so that the coordinates keep their sign
TURNED = ("revolute", "prismatic", "cylindrical", "screw")
POINTS_ONLY = ("spring", "distance", "spherical", "lock")  # kinds that have no directions


def swap_bodies(scene: Scene, refs: Iterable[Ref]) -> Edit:
    """Let A be B and B be A, at the same place; motors and motions are changed so that all moves as before.

    Where the sides differ (a point of B on a line of A) they change their parts. Raises SceneError.
    """
    wanted = tuple(dict.fromkeys(ref.element for ref in refs if anchored(scene, ref) is not None))
    if not wanted:
        text = "nothing that is selected joins two bodies"
        raise SceneError([Problem("", None, text, "select a joint or a force between two bodies")])
    after, turned_back = scene, set()
    for ref in wanted:
        item = anchored(scene, ref)
        after = after.replace(_swapped(scene, item))
        if scene.space == "planar" and item.__struct_config__.tag == "revolute":
            turned_back.add(ref.name)  # in the plane the axis is z, whatever the side
    if turned_back:
        after = _with_reversed_users(after, turned_back)
    return Edit(f"Swap the bodies of {words(wanted)}", after)


def _with_reversed_users(scene: Scene, joints: set[str]) -> Scene:
    lists = {
        where: tuple(with_reversed(item, joints, ("angle",)) for item in getattr(scene, where))
        for where in ("joints", "forces", "motions")
    }
    return msgspec.structs.replace(scene, **lists)


def _swapped(scene: Scene, item: Any) -> Any:
    seat_a, seat_b = seats(scene, item)
    planar, in_plane = scene.space == "planar", axis_in_plane(scene, item)
    tag = item.__struct_config__.tag
    given = item.b.axis is not None or item.b.reference is not None or isinstance(item, BushingSpec)
    sign = -1.0 if tag in TURNED and (in_plane or not planar) else 1.0
    has_axis = tag not in POINTS_ONLY and (in_plane or not planar)
    has_reference = tag not in POINTS_ONLY and not in_plane and given

    def side(anchor: Anchor, seat: Seat, *, axis: bool) -> Anchor:
        column = 0 if in_plane else 2
        return replace(
            anchor,
            point=written(seat.point, planar) if anchor.point is None else anchor.point,
            axis=written(sign * seat.axes[:, column], planar) if axis else None,
            reference=written(seat.axes[:, 0], planar) if has_reference else None,
        )

    new: dict[str, Any] = {
        "a": side(item.b, seat_b, axis=has_axis),
        "b": side(item.a, seat_a, axis=has_axis and given),
    }
    if isinstance(item, LockSpec) and item.values is not None:
        new["values"] = tuple(negated(value) for value in item.values)
    if isinstance(item, LockSpec) and item.angle is not None:
        new["angle"] = negated(item.angle)
    return replace(item, **new)
