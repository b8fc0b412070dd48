"""The number that stands at a path of a scene, and its unit: what `set_value` would replace."""

from typing import Any

from msgspec import Struct

from engine.elements.field_units import unit_in
from engine.elements.fields import field_of
from engine.errors import Problem, SceneError
from engine.model.resolve import resolve
from engine.model.scene import Parameter, Scene


def number_at(scene: Scene, path: str) -> float:
    """The resolved number at a path such as `parameters.L1` or `joints.J1.a.point.1`; raises SceneError."""
    node = at_path(resolve(scene), path)
    if isinstance(node, bool) or not isinstance(node, float | int):
        remedy = "name a field that is one number"
        raise SceneError([Problem(path, None, f"{path!r} is no number of the scene", remedy)])
    return float(node)


def at_path(scene: Scene, path: str) -> Any:
    """What stands at a path, as it is written; None: nothing."""
    node: Any = scene
    for part in path.split("."):
        node = _inside(node, part)
    return node.value if isinstance(node, Parameter) else node


def unit_at(scene: Scene, path: str) -> str:
    """The SI unit of the number at a path; empty where it has none, or there is no such number."""
    node: Any = scene
    unit = ""
    for part in path.split("."):
        field = field_of(type(node), part) if isinstance(node, Struct) else None
        if field is not None:
            unit = unit_in(field, node)
        node = _inside(node, part)
        if isinstance(node, Parameter):
            return node.unit
    return unit


def _inside(node: Any, part: str) -> Any:
    """A field of a struct, a member of a list by name or place, an entry of a mapping; None: not there."""
    if isinstance(node, dict):
        return node.get(part)
    if isinstance(node, tuple):
        named = next((item for item in node if getattr(item, "name", None) == part), None)
        return node[int(part)] if named is None and part.isdecimal() and int(part) < len(node) else named
    return getattr(node, part, None)
