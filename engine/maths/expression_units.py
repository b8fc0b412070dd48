"""The unit of an expression, as far as the units of its names tell."""

from __future__ import annotations

from collections.abc import Callable

from engine.maths.expressions import Apply, ExpressionError, Name, Node, Number, parse

ALIKE = ("+", "neg", "abs", "min", "max", "mod", "floor", "ceil")  # give what they take
TRUTHS = ("<", "<=", ">", ">=", "==", "!=", "and", "or", "not")


def unit_of(text: str, unit: Callable[[str], str]) -> str:
    """The unit of an expression as far as its channels tell; empty for pure numbers and what is not known."""
    try:
        return _unit(parse(text).root, unit) or ""
    except ExpressionError:
        return ""


def _unit(node: Node, unit: Callable[[str], str]) -> str | None:
    """None for a number, which may stand beside any unit."""
    if isinstance(node, Number):
        return None
    if isinstance(node, Name):
        return unit(node.name)
    assert isinstance(node, Apply)
    if node.op in TRUTHS:
        return ""
    args = [_unit(arg, unit) for arg in (node.args[1:] if node.op == "if" else node.args)]
    known = [found for found in args if found]
    if node.op in (*ALIKE, "if"):
        return known[0] if known and len(set(known)) == 1 else None if not known else ""
    if node.op == "*":
        return known[0] if len(known) == 1 else None if not known else ""
    if node.op == "/":
        over, under = args
        return over if not under else "" if over != under else None
    if node.op == "hypot":
        return known[0] if len(set(known)) == 1 else ""
    if node.op == "atan2" or node.op in ("acos", "asin", "atan"):
        return "rad"
    return "" if known else None
