"""Rows that push a body along the same axis of the world.

The row of a point on a point pushes along one axis, that of a hinge's axis only turns. In the complement
J M⁻¹ Jᵀ two rows of such a body meet with their turns, three products in place of six, and with their pushes
only where these are along the same axis: these pairs are listed.
"""

import numpy as np

from engine.compiled.columns import alike as ALIKE
from engine.compiled.columns import entries as ENTRY
from engine.compiled.columns import ranges as SPAN
from engine.compiled.layout import Ints
from engine.elements.primitives import PRIMITIVES
from engine.elements.primitives.base import ALONG_AXIS, TURNS

ANY_AXIS, NO_AXIS = -1, 3


def axes_of_blocks(entries: Ints, ranges: Ints, blocks: int, planar: bool) -> Ints:
    """The axis along which each gradient block pushes; `NO_AXIS` where it turns only.

    In the plane a turn is one number, and nothing is gained.
    """
    axes = np.full(blocks, ANY_AXIS, np.int64)
    if planar:
        return axes
    for kind, span in zip(PRIMITIVES, ranges, strict=False):
        for entry in entries[span[SPAN.BEGIN] : span[SPAN.END]]:
            own = axes[entry[ENTRY.BLOCK] : entry[ENTRY.BLOCK] + 2 * entry[ENTRY.COUNT]]
            if kind.push == TURNS:
                own[:] = NO_AXIS
            elif kind.push == ALONG_AXIS:
                own[:] = np.repeat(entry[ENTRY.X : ENTRY.X + entry[ENTRY.COUNT]], 2)
    return axes


def straight_bodies(incidence: Ints, starts: Ints, axes: Ints) -> list[int]:
    """Bodies all of whose rows push along one axis or turn only."""
    own = axes[incidence[:, 1]]
    return [b for b in range(len(starts) - 1) if (own[starts[b] : starts[b + 1]] != ANY_AXIS).all()]


def alike_pairs(incidence: Ints, starts: Ints, row_starts: Ints, axes: Ints) -> tuple[Ints, Ints]:
    """`System.alike` and where the pairs of each body begin in it; `axes` of the blocks."""
    pairs, begin = list[tuple[int, int, int, int]](), [0]
    for b in range(len(starts) - 1):
        lines = range(int(starts[b]), int(starts[b + 1]))
        own = [int(axes[incidence[s, 1]]) for s in lines]
        if ANY_AXIS not in own:
            for axis in range(NO_AXIS):
                same = [s for s, other in zip(lines, own, strict=True) if other == axis]
                pairs += [
                    (int(row_starts[incidence[s, 0]] + incidence[u, 0]), s, u, axis)
                    for k, s in enumerate(same)
                    for u in same[k:]
                ]
        begin.append(len(pairs))
    return np.array(pairs, np.int64).reshape(-1, ALIKE.COLUMNS), np.array(begin, np.int64)
