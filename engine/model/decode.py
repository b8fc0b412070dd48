"""Plain data to structs, with every fault found and not only the first.

msgspec does the work and stops at the first error; when it does, `decode` goes down the same types itself and
collects what is wrong at each place.
"""

import types
from numbers import Real
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec
from msgspec import Meta, Struct

from engine.elements.base import Function, Number
from engine.elements.fields import fields_of
from engine.errors import Problem, SceneError, shorten
from engine.spelling import did_you_mean

BROKEN = object()  # stands for a value that could not be decoded
_UNIONS = (Union, types.UnionType)


def label(where: str, index: int, item: Any) -> str:
    """The path of a list item, with its name when it has one: `joints[2] "J3"`."""
    name = item.get("name") if isinstance(item, dict) else getattr(item, "name", None)
    return f'{where}[{index}] "{shorten(name, 40)}"' if isinstance(name, str) else f"{where}[{index}]"


def join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def decode(wanted: Any, value: Any, path: str, problems: list[Problem]) -> Any:
    """The value as the wanted type, or BROKEN with the reasons added to `problems`."""
    try:
        return msgspec.convert(value, wanted)
    except UnicodeEncodeError:  # of a name that chooses
        told = f"{shorten(_json(value))} has half of a character in it"
        problems.append(Problem(path, value, told, f"write {expected(wanted)}"))
        return BROKEN
    except msgspec.ValidationError:
        before = len(problems)
        _diagnose(_bare(wanted), value, path, problems)
        if len(problems) == before:  # a length, limit or pattern
            problems.append(_wrong(wanted, value, path))
        return BROKEN


def _diagnose(wanted: Any, value: Any, path: str, problems: list[Problem]) -> None:
    choice = _chosen(wanted, value)
    if isinstance(choice, tuple):  # structs told apart by their kind
        _diagnose_kind(choice, value, path, problems)
    elif _is_struct(choice) and isinstance(value, dict):
        _diagnose_struct(choice, value, path, problems)
    elif get_origin(choice) is tuple and isinstance(value, (list, tuple)):
        _diagnose_items(choice, value, path, problems)
    elif get_origin(choice) is dict and isinstance(value, dict):
        for key, item in value.items():
            decode(get_args(choice)[1], item, join(path, str(key)), problems)
    else:
        try:
            msgspec.convert(value, wanted)
        except msgspec.ValidationError:
            problems.append(_wrong(wanted, value, path))


def _wrong(wanted: Any, value: Any, path: str) -> Problem:
    text = expected(wanted)
    choices = get_args(_bare(wanted)) if get_origin(_bare(wanted)) is Literal else ()
    hint = did_you_mean(value, tuple(map(str, choices))) if isinstance(value, str) else ""
    return Problem(path, value, f"{shorten(_json(value))} is not {text}", f"write {text}{hint}")


def _diagnose_struct(spec: type[Struct], value: dict[str, Any], path: str, problems: list[Problem]) -> None:
    known = {field.name: field for field in fields_of(spec)}
    tag = spec.__struct_config__.tag_field
    names = (*known, tag) if tag else tuple(known)
    for key in value:
        if key not in names:
            hint = did_you_mean(key, names) or f"; known fields: {', '.join(known)}"
            text = f"unknown field {shorten(key)!r}{hint}"
            problems.append(
                Problem(join(path, shorten(key)), value[key], text, "remove it or correct its name")
            )
    for name, field in known.items():
        if name in value:
            decode(field.type, value[name], join(path, name), problems)
        elif field.required:
            text = f"field {name!r} is missing ({field.title or name})"
            problems.append(Problem(join(path, name), None, text, f"add {name!r}: {expected(field.type)}"))


def _diagnose_kind(specs: tuple[type[Struct], ...], value: Any, path: str, problems: list[Problem]) -> None:
    if not isinstance(value, dict):
        problems.append(
            Problem(path, value, f"{shorten(_json(value))} is not an object", 'write {"kind": …, …}')
        )
        return
    by_kind = {str(spec.__struct_config__.tag): spec for spec in specs}
    field = specs[0].__struct_config__.tag_field or "kind"
    kind = value.get(field)
    if isinstance(kind, str) and kind in by_kind:
        _diagnose_struct(by_kind[kind], value, path, problems)
        return
    names = tuple(by_kind)
    hint = did_you_mean(kind, names) if isinstance(kind, str) else ""
    text = f"unknown kind {shorten(kind)!r}{hint}" if field in value else "field 'kind' is missing"
    problems.append(Problem(join(path, field), kind, text, f"use one of: {', '.join(names)}"))


