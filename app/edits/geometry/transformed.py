"""Elements at another place: each kind of element says what a shift, a turn or a mirror does to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from msgspec.structs import replace

from app.document.document import Ref
from app.edits.arithmetic import negated, total
from app.edits.geometry.joint_frames import written
from app.edits.geometry.sign_reversal import with_reversed
from app.edits.geometry.transform import Placing
from engine.compiled.layout import Array
from engine.elements.base import WORLD, ZERO, Anchor
from engine.elements.bodies import Body
from engine.elements.drivers.body_motion import BodyMotionSpec
from engine.elements.forces.bushing import BushingSpec
from engine.elements.forces.force import AppliedForceSpec
from engine.elements.forces.torque import TorqueSpec
from engine.elements.joints import JOINTS
from engine.elements.joints.lock import LockSpec
from engine.elements.joints.screw import ScrewSpec
from engine.elements.measures import AngleMeasure, DistanceMeasure
from engine.elements.shapes import Mesh, Outline, Rod, Shape
from engine.elements.traces import Trace
from engine.errors import Problem, SceneError
from engine.model.resolve import resolve_leniently
from engine.model.scene import Scene
from engine.system.compiling.frames import Place, named_point, places

Handler = Callable[["Mover", Any], Any]
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


@dataclass(frozen=True)
class Mover:
    """Puts copies of elements to their new place; what stands on bodies that stay goes there too."""

    scene: Scene
    placing: Placing
    moved: frozenset[Ref]  # elements that are copied

    def __call__(self, item: Any) -> Any:
        if isinstance(getattr(item, "a", None), Anchor):
            item = _anchored(self, item)
        for kind, handler in HANDLERS:
            if isinstance(item, kind):
                item = handler(self, item)
        if self.placing.mirrors:
            item = with_reversed(item, {ref.name for ref in self.moved if ref.where == "joints"}, ("angle",))
        return item

    @property
    def remarks(self) -> tuple[str, ...]:
        """What the copies cannot have."""
        if not self.placing.mirrors:
            return ()
        meshes = [
            body.name
            for body in self.scene.bodies
            if Ref("bodies", body.name) in self.moved and any(isinstance(s, Mesh) for s in body.shapes)
        ]
        text = (
            "the surface of {} comes from a file and is turned, not mirrored; give the copy a mirrored file"
        )
        return tuple(text.format(name) for name in meshes)

    # points and directions of a body or of the world

    def point(self, body: str, point: Any) -> Any:
        """Where a point given in a body's axes, or by name, goes."""
        if Ref("bodies", body) in self.moved:
            return point if isinstance(point, str) or point is None else self.placing.local(point)
        if body == WORLD:
            return self.placing.point(ZERO if point is None else point)
        place = self._place(body)
        known = next((other for other in self._resolved.bodies if other.name == body), None)
        p_W = place.point(named_point(known, _three(point)))
        return _numbers(place.local(self.placing.Q @ p_W + self.placing.d), self._flat)

    def direction(self, body: str, given: Any, otherwise: tuple[float, ...]) -> Any:
        """Where a direction goes; None stays so while it means the same."""
        v = otherwise if given is None else given
        if Ref("bodies", body) in self.moved:
            new = self.placing.local(v)
        elif body == WORLD:
            new = self.placing.vector(v)
        else:
            R = self._place(body).R_WB
            new = _numbers(R.T @ self.placing.Q @ R @ np.array(_three(v), dtype=float), self._flat)
        return None if given is None and np.allclose(_floats(new), v[: len(new)], atol=1e-12) else new

    @property
    def _flat(self) -> bool:
        return self.scene.space == "planar"

    @cached_property
    def _resolved(self) -> Scene:
        return resolve_leniently(self.scene)[0]

    @cached_property
    def _places(self) -> dict[str, Place]:
        return places(self._resolved)

    def _place(self, body: str) -> Place:
        try:
            return self._places[body]
        except KeyError:
            text = f"there is no body {body!r}"
            raise SceneError([Problem(f"bodies.{body}", body, text, "choose one that exists")]) from None


