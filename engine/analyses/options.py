"""Options of an analysis from words: what the command line gives, checked against the metadata."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from engine.analyses.base import Analysis
from engine.elements.fields import Field, fields_of
from engine.errors import Problem, SceneError
from engine.spelling import did_you_mean

_TESTS: dict[str, tuple[str, Callable[[float, float], bool]]] = {
    "gt": ("greater than", lambda a, b: a > b),
    "ge": ("at least", lambda a, b: a >= b),
    "lt": ("less than", lambda a, b: a < b),
    "le": ("at most", lambda a, b: a <= b),
}

LARGEST_WHOLE = 10**9  # of counts; a float holds them all


def options_of(kind: Analysis, given: Mapping[str, Any]) -> Struct:
    """The options with what is given, defaults for the rest; raises SceneError with all that is wrong."""
    fields = {field.name: field for field in fields_of(kind.options)}
    problems: list[Problem] = []
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name not in fields:
            hint = did_you_mean(name, tuple(fields))
            known = ", ".join(fields) or "none"
            text = f"the analysis {kind.name!r} has no option {name!r}{hint}"
            problems.append(Problem(f"options.{name}", value, text, f"its options: {known}"))
            continue
        try:
            values[name] = _value(fields[name], value)
        except ValueError as error:
            remedy = fields[name].description or "see `trammel list analyses --json`"
            problems.append(Problem(f"options.{name}", value, f"option {name!r}: {error}", remedy))
    if problems:
        raise SceneError(problems)
    return kind.options(**values)


def option_rows(kind: Analysis) -> list[dict[str, Any]]:
    """What the options are, as plain data."""
    return [
        {
            "name": field.name,
            "title": field.title,
            "unit": field.unit,
            "default": field.default,
            "limits": dict(field.limits),
            "description": field.description,
        }
        for field in fields_of(kind.options)
    ]


def _value(field: Field, value: Any) -> Any:
    try:
        made = msgspec.convert(value, field.type, strict=False)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from None
    if isinstance(made, int) and abs(made) > LARGEST_WHOLE:
        raise ValueError(f"must be between ±{LARGEST_WHOLE:g}")
    for key, limit in field.limits.items():
        words, holds = _TESTS[key]
        if not holds(made, limit):
            raise ValueError(f"must be {words} {limit:g}, it is {made:g}")
    return made
