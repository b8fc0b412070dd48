"""JSON text to plain data and back: strict when reading, easy on the eye when writing."""

import json
import math
from collections import Counter
from typing import Any

from msgspec import Struct

from engine.elements.fields import fields_of
from engine.errors import Problem, SceneError, shorten
from engine.model.decode import join, label

MAX_DEPTH = 40  # lists and objects inside each other; scenes need eight
MAX_NUMBER = 1e100  # products of three numbers are still numbers
LARGEST_WHOLE = 1e15  # larger floats are written with an exponent
WIDTH = 110  # characters of a line
ALWAYS = {"format", "version", "space"}  # written even where they are the default


class _Doubled(dict[str, Any]):
    """An object in which keys stood twice."""

    keys_twice: list[str]


def read_json(text: str) -> dict[str, Any]:
    """The object that the text holds; raises SceneError."""
    try:
        raw = json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise SceneError([_syntax_problem(text, error)]) from None
    except RecursionError:
        raise SceneError([_too_deep("")]) from None
    except ValueError:  # Python refuses whole numbers of thousands of digits
        problem = Problem("", None, "a number has thousands of digits", "write numbers such as 1.5e6")
        raise SceneError([problem]) from None
    if not isinstance(raw, dict):
        text = "a scene is a JSON object"
        raise SceneError([Problem("", raw, text, 'write {"format": "trammel-scene", "version": 1, …}')])
    problems: list[Problem] = []
    _inspect(raw, "", 0, problems)
    if problems:
        raise SceneError(problems)
    return raw


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) == len(pairs):
        return result
    doubled = _Doubled(result)
    counts = Counter(key for key, _ in pairs)
    doubled.keys_twice = sorted(name for name, count in counts.items() if count > 1)
    return doubled


def _inspect(value: Any, path: str, depth: int, problems: list[Problem]) -> None:
    """Collect what JSON allows and a scene does not."""
    if depth > MAX_DEPTH:
        problems.append(_too_deep(path))
    elif isinstance(value, dict):
        for key in getattr(value, "keys_twice", ()):
            text = f"the key {shorten(key)!r} stands twice in one object"
            problems.append(Problem(join(path, shorten(key)), value[key], text, "keep one of them"))
        for key, item in value.items():
            _inspect_text(key, path, problems)
            _inspect(item, join(path, shorten(key)), depth + 1, problems)
    elif isinstance(value, list):
        for i, item in enumerate(value):
            _inspect(item, label(path, i, item), depth + 1, problems)
    elif isinstance(value, str):
        _inspect_text(value, path, problems)
    elif type(value) in (int, float) and not abs(value) <= MAX_NUMBER:
        text = (
            f"{value} is not a number"
            if isinstance(value, float) and math.isnan(value)
            else "the number is too large"
        )
        problems.append(Problem(path, value, text, f"write a finite number below {MAX_NUMBER:g}"))


def _inspect_text(text: str, path: str, problems: list[Problem]) -> None:
    """An escape such as \\ud800 stands for half a character, which no file can hold."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        half = f"\\u{ord(text[error.start]):04x}"
        told = f"{half} is half of a character"
        problems.append(Problem(path, half, told, "write the character itself, or both of its halves"))


def _too_deep(path: str) -> Problem:
    text = f"lists and objects are nested more than {MAX_DEPTH} deep"
    return Problem(path, None, text, "flatten the file; a scene needs eight levels")


def _syntax_problem(text: str, error: json.JSONDecodeError) -> Problem:
    where = f"line {error.lineno}, column {error.colno}"
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
        return Problem(where, None, "the file ends in the middle", "restore the missing end, or use a backup")
    remedies = {
        "Expecting property name enclosed in double quotes": "remove the comma before it, or quote the name",
        "Expecting ',' delimiter": "add the missing comma or bracket before this place",
        "Expecting ':' delimiter": "write a colon between name and value",
        "Expecting value": "write a value here, text in double quotes; no comma after the last item",
        "Extra data": "remove what follows the end of the scene",
    }
    remedy = next(
        (remedy for start, remedy in remedies.items() if error.msg.startswith(start)), "correct the JSON here"
    )
    return Problem(where, None, f"this is not JSON: {error.msg}", remedy)


def to_plain(part: Struct) -> dict[str, Any]:
    """A struct as plain data: name and kind first, then every field that differs from its default."""
    result: dict[str, Any] = {}
    if hasattr(part, "name"):
        result["name"] = part.name
    config = type(part).__struct_config__
    if config.tag_field is not None:
        result[config.tag_field] = config.tag
    for field in fields_of(type(part)):
        value = getattr(part, field.name)
        if field.required or value != field.default or field.name in ALWAYS:
            result[field.name] = _plain(value)
    return result


def _plain(value: Any) -> Any:
    if isinstance(value, Struct):
        return to_plain(value)
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value


def write_json(value: Any, indent: int = 0, lead: int = 0) -> str:
    """JSON with two blanks per level; what fits stays on one line, after `lead` characters already there."""
    return _written(value, indent, lead, {})


def _written(value: Any, indent: int, lead: int, lines: dict[int, str | None]) -> str:
    line = _short(value, lines)
    if not isinstance(value, (dict, list)) or not value:
        return _one_line(value) if line is None else line
    if line is not None and _fits(value, line, indent + lead):
        return line
    inner = " " * (indent + 2)
    if isinstance(value, dict):
        items = [(f"{json.dumps(key, ensure_ascii=False)}: ", item) for key, item in value.items()]
        opening, closing = "{", "}"
    else:
        items = [("", item) for item in value]
        opening, closing = "[", "]"
    body = ",\n".join(f"{inner}{head}{_written(item, indent + 2, len(head), lines)}" for head, item in items)
    return f"{opening}\n{body}\n{' ' * indent}{closing}"


def _short(value: Any, lines: dict[int, str | None]) -> str | None:
    """A value on one line, None where that is too long; each part is written once, `lines` has it by id."""
    if not isinstance(value, (dict, list, tuple)):
        return _one_line(value)
    if id(value) not in lines:
        named = value.items() if isinstance(value, dict) else (("", item) for item in value)
        parts, length = [], 0
        for key, item in named:
            part = _short(item, lines)
            if part is None or length > WIDTH:
                lines[id(value)] = None
                break
            parts.append(
                f"{json.dumps(key, ensure_ascii=False)}: {part}" if isinstance(value, dict) else part
            )
            length += len(part)
        else:
            inner = ", ".join(parts)
            lines[id(value)] = "{" + inner + "}" if isinstance(value, dict) else "[" + inner + "]"
    return lines[id(value)]


def _fits(value: Any, line: str, before: int) -> bool:
    """Short and simple enough for one line: elements of a list always get lines of their own."""
    objects = isinstance(value, list) and any(isinstance(item, dict) for item in value)
    return before + len(line) <= WIDTH and not objects and before > 0


def _one_line(value: Any) -> str:
    if isinstance(value, dict):
        inner = ", ".join(f"{json.dumps(k, ensure_ascii=False)}: {_one_line(v)}" for k, v in value.items())
        return "{" + inner + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_one_line(item) for item in value) + "]"
    if (
        isinstance(value, float)
        and value.is_integer()
        and abs(value) < LARGEST_WHOLE
        and str(value) != "-0.0"
    ):
        return str(int(value))
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
