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
    edges_A = corners_A + 1 + 3 * int(data[corners_A])
    edges_B = corners_B + 1 + 3 * int(data[corners_B])
    found, best_A, best_B, largest = NONE, 0, 0, deepest
    for i in range(int(data[edges_A])):
        a = edges_A + 1 + LINE_NUMBERS * i
        x, p = rotate(A[0], vector_at(data, a + 3)), add(A[1], rotate(A[0], vector_at(data, a)))
        for j in range(int(data[edges_B])):
            b = edges_B + 1 + LINE_NUMBERS * j
            y, q = rotate(B[0], vector_at(data, b + 3)), add(B[1], rotate(B[0], vector_at(data, b)))
            c = cross(x, y)
            length2 = dot(c, c)
            if length2 < PARALLEL * PARALLEL:
                continue
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
                    sign * gap > largest
                    and _supports(data, corners_A, A, p, sign, n)
                    and _supports(data, corners_B, B, q, -sign, n)
                ):
                    largest, best_A, best_B = sign * gap, a, b
                    found = CROSSED if sign > 0.0 else AGAINST
    return found, best_A, best_B


@kernel
def _supports(data: Array, corners: int, body: Body, place: Vector, sign: float, n: Vector) -> bool:
    """Whether no corner of the body lies beyond the place along sign·n."""
    for k in range(int(data[corners])):
        p = add(body[1], rotate(body[0], vector_at(data, corners + 1 + 3 * k)))
        if sign * dot(n, sub(p, place)) > BELOW:
            return False
    return True
