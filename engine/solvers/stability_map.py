"""Linear stability of schemes and direct methods: the map over (αh, β²h²), and the limits it contains."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engine.compiled.columns import options as SLOT
from engine.compiled.layout import Array
from engine.maths import amplification
from engine.maths.amplification import Growth
from engine.solvers.direct import DIRECT
from engine.solvers.integrators import SCHEMES
from engine.solvers.integrators.base import SchemeKind


def stability_map(
    scheme: str, alpha_h: Array, beta2_h2: Array, *, options: Mapping[str, float] | None = None
) -> Array:
    """Growth of a violation per step at every point of the grid, rows by β²h², columns by αh.

    Values up to 1 are stable. Raises ValueError for a scheme that chooses its order and step itself.
    """
    growth, numbers = _scheme(scheme, options)
    columns, rows = np.meshgrid(np.asarray(alpha_h, dtype=float), np.asarray(beta2_h2, dtype=float))
    return growth(columns, rows, numbers)


def gain_limit(scheme: str, *, ratio: float = 1.0, options: Mapping[str, float] | None = None) -> float:
    """Largest αh up to which gains with β = ratio·α are stable; inf where there is none."""
    return amplification.gain_limit(*_scheme(scheme, options), ratio=ratio)


def _scheme(name: str, options: Mapping[str, float] | None) -> tuple[Growth, Array]:
    """By the name of a scheme or of a direct method."""
    kind = SCHEMES[name] if name in SCHEMES else DIRECT[name]
    if kind.growth is None:
        raise ValueError(f"{name!r} chooses its order and step itself: it has no map")
    numbers = np.zeros(SLOT.COLUMNS)
    slots = {name: option.slot for option in kind.options for name in (option.name, option.alias) if name}
    for option in kind.options:
        numbers[option.slot] = option.default
    for slot, value in kind.constants if isinstance(kind, SchemeKind) else ():
        numbers[slot] = value
    for key, value in (options or {}).items():
        if key not in slots:
            raise ValueError(f"{name!r} has no option {key!r} (known: {', '.join(slots) or 'none'})")
        numbers[slots[key]] = value
    return kind.growth, numbers
