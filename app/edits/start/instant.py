"""What is shown becomes the start of the scene: the pose alone, or also how it moves there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from app.document.document import Edit
from app.edits.elements.visitor import changed
from app.edits.fields import Poses, set_start
from app.edits.start.pose import move_start
from engine.compiled.layout import Array
from engine.elements.base import Table
from engine.elements.fields import Field
from engine.maths.expressions import ExpressionError, replace_names
from engine.model.scene import Scene
from engine.system.prepared import prepare

_NOW = "instant__of__start"  # a name that nobody gives
Velocities = Mapping[str, tuple[Array, Array]]  # body → velocity of its origin and spin, in the world


def start_here(scene: Scene, poses: Poses) -> Edit:
    """Begin with these poses and the velocities that the scene gives.

    Joints, springs and motions keep what they took from the old pose. Raises SceneError.
    """
    return Edit("Use this pose as start", move_start(scene, poses, before=prepare(scene).mechanism).after)


def start_now(scene: Scene, poses: Poses, velocities: Velocities, t: float) -> Edit:
    """Begin with this instant: the motion and all functions of time go on from there. Raises SceneError."""
    later = _later(scene, t)
    after = move_start(later, poses, before=prepare(scene).mechanism).after
    after = msgspec.structs.replace(after, motions=later.motions)  # they are where they shall be already
    return Edit("Use this instant as start", set_start(_without_speeds(after), {}, velocities).after)


def _later(scene: Scene, by: float) -> Scene:
    """Functions of time as they are from an instant [s] on."""

    def change(_node: Any, info: Field, old: Any) -> Any:
        of_time = info.role == "function" and "t" in info.extra["of"]
        return _function_later(old, by) if of_time else old

    result = changed(scene, change)
    assert isinstance(result, Scene)
    return result


def _function_later(function: Any, by: float) -> Any:
    if isinstance(function, tuple):
        return tuple(_function_later(item, by) for item in function)
    if isinstance(function, Table):
        points = tuple((_sum(t, -by), value) for t, value in function.points)
        return msgspec.structs.replace(function, points=points)
    if not isinstance(function, str):
        return function
    try:
        return replace_names(function, {"t": _NOW}).replace(_NOW, f"({_sum('t', by)})")
    except ExpressionError:  # told as a problem of its own
        return function


def _sum(value: float | str, by: float) -> float | str:
    return f"{value} {'+' if by >= 0.0 else '-'} {abs(by)!r}" if isinstance(value, str) else value + by


def _without_speeds(scene: Scene) -> Scene:
    """Speeds that joints shall start with would contradict those of the bodies."""
    joints: list[Any] = []
    for joint in scene.joints:
        start: Mapping[str, Any] = getattr(joint, "start", {})
        if any(wanted.speed is not None for wanted in start.values()):
            free = {name: msgspec.structs.replace(wanted, speed=None) for name, wanted in start.items()}
            joint = msgspec.structs.replace(joint, start=free)
        joints.append(joint)
    return msgspec.structs.replace(scene, joints=tuple(joints))
