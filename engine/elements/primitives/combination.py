"""Weighted sum of other gauges: gears, belts, racks, screws and couplers.

s = Σ c_k s_k. It comes last, since it adds up what the others have evaluated. Its weight in the geometric
stiffness is handed to the gauges it adds up, by `spread_weights`, before they compute theirs.
"""

from engine.compiled.arenas import open_system, open_work
from engine.compiled.kernel import kernel
from engine.compiled.layout import (
    E_BLOCK,
    E_GAUGE,
    E_X,
    GV_BIAS,
    GV_RATE,
    GV_VALUE,
    Array,
    Ints,
    Packed,
)
from engine.elements.primitives.base import PrimitiveKind

# the kind's integers: range of links that name gauges, range of links that pair blocks (own, source),
# number of blocks
GAUGES_BEGIN, GAUGES_END, BLOCKS_BEGIN, BLOCKS_END, BLOCKS = E_X, E_X + 1, E_X + 2, E_X + 3, E_X + 4
TARGET, SOURCE = 0, 1  # columns of links


@kernel
def _add_blocks(entry: Ints, links: Ints, link_reals: Array, table: Array) -> None:
    own = entry[E_BLOCK]
    table[own : own + entry[BLOCKS]] = 0.0
    for k in range(entry[BLOCKS_BEGIN], entry[BLOCKS_END]):
        for c in range(6):
            table[links[k, TARGET], c] += link_reals[k] * table[links[k, SOURCE], c]


@kernel
def evaluate(packed: Packed, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    entries, links, link_reals, gauge = system.entries, system.links, system.link_reals, work.gauge
    grad = work.grad
    for i in range(begin, end):
        g = entries[i, E_GAUGE]
        gauge[g, GV_VALUE] = 0.0
        gauge[g, GV_RATE] = 0.0
        gauge[g, GV_BIAS] = 0.0
        for k in range(entries[i, GAUGES_BEGIN], entries[i, GAUGES_END]):
            gauge[g, GV_VALUE] += link_reals[k] * gauge[links[k, SOURCE], GV_VALUE]
            gauge[g, GV_RATE] += link_reals[k] * gauge[links[k, SOURCE], GV_RATE]
            gauge[g, GV_BIAS] += link_reals[k] * gauge[links[k, SOURCE], GV_BIAS]
        _add_blocks(entries[i], links, link_reals, grad)


@kernel
def tangent(packed: Packed, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    entries, links, link_reals, tang = system.entries, system.links, system.link_reals, work.tangent
    for i in range(begin, end):
        for level in range(tang.shape[0]):
            _add_blocks(entries[i], links, link_reals, tang[level])


@kernel
def spread_weights(
    entries: Ints, links: Ints, link_reals: Array, weight: Array, begin: int, end: int
) -> None:
    """Hand the weight of every combination to the gauges it adds up."""
    for i in range(begin, end):
        for k in range(entries[i, GAUGES_BEGIN], entries[i, GAUGES_END]):
            weight[links[k, SOURCE]] += link_reals[k] * weight[entries[i, E_GAUGE]]


KIND = PrimitiveKind("combination", evaluate, tangent)
