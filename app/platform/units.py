"""Display units: SI inside, the user's units in widgets; text to numbers and back.

A bare number counts in the display unit, a number with a unit in that unit, and an expression of parameters
in SI, as in the scene file. Inside an expression a number may carry a unit too, and keeps it: `L1 + 25 mm`.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.maths.dimensions import check_dimension
from engine.maths.expressions import ExpressionError, parse
from engine.maths.units import SIZES, UNITS
from engine.maths.written_units import size_of

PRESETS: dict[str, dict[str, str]] = {
    "SI": {},
    "SI with degrees": {"rad": "deg"},
    "Millimetres, degrees, rpm": {
        "m": "mm",
        "rad": "deg",
        "rad/s": "rpm",
        "m/s": "mm/s",
        "N·m": "N·mm",
        "N/m": "N/mm",
        "kg·m²": "kg·mm²",
        "kg/m³": "g/cm³",
    },
    "Inch, pound, degrees": {"m": "in", "rad": "deg", "rad/s": "rpm", "m/s": "in/s", "kg": "lb", "N": "lbf"},
}
DEFAULT_PRESET = "SI with degrees"
DIGITS = 10  # significant digits shown; enough that an unchanged field never changes a number visibly

_NUMBER = r"[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d+)?"
PLAIN = re.compile(rf"^\s*({_NUMBER})\s*([^\d\s.,+\-][^\s]*)?\s*$")  # a number, perhaps with a unit
OPERATORS = frozenset("+-*/^() \t")
_MEASURED = re.compile(
    r"(?<![\w.])(\d+(?:\.\d*)?|\.\d+)((?:[eE][+-]?\d+)?)\s*([A-Za-zµ°]+(?:[·/][A-Za-z]+[²³]?)*)"
)


class UnitError(ValueError):
    """Text that is no number here, with the reason."""


@dataclass(frozen=True)
class Units:
    """The display units the user has chosen: SI unit → display unit."""

    chosen: Mapping[str, str] = field(default_factory=lambda: PRESETS[DEFAULT_PRESET])

    def shown(self, si: str) -> str:
        """The display unit of an SI unit; units without alternatives show as they are."""
        return self.chosen.get(si, si) if si in UNITS else si

    def factor(self, si: str) -> float:
        """How much of the SI unit one display unit is."""
        return UNITS.get(si, {}).get(self.shown(si), 1.0)

    def text(self, value: float, si: str, digits: int = DIGITS) -> str:
        """The number in its display unit, without the unit."""
        return plain_number(value / self.factor(si), digits)

    def full_text(self, value: float, si: str, digits: int = 6) -> str:
        """The number and its unit."""
        unit = self.shown(si)
        return f"{self.text(value, si, digits)} {unit}".rstrip()

    def parse(self, text: str, si: str, names: Mapping[str, float] | None = None) -> float | str:
        """What the user typed as a number in SI, or as an expression of `names`; raises UnitError."""
        if not text.strip():
            raise UnitError("a number is missing; write for instance 1.5")
        match = PLAIN.match(text)
        unit = (match[2] or "") if match else ""
        if match and (not unit or size_of(unit, si) is not None or _looks_like_unit(unit, names)):
            return self._measured(match[1], unit, si)
        counted = self._counted(text, si)
        return expression(text, si, names or {}) if counted is None else counted

    def parse_function(self, text: str, si: str, names: Mapping[str, float]) -> float | str:
        """The same for a function of `names`: it keeps every unit as typed; raises UnitError."""
        match = PLAIN.match(text)
        unit = (match[2] or "") if match else ""
        if match and unit and unit != self.shown(si) and SIZES.get(unit) == size_of(unit, si) is not None:
            return expression(text, si, names)
        known_elsewhere = unit in SIZES and size_of(unit, si) is None  # told with the remedy of its dimension
        if match and not known_elsewhere and (not unit or _looks_like_unit(unit, names)):
            return self.parse(text, si, names)
        if not text.strip():
            raise UnitError("a number is missing; write for instance 1.5")
        counted = self._counted(text, si)
        return expression(text, si, names, mixed=True) if counted is None else counted

    def _counted(self, text: str, si: str) -> float | None:
        """Sums and shares of bare numbers, as 360/8, in the unit that is shown; None for all else.

        What has names counts in SI, and so does everything where SI is shown: it stays as it was typed.
        """
        if self.factor(si) == 1.0 or not OPERATORS.issuperset(re.sub(_NUMBER, "", text.strip())):
            return None
        try:
            return self._measured(repr(float(parse(_with_points(text.strip())).value({}))), "", si)
        except (ExpressionError, ValueError):
            return None  # explained where expressions are

    def _measured(self, number: str, unit: str, si: str) -> float:
        value = float(number.replace(",", "."))
        if not math.isfinite(value):
            raise UnitError(f"{number} is too large")
        if not unit:
            return value * self.factor(si)
        size = size_of(unit, si)
        if size is None:
            raise UnitError(_unknown(unit, si))
        return value * size


def expression(text: str, si: str, names: Mapping[str, float], *, mixed: bool = False) -> str:
    """An expression in SI, checked; numbers with units stay as they are typed.

    Units must be of the sort of the field, unless they are `mixed`: in a function of time `60 rpm*t` is an
    angle.
    """

    def measured(match: re.Match[str]) -> str:
        word = match[3]
        size = size_of(word, si)
        if size is None:
            if word in SIZES and not mixed:
                raise UnitError(_unknown(word, si))
            return match[0]
        return match[0] if SIZES.get(word) == size else f"({match[1]}{match[2]}*{size!r})"

    made = _MEASURED.sub(measured, _with_points(text.strip()))
    try:
        parse(made).value(names)
        check_dimension(made, si)
    except ExpressionError as error:
        raise UnitError(str(error)) from None
    return made


def _unknown(unit: str, si: str) -> str:
    known = ", ".join(UNITS.get(si, {})) or (si or "none: this is a plain number")
    return f"unknown unit {unit!r} here; known: {known}"


def _with_points(text: str) -> str:
    """Decimal commas as points, where no comma can stand between the arguments of a function."""
    depth, made = 0, []
    for i, sign in enumerate(text):
        depth += {"(": 1, ")": -1}.get(sign, 0)
        decimal = sign == "," and depth == 0 and text[i - 1 : i].isdigit() and text[i + 1 : i + 2].isdigit()
        made.append("." if decimal else sign)
    return "".join(made)


def plain_number(value: float, digits: int = DIGITS) -> str:
    """A number without trailing zeros; rounding noise of the conversion is not shown."""
    if value == 0.0:
        return "0"
    text = f"{value:.{digits}g}"
    return text[:-2] if text.endswith(".0") else text


def _looks_like_unit(word: str, names: Mapping[str, float] | None) -> bool:
    return word not in (names or {}) and not any(mark in word for mark in "()*^") and word[0] not in "/*^"
