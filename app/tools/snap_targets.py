"""Points of the scene that attract while drawing, and what a new body is joined to at them. No Qt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from app.edits.building.draw import Meeting
from app.tools.snapping import Array, Target, WorkPlane
from app.viewport.scene.scene_view import SceneView
from engine.elements.arithmetic import total
from engine.elements.base import IDENTITY, WORLD, Anchor
from engine.elements.bodies.body import Body
from engine.elements.bodies.shapes import Rod, shape_kind
from engine.maths.round_numbers import exact, tidy
from engine.model.mass import rotation

ORIGIN = Target(np.zeros(3), "origin", rank=2)
PIN, POINT, MIDDLE = 0, 1, 3  # ranks


def targets(view: SceneView) -> list[Target]:
    """Pins, points of bodies, middles of bars and centres of mass, where a view (`SceneView`) shows them."""
    found = [target for target in _of_scene(view) if np.isfinite(target.point).all()]
    return [*(replace(target, point=_meant(target.point, view.stage.extent)) for target in found), ORIGIN]


def _meant(p: Array, size: float) -> Array:
    """A place without the noise of the pose that it was computed from: an exact pin gives exact numbers."""
    return np.array([exact(float(x), size) for x in p])


def _of_scene(view: SceneView) -> Iterator[Target]:
    from app.document.element_ref import Ref

    scene = view.stage.scene
    for joint in scene.joints:
        if isinstance(getattr(joint, "a", None), Anchor) and joint.visible:
            place = _place(view, Ref("joints", joint.name))
            if place is not None:
                yield Target(place, f"{joint.name}", "joints", joint.name, rank=PIN)
    for body in scene.bodies:
        pose = view.stage.poses.get(body.name)
        if pose is None or not body.visible:
            continue
        origin, R = pose
        for point in body.points:
            place = origin + R @ _three(point.position)
            yield Target(place, f"{point.name} of {body.name}", "bodies", body.name, point.name, POINT)
        for start, end in rods(body):
            middle = origin + R @ (0.5 * (start + end))
            yield Target(middle, f"middle of {body.name}", "bodies", body.name, rank=MIDDLE)
        if not any(rods(body)):
            centre = _place(view, Ref("bodies", body.name))
            if centre is not None:
                yield Target(centre, f"centre of {body.name}", "bodies", body.name, rank=MIDDLE)


def on_bar(view: SceneView, p: Array, plane: WorkPlane, reach: float) -> Target | None:
    """The nearest place on the middle line of a bar, at most `reach` away."""
    best = None
    for body in view.stage.scene.bodies:
        pose = view.stage.poses.get(body.name)
        if pose is None or not body.visible:
            continue
        origin, R = pose
        for start, end in rods(body):
            a, b = plane.local(origin + R @ start), plane.local(origin + R @ end)
            way = b - a
            if not way @ way > 0.0:
                continue
            s = float(np.clip((plane.local(p) - a) @ way / (way @ way), 0.0, 1.0))
            off = float(np.linalg.norm(a + s * way - plane.local(p)))
            if off <= reach and (best is None or off < best[0]):
                place = origin + R @ (start + s * (end - start))
                best = (off, Target(place, f"on {body.name}", "bodies", body.name))
    return best[1] if best else None


def rods(body: Body) -> list[tuple[Array, Array]]:
    """Ends of the bars of a resolved body, in its frame."""
    found = []
    for shape in body.shapes:
        if (ends := shape_kind(shape).ends(shape)) is not None:
            R, at = rotation(shape.orientation, float(shape.angle)), _three(shape.position)
            start, end = (at + R @ _three(point) for point in ends)
            found.append((start, end))
    return found


def meeting(view: SceneView, own: str, target: Target | None, axis: Array | None) -> Meeting | None:
    """How the point `own` of a new body is joined to what it was drawn at; `axis` in the world, in space."""
    if target is None or not target.where:
        return None
    body, point = target.name, target.part or None
    if target.where == "joints":
        body, point = _side(view, target.name)
    pose = view.stage.poses.get(body)
    if pose is None:
        return None
    return Meeting(
        own, body, point_on_body(view, body, target) if point is None else point, turned(pose, axis)
    )


def grounding(view: SceneView, own: str, p: Array, axis: Array | None) -> Meeting:
    """The same with the ground at a place."""
    return Meeting(own, WORLD, local(view, WORLD, p), turned(_pose(view, WORLD), axis))


def local(view: SceneView, body: str, p: Array) -> tuple[float, ...]:
    """A world point as the scene writes it for a body."""
    origin, R = _pose(view, body)
    found = R.T @ (p - origin)
    return tuple(tidy(float(x), view.stage.extent) for x in (found[:2] if view.stage.planar else found))


def point_on_body(view: SceneView, body: str, target: Target) -> Any:
    """A target as the scene writes it for a body: a name, the middle of a parametric bar, or numbers."""
    if target.where == "bodies" and target.name == body:
        if target.part:
            return target.part
        middle = _middle(view.scene.body(body)) if target.rank == MIDDLE else None
        if middle is not None:
            return middle[:2] if view.stage.planar else middle
    return local(view, body, target.point)


def _middle(body: Body) -> tuple[Any, ...] | None:
    """The middle of a body's only bar as an expression of its ends; None where it is but a number."""
    bars = [shape for shape in body.shapes if isinstance(shape, Rod)]
    if len(bars) != 1 or any(bars[0].position) or bars[0].angle != 0.0 or bars[0].orientation != IDENTITY:
        return None
    ends = [(*end, 0.0)[:3] for end in (bars[0].start, bars[0].end)]
    if not any(isinstance(x, str) for end in ends for x in end):
        return None
    return tuple(total((0.5, 0.5), pair) for pair in zip(*ends, strict=True))


def turned(pose: tuple[Array, Array], axis: Array | None) -> tuple[float, ...] | None:
    """A world direction in the frame of a body."""
    return None if axis is None else tuple(map(tidy, pose[1].T @ axis))


def _side(view: SceneView, joint: str) -> tuple[str, Any]:
    """The side of a joint to join to: the ground where it has one; with its point as the scene gives it."""
    given: Any = view.scene.joint(joint)  # only joints with two anchors have a place to be met at
    for anchor in (given.a, given.b):
        if anchor.body == WORLD:
            return anchor.body, anchor.point
    return given.a.body, given.a.point


def _pose(view: SceneView, body: str) -> tuple[Array, Array]:
    """Of a body that was met in the view, or the world."""
    found = view.stage.poses.get(body)
    if found is None:
        raise KeyError(body)
    return found


def _place(view: SceneView, ref: Any) -> Array | None:
    try:
        return np.asarray(view.queries.position_of(ref))
    except (KeyError, StopIteration, ValueError):
        return None


def _three(numbers: Any) -> Array:
    return np.array([*numbers, 0.0][:3], float)
