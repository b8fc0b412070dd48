"""One value of a scene by its path: `bodies.crank.mass`, `parameters.L1`, `joints.J1.a.point.1`."""

from collections.abc import Iterable
from typing import Any, get_args

import msgspec
from msgspec import Struct

from engine.arguments import listed, of_kind
from engine.elements.fields import Field, field_of, fields_of
from engine.elements.joints.base import Start
from engine.errors import Problem, SceneEdit, SceneError
from engine.model.decode import BROKEN, decode, plain
from engine.model.scene import LISTS, Parameter, Scene, refuse_other
from engine.spelling import did_you_mean

NUMERIC = ("number", "vec", "function")


def set_value(scene: Scene, path: str, value: Any) -> Scene:
    """The scene with one value changed; text that is a number counts as one. Raises SceneError."""
    refuse_other("set_value", scene)
    of_kind("set_value", path, str, 'name a value by its path, such as "bodies.crank.mass"')
    result = _changed(scene, path.split("."), value, path)
    return result if isinstance(result, Scene) else scene


def apply_edits(scene: Scene, edits: Iterable[SceneEdit]) -> Scene:
    """The scene with a remedy followed: values set, elements taken away. Raises SceneError."""
    refuse_other("apply_edits", scene)
    for edit in listed("edits", edits, "the edits of a problem"):
        of_kind("apply_edits", edit, SceneEdit, "a problem has them as its edits")
        if edit.remove:
            where, _, name = edit.path.partition(".")
            if where not in LISTS or not any(item.name == name for item in getattr(scene, where)):
                raise _error(edit.path, None, "there is no such element", "name one of the scene's elements")
            left = tuple(item for item in getattr(scene, where) if item.name != name)
            scene = msgspec.structs.replace(scene, **{where: left})
        else:
            scene = set_value(scene, edit.path, edit.value)
    return scene


def _changed(node: Any, parts: list[str], value: Any, path: str) -> Any:
    """A struct with the value at the end of `parts` replaced."""
    if isinstance(node, Parameter) and not parts:
        parts = ["value"]
    if not parts:
        raise _error(path, value, "this is a whole element", f"name a field: {_names(node)}")
    field = field_of(type(node), parts[0])
    if field is None or parts[0] in ("format", "version"):
        names = tuple(f.name for f in fields_of(type(node)))
        hint = did_you_mean(parts[0], names)
        raise _error(path, value, f"there is no {parts[0]!r} here{hint}", f"known: {_names(node)}")
    old = getattr(node, field.name)
    new = _inside(field, old, parts[1:], value, path)
    return msgspec.structs.replace(node, **{field.name: new})


def _inside(field: Field, old: Any, parts: list[str], value: Any, path: str) -> Any:
    """The new content of a field."""
    if not parts:
        return _converted(field, value, path)
    if isinstance(old, Struct):
        return _changed(old, parts, value, path)
    if isinstance(old, tuple):
        index = _index(old, parts[0], value, path)
        if isinstance(old[index], Struct):
            item = _changed(old[index], parts[1:], value, path)
            return (*old[:index], item, *old[index + 1 :])
        return _converted(field, _replaced(old, parts, value, path), path)
    if isinstance(old, dict):
        if field.name == "start":
            return {**old, parts[0]: _changed(old.get(parts[0], Start()), parts[1:], value, path)}
        data = plain({**plain(old), parts[0]: _as_number(value)}, path)
        return _converted(field, data, path)
    known = "it is null" if old is None else f"it is {old!r}"
    raise _error(path, value, f"{field.name!r} has no parts; {known}", f"set {field.name!r} as a whole first")


def _replaced(items: tuple[Any, ...], parts: list[str], value: Any, path: str) -> tuple[Any, ...]:
    """Numbers in lists with one of them replaced."""
    index = _index(items, parts[0], value, path)
    new = _as_number(value)
    if parts[1:]:
        if not isinstance(items[index], tuple):
            raise _error(
                path, value, f"{parts[0]!r} is a single value", f"end the path there: drop {parts[1]!r}"
            )
        new = _replaced(items[index], parts[1:], value, path)
    return (*items[:index], new, *items[index + 1 :])


def _index(items: tuple[Any, ...], part: str, value: Any, path: str) -> int:
    names = [getattr(item, "name", None) for item in items]
    if part in names:
        return names.index(part)
    if part.isdecimal() and int(part) < len(items) and None in names:
        return int(part)
    known = tuple(name for name in names if name is not None)
    listed = ", ".join(known) if known else f"0 to {len(items) - 1}" if items else "nothing"
    raise _error(path, value, f"there is no {part!r} here{did_you_mean(part, known)}", f"known: {listed}")


def _converted(field: Field, value: Any, path: str) -> Any:
    data = plain(value, path)
    if field.role in NUMERIC:
        data = _as_number(data)
    elif isinstance(data, str) and set(get_args(field.type)) & {int, bool}:
        data = {"true": True, "false": False}.get(data.lower(), _as_number(data))
    if isinstance(data, float) and data.is_integer() and int in get_args(field.type):
        data = int(data)
    problems: list[Problem] = []
    result = decode(field.type, data, path, problems)
    if result is BROKEN:
        raise SceneError(problems)
    return result


def _as_number(value: Any) -> Any:
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return value
    return value


def _names(node: Any) -> str:
    return ", ".join(f.name for f in fields_of(type(node)))


def _error(path: str, value: Any, message: str, remedy: str) -> SceneError:
    return SceneError([Problem(path, value, message, remedy)])
