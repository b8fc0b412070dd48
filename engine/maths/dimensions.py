"""Which dimension an expression with units has: metres where an angle is wanted are a mistake to be told.

Only what is written counts. A number without a unit fits everywhere, and so does a parameter: both are SI.
Angles are plain numbers, as in [r·φ] = m. The time `t` may be read as a duration or as its number of seconds,
`60 rpm*t` and `120 deg*t` are both meant for angles, so that powers of time are not compared where it occurs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from engine.maths.expressions import Apply, ExpressionError, Name, Node, Number, parse
from engine.maths.units import SIZES, UNITS

_BASE = {  # powers of metre, kilogram and second
    "m": (1, 0, 0),
    "kg": (0, 1, 0),
    "s": (0, 0, 1),
    "rad": (0, 0, 0),
    "N": (1, 1, -2),
    "J": (2, 1, -2),
    "W": (2, 1, -3),
    "Hz": (0, 0, -1),
}
_POWERS = {"²": 2, "³": 3}
# of all arguments
_SAME = frozenset({"+", "min", "max", "hypot", "mod", "<", "<=", ">", ">=", "==", "!=", "atan2"})
# whatever goes in
_PLAIN = frozenset({"<", "<=", ">", ">=", "==", "!=", "and", "or", "not", "sign", "atan2"})
_KEEPS = frozenset({"+", "min", "max", "hypot", "mod", "neg", "abs", "floor", "ceil"})
# an ambiguous one as it came first
_SI = {unit: si for si, units in reversed(UNITS.items()) for unit in units}


class DimensionError(ExpressionError):
    """Units that do not fit each other, or not the place."""


@dataclass(frozen=True)
class Dimension:
    """Powers of metre, kilogram and second, and a unit that shows what is meant."""

    powers: tuple[Fraction, ...]
    unit: str = ""  # as written; empty for a product of several
    timed: bool = False  # the time occurs in it
    bare: bool = False  # no unit is written in it: it may have a factor of any unit, as in sin(2*t)

    def fits(self, other: "Dimension") -> bool:
        compared = 2 if self.timed or other.timed else 3
        return self.bare or other.bare or self.powers[:compared] == other.powers[:compared]

    def __str__(self) -> str:
        if self.unit:
            return self.unit
        names = zip(("m", "kg", "s"), self.powers, strict=True)
        return "·".join(name if p == 1 else f"{name}^{p}" for name, p in names if p) or "a plain number"


PLAIN = Dimension((Fraction(0),) * 3)
_BARE = Dimension(PLAIN.powers, bare=True)
_TIME = Dimension((Fraction(0), Fraction(0), Fraction(1)), timed=True, bare=True)


@lru_cache(maxsize=256)
def dimension_of_unit(unit: str) -> Dimension | None:
    """The dimension of a unit such as `N·mm` or `rpm`; None when it is none that is known."""
    si = _SI.get("deg" if unit == "°" else unit)
    if si is None:
        return None
    powers = [Fraction(0)] * 3
    for i, side in enumerate(si.split("/")):
        for factor in side.split("·"):
            power = _POWERS.get(factor[-1], 1) * (-1 if i else 1)
            for k, base in enumerate(_BASE[factor.rstrip("²³")]):
                powers[k] += power * base
    return Dimension(tuple(powers), unit)


def dimension(node: Node) -> Dimension | None:
    """What the written units give, None where they say nothing; raises DimensionError."""
    if isinstance(node, Number):
        return dimension_of_unit(node.unit) if node.unit else None
    if isinstance(node, Name):
        return _TIME if node.name == "t" else None
    args = [dimension(arg) for arg in node.args]
    if node.op in ("*", "/"):
        return _product(node, args)
    if node.op == "if":
        return _agreed(node, args[1:])
    if node.op == "^":
        return _power(args[0], node.args[1])
    if node.op == "sqrt":
        return _power(args[0], Number(0.5))
    if node.op in _SAME:
        found = _agreed(node, args)
    elif node.op in _KEEPS:
        found = args[0]
    else:
        for arg in args:
            if arg is not None and not arg.fits(PLAIN) and node.op not in _PLAIN:
                raise DimensionError(f"{node.op} takes a plain number or an angle, not {arg}", node.column)
        return _BARE
    return _BARE if node.op in _PLAIN else found


def check_dimension(text: str, unit: str) -> None:
    """Raise DimensionError, with the remedy, when the units in an expression do not give this SI unit."""
    wanted = dimension_of_unit(unit)
    if wanted is None:
        return
    root = parse(text).root
    found = dimension(root)
    if found is None or found.fits(wanted):
        return
    remedy = f"write it in {', '.join([name for name in UNITS[unit] if name in SIZES][:4])}"
    if found.powers == tuple(a - b for a, b in zip(wanted.powers, _TIME.powers, strict=True)):
        remedy = f"multiply the rate by the time: {text if isinstance(root, Number) else f'({text})'}*t"
    raise DimensionError(f"its units give {found}, where {unit} is wanted; {remedy}", 1)


def _agreed(node: Apply, args: Sequence[Dimension | None]) -> Dimension | None:
    known = [arg for arg in args if arg is not None]
    for other in known[1:]:
        if not other.fits(known[0]):
            raise DimensionError(
                f"{known[0]} and {other} do not go together; use units of one sort", node.column
            )
    return next((arg for arg in known if not arg.bare), known[0] if known else None)


def _product(node: Apply, args: Sequence[Dimension | None]) -> Dimension | None:
    left, right = args
    if left is None or right is None:
        return None
    sign = 1 if node.op == "*" else -1
    powers = tuple(a + sign * b for a, b in zip(left.powers, right.powers, strict=True))
    return Dimension(powers, timed=left.timed or right.timed, bare=left.bare and right.bare)


def _power(base: Dimension | None, exponent: Node) -> Dimension | None:
    if base is None or not isinstance(exponent, Number):
        return base if base is not None and base.powers == PLAIN.powers else None
    power = Fraction(exponent.value).limit_denominator(12)
    return Dimension(tuple(p * power for p in base.powers), timed=base.timed, bare=base.bare)
