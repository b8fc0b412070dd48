"""Arithmetic with what stands in a scene: expressions and tables stay what they are where they can."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from engine.elements.base import Table
from engine.errors import Problem, SceneError
from engine.maths.expressions import ExpressionError, replace_names

_FACTOR = re.compile(
    r"\A(?:\((?P<inner>.+)\)|(?P<name>[^\W\d]\w*))\*(?P<factor>[0-9.]+(?:e[+-]?[0-9]+)?)\Z", re.DOTALL
)
_PLACE = "value__of__variable"  # a name that nobody gives


def total(factors: Sequence[float], values: Sequence[Any], constant: float = 0.0) -> Any:
    """Σ factor·value + constant; expressions become longer ones, a table can only be scaled and shifted."""
    terms = [(float(c), value) for c, value in zip(factors, values, strict=True) if c and value != 0.0]
    if not any(isinstance(value, str | Table) for _, value in terms):
        return sum(c * value for c, value in terms) + float(constant) + 0.0  # no negative zero
    if any(isinstance(value, Table) for _, value in terms):
        return _scaled(terms, float(constant))
    if len(terms) == 1 and terms[0][0] == 1.0 and not constant:
        return terms[0][1]
    known = float(constant) + sum(c * value for c, value in terms if not isinstance(value, str))
    words = [_term(c, value) for c, value in terms if isinstance(value, str)]
    text = "".join(f" {sign} {word}" for sign, word in words).removeprefix(" + ")
    text = f"-{text[3:]}" if text.startswith(" - ") else text
    return text + (f" {'-' if known < 0.0 else '+'} {abs(known)!r}" if known else "")


def negated(value: Any) -> Any:
    """-value of a number, an expression or a table."""
    return value if value is None else total((-1.0,), (value,))


def reversed_law(value: Any) -> Any:
    """-f(t, -x, -v) of a force law f(t, x, v): the same law for a coordinate that counts the other way."""
    if not isinstance(value, str):
        return negated(value)
    try:
        text = replace_names(value, {name: f"{_PLACE}_{name}" for name in "xv"})
    except ExpressionError:  # told as a problem of its own
        return value
    for name in "xv":
        text = text.replace(f"{_PLACE}_{name}", f"(-{name})")
    return negated(text)


def mirrored(value: Any) -> Any:
    """f(-x) of a function f(x)."""
    if isinstance(value, Table):
        points = tuple((negated(x), y) for x, y in reversed(value.points))
        return msgspec.structs.replace(value, points=points)
    if not isinstance(value, str):
        return value
    try:
        return replace_names(value, {"x": _PLACE}).replace(_PLACE, "(-x)")
    except ExpressionError:  # told as a problem of its own
        return value


def scaled(value: Any, factor: float) -> Any:
    """factor·value; scaling an expression again changes the factor it already has."""
    if value is None or factor == 1.0:
        return value
    if not isinstance(value, str):
        return total((factor,), (value,))
    found = _FACTOR.match(value)
    inner = (found["inner"] or found["name"]) if found else ""
    if found and _balanced(inner):
        value, factor = inner, factor * float(found["factor"])
    factor = float(f"{factor:.12g}")
    bare = value if value.isidentifier() else f"({value})"
    return value if factor == 1.0 else f"{bare}*{factor:.12g}"


def _term(factor: float, text: str) -> tuple[str, str]:
    sign = "-" if factor < 0.0 else "+"
    bare = text if text.isidentifier() else f"({text})"
    return sign, bare if abs(factor) == 1.0 else f"{abs(factor)!r}*{bare}"


def _balanced(text: str) -> bool:
    depth = 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            return False
    return depth == 0


def _scaled(terms: list[tuple[float, Any]], constant: float) -> Table:
    if len(terms) > 1:
        text = "a table cannot be added to another function"
        raise SceneError([Problem("", "table", text, "write an expression, or turn by a quarter turn only")])
    factor, table = terms[0]
    points = tuple((t, total((factor,), (value,), constant)) for t, value in table.points)
    result = msgspec.structs.replace(table, points=points)
    assert isinstance(result, Table)
    return result
