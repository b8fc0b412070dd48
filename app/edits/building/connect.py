"""What is added to bodies and joints that are there: joints, motors, forces, traces, measures, the ground."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from app.document.document import Edit, Ref, find
from app.edits.elements.add_remove import free_name
from engine.elements.base import Anchor, Directions, Vec
from engine.elements.bodies.traces import Trace
from engine.elements.drivers import MOTIONS
from engine.elements.fields import fields_of
from engine.elements.forces import FORCES
from engine.elements.joints import JOINTS
from engine.elements.joints.base import JointKind
from engine.elements.measures import MEASURES
from engine.elements.measures.base import PointOf
from engine.errors import Problem, SceneError
from engine.maths.round_numbers import tidy
from engine.model.resolve import parameter_values, resolve
from engine.model.scene import Scene, kind_of

Array = NDArray[np.float64]


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
    driven = [m.name for m in scene.motions if kind_of(m).moves(m)[:2] == ("joint", joint)]
    if driven:
        raise _refused(
            f"motions.{driven[0]}", joint, f"{joint} has a motor already: {driven[0]}", "edit that one"
        )
    return add_motion(scene, "joint_motion", joint=joint, coordinate=coordinate)


def add_motion(scene: Scene, kind: str, **places: Any) -> Edit:
    """A motion from where its coordinate is: `joint` and `coordinate`, `body` and `point`, or `a` and `b`."""
    from engine.system.compiling.collect import Builder

    known = MOTIONS[kind]
    spec = _new(scene, known, "motions", known.noun, function=0.0, **places)
    resolved = resolve(scene.add(spec))
    build = Builder(resolved, parameter_values(resolved))
    start = build.at_pose(known.coordinate_function(resolved.motion(spec.name), build))
    function = known.first(spec)
    if abs(start) > 1e-12:
        function = f"{start:.12g} + {function}"
    moved = known.moves(spec)
    text = f"Add {spec.name}" if moved.owner == "motion" else f"Add {spec.name} to {moved.name}"
    return Edit(text, scene.add(msgspec.structs.replace(spec, function=function)))


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


def measure_between(scene: Scene, kind: str, a: tuple[str, Any], b: tuple[str, Any]) -> Edit:
    """A measure of a point of one body and a point of another, or of the bodies that have them."""
    between = MEASURES[kind].between
    if between is None:
        raise _refused(
            "measures", kind, f"{MEASURES[kind].title} is not made from two points", "add it alone"
        )
    ends = (PointOf(body=body, point=point) for body, point in (a, b))
    return add_measure(scene, kind, **between(*ends))


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


def _new(scene: Scene, known: Any, where: str, noun: str = "", **fields: Any) -> Any:
    """A new element of a kind, with the defaults of the kind and a name that is free."""
    given = {**known.defaults_in(scene.space), **fields}
    name = free_name(scene, where, f"{noun or known.name.replace('_', ' ')} 1")
    return known.spec(name=name, **given)


def _added(scene: Scene, known: Any, where: str, **fields: Any) -> Edit:
    return Edit(f"Add {known.title.lower()}", scene.add(_new(scene, known, where, **fields)))


def _article(word: str) -> str:
    return f"an {word}" if word[:1] in "aeiou" else f"a {word}"


def _refused(path: str, value: object, message: str, remedy: str) -> SceneError:
    return SceneError([Problem(path, value, message, remedy)])
