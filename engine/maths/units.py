"""Units that numbers may carry, as in `60 rpm*t`, with their size in SI: all that is computed is SI."""

import math

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

# in expressions a unit means one thing: t is the time, not the tonne, and Hz could be 1/s or 2π/s
_AMBIGUOUS = ("t", "Hz")
SIZES = {unit: size for units in UNITS.values() for unit, size in units.items() if unit not in _AMBIGUOUS} | {
    "°": _DEG
}
