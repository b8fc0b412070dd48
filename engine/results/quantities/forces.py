"""Forces: what every element applies, by the channels that its kind lists, and the power that all have.

The power is what the element puts into the mechanism.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import forces as LAW
from engine.compiled.columns import ranges as SPAN
from engine.compiled.layout import Array, Ints
from engine.elements.forces import FORCES
from engine.elements.forces.base import Output
from engine.elements.laws import LAWS
from engine.elements.laws.base import LawKind
from engine.elements.primitives import PRIMITIVES
from engine.results.output_evaluation import LAW_EFFORT, LAW_FORCE, LAW_POWER, OutputEvaluation
from engine.results.quantities.base import Channel, Read
from engine.system.compiling.mechanism import Mechanism


def channels(mechanism: Mechanism) -> Iterator[Channel]:
    table = mechanism.system.forces
    for i, force in enumerate(mechanism.scene.forces):
        laws = [int(line) for line in np.flatnonzero(table[:, LAW.QUADRATURE] == 1 + i)]  # after dissipation
        kind = FORCES[str(force.__struct_config__.tag)]
        prefix = f"{kind.family}.{force.name}"
        for output in kind.outputs(force, mechanism.planar):
            chosen = _chosen(mechanism, output, laws)
            if not chosen:  # contacts that are found anew in each step have no lines of their own
                continue
            several = _kind(mechanism, chosen[0]).functions_of(table[chosen[0]])
            read = _read(output, chosen, table[chosen, LAW.A], _rows(mechanism, chosen), several)
            yield Channel(f"{prefix}.{output.name}", output.unit, read, output.meaning)
        yield Channel(
            f"{prefix}.power", "W", _power(laws), "power that the element puts in; losses are negative"
        )


def _chosen(mechanism: Mechanism, output: Output, laws: list[int]) -> list[int]:
    """Those of the laws of an element that a channel is about."""
    if isinstance(output.law, str):
        return [line for line in laws if _kind(mechanism, line).name == output.law]
    which = output.law if output.law is not None else range(len(laws))
    return [laws[k] for k in ([which] if isinstance(which, int) else which)]


def _kind(mechanism: Mechanism, line: int) -> LawKind:
    ranges = mechanism.system.ranges[len(PRIMITIVES) :]
    return next(kind for kind, span in zip(LAWS, ranges, strict=True) if line < span[SPAN.END])


def _rows(mechanism: Mechanism, laws: list[int]) -> list[int]:
    """Rows of their own by which these laws act."""
    table = mechanism.system.forces
    return [row for line in laws for row in _kind(mechanism, line).rows_of(table[line])]


def _read(output: Output, laws: list[int], coordinate_functions: Ints, rows: list[int], several: int) -> Read:
    coordinate_function = int(coordinate_functions[0])
    if output.what == "least":
        return lambda evaluation: (
            output.sign
            * evaluation.tables.coordinate_functions[:, coordinate_functions, COORDINATE_VALUE.VALUE].min(1)
        )
    if output.what == "coordinate":
        return lambda evaluation: (
            output.sign
            * evaluation.tables.coordinate_functions[:, coordinate_function, COORDINATE_VALUE.VALUE]
        )
    if output.what == "speed":
        return lambda evaluation: (
            output.sign
            * evaluation.tables.coordinate_functions[:, coordinate_function, COORDINATE_VALUE.RATE]
        )
    if output.what == "slip":
        functions = coordinate_function + np.arange(several)
        return lambda evaluation: np.linalg.norm(
            evaluation.tables.coordinate_functions[:, functions, COORDINATE_VALUE.RATE], axis=1
        )
    if output.what == "size":
        columns = LAW_EFFORT + np.arange(several)
        return lambda evaluation: np.linalg.norm(
            evaluation.tables.laws[:, laws[0], columns] + (evaluation.multipliers[:, rows] if rows else 0.0),
            axis=1,
        )
    first = {"effort": LAW_EFFORT, "force": LAW_FORCE, "torque": LAW_FORCE + 3}[output.what]
    return lambda evaluation: (
        output.sign
        * (
            evaluation.tables.laws[:, laws, first + output.axis].sum(axis=1)
            + evaluation.multipliers[:, rows].sum(axis=1)
        )
    )


def _power(laws: list[int]) -> Read:
    def read(evaluation: OutputEvaluation) -> Array:
        return np.asarray(evaluation.tables.laws[:, laws, LAW_POWER].sum(axis=1))

    return read
