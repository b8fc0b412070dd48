"""A direction as it is typed and shown: "1, 0, 0.5". No Qt."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from app.platform.units import UnitError, Units, plain_number
from engine.compiled.layout import Array
from engine.maths.expressions import ExpressionError, parse

SAMPLES = {2: "1, 0.5", 3: "1, 0, 0.5"}
DIGITS = 5  # of a component that is shown
_BRACKETS = str.maketrans("", "", "[]{}")


class DirectionError(ValueError):
    """Text that is no direction, with the reason."""


def read_direction(text: str, count: int, names: Mapping[str, float]) -> Array:
    """The unit vector that a text means, with three components; `count` is how many are typed.

    Components are numbers or expressions of `names`, between commas, semicolons or blanks. Raises
    DirectionError.
    """
    parts = _parts(text, count)
    if not parts:
        raise DirectionError(f"a direction is missing; write for instance {SAMPLES[count]}")
    if len(parts) != count:
        raise DirectionError(f"a direction has {count} numbers, not {len(parts)}; write {SAMPLES[count]}")
    numbers = np.zeros(3)
    for i, part in enumerate(parts):
        try:
            given = Units().parse(part, "", names)
            numbers[i] = parse(given).value(names) if isinstance(given, str) else given
        except (UnitError, ExpressionError, OverflowError) as error:
            raise DirectionError(f"{'xyz'[i]}: {error}") from None
        if not np.isfinite(numbers[i]):
            raise DirectionError(f"{'xyz'[i]} is not a finite number")
    largest = float(np.abs(numbers).max())
    if not largest > 0.0:
        raise DirectionError("all zero has no direction; one number must differ from 0")
    numbers /= largest  # squares of huge or tiny numbers would not fit
    return np.asarray(numbers / np.linalg.norm(numbers))


def direction_text(direction: Array, count: int) -> str:
    """A direction in words that `read_direction` takes: whole numbers where it has them."""
    scaled = np.asarray(direction, float)[:count] / max(float(np.abs(direction).max()), 1e-300)
    shown = scaled if np.abs(scaled - np.round(scaled)).max() < 1e-9 else np.asarray(direction[:count])
    return ", ".join(plain_number(float(x) + 0.0, DIGITS) for x in np.round(shown, 12))


def _parts(text: str, count: int) -> list[str]:
    """The components: between semicolons, else commas outside of calls, else blanks."""
    text = text.translate(_BRACKETS).strip()
    if text.startswith("(") and text.endswith(")") and _depth_ends_last(text):
        text = text[1:-1].strip()
    if ";" in text:
        return [part.strip() for part in text.split(";")]
    parts = _split(text, ",")
    if len(parts) == 1 or (len(parts) != count and len(_split(text, " ")) == count):
        blanks = _split(text, " ")
        return blanks if len(blanks) > 1 else [part for part in parts if part]
    return parts


def _split(text: str, at: str) -> list[str]:
    depth, made = 0, [""]
    for sign in re.sub(r"\s+", " ", text):
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if sign == at and depth == 0:
            made.append("")
        else:
            made[-1] += sign
    return [part.strip() for part in made]


def _depth_ends_last(text: str) -> bool:
    """Whether the first bracket closes with the last one."""
    depth = 0
    for i, sign in enumerate(text):
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if depth == 0:
            return i == len(text) - 1
    return False
