"""Limits of joint coordinates and distances, which a linkage keeps when it is led by hand."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.compiled.columns import forces as LAW
from engine.compiled.columns import ranges as SPAN
from engine.compiled.columns import sizes as SIZE
from engine.compiled.layout import Array, Ints
from engine.elements.laws import LAWS, limit, pressure
from engine.system.compiling.mechanism import Mechanism


class Limits(NamedTuple):
    """side·(s − limit) ≤ 0 for each coordinate function."""

    functions: Ints
    limits: Array  # rad or m
    sides: Array  # 1: from above, −1: from below


def limits_of(mechanism: Mechanism) -> Limits:
    """Rigid and elastic limits of all stops, ropes and struts."""
    system = mechanism.system
    spans = system.ranges[int(system.sizes[SIZE.PRIMITIVES]) :]
    lines: list[int] = []
    for kind in (limit.KIND, pressure.KIND):
        span = spans[LAWS.names.index(kind.name)]
        lines += range(span[SPAN.BEGIN], span[SPAN.END])
    assert (limit.LIMIT, limit.SIDE) == (pressure.LIMIT, pressure.SIDE)
    table = system.force_reals[np.array(lines, np.int64)]
    functions = system.forces[np.array(lines, np.int64), LAW.A]
    return Limits(functions, table[:, limit.LIMIT].copy(), table[:, limit.SIDE].copy())
