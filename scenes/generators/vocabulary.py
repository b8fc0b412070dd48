"""Words that scenes are written in: plain dictionaries, fields in the order of docs/scene-format.md."""

from typing import Any

Scene = dict[str, Any]
Element = dict[str, Any]
Number = float | str
Vec = list[Any]  # of Numbers: three, or two in planar scenes

DEFAULT_METHOD = "lagrange/rk4/projection"  # the program's: docs/benchmarks.md says why


ORDER = (
    "format",
    "version",
    "title",
    "description",
    "category",
    "source",
    "notes",
    "space",
    "gravity",
    "up",
    "parameters",
    "bodies",
    "joints",
    "forces",
    "motions",
    "traces",
    "measures",
    "simulation",
    "view",
)


def scene(title: str, description: str, source: str, **fields: Any) -> Scene:
    """The whole file, fields in the documented order; what is empty is left out."""
    head = {"format": "trammel-scene", "version": 1, "title": title, "description": description}
    return changed(head, source=source, **fields)


def changed(made: Scene, **fields: Any) -> Scene:
    """A scene with these fields in place of its own."""
    if unknown := set(fields) - set(ORDER):
        raise KeyError(f"no field {', '.join(sorted(unknown))} (known: {', '.join(ORDER)})")
    whole = {**made, **fields}
    return {field: whole[field] for field in ORDER if whole.get(field) not in (None, "", [])}


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
    """A body, fields in the documented order; `points` maps names to positions in the body frame."""
    order = (
        "position",
        "angle",
        "orientation",
        "velocity",
        "angular_velocity",
        "mass",
        "com",
        "inertia",
        "fixed",
        "shapes",
    )
    entry: Element = {"name": name, "color": color}
    if layer:
        entry["layer"] = layer
    entry |= {field: fields[field] for field in order[:-1] if field in fields}
    if points:
        entry["points"] = [{"name": point, "position": position} for point, position in points.items()]
    return entry | {field: fields[field] for field in order[-1:] if field in fields}


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
