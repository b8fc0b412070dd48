"""Another kind for a joint: it stays where it is, between the same bodies, under the same name."""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec.structs import replace

from app.document.document import Edit, Ref
from app.edits.elements.references import used_by
from app.edits.geometry.joint_frames import anchored, axis_in_plane, frames_of, written
from engine.elements.base import Directions
from engine.elements.fields import fields_of
from engine.elements.joints import JOINTS
from engine.elements.joints.base import JointKind
from engine.errors import Problem, SceneError
from engine.model.scene import Scene

TOGETHER = 1e-9  # of their distance from the origin: points nearer than this are one
OWN_AXIS_OF_B = (Directions.TWO_AXES, Directions.OF_B)


def change_joint_kind(scene: Scene, ref: Ref, kind: str) -> Edit:
    """Make a joint one of another kind that keeps its frame; raises SceneError.

    Start values of coordinates that the new kind has too are kept. A joint whose coordinate is driven or
    coupled can only become one that has this coordinate.
    """
    joint = anchored(scene, ref)
    if joint is None or ref.where != "joints":
        raise _problem(
            ref, f"{ref.name!r} is no joint between two bodies", "select one that joins two bodies"
        )
    if kind not in {known.name for known in kinds_for(scene)}:
        able = ", ".join(known.name for known in kinds_for(scene))
        raise _problem(ref, f"a joint of this scene cannot be {kind!r}", f"choose one of {able}")
    _refuse_driven(scene, ref, JOINTS[kind])
    made = _made(scene, joint, JOINTS[kind])
    if hasattr(made, "length") and getattr(made, "length", None) is None:
        made = _with_length(scene, ref, joint, made)
    return Edit(f"Make {ref.name} {JOINTS[kind].title.lower()}", scene.replace(made))


def kinds_for(scene: Scene) -> list[JointKind]:
    """Kinds that a joint between two frames can have in this scene."""
    return [
        kind
        for kind in JOINTS
        if kind.uses_anchors and (scene.space != "planar" or kind.planar_rows is not None)
    ]


def _with_length(scene: Scene, ref: Ref, joint: Any, made: Any) -> Any:
    """A rod needs two points that are apart, and must say where it ends."""
    a, b = frames_of(scene, joint)
    gap = float(np.linalg.norm(a.p_W - b.p_W))
    if not gap > TOGETHER * max(float(np.abs([a.p_W, b.p_W]).max()), TOGETHER):
        text = f"the two points of {ref.name!r} coincide, so a rod between them has no length"
        raise _problem(ref, text, "move one of its points first")
    if made.b.point is None:
        made = replace(made, b=replace(made.b, point=written(b.p_B, scene.space == "planar")))
    return made


def _refuse_driven(scene: Scene, ref: Ref, kind: JointKind) -> None:
    has = kind.coordinates_in(scene.space)
    for where in ("joints", "forces", "motions"):
        for item in getattr(scene, where):
            if ref not in used_by(item):
                continue
            for coordinate in _coordinates(item, ref.name):
                if coordinate not in has:
                    title = kind.title.lower()
                    text = f"{item.name!r} acts on the {coordinate} of {ref.name!r}; a {title} joint has none"
                    raise _problem(ref, text, f"remove {item.name!r} first, or choose another kind")


def _coordinates(item: Any, joint: str) -> list[str]:
    """Coordinates of a joint that an element acts on."""
    if hasattr(item, "terms"):
        return [term.coordinate for term in item.terms if term.joint == joint]
    if hasattr(item, "coordinate") and getattr(item, "joint", "") == joint:
        return [item.coordinate]
    return [
        str(info.extra["coordinate"])
        for info in fields_of(type(item))
        if info.role == "reference" and getattr(item, info.name) == joint and "coordinate" in info.extra
    ]


def _made(scene: Scene, joint: Any, kind: JointKind) -> Any:
    spec: Any = kind.spec
    known = {info.name: getattr(joint, info.name) for info in fields_of(type(joint))}
    fields = {info.name: known[info.name] for info in fields_of(spec) if info.name in known}
    for name, value in kind.defaults_in(scene.space).items():
        fields.setdefault(name, value)
    has = kind.coordinates_in(scene.space)
    if "start" in fields:
        fields["start"] = {name: value for name, value in known["start"].items() if name in has}
    made = spec(**fields)
    planar = scene.space == "planar"
    if planar and axis_in_plane(scene, joint) != axis_in_plane(scene, made):
        # the axis of one kind lies in the plane, that of the other across it
        sides = {
            side: replace(
                getattr(made, side),
                axis=(1.0, 0.0) if kind.planar_axis_is_x and side == "a" else None,
                reference=None,
            )
            for side in ("a", "b")
        }
        made = replace(made, **sides)
    if kind.directions in OWN_AXIS_OF_B and not planar and made.b.axis is None:
        _, frame = frames_of(scene, joint)
        made = replace(made, b=replace(made.b, axis=written(frame.axes_B[:, 0], planar)))
    return made


def _problem(ref: Ref, message: str, remedy: str) -> SceneError:
    return SceneError([Problem(str(ref), ref.name, message, remedy)])
