"""Renaming: one step that rewrites every reference, in fields, groups, expressions and the view."""

from __future__ import annotations

from typing import Any

import msgspec

from app.document.document import Edit, Ref, find
from app.edits.elements.references import member, referring, replaced_names, with_channels
from app.edits.elements.visitor import CHANNELS, WORK, changed, texts
from engine.elements.base import WORLD
from engine.elements.bodies.body import Body
from engine.errors import Problem, SceneError
from engine.maths.expressions import RESERVED
from engine.model.checks.names import MAX_LENGTH, NAME
from engine.model.resolve import VARIABLES
from engine.model.scene import Scene


def rename(scene: Scene, ref: Ref, name: str) -> Edit:
    """Give an element or a point another name; raises SceneError when it cannot have it."""
    name = name.strip()
    item = find(scene, ref)
    if item is None or (ref.part and not hasattr(item, "points")):
        raise SceneError([Problem(str(ref), ref.name, f"there is no {ref}", "choose an element that exists")])
    old = ref.part or ref.name
    if name == old:
        return Edit("Rename", scene)
    _check(scene, ref, item, name)
    after = _point(scene, ref, name) if ref.part else _element(scene, ref, name)
    return Edit(f"Rename {old} to {name}", after, renamed={ref: name})


def _check(scene: Scene, ref: Ref, item: Any, name: str) -> None:
    taken = {point.name for point in item.points} if ref.part else {i.name for i in getattr(scene, ref.where)}
    reason = remedy = ""
    if name in taken:
        reason, remedy = f"the name {name!r} is taken", "choose another one"
    elif name == WORLD and not ref.part:
        reason, remedy = "'world' is the name of the ground", "choose another one"
    elif not NAME.fullmatch(name) or len(name) > MAX_LENGTH:
        reason = f"{name!r} cannot be a name"
        remedy = f"a letter or _, then letters, digits, _, - and blanks; at most {MAX_LENGTH} characters"
    elif ref.where == "parameters" and (name in RESERVED or name in VARIABLES):
        reason, remedy = f"{name!r} has a meaning of its own in expressions", "choose another one"
    elif ref.where == "parameters" and not name.isidentifier():
        reason, remedy = f"{name!r} cannot be used in expressions", "use letters, digits and _ only"
    if reason:
        raise SceneError([Problem(f"{ref}.name", name, reason, remedy)])


def _element(scene: Scene, ref: Ref, name: str) -> Scene:
    where, old = ref.where, ref.name
    item = find(scene, ref)
    items = tuple(
        msgspec.structs.replace(other, name=name) if other is item else other
        for other in getattr(scene, where)
    )
    scene = msgspec.structs.replace(scene, **{where: items})

    names = {ref: name}

    def channel(text: str) -> str:
        """A channel as views name it: dotted, blanks as they are."""
        for first, words in CHANNELS.items():
            if words == where and f"{text}.".startswith(f"{first}.{old}."):
                return f"{first}.{name}{text[len(first) + len(old) + 1 :]}"
        return f"energy.work.{name}" if where in WORK and text == f"energy.work.{old}" else text

    result = referring(scene, names)
    assert isinstance(result, Scene)
    view = texts(result.view, lambda text: channel(with_channels(member(text, names), names)))
    return result if view is result.view else msgspec.structs.replace(result, view=view)


def _point(scene: Scene, ref: Ref, name: str) -> Scene:
    begin = f"body.{ref.name}.point.{ref.part}."

    def channel(known: str) -> str:
        return f"body.{ref.name}.point.{name}.{known[len(begin) :]}" if known.startswith(begin) else known

    def change(node: Any, info: Any, value: Any) -> Any:
        if info.name == "point" and value == ref.part and getattr(node, "body", None) == ref.name:
            return name
        if info.name == "points" and isinstance(node, Body) and node.name == ref.name:
            return tuple(
                msgspec.structs.replace(point, name=name) if point.name == ref.part else point
                for point in value
            )
        if info.role == "expression":
            return texts(value, lambda text: replaced_names(text, channel))
        if info.name == "view":
            return texts(value, lambda text: channel(replaced_names(text, channel)))
        return value

    result = changed(scene, change)
    assert isinstance(result, Scene)
    return result
