"""Elements at another place: bodies, traces and anchors here, all else as its kind says."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from msgspec.structs import replace

from app.document.document import Ref
from app.edits.geometry.joint_frames import axis_in_plane, written
from app.edits.geometry.sign_reversal import with_reversed
from app.edits.geometry.transform import Placing
from engine.compiled.layout import Array
from engine.elements.arithmetic import negated, total
from engine.elements.base import WORLD, ZERO, Anchor, Directions
from engine.elements.bodies.body import Body
from engine.elements.bodies.shapes import Mesh, Shape, shape_kind
from engine.elements.bodies.traces import Trace
from engine.elements.coordinates.frames import Place
from engine.errors import Problem, SceneError
from engine.model.resolve import resolve_leniently
from engine.model.scene import Scene, kind_of
from engine.system.compiling.frames import named_point, places

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
        if isinstance(item, Body):
            return _body(self, item)
        if isinstance(item, Trace):
            return _trace(self, item)
        kind = kind_of(item)
        if kind is not None:
            item = kind.moved(item, self)
        if self.placing.mirrors:
            item = with_reversed(item, {ref.name for ref in self.moved if ref.where == "joints"}, ("angle",))
        return item

    @property
    def notes(self) -> tuple[str, ...]:
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

    @property
    def planar(self) -> bool:
        return self.scene.space == "planar"

    def takes(self, body: str) -> bool:
        """Whether a body is copied, too."""
        return Ref("bodies", body) in self.moved

    # points and directions of a body or of the world

    def point(self, body: str, point: Any) -> Any:
        """Where a point given in a body's axes, or by name, goes."""
        if self.takes(body):
            return point if isinstance(point, str) or point is None else self.placing.local(point)
        if body == WORLD:
            return self.placing.point(ZERO if point is None else point)
        place = self._place(body)
        known = next((other for other in self._resolved.bodies if other.name == body), None)
        p_W = place.point(named_point(known, _three(point)))
        return _numbers(place.local(self.placing.Q @ p_W + self.placing.d), self.planar)

    def direction(self, body: str, given: Any, otherwise: tuple[float, ...]) -> Any:
        """Where a direction goes; None stays so while it means the same."""
        v = otherwise if given is None else given
        if self.takes(body):
            new = self.placing.local(v)
        elif body == WORLD:
            new = self.placing.vector(v)
        else:
            R = self._place(body).R_WB
            new = _numbers(R.T @ self.placing.Q @ R @ np.array(_three(v), dtype=float), self.planar)
        return None if given is None and np.allclose(_floats(new), v[: len(new)], atol=1e-12) else new

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


# bodies, anchors, traces


def _body(mover: Mover, body: Body) -> Body:
    placing = mover.placing
    new: dict[str, Any] = {
        "position": placing.point(body.position),
        "velocity": placing.vector(body.velocity),
        "angular_velocity": placing.spin(body.angular_velocity),
    }
    if mover.planar:
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
    return replace(shape, **new, **shape_kind(shape).mapped(shape, placing.local))


def _anchored(mover: Mover, item: Any) -> Any:
    a, b = item.a, item.b
    along_x = axis_in_plane(mover.scene, item)
    axis = X if along_x else Z
    whole = kind_of(item).directions is Directions.FRAME
    full = whole or b.reference is not None or (b.axis is not None and not along_x)
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


def _trace(mover: Mover, trace: Trace) -> Trace:
    return replace(trace, point=mover.point(trace.body, trace.point))
