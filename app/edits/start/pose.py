"""Moving bodies by hand: another start; what the scene takes "from the given pose" stays as it was."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np

from app.document.document import Edit
from app.edits.fields import Poses, set_start
from app.edits.geometry.joint_frames import written
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import forces as LAW
from engine.compiled.columns import ranges as SPAN
from engine.compiled.columns import rows as ROW
from engine.compiled.columns import sizes as SIZE
from engine.compiled.layout import Array
from engine.elements.base import Table
from engine.elements.joints import JOINTS
from engine.elements.laws import LAWS, line
from engine.errors import SceneError
from engine.model.resolve import resolve
from engine.model.scene import Scene
from engine.system.compiling.frames import Frames
from engine.system.compiling.given_pose import given_state
from engine.system.compiling.mechanism import Mechanism
from engine.system.equations.evaluator import Evaluator

POSE_TOLERANCE = 1e-9  # m, rad: what differs by less has not moved
FULL_TURN = 2.0 * np.pi
_SHIFTED = re.compile(r"^(-?[0-9.]+(?:e[-+]?[0-9]+)?) \+ \(([^()]*(?:\([^()]*\)[^()]*)*)\)$")


def move_start(scene: Scene, poses: Poses, text: str = "Move", *, before: Mechanism | None = None) -> Edit:
    """Make these poses the start. `before` is the scene as compiled, if there is such.

    Joints keep their frames and zero angles, springs their free lengths. Motions go on from where their
    coordinates are now, and start values become the present ones. Raises SceneError.
    """
    after = set_start(scene, poses).after
    if before is None:
        return Edit(text, after)
    resolved = resolve(after)
    try:
        frames = Frames(resolved)
        kept = _keep_frames(after, resolved, before, frames)
    except SceneError:
        return Edit(text, after)
    # with its frames kept, the mechanism is the one before at other coordinates
    evaluator = Evaluator(before).at(0.0, given_state(resolved, frames)[0])
    values = np.array(evaluator.work.coordinate[:, COORDINATE_VALUE.VALUE])
    after = _keep_lengths(kept, before, values)
    after = _shift_motions(after, before, evaluator.phi)
    after = _start_values(after, resolved, before, values)
    return Edit(text, after)


def _keep_frames(after: Scene, resolved: Scene, before: Mechanism, frames: Frames) -> Scene:
    """Write down the frame B of joints that left it to the given pose, where that would have changed it."""
    joints: list[Any] = []
    for joint, numbers in zip(after.joints, resolved.joints, strict=True):
        pair, anchor = before.joint_frames.get(joint.name), getattr(joint, "b", None)
        if pair is None or anchor is None:
            joints.append(joint)
            continue
        old, new, place = pair[1], frames.of_joint(numbers)[1], frames.places[anchor.body]
        shift = float(np.abs(old.point - new.point).max())
        turn = float(np.abs(old.axes - new.axes).max())
        fields: dict[str, Any] = {}
        if shift > POSE_TOLERANCE and anchor.point is None:
            point = place.local(old.p_W) if place.fixed else old.p_B
            fields["point"] = written(point, before.planar)
        if turn > POSE_TOLERANCE:
            axes = place.R_WB.T @ old.axes_W if place.fixed else old.axes_B
            if not before.planar:
                fields["axis"], fields["reference"] = written(axes[:, 2], False), written(axes[:, 0], False)
            elif JOINTS[str(joint.__struct_config__.tag)].planar_axis_is_x:
                fields["axis"] = written(axes[:, 0], False)
            else:
                fields["reference"] = written(axes[:, 0], False)
        if fields:
            joint = msgspec.structs.replace(joint, b=msgspec.structs.replace(anchor, **fields))
        joints.append(joint)
    return msgspec.structs.replace(after, joints=tuple(joints))


def _keep_lengths(after: Scene, before: Mechanism, values: Array) -> Scene:
    """Write down the free length of springs that took it from the given pose."""
    system = before.system
    span = system.ranges[int(system.sizes[SIZE.PRIMITIVES]) + LAWS.names.index(line.KIND.name)]
    laws = range(int(span[SPAN.BEGIN]), int(span[SPAN.END]))
    free = {int(system.forces[i, LAW.A]): float(system.force_reals[i, line.FREE]) for i in laws}
    forces: list[Any] = []
    for force in after.forces:
        if hasattr(force, "free_length") and force.free_length is None:
            coordinate_function = before.force_coordinates[force.name][0]
            length = free[coordinate_function]
            if abs(length - float(values[coordinate_function])) > POSE_TOLERANCE:
                force = msgspec.structs.replace(force, free_length=length)
        forces.append(force)
    return msgspec.structs.replace(after, forces=tuple(forces))


def _shift_motions(after: Scene, mechanism: Mechanism, gaps: Array) -> Scene:
    """Let every motion begin at the value that its coordinate has."""
    motions: list[Any] = []
    motion: Any
    for motion in after.motions:
        r = mechanism.motion_rows[motion.name].begin
        gap = float(gaps[r])
        if mechanism.rows[r].unit == "rad":
            gap -= FULL_TURN * round(gap / FULL_TURN)
        if not mechanism.system.rows[r, ROW.VELOCITY] and abs(gap) > POSE_TOLERANCE:
            motion = msgspec.structs.replace(motion, function=shifted(motion.function, gap))
        motions.append(motion)
    return msgspec.structs.replace(after, motions=tuple(motions))


def shifted(function: Any, by: float) -> Any:
    """A function of time plus a number."""
    if isinstance(function, Table):
        points = tuple(
            (t, value + by if isinstance(value, float | int) else f"{by!r} + ({value})")
            for t, value in function.points
        )
        return msgspec.structs.replace(function, points=points)
    if not isinstance(function, str):
        return float(function) + by
    found = _SHIFTED.match(function)
    if found is not None:  # shifted before
        by, function = by + float(found[1]), found[2]
    return f"{by!r} + ({function})" if by else function


def _start_values(after: Scene, resolved: Scene, mechanism: Mechanism, values: Array) -> Scene:
    """Start values that were asked for are those of the new pose."""
    joints: list[Any] = []
    for joint in after.joints:
        start: Mapping[str, Any] = getattr(joint, "start", {})
        new = {}
        for name, wanted in start.items():
            coordinate_function = mechanism.coordinates.get((joint.name, name))
            if wanted.value is not None and coordinate_function is not None:
                found = float(values[coordinate_function])
                given = resolved.joint(joint.name).start[name].value  # type: ignore[attr-defined]
                if name == "angle":
                    found += FULL_TURN * round((float(given) - found) / FULL_TURN)
                if abs(found - float(given)) > POSE_TOLERANCE:
                    new[name] = msgspec.structs.replace(wanted, value=found)
        if new:
            joint = msgspec.structs.replace(joint, start={**start, **new})
        joints.append(joint)
    return msgspec.structs.replace(after, joints=tuple(joints))
