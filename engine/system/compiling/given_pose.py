"""The pose that a scene gives: coordinates and velocities, its size, and what rounding cannot bear in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np

from engine.compiled.layout import Array
from engine.elements.coordinates.frames import Frame
from engine.maths.rotations import quaternion_of
from engine.model.scene import Scene
from engine.system.compiling.frames import Frames, fault

LONG_ARM = 1e6  # m; below it, distances that small are meant to be none
FARTHEST_CENTRE = 1e9  # distances of the joints of a body: beyond, rounding opens them by 1e-7 of that

JointFrames: TypeAlias = Mapping[str, tuple[Frame, Frame]]


def refuse_far_centres(frames: Frames, joint_frames: JointFrames) -> None:
    """Refuse a centre of mass so far from the joints of its body that rounding opens them."""
    world = frames.places["world"].index
    own: dict[str, list[Frame]] = {}
    for frame in (frame for pair in joint_frames.values() for frame in pair if frame.body != world):
        own.setdefault(frame.name, []).append(frame)
    for name, listed in own.items():
        arm = max(float(np.linalg.norm(frame.point)) for frame in listed)
        span = max(float(np.linalg.norm(frame.p_B - listed[0].p_B)) for frame in listed)
        if arm > max(FARTHEST_CENTRE * span, LONG_ARM) and span > 0.0:
            message = (
                f"the centre of mass of body {name!r} is {arm:.3g} m away from its joints, which are "
                f"{span:.3g} m apart: rounding would move them by {arm * np.finfo(float).eps:.2g} m"
            )
            raise fault(f"bodies.{name}.com", arm, message, "correct the centre of mass or its unit")


def characteristic_length(scene: Scene, frames: Frames, joint_frames: JointFrames) -> float:
    """Size of the mechanism: the largest arm of a joint on its body, or the reach of the bodies, or 1 m."""
    world = frames.places["world"].index
    arms = [
        float(np.linalg.norm(frame.point))
        for pair in joint_frames.values()
        for frame in pair
        if frame.body != world
    ]
    reach = [float(np.linalg.norm(np.array(body.position, dtype=float))) for body in scene.bodies]
    return max(arms, default=0.0) or max(reach, default=0.0) or 1.0


def given_state(scene: Scene, frames: Frames) -> tuple[Array, Array]:
    """Coordinates and velocities of the centres of mass, as the scene gives them."""
    q: list[float] = []
    v: list[float] = []
    for body in scene.bodies:
        if body.fixed:
            continue
        place = frames.places[body.name]
        spin = np.array(body.angular_velocity, dtype=float)
        if scene.space == "planar":
            spin = np.array([0.0, 0.0, spin[2]])
        centre = place.point(place.com)
        a, b, c = spin
        x, y, z = centre - place.origin
        # written out, as np.cross takes many times longer for one pair of vectors
        turning = np.array([b * z - c * y, c * x - a * z, a * y - b * x])
        velocity = np.array(body.velocity, dtype=float) + turning
        if scene.space == "planar":
            q += [centre[0], centre[1], float(body.angle)]
            v += [velocity[0], velocity[1], spin[2]]
        else:
            q += [*centre, *quaternion_of(place.R_WB)]
            v += [*velocity, *(place.R_WB.T @ spin)]
    return np.array(q), np.array(v)
