"""Display units: SI inside, the user's units in widgets; text to numbers and back.

A bare number counts in the display unit, a number with a unit in that unit, and an expression of parameters
in SI, as in the scene file. Inside an expression a number may carry a unit too: `L1 + 25 mm`.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.maths.expressions import ExpressionError, parse

_TURN = 2.0 * math.pi
_DEG = math.pi / 180.0
_INCH, _FOOT, _POUND, _G = 0.0254, 0.3048, 0.45359237, 9.80665
_LBF = _POUND * _G

# SI unit → display units with their size in it; the first is the SI unit itself
UNITS: dict[str, dict[str, float]] = {
    "m": {"m": 1.0, "mm": 1e-3, "cm": 1e-2, "µm": 1e-6, "km": 1e3, "in": _INCH, "ft": _FOOT},
    "rad": {"rad": 1.0, "deg": _DEG, "rev": _TURN, "grad": math.pi / 200.0},
    "kg": {"kg": 1.0, "g": 1e-3, "t": 1e3, "lb": _POUND},
    "s": {"s": 1.0, "ms": 1e-3, "µs": 1e-6, "min": 60.0, "h": 3600.0},
    "m/s": {"m/s": 1.0, "mm/s": 1e-3, "cm/s": 1e-2, "km/h": 1 / 3.6, "in/s": _INCH, "ft/s": _FOOT},
    "rad/s": {"rad/s": 1.0, "deg/s": _DEG, "rpm": _TURN / 60.0, "rev/s": _TURN, "Hz": _TURN},
    "m/s²": {"m/s²": 1.0, "mm/s²": 1e-3, "g0": _G, "ft/s²": _FOOT},
    "rad/s²": {"rad/s²": 1.0, "deg/s²": _DEG},
    "N": {"N": 1.0, "kN": 1e3, "mN": 1e-3, "MN": 1e6, "kgf": _G, "lbf": _LBF},
    "N·m": {"N·m": 1.0, "N·mm": 1e-3, "mN·m": 1e-3, "N·cm": 1e-2, "kN·m": 1e3, "lbf·ft": _LBF * _FOOT},
    "N/m": {"N/m": 1.0, "N/mm": 1e3, "kN/m": 1e3, "lbf/in": _LBF / _INCH},
    "N·s/m": {"N·s/m": 1.0, "N·s/mm": 1e3, "kN·s/m": 1e3},
    "N·m/rad": {"N·m/rad": 1.0, "N·m/deg": 1.0 / _DEG, "N·mm/rad": 1e-3},
    "N·m·s/rad": {"N·m·s/rad": 1.0, "N·m·s/deg": 1.0 / _DEG},
    "kg·m²": {"kg·m²": 1.0, "kg·cm²": 1e-4, "kg·mm²": 1e-6, "g·cm²": 1e-7, "g·mm²": 1e-9},
    "kg/m³": {"kg/m³": 1.0, "g/cm³": 1e3, "kg/dm³": 1e3},
    "kg/m": {"kg/m": 1.0, "g/m": 1e-3, "g/mm": 1.0},
    "J": {"J": 1.0, "mJ": 1e-3, "kJ": 1e3},
    "W": {"W": 1.0, "mW": 1e-3, "kW": 1e3, "hp": 745.69987158227},
    "Hz": {"Hz": 1.0, "kHz": 1e3},
}
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
_PLAIN = re.compile(rf"^\s*({_NUMBER})\s*([^\d\s.,+\-][^\s]*)?\s*$")
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
        match = _PLAIN.match(text)
        unit = (match[2] or "") if match else ""
        if match and (not unit or size_of(unit, si) is not None or _looks_like_unit(unit, names)):
            return self._measured(match[1], unit, si)
        return expression(text, si, names or {})

    def _measured(self, number: str, unit: str, si: str) -> float:
        value = float(number.replace(",", "."))
        if not math.isfinite(value):
            raise UnitError(f"{number} is too large")
        if not unit:
            return value * self.factor(si)
        size = size_of(unit, si)
        if size is None:
            known = ", ".join(UNITS.get(si, {})) or (si or "none: this is a plain number")
            raise UnitError(f"unknown unit {unit!r} here; known: {known}")
        return value * size


def expression(text: str, si: str, names: Mapping[str, float]) -> str:
    """An expression in SI, checked; numbers with units become SI numbers."""

    def measured(match: re.Match[str]) -> str:
        word = match[3]
        size = None if word in names else size_of(word, si)
        return match[0] if size is None else f"({match[1]}{match[2]}*{size!r})"

    made = _MEASURED.sub(measured, _with_points(text.strip()))
    try:
        parse(made).value(names)
    except ExpressionError as error:
        raise UnitError(str(error)) from None
    return made


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


def size_of(unit: str, si: str) -> float | None:
    """Size of a written unit in the SI unit, None when it is no unit of that sort."""
    known = UNITS.get(si)
    if known is None:
        return 1.0 if unit == si and si else None
    if unit in known:
        return known[unit]
    return {_folded(name): size for name, size in known.items()}.get(_folded(unit))


def _folded(unit: str) -> str:
    """`N*m`, `Nm`, `m/s^2`, `°` and `um` mean what they say."""
    unit = {"°": "deg", "degree": "deg", "degrees": "deg", "sec": "s", '"': "in", "inch": "in"}.get(
        unit, unit
    )
    for old, new in (("·", ""), ("*", ""), ("^2", "²"), ("^3", "³"), ("u", "µ"), ("μ", "µ"), ("°", "deg")):
        if (old, unit) != ("u", "lbf"):
            unit = unit.replace(old, new)
    return unit.replace("m2", "m²").replace("m3", "m³").replace("s2", "s²")
