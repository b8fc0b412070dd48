"""Joints that sit on one pin: merged onto one point, or split onto points of their own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from msgspec.structs import replace

from app.document.document import Edit, Ref, find
from app.edits.elements.add_remove import remove
from app.edits.elements.copies import words
from app.edits.elements.references import referring
from app.edits.geometry.joint_frames import anchored, frames_of, written
from engine.elements.base import WORLD
from engine.elements.bodies.body import Body, Point
from engine.elements.coordinates.frames import Frame
from engine.errors import Problem, SceneError
from engine.model.scene import Scene

TOGETHER = 1e-6  # of the size of the scene: joints nearer than this sit on one pin
ALONG = 1e-6  # sine of the angle between axes that count as one

Side = tuple[Ref, str]  # joint and side: "a" or "b"


def merge_joints(scene: Scene, refs: Iterable[Ref]) -> Edit:
    """Make joints at one place one pin; raises SceneError when nothing can be merged.

    Joints of the same kind between the same two bodies become one, and what acts on the others acts on it.
    Joints that meet on a body get one named point of it, so that moving the point moves them together.
    """
    joints = _joints(scene, refs)
    if len(joints) < 2:
        raise _problem("joints", "one joint cannot be merged", "select two or more that sit at one place")
    found = {ref: frames_of(scene, joint) for ref, joint in joints.items()}
    near = TOGETHER * _size(scene)
    same = _repeated(joints, found, near)
    after = scene
    for gone, kept in same.items():
        after = _without_repeats(referring(after, {gone: kept.name}))
    if same:
        after = remove(after, same).after
    after, shared = _on_one_point(after, {ref: found[ref] for ref in joints if ref not in same}, near)
    if not same and not shared:
        raise _problem(
            "joints", _apart(joints, found), "move them together first, or use the doctor to close it"
        )
    return Edit(f"Merge {words(tuple(joints))}", after)


def split_joints(scene: Scene, refs: Iterable[Ref]) -> Edit:
    """Give joints points of their own in place of those that they share with others; raises SceneError.

    The mechanism stays as it is; afterwards each joint can be moved on its body without the others.
    """
    joints = _joints(scene, refs)
    if not joints:
        raise _problem("joints", "there is no joint to split", "select a joint between two bodies")
    after, split = scene, 0
    for ref in joints:
        for side in ("a", "b"):
            anchor = getattr(find(after, ref), side)
            if isinstance(anchor.point, str) and _users(after, anchor.body, anchor.point) > 1:
                after = _with_own_point(after, ref, side)
                split += 1
    if not split:
        names = ", ".join(ref.name for ref in joints)
        raise _problem("joints", f"{names} shares no point with another joint", "there is nothing to split")
    return Edit(f"Split {words(tuple(joints))}", after)


def _without_repeats(scene: Scene) -> Scene:
    groups = tuple(replace(item, members=tuple(dict.fromkeys(item.members))) for item in scene.groups)
    return scene if groups == scene.groups else replace(scene, groups=groups)


def _joints(scene: Scene, refs: Iterable[Ref]) -> dict[Ref, Any]:
    whole = dict.fromkeys(ref.element for ref in refs if ref.where == "joints")
    return {ref: anchored(scene, ref) for ref in whole if anchored(scene, ref) is not None}


def _repeated(joints: dict[Ref, Any], found: dict[Ref, tuple[Frame, Frame]], near: float) -> dict[Ref, Ref]:
    """Joints that say the same as an earlier one → that one."""
    same: dict[Ref, Ref] = {}
    listed = list(joints)
    for i, ref in enumerate(listed):
        for other in listed[:i]:
            if other not in same and _alike(joints[ref], joints[other], found[ref], found[other], near):
                same[ref] = other
                break
    return same


def _alike(one: Any, two: Any, pair: tuple[Frame, Frame], other: tuple[Frame, Frame], near: float) -> bool:
    if type(one) is not type(two) or {one.a.body, one.b.body} != {two.a.body, two.b.body}:
        return False
    if max(np.linalg.norm(s.p_W - o.p_W) for s, o in zip(pair, other, strict=True)) > near:
        return False
    z, other_z = pair[0].axes_W[:, 2], other[0].axes_W[:, 2]
    return bool(np.linalg.norm(np.cross(z, other_z)) < ALONG)


def _on_one_point(scene: Scene, found: dict[Ref, tuple[Frame, Frame]], near: float) -> tuple[Scene, int]:
    """Sides that meet on a body at one place use one named point of it."""
    heaps: list[tuple[str, np.ndarray, list[Side]]] = []
    for ref, pair in found.items():
        for side, frame in zip(("a", "b"), pair, strict=True):
            body = getattr(find(scene, ref), side).body
            if body == WORLD:
                continue
            heap = next((h for h in heaps if h[0] == body and np.linalg.norm(h[1] - frame.p_B) <= near), None)
            if heap is None:
                heaps.append((body, frame.p_B, [(ref, side)]))
            else:
                heap[2].append((ref, side))
    shared = 0
    for name, place, sides in heaps:
        points = [getattr(find(scene, ref), side).point for ref, side in sides]
        if len(sides) < 2 or (isinstance(points[0], str) and len(set(points)) == 1):
            continue
        shared += 1
        point = next((p for p in points if isinstance(p, str)), None)
        if point is None:
            scene, point = _with_point(scene, name, sides[0][0].name, written(place, scene.space == "planar"))
        for ref, side in sides:
            scene = _at_point(scene, ref, side, point)
    return scene, shared


def _with_own_point(scene: Scene, ref: Ref, side: str) -> Scene:
    anchor = getattr(find(scene, ref), side)
    place = find(scene, Ref("bodies", anchor.body)).point(anchor.point).position
    scene, name = _with_point(scene, anchor.body, ref.name, place)
    return _at_point(scene, ref, side, name)


def _with_point(scene: Scene, body: str, wanted: str, place: tuple[Any, ...]) -> tuple[Scene, str]:
    owner = find(scene, Ref("bodies", body))
    assert isinstance(owner, Body)
    taken = {point.name for point in owner.points}
    names = (wanted, *(f"{wanted} {n}" for n in range(2, len(taken) + 3)))
    name = next(name for name in names if name not in taken)
    points = (*owner.points, Point(name=name, position=place))
    return scene.replace(replace(owner, points=points)), name


def _at_point(scene: Scene, ref: Ref, side: str, point: str) -> Scene:
    joint = find(scene, ref)
    return scene.replace(replace(joint, **{side: replace(getattr(joint, side), point=point)}))


def _users(scene: Scene, body: str, point: str) -> int:
    """How many sides of joints and forces use a named point."""
    return sum(
        getattr(getattr(item, side, None), "body", None) == body and getattr(item, side).point == point
        for where in ("joints", "forces")
        for item in getattr(scene, where)
        for side in ("a", "b")
        if hasattr(getattr(item, side, None), "point")
    )


def _size(scene: Scene) -> float:
    from engine.model.resolve import resolve_leniently

    resolved, _ = resolve_leniently(scene)
    places = [
        [*body.position, *(x for point in body.points for x in point.position)] for body in resolved.bodies
    ]
    return (
        max(
            (abs(x) for place in places for x in place if isinstance(x, float) and np.isfinite(x)),
            default=1.0,
        )
        or 1.0
    )


def _apart(joints: dict[Ref, Any], found: dict[Ref, tuple[Frame, Frame]]) -> str:
    one, two = list(joints)[:2]
    gap = float(np.linalg.norm(found[one][0].p_W - found[two][0].p_W))
    if gap > 0.0:
        return f"{one.name} and {two.name} are {gap:.3g} m apart or share no body"
    return f"{one.name} and {two.name} share no body, or one point already"


def _problem(path: str, message: str, remedy: str) -> SceneError:
    return SceneError([Problem(path, None, message, remedy)])
