"""Edges of two bodies in space that cross each other away from their ends: which pair carries the gap.

Lines along x and y are nearest along n = x × y. A pair counts where the nearest places lie within both edges
and n supports both bodies there: all of A lies below the edge of A, all of B above that of B. Of those the
pair with the largest gap decides, as of all directions that could separate the bodies [Ericson 2005, §5.2].

Table of the pair, in `System.data`: for A and then for B, number of corners, corners (3 each), number of
edges, of each: beginning (3), unit direction (3), length; before both, the depth at which bodies that thin
would have passed through each other.
"""

from typing import Final

from engine.compiled.kernel import kernel
from engine.compiled.layout import Array
from engine.elements.gaps.features import AGAINST, CROSSED, Body
from engine.elements.gaps.nearest import vector_at
from engine.maths.vectors import Vector, add, cross, dot, rotate, scale, sub

LINE_NUMBERS: Final = 7
PARALLEL: Final = 1e-4  # sine of the angle below which edges do not cross
INSIDE: Final = 1e-6  # of an edge: so near to its end a corner touches
BELOW: Final = 1e-9  # m: what may be above an edge that supports
NONE: Final = -1


@kernel
def crossing(data: Array, at: int, A: Body, B: Body) -> tuple[int, int, int]:
    """Of the table of a pair."""
    corners_A = at + 1
    edges_A = corners_A + 1 + 3 * int(data[corners_A])
    corners_B = edges_A + 1 + LINE_NUMBERS * int(data[edges_A])
    return crossing_of(data, -data[at], corners_A, corners_B, A, B)


@kernel
def crossing_of(
    data: Array, deepest: float, corners_A: int, corners_B: int, A: Body, B: Body
) -> tuple[int, int, int]:
    """CROSSED or AGAINST and where the two edges stand in the table; NONE where no pair counts."""
    found, best_A, best_B, largest, looked = NONE, 0, 0, deepest, 0
    while True:
        sort, a, b, gap, looked = next_crossing(data, largest, corners_A, corners_B, A, B, looked, BELOW)
        if sort == NONE:
            return found, best_A, best_B
        found, best_A, best_B, largest = sort, a, b, gap


@kernel
def next_crossing(
    data: Array, deepest: float, corners_A: int, corners_B: int, A: Body, B: Body, first: int, below: float
) -> tuple[int, int, int, float, int]:
    """The next pair of edges, from number `first` on, that counts and has a gap above `deepest`.

    CROSSED, AGAINST or NONE, where the edges stand in the table, their gap, and the number to go on from.
    `below`: how far corners may be above an edge that supports.
    """
    edges_A = corners_A + 1 + 3 * int(data[corners_A])
    edges_B = corners_B + 1 + 3 * int(data[corners_B])
    count = int(data[edges_B])
    for k in range(first, int(data[edges_A]) * count):
        a, b = edges_A + 1 + LINE_NUMBERS * (k // count), edges_B + 1 + LINE_NUMBERS * (k % count)
        x, y = rotate(A[0], vector_at(data, a + 3)), rotate(B[0], vector_at(data, b + 3))
        c = cross(x, y)
        length2 = dot(c, c)
        if length2 < PARALLEL * PARALLEL:
            continue
        p, q = add(A[1], rotate(A[0], vector_at(data, a))), add(B[1], rotate(B[0], vector_at(data, b)))
        d = sub(q, p)
        along_A, along_B = dot(cross(d, y), c) / length2, dot(cross(d, x), c) / length2
        if not INSIDE * data[a + 6] < along_A < (1.0 - INSIDE) * data[a + 6]:
            continue
        if not INSIDE * data[b + 6] < along_B < (1.0 - INSIDE) * data[b + 6]:
            continue
        n = scale(1.0 / length2**0.5, c)
        gap = dot(n, d)
        for sign in (1.0, -1.0):
            if (
                sign * gap > deepest
                and _supports(data, corners_A, A, p, sign, n, below)
                and _supports(data, corners_B, B, q, -sign, n, below)
            ):
                return (CROSSED if sign > 0.0 else AGAINST), a, b, sign * gap, k + 1
    return NONE, 0, 0, deepest, 0


@kernel
def _supports(
    data: Array, corners: int, body: Body, place: Vector, sign: float, n: Vector, below: float
) -> bool:
    """Whether no corner of the body lies beyond the place along sign·n by more than `below`."""
    for k in range(int(data[corners])):
        p = add(body[1], rotate(body[0], vector_at(data, corners + 1 + 3 * k)))
        if sign * dot(n, sub(p, place)) > below:
            return False
    return True
