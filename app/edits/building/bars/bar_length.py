"""The length of a bar: the far pin moves, and shape, centre of mass, inertia and anchors go along."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from msgspec.structs import replace

from app.document.document import Edit, Ref, find
from app.edits.building.bars.find_bars import Bar, find_bar, long_axis, writes
from app.edits.fields import set_parameter
from app.edits.geometry.joint_frames import frames_of, written
from engine.compiled.layout import Array
from engine.elements.arithmetic import scaled, total
from engine.elements.base import Anchor, Number
from engine.elements.bodies.body import Body
from engine.elements.bodies.shapes import Shape, shape_kind
from engine.errors import Problem, SceneError
from engine.maths.expressions import ExpressionError, parse
from engine.model.mass import inertia_matrix
from engine.model.resolve import parameter_values, resolve_leniently
from engine.model.scene import Parameter, Scene


def set_length(scene: Scene, ref: Ref, length: Number, key: object = None) -> Edit:
    """Make a bar so long [m]; raises SceneError.

    A bar whose length is a parameter of its own changes the parameter, and all that uses it. Otherwise the
    bar alone is stretched from the pin that stays; given mass and inertia become those of the longer bar.
    """
    bar = find_bar(scene, ref.name)
    if bar is None:
        remedy = "give it a rod between two points, or edit its points"
        raise _problem(ref, length, f"{ref.name!r} is no bar: its length is not known", remedy)
    own = own_parameter(scene, bar)
    if own is not None and not isinstance(length, str):
        limits = parameter_limits(scene, own)
        if not limits[0] <= length <= limits[1]:
            text = f"the length of {ref.name!r} is the parameter {own.name}, which goes {_range(limits)}"
            raise _problem(ref, length, text, f"give a length in between, or change the limits of {own.name}")
        edit = set_parameter(scene, own.name, length, key)
        return Edit(f"Change length of {ref.name}", edit.after, key=key)
    value = _value(scene, ref, length)
    after = _stretched(scene, bar, _Stretch(bar, value), length)
    return Edit(f"Change length of {ref.name}", after, key=key)


def own_parameter(scene: Scene, bar: Bar) -> Parameter | None:
    """The parameter that is the length of this bar and of no other one."""
    if not isinstance(bar.length, str):
        return None
    found = find(scene, Ref("parameters", bar.length.strip()))
    if found is None or isinstance(found.value, str):
        return None
    for body in scene.bodies:
        if body.name == bar.body or not writes(body, bar.length):  # most bodies need no closer look
            continue
        other = find_bar(scene, body.name)
        if other is not None and other.length == bar.length:
            return None
    assert isinstance(found, Parameter)
    return found


def parameter_limits(scene: Scene, parameter: Parameter) -> tuple[float, float]:
    """Smallest and largest value, infinite where there is none."""
    resolved = find(resolve_leniently(scene)[0], Ref("parameters", parameter.name))
    low = -math.inf if resolved.min is None else float(resolved.min)
    return low, math.inf if resolved.max is None else float(resolved.max)


def _range(limits: tuple[float, float]) -> str:
    return " ".join(
        f"{word} {value:.4g} m"
        for word, value in zip(("from", "to"), limits, strict=True)
        if math.isfinite(value)
    )


def _value(scene: Scene, ref: Ref, length: Number) -> float:
    try:
        value = parse(length).value(parameter_values(scene)) if isinstance(length, str) else float(length)
    except ExpressionError as error:
        raise _problem(ref, length, str(error), "write a length in m") from None
    if not value > 0.0 or not math.isfinite(value):
        raise _problem(ref, length, f"a length of {value:g} m cannot be", "give a length greater than 0")
    return value


@dataclass(frozen=True)
class _Stretch:
    """x → x + u (s - 1) u·(x - near): all that is beside the bar moves along it in proportion."""

    bar: Bar
    length: float

    @property
    def factor(self) -> float:
        return self.length / self.bar.now

    @property
    def grows(self) -> float:
        return self.length - self.bar.now

    def __call__(self, x: Any) -> Array:
        x = np.array((*x, 0.0)[:3], dtype=float)
        u = self.bar.direction
        return np.asarray(x + u * ((self.factor - 1.0) * (u @ (x - self.bar.near))))

    def moves(self, x: Any) -> bool:
        x = np.array((*x, 0.0)[:3], dtype=float)
        return bool(np.linalg.norm(self(x) - x) > 1e-12 * self.bar.now)


def _stretched(scene: Scene, bar: Bar, stretch: _Stretch, length: Number) -> Scene:
    resolved, _ = resolve_leniently(scene)
    body, known = find(scene, Ref("bodies", bar.body)), find(resolved, Ref("bodies", bar.body))
    place = _Places(scene, bar, stretch, length)
    scene = _with_anchors(scene, bar, stretch, place)
    points = tuple(
        replace(point, position=place(point.position, resolved_point.position))
        for point, resolved_point in zip(body.points, known.points, strict=True)
    )
    shapes = tuple(
        _shape(shape, resolved_shape, index == bar.shape, stretch, place)
        for index, (shape, resolved_shape) in enumerate(zip(body.shapes, known.shapes, strict=True))
    )
    new: dict[str, Any] = {"points": points, "shapes": shapes}
    if known.com is not None:
        new["com"] = place(body.com, known.com)
    elif known.mass is not None and stretch.moves((0.0, 0.0, 0.0)):
        new["com"] = written(stretch((0.0, 0.0, 0.0)), scene.space == "planar")
    if known.mass is not None:
        factor = _mass_factor(known, bar, stretch)
        new["mass"] = scaled(body.mass, factor)
        if body.inertia is not None:
            new["inertia"] = _inertia(body.inertia, known.inertia, bar.direction, factor)
    return scene.replace(replace(body, **new))


@dataclass(frozen=True)
class _Places:
    """Writes stretched places: the far pin as the length says, other places by their numbers."""

    scene: Scene
    bar: Bar
    stretch: _Stretch
    length: Number

    def __call__(self, given: tuple[Any, ...], known: Any) -> tuple[Any, ...]:
        """`given` as the scene writes it, `known` its numbers."""
        flat = len(given) == 2
        if isinstance(self.length, str) and _same(known, self.bar.far, self.bar.now):
            u, near = self.bar.direction, self.bar.near
            return tuple(total((u[i],), (self.length,), near[i]) for i in range(len(given)))
        return written(self.stretch(known), flat) if self.stretch.moves(known) else given


def _same(place: Any, other: Array, size: float) -> bool:
    return bool(np.allclose((*place, 0.0)[:3], other, rtol=0.0, atol=1e-9 * size))


def _shape(shape: Shape, known: Shape, main: bool, stretch: _Stretch, place: _Places) -> Shape:
    kind = shape_kind(known)
    if kind.ends(known) is not None:
        # both ends as the scene writes them, by their numbers
        numbers = iter(kind.ends(known) or ())
        return replace(shape, **kind.mapped(shape, lambda given: place(given, next(numbers))))
    if main and long_axis(known) is not None:
        # as far beyond its pins as before
        middle = np.array(known.position, dtype=float) + 0.5 * stretch.grows * stretch.bar.direction
        new: dict[str, Any] = {"position": written(middle, len(shape.position) == 2)}
        longer = kind.lengthened(shape, known, stretch.grows)
        side = kind.long_side(known)
        if side is not None and min(side.length + stretch.grows, longer.get("length", side.width)) <= 0.0:
            raise _problem(
                Ref("bodies", stretch.bar.body),
                stretch.length,
                f"the shape of {stretch.bar.body!r} would have no length",
                "give a greater length",
            )
        return replace(shape, **new, **longer)
    if _plain(known):
        corners = kind.mapped(known, lambda corner: written(stretch((*corner, 0.0)), True))
        return replace(shape, **(corners or {"position": place(shape.position, known.position)}))
    return replace(shape, position=place(shape.position, known.position))


def _plain(shape: Shape) -> bool:
    """Whether its points are given in the axes of the body."""
    return not any(shape.position) and not shape.angle and tuple(shape.orientation) == (1.0, 0.0, 0.0, 0.0)  # type: ignore[arg-type]


def _mass_factor(body: Body, bar: Bar, stretch: _Stretch) -> float:
    """How much more mass a bar of the same section has."""
    line = long_axis(body.shapes[bar.shape])
    return stretch.factor if line is None else (line[2] + stretch.grows) / line[2]


def _inertia(entries: Any, known: Any, u: Array, factor: float) -> Any:
    """I' of the same material stretched along u.

    J = ∫ x xᵀ dm = ½ tr(I) 1 - I;  J' = s F J F, F = 1 + (s - 1) u uᵀ;  I' = tr(J') 1 - J'. A planar body
    counts as a thin bar: s³.
    """
    if len(entries) == 1:
        return (scaled(entries[0], factor**3),)
    matrix = inertia_matrix(tuple(float(x) for x in known))
    J = 0.5 * np.trace(matrix) * np.eye(3) - matrix
    F = np.eye(3) + (factor - 1.0) * np.outer(u, u)
    J = factor * F @ J @ F
    new = np.trace(J) * np.eye(3) - J
    every = (new[0, 0], new[1, 1], new[2, 2], new[0, 1], new[0, 2], new[1, 2])
    return tuple(float(x) + 0.0 for x in every[: len(entries) if len(entries) in (3, 6) else 6])


def _with_anchors(scene: Scene, bar: Bar, stretch: _Stretch, place: _Places) -> Scene:
    """What takes hold of the bar by coordinates goes along; what the pose gave is written down first."""
    for where in ("joints", "forces", "motions", "traces", "measures"):
        for item in getattr(scene, where):
            new = _anchored(scene, item, bar, stretch, place) if _two_sides(item) else {}
            if getattr(item, "body", None) == bar.body and isinstance(getattr(item, "point", None), tuple):
                new["point"] = place(item.point, _numbers(scene, where, item).point)
            for side in ("a", "b"):
                end: Any = getattr(item, side, None)
                loose = where == "measures" and getattr(end, "body", None) == bar.body
                if loose and isinstance(getattr(end, "point", None), tuple):
                    known = getattr(_numbers(scene, where, item), side)
                    new[side] = replace(end, point=place(end.point, known.point))
            if new:
                scene = scene.replace(replace(item, **new))
    return scene


def _numbers(scene: Scene, where: str, item: Any) -> Any:
    return find(resolve_leniently(scene)[0], Ref(where, item.name))


def _two_sides(item: Any) -> bool:
    return isinstance(getattr(item, "a", None), Anchor)


def _anchored(scene: Scene, item: Any, bar: Bar, stretch: _Stretch, place: _Places) -> dict[str, Any]:
    if bar.body not in (item.a.body, item.b.body):
        return {}
    pair = frames_of(scene, item)
    moves = [
        anchor.body == bar.body and stretch.moves(frame.p_B)
        for anchor, frame in zip((item.a, item.b), pair, strict=True)
    ]
    if not any(moves):
        return {}
    new: dict[str, Any] = {}
    planar = scene.space == "planar"
    for side, frame, moved in zip(("a", "b"), pair, moves, strict=True):
        anchor = getattr(item, side)
        if isinstance(anchor.point, tuple) and moved:
            new[side] = replace(anchor, point=place(anchor.point, tuple(frame.p_B)))
        elif anchor.point is None and side == "b":  # was taken from A, which moves now
            point = stretch(frame.p_B) if moved else frame.p_B
            new[side] = replace(anchor, point=written(point, planar))
    gap = float(np.linalg.norm(pair[0].p_W - pair[1].p_W))
    for name in ("length", "free_length"):
        if getattr(item, name, 0.0) is None:
            new[name] = gap
    return new


def _problem(ref: Ref, value: object, message: str, remedy: str) -> SceneError:
    return SceneError([Problem(f"bodies.{ref.name}", value, message, remedy)])
