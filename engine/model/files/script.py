"""A scene as a Python script that builds it again with the calls of `Scene`."""

from __future__ import annotations

import json
import math
import os
from typing import Any

from engine.elements.fields import fields_of
from engine.model.files.json_text import to_plain
from engine.model.files.scene_file import write_text
from engine.model.scene import KINDS, LISTS, Scene, refuse_other

WIDTH = 100  # characters of a line
INDENT = 4
LARGEST_WHOLE = 1e15  # larger numbers are written with an exponent
NOT_WRITTEN = {"format", "version", "simulation", "races", *LISTS}
CALLS = {
    "parameters": "with_parameter",
    "bodies": "with_body",
    "joints": "with_joint",
    "forces": "with_force",
    "motions": "with_motion",
    "traces": "with_trace",
    "measures": "with_measure",
    "groups": "with_group",
}
FOOT = """
if __name__ == "__main__":
    trajectory = simulate(scene)
    print(trajectory.status.name, "at t =", trajectory.t[-1], "s")
    print("energy error", abs(trajectory.channel("energy.error")).max(), "J")
"""


def to_python(scene: Scene) -> str:
    """The script: parameters first, then bodies, joints and the rest; what is as by default is left out."""
    refuse_other("to_python", scene)
    lines = [_heading(scene), "", "from trammel import Scene, simulate", "", _head(scene)]
    for where in LISTS:
        items = getattr(scene, where)
        if items:
            lines += ["", f"# {where}"]
            lines += [_element(where, to_plain(item)) for item in items]
    settings = to_plain(scene.simulation)
    if settings:
        lines += ["", "# simulation", _call("scene = scene.with_simulation", [], settings)]
    for race in scene.races:
        fields = to_plain(race)
        lines += ["", _call("scene = scene.with_race", [fields.pop("name")], fields)]
    return "\n".join(lines) + "\n" + FOOT


def save_python(scene: Scene, path: str | os.PathLike[str]) -> None:
    """Write the script; raises OSError."""
    write_text(to_python(scene), path)


def _heading(scene: Scene) -> str:
    """The docstring of the script; an ordinary string where quotes or backslashes would break it."""
    words = " ".join((scene.title or "A mechanism").split())
    text = f"{words}, built with Trammel."
    return f'"""{text}"""' if text.isprintable() and not set(text) & {'"', "\\"} else _text(text)


def _head(scene: Scene) -> str:
    fields = {
        field.name: getattr(scene, field.name)
        for field in fields_of(Scene)
        if field.name not in NOT_WRITTEN and getattr(scene, field.name) != field.default
    }
    return _call("scene = Scene", [], fields)


def _element(where: str, fields: dict[str, Any]) -> str:
    first = [fields.pop("name")]
    if where in KINDS:
        first.insert(0, fields.pop("kind"))
    if where == "parameters":
        first.append(fields.pop("value"))
    return _call(f"scene = scene.{CALLS[where]}", first, fields)


def _call(name: str, first: list[Any], fields: dict[str, Any]) -> str:
    """A call on one line, or with one argument per line."""
    line = ", ".join([*map(_line, first), *(f"{key}={_line(value)}" for key, value in fields.items())])
    if len(name) + len(line) + 2 <= WIDTH:
        return f"{name}({line})"
    pad = " " * INDENT
    rows = _filled([f"{_line(value)}," for value in first], INDENT) if first else []
    rows += [f"{pad}{key}={_literal(value, INDENT, len(key) + 1)}," for key, value in fields.items()]
    return "\n".join([f"{name}(", *rows, ")"])


def _literal(value: Any, indent: int, lead: int) -> str:
    """A value that begins after `lead` characters of an indented line and goes on below when it is long."""
    line = _line(value)
    if indent + lead + len(line) + 1 <= WIDTH or not isinstance(value, dict | list | tuple) or not value:
        return line
    inner = indent + INDENT
    pad = " " * inner
    if isinstance(value, dict):
        rows = [f"{pad}{_line(k)}: {_literal(v, inner, len(_line(k)) + 2)}," for k, v in value.items()]
        opening, closing = "{", "}"
    elif _has_objects(value):
        rows = [f"{pad}{_literal(item, inner, 0)}," for item in value]
        opening, closing = "()" if isinstance(value, tuple) else "[]"
    else:
        rows = _filled([f"{_line(item)}," for item in value], inner)
        opening, closing = "()" if isinstance(value, tuple) else "[]"
    return "\n".join([opening, *rows, " " * indent + closing])


def _filled(pieces: list[str], indent: int) -> list[str]:
    """As many pieces on each line as fit."""
    rows, row = [], " " * (indent - 1)
    for piece in pieces:
        if len(row) + 1 + len(piece) > WIDTH and row.strip():
            rows.append(row)
            row = " " * (indent - 1)
        row += f" {piece}"
    return [*rows, row]


def _has_objects(value: Any) -> bool:
    return any(isinstance(item, dict) for item in value)


def _line(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_line(k)}: {_line(v)}" for k, v in value.items()) + "}"
    if isinstance(value, tuple):
        return "(" + ", ".join(_line(item) for item in value) + ("," if len(value) == 1 else "") + ")"
    if isinstance(value, list):
        return "[" + ", ".join(_line(item) for item in value) + "]"
    if isinstance(value, float):
        if not math.isfinite(value):
            return f'float("{value}")'
        if value.is_integer() and abs(value) < LARGEST_WHOLE and str(value) != "-0.0":
            return str(int(value))
    return repr(value)


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False) if text.isprintable() else repr(text)
