"""Numbers as text and back, with their limits: what all editors of numbers share."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from app.platform.units import UnitError
from app.widgets.editors.base import Context
from engine.maths.expressions import ExpressionError, parse

_WORDS = {"gt": "greater than", "ge": "at least", "lt": "less than", "le": "at most"}


def number_text(value: Any, unit: str, context: Context) -> tuple[str, str]:
    """Text of a number or expression, and what its tooltip says."""
    if value is None:
        return "", ""
    if isinstance(value, str):
        try:
            result = context.units.full_text(parse(value).value(context.names), unit)
        except ExpressionError as error:
            return value, str(error)
        return value, f"= {result}"
    return context.units.text(float(value), unit), context.units.full_text(float(value), unit, 12)


def number_now(value: Any, context: Context) -> float:
    """What a number or expression is at present; raises ExpressionError."""
    return parse(value).value(context.names) if isinstance(value, str) else float(value)


def check_limits(value: Any, limits: Mapping[str, float], context: Context) -> Any:
    """The value, when it keeps the limits; an expression is judged by what it is now."""
    if value is None or not limits:
        return value
    number = number_now(value, context)
    tests = {"gt": number > limits.get("gt", -math.inf), "ge": number >= limits.get("ge", -math.inf)}
    tests |= {"lt": number < limits.get("lt", math.inf), "le": number <= limits.get("le", math.inf)}
    for key, limit in limits.items():
        if not tests[key]:
            raise UnitError(f"must be {_WORDS[key]} {limit:g}, it is {number:g}")
    return value
