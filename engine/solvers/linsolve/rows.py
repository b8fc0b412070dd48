"""Constraint rows as vectors and dense matrices, from any table with the layout of the gradient blocks.

And by how much they are violated.
"""

from typing import cast

import numpy as np

from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import row_reals as ROW_REAL
from engine.compiled.columns import rows as ROW
from engine.compiled.kernel import inlined
from engine.compiled.layout import Array, System, Work
from engine.maths.arrays import index

ONE, TWO, THREE = (cast(int, np.uint64(k)) for k in (1, 2, 3))  # offsets of an `index`


@inlined
def row_times(system: System, table: Array, r: int, x: Array) -> float:
    """Row r of the table times a velocity vector."""
    return function_times(system, table, system.rows[r, ROW.COORDINATE], x)


@inlined
def function_times(system: System, table: Array, g: int, x: Array) -> float:
    """The same for a coordinate function, whether a row holds it or not."""
    total = 0.0
    begin = system.coordinate_functions[g, COORDINATE.BLOCK]
    for block in range(begin, begin + system.coordinate_functions[g, COORDINATE.BLOCKS]):
        body = system.block_bodies[block]
        at = system.bodies[body, BODY.V]
        if at >= 0:
            line, c = table[block], index(at)
            total += line[0] * x[c] + line[1] * x[c + ONE] + line[2] * x[c + TWO]
            if system.bodies[body, BODY.PLANAR] == 0:
                c += THREE
                total += line[3] * x[c] + line[4] * x[c + ONE] + line[5] * x[c + TWO]
    return total


@inlined
def add_coordinate_function(system: System, table: Array, g: int, k: float, out: Array) -> None:
    """The same for a coordinate function, whether a row holds it or not."""
    begin = system.coordinate_functions[g, COORDINATE.BLOCK]
    for block in range(begin, begin + system.coordinate_functions[g, COORDINATE.BLOCKS]):
        body = system.block_bodies[block]
        at = system.bodies[body, BODY.V]
        if at >= 0:
            line, c = table[block], index(at)
            out[c] += k * line[0]
            out[c + ONE] += k * line[1]
            out[c + TWO] += k * line[2]
            if system.bodies[body, BODY.PLANAR] == 0:
                c += THREE
                out[c] += k * line[3]
                out[c + ONE] += k * line[4]
                out[c + TWO] += k * line[5]


@inlined
def add_row(system: System, table: Array, r: int, k: float, out: Array) -> None:
    """out += k times row r of the table."""
    add_coordinate_function(system, table, system.rows[r, ROW.COORDINATE], k, out)


@inlined
def dense_rows(system: System, table: Array, n: int, out: Array) -> None:
    """All rows of the table over n velocities, dense."""
    for r in range(system.rows.shape[0]):
        for c in range(n):
            out[r, c] = 0.0
        add_row(system, table, r, 1.0, out[r])


@inlined
def largest_violation(system: System, work: Work, column: int) -> float:
    """Largest entry of a column of `work.row`, over the size of its row; remembers the row."""
    worst = 0.0
    for r in range(system.rows.shape[0]):
        value = abs(work.row[r, column]) / system.row_reals[r, ROW_REAL.SCALE]
        if not value <= worst:
            worst = value
            work.counters[COUNT.OFFENDER] = r
    return worst