def _diagnose_items(wanted: Any, value: Any, path: str, problems: list[Problem]) -> None:
    args = get_args(wanted)
    if args[-1] is Ellipsis:
        args = args[:1] * len(value)
    if len(args) != len(value):
        text = f"{len(value)} values where {len(args)} are needed"
        problems.append(Problem(path, value, text, f"write {expected(wanted)}"))
        return
    for i, (arg, item) in enumerate(zip(args, value, strict=True)):
        decode(arg, item, label(path, i, item), problems)


def _chosen(wanted: Any, value: Any) -> Any:
    """The member of a union that the value is meant for; a tuple of structs when their kind decides."""
    if get_origin(wanted) not in _UNIONS:
        return (wanted,) if _is_struct(wanted) and wanted.__struct_config__.tag is not None else wanted
    members = [_bare(arg) for arg in get_args(wanted)]
    structs = tuple(member for member in members if _is_struct(member))
    if structs and structs[0].__struct_config__.tag is not None:
        return structs
    if isinstance(value, dict):
        return next((m for m in members if _is_struct(m) or get_origin(m) is dict), wanted)
    if isinstance(value, (list, tuple)):
        return next((m for m in members if get_origin(m) is tuple), wanted)
    return wanted


def expected(wanted: Any) -> str:
    """The type in words."""
    notes = [note for note in get_args(wanted)[1:] if isinstance(note, Meta)] if _annotated(wanted) else []
    bare = _bare(wanted)
    if bare == Number:
        return "a number or an expression in quotes"
    if bare == Function:
        return "a number, an expression in quotes or a table"
    if get_origin(bare) is Literal:
        return "one of " + ", ".join(_json(choice) for choice in get_args(bare))
    if get_origin(bare) in _UNIONS:
        return _expected_union(bare)
    if get_origin(bare) is tuple:
        args = get_args(bare)
        low = next((note.min_length for note in notes if note.min_length), 0)
        high = next((note.max_length for note in notes if note.max_length), 0)
        count = f"{len(args)} " if args[-1] is not Ellipsis else f"at least {low} " if low else ""
        if high:
            count = f"{low} " if low == high else f"{low} {'or' if high == low + 1 else 'to'} {high} "
        return f"a list of {count}{'numbers' if _bare(args[0]) in (Number, Function) else 'values'}"
    words = {float: "a number", int: "a whole number", bool: "true or false", str: "text", type(None): "null"}
    if any(note.pattern for note in notes):
        return 'a colour such as "#3366cc", or ""'
    limits = [f"at least {note.ge}" for note in notes if note.ge is not None]
    limits += [f"at most {note.le}" for note in notes if note.le is not None]
    return " of ".join([words.get(bare, "an object"), *filter(None, [" and ".join(limits)])])


def _expected_union(bare: Any) -> str:
    members = get_args(bare)
    rest = [m for m in members if m is not type(None)]
    parts = []
    for whole in (Function, Number):  # a nested union is flattened by Python: put it together again
        if all(m in rest for m in get_args(whole)):
            parts.append(expected(whole))
            rest = [m for m in rest if m not in get_args(whole)]
    if all(_is_struct(m) for m in rest) and rest:
        parts.append("an object")
    else:
        parts += [expected(m) for m in rest]
    if type(None) in members:
        parts.append("null")
    return " or ".join([", ".join(parts[:-1]), parts[-1]] if parts[:-1] else parts)


def _json(value: Any) -> str:
    try:
        return msgspec.json.encode(value, enc_hook=repr).decode()
    except (TypeError, ValueError, OverflowError, RecursionError):
        return repr(value)


def _annotated(wanted: Any) -> bool:
    return get_origin(wanted) is Annotated


def _bare(wanted: Any) -> Any:
    return _bare(get_args(wanted)[0]) if _annotated(wanted) else wanted


def _is_struct(wanted: Any) -> bool:
    return isinstance(wanted, type) and issubclass(wanted, Struct)


def plain(value: Any, path: str = "") -> Any:
    """Structs, tuples and arrays as dicts and lists; equal values whatever they were written as.

    Raises SceneError, at `path`, for what is no data.
    """
    try:
        return msgspec.to_builtins(value, enc_hook=_plain_array)
    except (TypeError, ValueError, RecursionError) as error:
        remedy = "give numbers, texts, lists, objects with names or arrays"
        raise SceneError([Problem(path, value, f"this is no data: {error}", remedy)]) from None


def _plain_array(value: Any) -> Any:
    """NumPy's arrays and numbers, without importing NumPy, and other numbers."""
    if hasattr(value, "tolist"):
        found = value.tolist()
        if found is not value:
            return found
    elif isinstance(value, Real):
        return float(value)
    raise TypeError(shorten(value))
