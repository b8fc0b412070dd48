"""Parameters and their users: who refers to one, and putting its value in its place."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import Any

import msgspec

from app.document.document import Edit
from app.document.element_ref import SETTINGS, SIMULATION, Ref
from app.edits.elements.visitor import changed, parts, reads_parameters, texts
from engine.elements.fields import fields_of
from engine.errors import Problem, SceneError
from engine.maths.expressions import ExpressionError, parse, replace_names
from engine.model.scene import LISTS, Scene

_PLACE = "value__of__parameter"  # a name that nobody gives


Users = tuple[tuple[Ref, str], ...]


def parameter_users(scene: Scene, name: str) -> Users:
    """Elements whose numbers use a parameter, each with the titles of these numbers."""
    return all_users(scene).get(name, ())


def all_users(scene: Scene) -> dict[str, Users]:
    """The users of every name that stands in an expression of the scene, found in one walk."""
    found: dict[str, dict[Ref, list[str]]] = {}

    def note(ref: Ref, info: Any, value: Any) -> None:
        for name in _names(info, value):
            found.setdefault(name, {}).setdefault(ref, []).append((info.title or info.name).lower())

    items = [(Ref(where, item.name), item) for where in LISTS for item in getattr(scene, where)]
    for ref, item in (*items, (Ref(SIMULATION, ""), scene.simulation)):
        for _, info, value in parts(item):
            note(ref, info, value)
    for info in fields_of(Scene):
        if info.name not in LISTS:
            note(Ref(SETTINGS, info.name), info, getattr(scene, info.name))
    return {
        name: tuple((ref, ", ".join(dict.fromkeys(titles))) for ref, titles in users.items())
        for name, users in found.items()
    }


def users_text(scene: Scene, name: str, most: int = 5) -> str:
    """The users in words: `bodies.crank (mass), joints.A (point)`."""
    users = [f"{ref} ({fields})" for ref, fields in parameter_users(scene, name)]
    rest = f" and {len(users) - most} more" if len(users) > most else ""
    return ", ".join(users[:most]) + rest


def substitute(scene: Scene, names: tuple[str, ...]) -> Edit:
    """Remove parameters and put what they are in the place of their names, everywhere, in one step."""
    after = scene
    for name in names:
        after = _without(after, name)
    words = names[0] if len(names) == 1 else f"{len(names)} parameters"
    return Edit(f"Replace {words} by its value" if len(names) == 1 else f"Replace {words}", after)


def refuse_used(scene: Scene, gone: Iterable[Ref]) -> None:
    """Raise SceneError, naming the users, for parameters among `gone` that something else uses."""
    gone = set(gone)
    problems = []
    for name in (ref.name for ref in gone if ref.where == "parameters"):
        if any(ref not in gone for ref, _ in parameter_users(scene, name)):
            message = f"parameter {name!r} is used by {users_text(scene, name)}"
            problems.append(Problem(f"parameters.{name}", name, message, "put its value there first"))
    if problems:
        raise SceneError(problems)


def _names(info: Any, value: Any) -> set[str]:
    """Names that stand in the expressions of a field."""
    found: set[str] = set()
    if not reads_parameters(info, value):
        return found

    def look(text: str) -> str:
        with contextlib.suppress(ExpressionError):  # told as a problem of its own
            found.update(parse(text).names)
        return text

    texts(value, look)
    return found


def _without(scene: Scene, name: str) -> Scene:
    value = scene.parameter(name).value
    scene = msgspec.structs.replace(
        scene, parameters=tuple(item for item in scene.parameters if item.name != name)
    )

    def put(text: str) -> Any:
        try:
            if parse(text).names == {name} and text.strip() == name:
                return value
            written = f"({value})" if isinstance(value, str) or value < 0.0 else repr(value)
            return replace_names(text, {name: _PLACE}).replace(_PLACE, written)
        except ExpressionError:
            return text

    def change(_node: Any, info: Any, old: Any) -> Any:
        return texts(old, put) if reads_parameters(info, old) else old

    result = changed(scene, change)
    assert isinstance(result, Scene)
    return result
