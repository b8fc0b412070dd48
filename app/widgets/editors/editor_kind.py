"""How an editor is chosen: by what the metadata and the present value of a field say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from msgspec import Struct

from app.widgets.editors.base import Context, Editor
from engine.elements.fields import Field
from engine.model.scene import Scene


@dataclass(frozen=True)
class Ask:
    """A field that needs an editor: its facts, the value it has, the structs that hold it."""

    scene: Scene
    field: Field
    value: Any
    owners: tuple[Any, ...]
    context: Context
    name: str  # objectName of the editor's main widget

    @cached_property
    def bare(self) -> Any:
        """The type without metadata and without None."""
        return bare(self.field.type)[0]

    @cached_property
    def optional(self) -> bool:
        return bare(self.field.type)[1]

    @property
    def planar(self) -> bool:
        return self.scene.space == "planar"


@dataclass(frozen=True)
class EditorKind:
    """One way to edit a field."""

    name: str
    fits: Callable[[Ask], bool]
    make: Callable[[Ask], Editor]


def bare(hint: Any) -> tuple[Any, bool]:
    """A type without metadata, and whether None is allowed."""
    while get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
    if get_origin(hint) in (Union, UnionType):
        optional = type(None) in get_args(hint)
        rest = [arg for arg in get_args(hint) if arg is not type(None)]
        return (bare(rest[0])[0] if len(rest) == 1 else hint), optional
    return hint, False


def choices(hint: Any) -> tuple[Any, ...]:
    """The members of a union, or the type alone."""
    found, _ = bare(hint)
    return get_args(found) if get_origin(found) in (Union, UnionType) else (found,)


def holds_structs(hint: Any) -> bool:
    """Whether a field is a list of structs."""
    found, _ = bare(hint)
    if get_origin(found) is not tuple:
        return False
    return all(isinstance(kind, type) and issubclass(kind, Struct) for kind in choices(get_args(found)[0]))
