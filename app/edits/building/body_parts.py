"""Points and shapes of a body: added, copied, removed. Points are renamed and removed as elements are."""

from __future__ import annotations

import math
from typing import Any, get_args, get_origin

import msgspec

from app.document.document import Edit, Ref, find
from engine.elements.bodies.body import Body, Point
from engine.elements.bodies.shapes import SHAPES, Shape
from engine.elements.fields import Field, fields_of
from engine.errors import Problem, SceneError
from engine.model.resolve import resolve_leniently
from engine.model.scene import Scene

SIZE = 0.1  # m, of a shape when the body gives no hint of its own
THIN = 0.1  # of the size: radius of a rod, thickness of a plate


def add_point(scene: Scene, ref: Ref) -> Edit:
    """A new point at the origin of the body."""
    body = _body(scene, ref)
    taken = {point.name for point in body.points}
    name = next(name for name in map("P{}".format, range(1, len(taken) + 2)) if name not in taken)
    zero = (0.0, 0.0) if scene.space == "planar" else (0.0, 0.0, 0.0)
    new = msgspec.structs.replace(body, points=(*body.points, Point(name=name, position=zero)))
    return Edit(f"Add point {name}", scene.replace(new))


def add_shape(scene: Scene, ref: Ref, kind: str, **fields: Any) -> Edit:
    """A new shape, about as large as the body is; what its kind needs can be given."""
    body = _body(scene, ref)
    spec: Any = SHAPES[kind].spec
    size, ends = _extent(scene, body)
    made = spec(**{**_needed(spec, size, ends), **fields})
    return Edit(f"Add {SHAPES[kind].title.lower()}", _with_shapes(scene, body, (*body.shapes, made)))


def duplicate_shape(scene: Scene, ref: Ref, index: int) -> Edit:
    body = _body(scene, ref)
    shapes = (*body.shapes[: index + 1], body.shapes[index], *body.shapes[index + 1 :])
    return Edit("Duplicate shape", _with_shapes(scene, body, shapes))


def remove_shape(scene: Scene, ref: Ref, index: int) -> Edit:
    body = _body(scene, ref)
    return Edit("Remove shape", _with_shapes(scene, body, body.shapes[:index] + body.shapes[index + 1 :]))


def _body(scene: Scene, ref: Ref) -> Body:
    body = find(scene, ref.element)
    if not isinstance(body, Body):
        raise SceneError([Problem(str(ref), ref.name, f"{ref} is no body", "choose a body")])
    return body


def _with_shapes(scene: Scene, body: Body, shapes: tuple[Shape, ...]) -> Scene:
    return scene.replace(msgspec.structs.replace(body, shapes=shapes))


def _extent(scene: Scene, body: Body) -> tuple[float, tuple[tuple[float, ...], tuple[float, ...]]]:
    """A fitting size, and two points that a rod may join: the first two of the body."""
    resolved, _ = resolve_leniently(scene)
    known = next((other for other in resolved.bodies if other.name == body.name), body)
    places = [p.position for p in known.points if all(_known(x) for x in p.position)]
    if len(places) < 2:
        return SIZE, ((0.0, 0.0, 0.0), (SIZE, 0.0, 0.0))
    a, b = (tuple(float(x) for x in (*place, 0.0)[:3]) for place in places[:2])
    length = sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) ** 0.5
    return (length or SIZE), (a, b)


def _known(value: Any) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)


def _needed(
    spec: type[Any], size: float, ends: tuple[tuple[float, ...], tuple[float, ...]]
) -> dict[str, Any]:
    """Values for the fields that a kind of shape has no default for."""
    return {field.name: _default(field, size, ends) for field in fields_of(spec) if field.required}


def _default(field: Field, size: float, ends: tuple[tuple[float, ...], tuple[float, ...]]) -> Any:
    own = {
        "start": ends[0],
        "end": ends[1],
        "points": ((0.0, 0.0), (size, 0.0), (0.5 * size, 0.5 * size)),
        "radius": THIN * size,
        "thickness": THIN * size,
        "size": (size, THIN * size, THIN * size),
        "file": "",
    }
    if field.name in own:
        return own[field.name]
    bare = get_args(field.type)[0]
    return (size,) * len(get_args(bare)) if get_origin(bare) is tuple else size
