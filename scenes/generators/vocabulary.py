"""How the shipped scenes are built: by the calls of `Scene` that templates and users build with.

Elements are first the fields that those calls take, as some generators change what others have made.
"""

from collections.abc import Sequence
from typing import Any

from engine.model.scene import Scene

Element = dict[str, Any]  # fields of `Scene.with_body`, `with_joint` and the like
Number = float | str
Vec = list[Any]  # of Numbers: three, or two in planar scenes

DEFAULT_METHOD = "lagrange/rk4/projection"  # the program's: docs/benchmarks.md says why


def scene(
    title: str,
    description: str,
    source: str,
    *,
    gravity: Vec,
    simulation: Element,
    parameters: Sequence[Element] = (),
    bodies: Sequence[Element] = (),
    joints: Sequence[Element] = (),
    forces: Sequence[Element] = (),
    motions: Sequence[Element] = (),
    traces: Sequence[Element] = (),
    measures: Sequence[Element] = (),
    **fields: Any,
) -> Scene:
    """A scene with these elements."""
    made = Scene(title=title, description=description, source=source, gravity=tuple(gravity), **fields)
    for entry in parameters:
        made = made.with_parameter(**entry)
    for entry in bodies:
        made = made.with_body(**entry)
    for entry in joints:
        made = made.with_joint(**entry)
    for entry in forces:
        made = made.with_force(**entry)
    for entry in motions:
        made = made.with_motion(**entry)
    for entry in traces:
        made = made.with_trace(**entry)
    for entry in measures:
        made = made.with_measure(**entry)
    return made.with_simulation(**simulation)


def simulation(
    dt: float, duration: float, speed: float = 1.0, sample_every: int = 1, method: str = DEFAULT_METHOD
) -> Element:
    settings = {"method": method, "dt": dt, "duration": duration, "speed": speed}
    return settings if sample_every == 1 else settings | {"sample_every": sample_every}


def parameter(
    name: str, value: Number, unit: str = "", note: str = "", span: tuple[float, float] | None = None
) -> Element:
    entry: Element = {"name": name, "value": value, "unit": unit}
    if span:
        entry |= {"min": span[0], "max": span[1]}
    return (entry | {"note": note}) if note else entry


def length_parameter(name: str, value: Number, note: str, span: tuple[float, float] | None = None) -> Element:
    return parameter(name, value, "m", note, span)


def body(
    name: str, *, color: str, layer: int = 0, points: dict[str, Vec] | None = None, **fields: Any
) -> Element:
    """A body; `points` maps names to positions in the body frame."""
    entry: Element = {"name": name, "color": color, "layer": layer, **fields}
    if points:
        entry["points"] = [{"name": point, "position": position} for point, position in points.items()]
    return entry


def about(axis: Vec, angle: Number) -> Element:
    """Orientation: a turn about one axis."""
    return {"axis": axis, "angle": angle}


def anchor(name: str, point: Any, axis: Vec | None = None) -> Element:
    """One side of a joint; `point` is a position or the name of a point of the body."""
    side = {"body": name, "point": point}
    return side | {"axis": axis} if axis else side


def joint(kind: str, name: str, a: Element, b: Element, **fields: Any) -> Element:
    return {"name": name, "kind": kind, "a": a, "b": b, **fields}


def revolute(name: str, a: tuple[str, Any], b: tuple[str, Any], axis: Vec | None = None) -> Element:
    """A hinge between (body, point) and (body, point); its axis is z, or `axis` in the axes of body A."""
    return joint("revolute", name, anchor(*a, axis), anchor(*b))


def trace(name: str, of: str, point: Any, color: str, length: float = 0.0) -> Element:
    entry = {"name": name, "color": color, "body": of, "point": point}
    return entry | {"length": length} if length else entry
