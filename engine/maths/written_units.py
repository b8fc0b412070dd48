"""Units as people write them: in headings of tables, behind numbers."""

from engine.maths.units import UNITS

AMBIGUOUS = ("g", "t", "Hz")  # alone: grammes or falls, tonnes or times, turns or events


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


def si_of(unit: str) -> tuple[str, float] | None:
    """The SI unit of the sort that a written unit is of, and its size in it; None where nobody can tell."""
    if not unit or unit in AMBIGUOUS:
        return None
    return next(((si, size) for si in UNITS if (size := size_of(unit, si)) is not None), None)
