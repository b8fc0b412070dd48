"""Weighted sum of other coordinate functions: gears, belts, racks, screws and couplers.

s = Σ c_k s_k. It comes last, since it adds up what the others have evaluated. Its weight in the geometric
stiffness is handed to the coordinate functions it adds up, by `spread_weights`, before they compute theirs.
"""

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import entries as ENTRY
from engine.compiled.columns import tangents as TAN
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Ints, Packed
from engine.elements.primitives.base import PrimitiveKind

# the kind's integers: range of links that name coordinate functions, range of links that pair blocks (own,
# source), number of blocks
COORDINATES_BEGIN, COORDINATES_END, BLOCKS_BEGIN, BLOCKS_END, BLOCKS = (
    ENTRY.X,
    ENTRY.X + 1,
    ENTRY.X + 2,
    ENTRY.X + 3,
    ENTRY.X + 4,
)
TARGET, SOURCE = 0, 1  # columns of links


@kernel
def _add_blocks(entry: Ints, links: Ints, link_reals: Array, table: Array) -> None:
    own = entry[ENTRY.BLOCK]
    table[own : own + entry[BLOCKS]] = 0.0
    for k in range(entry[BLOCKS_BEGIN], entry[BLOCKS_END]):
        for c in range(6):
            table[links[k, TARGET], c] += link_reals[k] * table[links[k, SOURCE], c]


@kernel
def evaluate(packed: Packed, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    entries, links, link_reals, coordinate = system.entries, system.links, system.link_reals, work.coordinate
    grad = work.grad
    for i in range(begin, end):
        g = entries[i, ENTRY.COORDINATE]
        coordinate[g, COORDINATE_VALUE.VALUE] = 0.0
        coordinate[g, COORDINATE_VALUE.RATE] = 0.0
        coordinate[g, COORDINATE_VALUE.BIAS] = 0.0
        for k in range(entries[i, COORDINATES_BEGIN], entries[i, COORDINATES_END]):
            coordinate[g, COORDINATE_VALUE.VALUE] += (
                link_reals[k] * coordinate[links[k, SOURCE], COORDINATE_VALUE.VALUE]
            )
            coordinate[g, COORDINATE_VALUE.RATE] += (
                link_reals[k] * coordinate[links[k, SOURCE], COORDINATE_VALUE.RATE]
            )
            coordinate[g, COORDINATE_VALUE.BIAS] += (
                link_reals[k] * coordinate[links[k, SOURCE], COORDINATE_VALUE.BIAS]
            )
        _add_blocks(entries[i], links, link_reals, grad)


@kernel
def tangent(packed: Packed, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    entries, links, link_reals, tang = system.entries, system.links, system.link_reals, work.tangent
    for i in range(begin, end):
        for level in range(TAN.ACTING):
            _add_blocks(entries[i], links, link_reals, tang[level])


@kernel
def spread_weights(
    entries: Ints, links: Ints, link_reals: Array, weight: Array, begin: int, end: int
) -> None:
    """Hand the weight of every combination to the coordinate functions it adds up."""
    for i in range(begin, end):
        for k in range(entries[i, COORDINATES_BEGIN], entries[i, COORDINATES_END]):
            weight[links[k, SOURCE]] += link_reals[k] * weight[entries[i, ENTRY.COORDINATE]]


KIND = PrimitiveKind("combination", evaluate, tangent)