def _three(v: Any) -> Any:
    return v if not isinstance(v, tuple) or len(v) == 3 else (*v, 0.0)


def _floats(v: Any) -> tuple[float, ...]:
    return tuple(float(x) if not isinstance(x, str) else np.nan for x in v)


def _numbers(v: Array, flat: bool) -> tuple[float, ...]:
    if not np.isfinite(v).all():
        text = "a place on a body that stays cannot be computed"
        raise SceneError([Problem("", None, text, "mend the numbers of the scene first")])
    return written(v, flat)


# one handler per family of elements


def _body(mover: Mover, body: Body) -> Body:
    placing = mover.placing
    new: dict[str, Any] = {
        "position": placing.point(body.position),
        "velocity": placing.vector(body.velocity),
        "angular_velocity": placing.spin(body.angular_velocity),
    }
    if mover.scene.space == "planar":
        new["angle"] = placing.turned(body.angle)
    else:
        new["orientation"] = placing.orientation(body.orientation)
    if placing.mirrors:
        new["com"] = None if body.com is None else placing.local(body.com)
        new["inertia"] = _mirrored_inertia(body.inertia, placing)
        new["points"] = tuple(replace(p, position=placing.local(p.position)) for p in body.points)
        new["shapes"] = tuple(_mirrored_shape(shape, placing) for shape in body.shapes)
    return replace(body, **new)


def _mirrored_inertia(entries: Any, placing: Placing) -> Any:
    """I' = S I S: products with the axis across the mirror change their sign."""
    if entries is None or len(entries) < 6:
        return entries
    s = np.diag(placing.Q)
    pairs = ((0, 1), (0, 2), (1, 2))
    return (
        *entries[:3],
        *(total((s[i] * s[j],), (x,)) for (i, j), x in zip(pairs, entries[3:], strict=True)),
    )


def _mirrored_shape(shape: Shape, placing: Placing) -> Shape:
    new: dict[str, Any] = {
        "position": placing.local(shape.position),
        "orientation": placing.local_orientation(shape.orientation),
        "angle": negated(shape.angle),
    }
    if placing.Q[2, 2] < 0.0:  # the turn about z stays as it is
        new["angle"] = shape.angle
    if isinstance(shape, Rod):
        new |= {"start": placing.local(shape.start), "end": placing.local(shape.end)}
    if isinstance(shape, Outline):
        new["points"] = tuple(placing.local(corner) for corner in shape.points)
    return replace(shape, **new)


def _anchored(mover: Mover, item: Any) -> Any:
    a, b = item.a, item.b
    tag = item.__struct_config__.tag
    along_x = mover.scene.space == "planar" and tag in JOINTS and JOINTS[tag].planar_axis_is_x
    axis = X if along_x else Z
    full = isinstance(item, BushingSpec) or b.reference is not None or (b.axis is not None and not along_x)
    across = X if a.axis is None or _across_x(a.axis) else Y
    new_a = _anchor(mover, a, a.point, axis, across if full else None)
    return replace(item, a=new_a, b=_anchor(mover, b, b.point, None, None, follows=True))


def _anchor(
    mover: Mover, anchor: Anchor, point: Any, axis: Any, reference: Any, *, follows: bool = False
) -> Anchor:
    """`axis` and `reference` are what the anchor means by leaving them out; one that follows takes A's."""
    new = {"point": point if follows and point is None else mover.point(anchor.body, point)}
    for name, otherwise in (("axis", axis), ("reference", reference)):
        given = getattr(anchor, name)
        if given is not None or otherwise is not None:
            new[name] = mover.direction(anchor.body, given, otherwise)
    return replace(anchor, **new)


def _across_x(axis: tuple[Any, ...]) -> bool:
    """Whether a direction is not along x."""
    return any(isinstance(value, str) or abs(value) > 0.0 for value in axis[1:])


