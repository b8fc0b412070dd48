"""What is shown becomes the start of the scene: the pose alone, or also how it moves there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from app.commands.fields import Poses, set_start
from app.commands.move import move_start
from app.document import Edit
from engine.model.scene import Scene
from engine.problems import Array
from engine.system.compile import compile_scene

Velocities = Mapping[str, tuple[Array, Array]]  # body → velocity of its origin and spin, in the world


def start_here(scene: Scene, poses: Poses, velocities: Velocities | None = None) -> Edit:
    """Begin with these poses; with velocities the motion goes on, else those of the scene stay.

    Joints, springs and motions keep what they took from the old pose. Raises SceneError.
    """
    after = move_start(scene, poses, before=compile_scene(scene)).after
    if velocities is None:
        return Edit("Use this pose as start", after)
    return Edit("Use this instant as start", set_start(_without_speeds(after), {}, velocities).after)


def _without_speeds(scene: Scene) -> Scene:
    """Speeds that joints shall start with would contradict those of the bodies."""
    joints: list[Any] = []
    for joint in scene.joints:
        start: Mapping[str, Any] = getattr(joint, "start", {})
        if any(wanted.speed is not None for wanted in start.values()):
            free = {name: msgspec.structs.replace(wanted, speed=None) for name, wanted in start.items()}
            joint = msgspec.structs.replace(joint, start=free)  # type: ignore[call-arg]
        joints.append(joint)
    return msgspec.structs.replace(scene, joints=tuple(joints))
