"""Solutions with the factor of `ldl.py` for many right-hand sides, side by side in memory.

One after the other they read the factor once for each; sixteen at a time read it once for all, and go
through vector units.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from engine.compiled.kernel import fast_kernel
from engine.compiled.layout import Array, Ints
from engine.maths.arrays import index
from engine.maths.sparse.dense_blocks import subtract_line
from engine.maths.sparse.ldl import SparseFactor
from engine.maths.sparse.symbolic import FIRST, LIST, SIZE, START, WIDTH

SIDES: Final = 16  # at a time: with thousands of lines they stay in the second cache


@fast_kernel
def solve_lines(nodes: Ints, columns: Ints, values: Array, inverse: Array, x: Array, sides: int) -> None:
    """x ← A⁻¹ x in the new order, `sides` numbers per line; lines that were left out get zeros."""
    count = nodes.shape[0] - 1
    for k in range(count):
        first, size, width = nodes[k, FIRST], nodes[k, SIZE], nodes[k, WIDTH]
        start, at = nodes[k, START], nodes[k, LIST]
        for i in range(size):
            row, reciprocal = start + i * width, inverse[first + i]
            if reciprocal != 0.0:
                for c in range(i + 1, width):
                    share = values[row + c] * reciprocal
                    subtract_line(x, columns[at + c] * sides, share, (first + i) * sides, sides)
    for back in range(count):
        k = count - 1 - back
        first, size, width = nodes[k, FIRST], nodes[k, SIZE], nodes[k, WIDTH]
        start, at = nodes[k, START], nodes[k, LIST]
        for up in range(size):
            i = size - 1 - up
            row, line, reciprocal = start + i * width, index((first + i) * sides), inverse[first + i]
            if reciprocal != 0.0:
                for c in range(i + 1, width):
                    subtract_line(x, (first + i) * sides, values[row + c], columns[at + c] * sides, sides)
            for c in range(index(0), index(sides)):
                x[line + c] *= reciprocal


def solve_many(factor: SparseFactor, b: Array) -> Array:
    """A x = b over the lines that were kept, zeros for the others; b has many columns."""
    s, (values, inverse) = factor.symbolic, factor.panels
    out = np.empty(b.shape)
    for begin in range(0, b.shape[1], SIDES):
        some = slice(begin, begin + SIDES)
        x = np.ascontiguousarray(b[s.order, some], dtype=float)
        solve_lines(s.nodes, s.columns, values, inverse, x.reshape(-1), x.shape[1])
        out[s.order, some] = x
    return out
