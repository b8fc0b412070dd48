"""Forces: what every element applies. Springs have names of their own, all others begin with `force`.

spring: force (tension positive), length, speed. rotational_spring: torque on B, angle, speed. motor: effort.
force: fx, fy, fz in world axes. torque: tx, ty, tz in world axes. bushing: force and torque on B along and
about the axes of A. All have power, what the element puts into the mechanism.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.compiled.layout import F_A, F_QUADRATURE, Array
from engine.results.output_evaluation import LAW_EFFORT, LAW_FORCE, LAW_POWER, Survey
from engine.results.quantities.base import Channel, Read
from engine.results.quantities.joints import IN_PLANE, WRENCH
from engine.system.compiling.mechanism import Mechanism


def channels(mechanism: Mechanism) -> Iterator[Channel]:
    table = mechanism.system.forces
    for i, force in enumerate(mechanism.scene.forces):
        laws = [int(line) for line in np.flatnonzero(table[:, F_QUADRATURE] == 1 + i)]  # after dissipation
        kind = str(force.__struct_config__.tag)
        prefix = f"{'spring' if kind in _SPRINGS else 'force'}.{force.name}"
        if kind in _SPRINGS:
            effort, unit, sign, coordinate, length = _SPRINGS[kind]
            gauge = int(table[laws[0], F_A])
            yield Channel(f"{prefix}.{effort}", unit, _law(laws[0], LAW_EFFORT, sign))
            yield Channel(f"{prefix}.{coordinate}", length, _gauge(gauge, 0))
            yield Channel(f"{prefix}.speed", f"{length}/s", _gauge(gauge, 1))
        elif kind == "motor":
            unit = "N·m" if getattr(force, "coordinate", "angle") == "angle" else "N"
            yield Channel(f"{prefix}.effort", unit, _law(laws[0], LAW_EFFORT))
        elif kind == "bushing":
            names = [("fx", "N"), ("fy", "N"), ("tz", "N·m")] if mechanism.planar else _ALTERNATING
            for (word, unit), law in zip(names, laws, strict=True):
                yield Channel(f"{prefix}.{word}", unit, _law(law, LAW_EFFORT))
        else:
            for column, (word, unit) in enumerate(WRENCH):
                if (word in IN_PLANE or not mechanism.planar) and word[0] == (
                    "t" if kind == "torque" else "f"
                ):
                    yield Channel(f"{prefix}.{word}", unit, _law(laws[0], LAW_FORCE + column))
        yield Channel(f"{prefix}.power", "W", _power(laws))


# effort, its unit and sign, coordinate and its unit; the effort of a law pushes, tension pulls
_SPRINGS = {
    "spring": ("force", "N", -1.0, "length", "m"),
    "rotational_spring": ("torque", "N·m", 1.0, "angle", "rad"),
}
# a spatial bushing has its laws axis by axis
_ALTERNATING = [pair for axis in range(3) for pair in (WRENCH[axis], WRENCH[axis + 3])]


def _law(law: int, column: int, sign: float = 1.0) -> Read:
    return lambda survey: sign * survey.tables.laws[:, law, column]


def _gauge(gauge: int, column: int) -> Read:
    return lambda survey: survey.tables.gauges[:, gauge, column]


def _power(laws: list[int]) -> Read:
    def read(survey: Survey) -> Array:
        return np.asarray(survey.tables.laws[:, laws, LAW_POWER].sum(axis=1))

    return read
