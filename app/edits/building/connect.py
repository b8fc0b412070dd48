"""What is added to bodies and joints that are there: joints, motors, forces, traces, measures, the ground."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from app.document.document import Edit, Ref, find
from app.edits.elements.add_remove import free_name
from app.edits.geometry.joint_frames import seats
from app.platform.round_numbers import tidy
from engine.elements.base import Anchor, Directions, Vec
from engine.elements.drivers.joint_motion import JointMotionSpec
from engine.elements.fields import fields_of
from engine.elements.forces import FORCES
from engine.elements.joints import JOINTS
from engine.elements.joints.base import JointKind
from engine.elements.measures import MEASURES, AxisOf, PointOf
from engine.elements.traces import Trace
from engine.errors import Problem, SceneError
from engine.model.resolve import resolve
from engine.model.scene import Scene

Array = NDArray[np.float64]

SPEED = 2  # rad/s of a new motor: a turn in three seconds
SWING = "0.05*sin(2*t)"  # m, of a new drive along a slider


def insert_joint(scene: Scene, kind: str, a: Anchor, b: Anchor, **fields: Any) -> Edit:
    """A joint between two frames; raises SceneError when the scene's space does not know the kind."""
    known = _available(scene, kind)
    if a.body == b.body:
        raise _refused("joints", a.body, "a joint needs two different bodies", "choose another body")
    if known.directions is Directions.TWO_AXES and scene.space != "planar" and b.axis is None:
        b = msgspec.structs.replace(b, axis=_across(scene, a, b))
    return _added(scene, known, "joints", a=a, b=b, **fields)


def _across(scene: Scene, a: Anchor, b: Anchor) -> Vec:
    """A direction of body B across the axis of A, at the given pose."""
    from engine.system.compiling.frames import Frames

    _, frame = Frames(resolve(scene)).pair(a, b)
    return tuple(map(tidy, frame.axis("x")))


def couple_joints(scene: Scene, kind: str, joints: tuple[str, ...]) -> Edit:
    """A relation between coordinates of joints: gear, belt, rack and pinion, coupler."""
    known = _available(scene, kind)
    if known.coupled is not None:
        pairs = tuple((name, coordinate_of(scene, name)) for name in joints)
        return _added(scene, known, "joints", **known.coupled(pairs))
    names = [info.name for info in fields_of(known.spec) if info.role == "reference"]
    given: dict[str, Any] = {}
    wanted = {info.name: info.extra.get("coordinate") for info in fields_of(known.spec)}
    chosen = list(joints)
    for name in names:
        fit = next((j for j in chosen if wanted[name] in coordinates_of(scene, j)), None)
        if fit is None:
            raise _refused(
                "joints",
                kind,
                f"a {known.title.lower()} needs a joint with {_article(str(wanted[name]))}",
                "select two joints that turn, or one that turns and one that slides",
            )
        chosen.remove(fit)
        given[name] = fit
    return _added(scene, known, "joints", **given)


def coordinates_of(scene: Scene, joint: str) -> tuple[str, ...]:
    """The coordinates of a joint that can be driven."""
    found = find(scene, Ref("joints", joint))
    if found is None:
        return ()
    return tuple(JOINTS[str(found.__struct_config__.tag)].coordinates_in(scene.space))


def coordinate_of(scene: Scene, joint: str) -> str:
    """The coordinate that a drive takes; raises SceneError where there is none."""
    known = coordinates_of(scene, joint)
    if not known:
        raise _refused(
            f"joints.{joint}", joint, f"{joint} has no angle or displacement", "choose a revolute or a slider"
        )
    return known[0]