def _lock(mover: Mover, joint: LockSpec) -> LockSpec:
    Q, at = mover.placing.Q, ["xyz".index(name) for name in joint.directions]
    if any(abs(Q[i, i]) != 1.0 for i in at):
        text = f"joint {joint.name!r} holds coordinates of the world and cannot be turned"
        raise SceneError([Problem(f"joints.{joint.name}", None, text, "leave it out")])
    if joint.angle is not None and joint.a.body == WORLD:
        joint = replace(joint, angle=mover.placing.turned(joint.angle))
    elif joint.angle is not None and mover.placing.mirrors:
        joint = replace(joint, angle=negated(joint.angle))
    if joint.values is None:
        return joint
    # the point of A goes along, so the distances from it only change their sign
    return replace(
        joint, values=tuple(total((Q[i, i],), (v,)) for i, v in zip(at, joint.values, strict=True))
    )


def _screw(mover: Mover, joint: ScrewSpec) -> ScrewSpec:
    return replace(joint, pitch=negated(joint.pitch)) if mover.placing.mirrors else joint


def _force(mover: Mover, force: AppliedForceSpec) -> AppliedForceSpec:
    placing = mover.placing
    on_copy = force.frame == "body" and Ref("bodies", force.body) in mover.moved
    new = {
        "point": mover.point(force.body, force.point),
        "components": placing.local(force.components) if on_copy else placing.vector(force.components),
    }
    if force.application is not None:
        new["application"] = placing.point(force.application)
    return replace(force, **new)


def _torque(mover: Mover, torque: TorqueSpec) -> TorqueSpec:
    placing = mover.placing
    on_copy = torque.frame == "body" and Ref("bodies", torque.body) in mover.moved
    turned = placing.local_spin(torque.components) if on_copy else placing.spin(torque.components)
    return replace(torque, components=turned)


def _body_motion(mover: Mover, motion: BodyMotionSpec) -> BodyMotionSpec:
    placing = mover.placing
    position = motion.level == "position"
    new: dict[str, Any] = {"point": mover.point(motion.body, motion.point)}
    if motion.coordinate == "angle":
        sign = -1.0 if placing.mirrors else 1.0
        new["function"] = total((sign,), (motion.function,), placing.angle if position else 0.0)
        return replace(motion, **new)
    i = "xyz".index(motion.coordinate)
    if abs(placing.Q[i, i]) != 1.0:
        text = f"motion {motion.name!r} moves along an axis of the world and cannot be turned"
        raise SceneError([Problem(f"motions.{motion.name}", None, text, "leave it out")])
    offset = float(placing.d[i]) if position else 0.0
    new["function"] = total((placing.Q[i, i],), (motion.function,), offset)
    return replace(motion, **new)


def _trace(mover: Mover, trace: Trace) -> Trace:
    return replace(trace, point=mover.point(trace.body, trace.point))


def _distance(mover: Mover, measure: DistanceMeasure) -> DistanceMeasure:
    ends = {side: getattr(measure, side) for side in ("a", "b")}
    return replace(
        measure, **{side: replace(end, point=mover.point(end.body, end.point)) for side, end in ends.items()}
    )


def _angle(mover: Mover, measure: AngleMeasure) -> AngleMeasure:
    ends = {side: getattr(measure, side) for side in ("a", "b")}
    return replace(
        measure,
        **{side: replace(end, axis=mover.direction(end.body, end.axis, X)) for side, end in ends.items()},
    )


HANDLERS: tuple[tuple[Any, Handler], ...] = (
    (Body, _body),
    (LockSpec, _lock),
    (ScrewSpec, _screw),
    (AppliedForceSpec, _force),
    (TorqueSpec, _torque),
    (BodyMotionSpec, _body_motion),
    (Trace, _trace),
    (DistanceMeasure, _distance),
    (AngleMeasure, _angle),
)
