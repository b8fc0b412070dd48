"""How a slider is made at a spot: a block in a guide, or the body itself; along what; what it locks. No Qt.

A body that hangs on other joints, such as a connecting rod, is seldom meant to slide itself: kept from
turning, it locks its linkage. A block that is pinned to it slides in its place.
"""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from app.document.document import Edit
from app.edits.building.draw import Meeting
from app.edits.building.slider_block import CENTRE, slider_block
from app.tools.connect.axis_guess import Axis, axes_at, distinct
from app.tools.snap_targets import local, turned
from app.viewport.scene.scene_view import SceneView
from engine.analyses.mobility.moving_bodies import JointMobility, joint_mobility
from engine.compiled.layout import Array
from engine.elements.base import WORLD
from engine.elements.joints import JOINTS
from engine.errors import SceneError
from engine.model.scene import Scene
from engine.system.prepared import prepare

MAX_BODIES = 40  # of a scene whose degrees of freedom are counted while a form is open
BLOCK_BAR = 0.3  # of the extent: length of a bar that would suit the picture


def takes_block(kind: str) -> bool:
    """Whether joints of this kind guide what they hold along a line, without turning."""
    return JOINTS[kind].symbol == "slider"


def is_joined(scene: Scene, body: str) -> bool:
    """Whether a joint holds the body already."""
    return any(body in (a.body, b.body) for a, b in _pairs(scene))


def guide_axes(view: SceneView, a: str, b: str, place: Array, normal: Array | None) -> list[Axis]:
    """Directions of a guide on body A for a block that is pinned to body B, best first.

    On the ground: the one of x and y that leads to the pivot of the linkage, then the line through the pivot
    itself. On a bar: along it.
    """
    found = axes_at(view, [name for name in (a, b) if name not in (WORLD, "")], along=True, normal=normal)
    if a != WORLD or not view.stage.planar:
        return found
    world = [axis for axis in found if axis.title in ("x", "y")]
    if not world:  # a bar lies along them, and gave them its name
        world = [Axis(name, row) for name, row in zip("xy", np.eye(3), strict=False)]
    pivot = _pivot(view, b) if b else None
    line: list[Axis] = []
    if pivot is not None:
        way = place - pivot[1]
        size = float(np.linalg.norm(way))
        if size > 0.0:
            x, y = np.eye(3)[:2]
            named = [Axis("x", x), Axis("y", y)]
            world = sorted(named, key=lambda axis: -abs(float(axis.direction @ way)))
            line = [Axis(f"in line with {pivot[0]}", way / size)]
    return distinct([*world[:1], *line, *world[1:], *found])


def guided_block(view: SceneView, scene: Scene, kind: str, a: str, b: str, place: Any, axis: Array) -> Edit:
    """The edit that makes the block: guided by body A along `axis`, and pinned to body B, if there is one.

    `place`: the point in the world and how the scene writes it for body B.
    """
    p, own = place
    planar = view.stage.planar
    normal = np.array([0.0, 0.0, 1.0]) if planar else _across(axis, view)
    axes = np.column_stack([axis, np.cross(normal, axis), normal])
    direction = turned(view.stage.poses[a], axis)
    guide = Meeting(CENTRE, a, local(view, a, p), direction[:2] if direction and planar else direction, kind)
    pin = Meeting(CENTRE, b, own, None if planar else turned(view.stage.poses[b], normal)) if b else None
    return slider_block(scene, p, axes, guide, pin, length=BLOCK_BAR * view.stage.extent)


def _across(axis: Array, view: SceneView) -> Array:
    """The axis of the pin: towards the viewer, as far as that is across the guide."""
    sight = np.cross(*view.camera.screen_axes())
    rest = sight - axis * (sight @ axis)
    if np.linalg.norm(rest) < 1e-3:
        rest = view.stage.up - axis * (view.stage.up @ axis)
    return np.asarray(rest / np.linalg.norm(rest))


def mobilities(before: Scene, after: Scene) -> tuple[JointMobility, JointMobility] | None:
    """How much is free without and with a joint; None where it cannot be told, or takes too long."""
    if len(after.bodies) > MAX_BODIES:
        return None
    try:
        return joint_mobility(prepare(before).mechanism), joint_mobility(prepare(after).mechanism)
    except SceneError:
        return None


def locked(found: tuple[JointMobility, JointMobility] | None) -> list[str]:
    """Bodies that could move before and cannot move then."""
    return [] if found is None else sorted(found[0].moving - found[1].moving)


def _pairs(scene: Scene) -> list[tuple[Any, Any]]:
    pairs = [(getattr(joint, "a", None), getattr(joint, "b", None)) for joint in scene.joints]
    return [(a, b) for a, b in pairs if a is not None and b is not None]


def _pivot(view: SceneView, body: str) -> tuple[str, Array] | None:
    """Name and place of the joint with the ground that is the fewest joints away from a body."""
    scene = view.stage.scene
    seen, queue = {body}, deque([body])
    while queue:
        here = queue.popleft()
        for joint in scene.joints:
            a, b = getattr(joint, "a", None), getattr(joint, "b", None)
            if a is None or b is None or here not in (a.body, b.body):
                continue
            other = b.body if a.body == here else a.body
            if other == WORLD:
                return joint.name, view.stage.world_point(view.stage.pair(joint)[0])
            if other not in seen:
                seen.add(other)
                queue.append(other)
    return None