def add_motor(scene: Scene, joint: str) -> Edit:
    """Let a joint turn at constant speed, or slide to and fro, from the pose that it has."""
    coordinate = coordinate_of(scene, joint)
    driven = [m.name for m in scene.motions if isinstance(m, JointMotionSpec) and m.joint == joint]
    if driven:
        raise _refused(
            f"motions.{driven[0]}", joint, f"{joint} has a motor already: {driven[0]}", "edit that one"
        )
    start = coordinate_at_start(scene, joint, coordinate)
    function = f"{SPEED}*t" if coordinate == "angle" else SWING
    if abs(start) > 1e-12:
        function = f"{start:.12g} + {function}"
    name = free_name(scene, "motions", "motor 1")
    after = scene.with_motion("joint_motion", name, joint=joint, coordinate=coordinate, function=function)
    return Edit(f"Add {name} to {joint}", after)


def coordinate_at_start(scene: Scene, joint: str, coordinate: str) -> float:
    """The angle [rad] or displacement [m] that a joint has in the given pose."""
    a, b = seats(scene, scene.joint(joint))
    if coordinate == "angle":
        turned = a.axes_W.T @ b.axes_W
        return float(np.arctan2(turned[1, 0], turned[0, 0]))
    along = "x" if scene.space == "planar" else "z"
    return float((a.axes_W.T @ (b.p_W - a.p_W))["xyz".index(along)])


def add_trace(scene: Scene, body: str, point: Vec | str) -> Edit:
    """Draw the path of a point of a body."""
    name = free_name(scene, "traces", "trace 1")
    return Edit(f"Trace {body}", scene.add(Trace(name=name, body=body, point=point)))


def add_force(scene: Scene, kind: str, **places: Any) -> Edit:
    """A force with numbers that show: `body` and `point`, `a` and `b`, or `joint`, as its kind needs."""
    return _added(scene, FORCES[kind], "forces", **places)


def add_measure(scene: Scene, kind: str, **places: Any) -> Edit:
    """A measure of two points or directions, or an expression of channels."""
    return _added(scene, MEASURES[kind], "measures", **places)


def add_body_motion(scene: Scene, body: str, point: Vec | str) -> Edit:
    """Let a point of a body move to and fro along x, from where it is."""
    from engine.system.compiling.frames import Frames, named_point

    resolved = resolve(scene)
    place = Frames(resolved).places[body]
    place_in_body = (*point, 0.0)[:3] if isinstance(point, tuple) else point
    x = float(place.point(named_point(resolved.body(body), place_in_body))[0])
    name = free_name(scene, "motions", "motion 1")
    function = SWING if abs(x) < 1e-12 else f"{x:.12g} + {SWING}"
    after = scene.with_motion("body_motion", name, body=body, point=point, coordinate="x", function=function)
    return Edit(f"Add {name} to {body}", after)


def distance_measure(scene: Scene, a: tuple[str, Any], b: tuple[str, Any]) -> Edit:
    """The distance between a point of one body and a point of another."""
    return add_measure(scene, "distance", a=PointOf(body=a[0], point=a[1]), b=PointOf(body=b[0], point=b[1]))


def angle_measure(scene: Scene, a: str, b: str) -> Edit:
    """The angle between the x directions of two bodies."""
    return add_measure(scene, "angle", a=AxisOf(body=a), b=AxisOf(body=b))


def ground(scene: Scene, body: str) -> Edit:
    """Make a body part of the world."""
    found = scene.body(body)
    return Edit(f"Ground {body}", scene.replace(msgspec.structs.replace(found, fixed=True)))


def _available(scene: Scene, kind: str) -> JointKind:
    known = JOINTS[kind]
    if scene.space == "planar" and known.planar_rows is None:
        raise _refused(
            "joints", kind, f"{known.title} does not exist in the plane", "go to space, or take another kind"
        )
    return known


def _added(scene: Scene, known: Any, where: str, **fields: Any) -> Edit:
    spec: Any = known.spec
    given = {**known.defaults_in(scene.space), **fields}
    name = free_name(scene, where, f"{known.name} 1".replace("_", " "))
    return Edit(f"Add {known.title.lower()}", scene.add(spec(name=name, **given)))


def _article(word: str) -> str:
    return f"an {word}" if word[:1] in "aeiou" else f"a {word}"


def _refused(path: str, value: object, message: str, cure: str) -> SceneError:
    return SceneError([Problem(path, value, message, cure)])
