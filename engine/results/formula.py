"""Expressions of channels, evaluated for all samples at once; where they have no value the result is NaN."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np

from engine.compiled.layout import Array
from engine.maths.expressions import Apply, Expression, Node, Number
from engine.maths.opcodes import OPERATIONS

LOGICAL = frozenset({"<", "<=", ">", ">=", "==", "!=", "and", "or", "not"})


def _smooth(u: Array) -> Array:
    s = np.clip(u, 0.0, 1.0)
    return np.asarray(s * s * s * (10.0 + s * (6.0 * s - 15.0)))


# the vocabulary of `engine.maths.opcodes` for arrays
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "+": np.add,
    "*": np.multiply,
    "/": np.divide,
    "^": np.power,
    "neg": np.negative,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
    "!=": np.not_equal,
    "and": np.logical_and,
    "or": np.logical_or,
    "not": np.logical_not,
    "abs": np.abs,
    "acos": np.arccos,
    "asin": np.arcsin,
    "atan": np.arctan,
    "atan2": np.arctan2,
    "ceil": np.ceil,
    "cos": np.cos,
    "cosh": np.cosh,
    "exp": np.exp,
    "floor": np.floor,
    "hypot": np.hypot,
    "if": lambda condition, yes, no: np.where(condition != 0.0, yes, no),
    "log": np.log,
    "log10": np.log10,
    "max": np.maximum,
    "min": np.minimum,
    "mod": np.mod,
    "sign": np.sign,
    "sin": np.sin,
    "sinh": np.sinh,
    "smooth": _smooth,
    "sqrt": np.sqrt,
    "tan": np.tan,
    "tanh": np.tanh,
}
assert _FUNCTIONS.keys() == OPERATIONS.keys(), _FUNCTIONS.keys() ^ OPERATIONS.keys()


def is_logical(expression: Expression) -> bool:
    """Whether the value is a truth: 1 or 0."""
    return isinstance(expression.root, Apply) and expression.root.op in LOGICAL


def evaluate(expression: Expression, read: Callable[[str], Array], n: int) -> Array:
    """The values, shape (n,); `read` gives those of a name."""
    with np.errstate(all="ignore"):
        value = _value(expression.root, read)
    return np.array(np.broadcast_to(value, (n,)), dtype=float)


def _value(node: Node, read: Callable[[str], Array]) -> Any:
    if isinstance(node, Number):
        return node.value
    if not isinstance(node, Apply):
        return read(node.name)
    args = [_value(arg, read) for arg in node.args]
    function = _FUNCTIONS[node.op]
    value = reduce(function, args) if OPERATIONS[node.op].variadic else function(*args)
    return np.asarray(value, dtype=float)
