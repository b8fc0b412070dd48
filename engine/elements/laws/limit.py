"""Rigid limit of a coordinate function: a constraint row that is there while it pushes, and never pulls.

With the gap g = side·(limit − s), side = ±1:

    open:    g ≥ 0, no force;        closed:  g = 0 is a constraint row, with the push −side·λ ≥ 0

The row does the pushing, so the law itself has no force. An open limit that is reached is an impact, which
`engine/simulation/rigid` resolves; the law says when a state no longer fits. Where the coordinate of the law
parts from that of the row (a corner that slides beyond the end of a face), the limit is left, too.
"""

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import forces as LAW
from engine.compiled.columns import row_reals as ROW_REAL
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import rows as ROW_COLUMNS
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Packed, System, Work
from engine.elements.laws.base import LawKind, no_force

STATE, ROW = LAW.X, LAW.X + 1
UNKNOWN, OPEN, CLOSED = range(3)  # states; UNKNOWN: before the first has been found, the row does not act
# columns of force_reals; SLACK: depth, or pull, that counts as none
LIMIT, SIDE, RESTITUTION, SLACK = range(4)
PARTED = 1e-10  # of the size of the row: how far the two coordinates may be apart


@inlined
def together(system: System, work: Work, i: int) -> float:
    """Below zero where the coordinate of the law has parted from that of the row."""
    row = system.forces[i, ROW]
    seen = work.coordinate[system.forces[i, LAW.A], COORDINATE_VALUE.VALUE]
    held = work.coordinate[system.rows[row, ROW_COLUMNS.COORDINATE], COORDINATE_VALUE.VALUE]
    return float(PARTED * system.row_reals[row, ROW_REAL.SCALE] - abs(seen - held))


@kernel
def switch(packed: Packed, begin: int, end: int, settle: int) -> float:
    system, work = open_system(packed), open_work(packed)
    smallest = 1.0
    for i in range(begin, end):
        law, force, margin = system.force_reals[i], system.forces[i], 1.0
        if force[STATE] == OPEN:
            value = work.coordinate[force[LAW.A], COORDINATE_VALUE.VALUE]
            margin = law[SIDE] * (law[LIMIT] - value) + law[SLACK]
        elif force[STATE] == CLOSED:
            margin = -law[SIDE] * work.row[force[ROW], ROW_VALUE.LAMBDA] + law[SLACK]
            margin = min(margin, together(system, work, i))
        smallest = min(smallest, margin)
    return smallest


def told(reals: Array, before: int, after: int) -> str:
    side = "upper" if reals[SIDE] > 0.0 else "lower"
    if after == CLOSED:
        return f"rests on its {side} limit"
    return f"leaves its {side} limit" if before == CLOSED else ""


KIND = LawKind(
    "limit",
    no_force,
    no_force,
    integers=2,
    reals=4,
    first_program=2,
    switch=switch,
    told=told,
    row=ROW,
    holds=frozenset({CLOSED}),
)
