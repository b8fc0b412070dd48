"""Facts about fields: title, unit, limits and role, from which inspector, schema and checks are built.

A struct writes them as `Annotated[Number, number("Mass", "kg", ge=0.0)]`; `fields_of` reads them back.
Limits cannot be left to msgspec, since a number may be an expression: they hold for the resolved value.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

LIMITS = {"gt": "exclusiveMinimum", "ge": "minimum", "lt": "exclusiveMaximum", "le": "maximum"}


@dataclass(frozen=True)
class Field:
    """One field of a struct. `role` says what the value is, `extra` what else is known of it."""

    name: str
    type: Any
    required: bool
    default: Any = None
    title: str = ""
    description: str = ""
    role: str = ""
    unit: str = ""
    limits: Mapping[str, float] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)


def fact(role: str, title: str, unit: str = "", description: str = "", **extra: Any) -> Meta:
    """Metadata of a field: what the helpers below have in common."""
    schema: dict[str, Any] = {name: extra[key] for key, name in LIMITS.items() if key in extra}
    if unit:
        schema["x-unit"] = unit
    return Meta(
        title=title,
        description=description or None,
        extra={"role": role, "unit": unit, **extra},
        extra_json_schema=schema or None,
    )


def number(title: str, unit: str = "", description: str = "", **limits: float) -> Meta:
    """A number, or numbers in lists or by name; limits are any of gt, ge, lt, le."""
    return fact("number", title, unit, description, **limits)


def vec(title: str, unit: str = "", description: str = "", **extra: Any) -> Meta:
    """Three numbers, or two in a planar scene; `frame="plane"` when planar scenes forbid a z component."""
    return fact("vec", title, unit, description, **extra)


def function(
    title: str, unit: str = "", description: str = "", *, of: tuple[str, ...] = ("t",), turns: bool = False
) -> Meta:
    """A number, an expression of the named variables, or a table; or several of them in a list.

    `turns`: components about x, y and z, of which the plane has the last alone.
    """
    return fact("function", title, unit, description, of=of, **({"turns": True} if turns else {}))


def expression(title: str, unit: str = "", description: str = "") -> Meta:
    """An expression of channels."""
    return fact("expression", title, unit, description)


def reference(title: str, to: str, description: str = "", **extra: Any) -> Meta:
    """The name of an element of the list `to`; `coordinate=` names one that a joint must have,
    `ground=True` lets a body be the world, `optional` are the words for none, which is an empty name."""
    return fact("reference", title, "", description, to=to, **extra)


def text(title: str, description: str = "", *, words: Mapping[str, str] | None = None) -> Meta:
    """Words, a choice or a flag: nothing to resolve. `words`: how people write the choices of a file."""
    return fact("text", title, "", description, **({"words": words} if words else {}))


def fields_of(spec: type[Any]) -> tuple[Field, ...]:
    """All fields of a struct in order, base structs first."""
    if spec not in _KNOWN:
        hints = get_type_hints(spec, include_extras=True)
        _KNOWN[spec] = tuple(_field(info, hints[info.name]) for info in msgspec.structs.fields(spec))
    return _KNOWN[spec]


_KNOWN: dict[type[Any], tuple[Field, ...]] = {}


def field_of(spec: type[Any], name: str) -> Field | None:
    """The field of that name, or None."""
    return next((f for f in fields_of(spec) if f.name == name), None)


def _field(info: msgspec.structs.FieldInfo, hint: Any) -> Field:
    default = info.default
    if info.default_factory is not msgspec.NODEFAULT:
        default = info.default_factory()
    meta: dict[str, Any] = {}
    title = description = ""
    if get_origin(hint) is Annotated:
        for note in get_args(hint)[1:]:
            if isinstance(note, Meta):
                title, description = note.title or title, note.description or description
                meta.update(note.extra or {})
    return Field(
        name=info.encode_name,
        type=hint,
        required=info.required,
        default=default,
        title=title,
        description=description,
        role=meta.pop("role", ""),
        unit=meta.pop("unit", ""),
        limits={key: meta.pop(key) for key in LIMITS if key in meta},
        extra=meta,
    )
