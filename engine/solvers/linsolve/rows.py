"""Constraint rows as vectors and dense matrices, from any table with the layout of the gradient blocks."""

from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import rows as ROW
from engine.compiled.kernel import inlined
from engine.compiled.layout import Array, System


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
            for c in range(system.bodies[body, BODY.NV]):
                total += table[block, c] * x[at + c]
    return total


@inlined
def add_coordinate_function(system: System, table: Array, g: int, k: float, out: Array) -> None:
    """The same for a coordinate function, whether a row holds it or not."""
    begin = system.coordinate_functions[g, COORDINATE.BLOCK]
    for block in range(begin, begin + system.coordinate_functions[g, COORDINATE.BLOCKS]):
        body = system.block_bodies[block]
        at = system.bodies[body, BODY.V]
        if at >= 0:
            for c in range(system.bodies[body, BODY.NV]):
                out[at + c] += k * table[block, c]


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
