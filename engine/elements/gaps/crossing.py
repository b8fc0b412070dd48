"""Edges of two bodies in space that cross each other away from their ends: which pairs carry a gap.

Lines along x and y are nearest along n = x × y. A pair counts where the nearest places lie within both edges
and n supports both bodies there: all of A lies below the edge of A, all of B above that of B. Of those the
pair with the largest gap decides, as of all directions that could separate the bodies [Ericson 2005, §5.2].

An edge that lies on a face crosses two edges of it, faces that lie on each other have up to as many crossings
as corners: all pairs with the normal of the deciding one, and nearly its height, are places of contact. The
gaps between two shapes are told apart by a `slot`, and how an entry chooses its pair stands in its integers:

    SEARCH   the pair whose number among those that count is the slot
    SEEK     of those that count, but for the ones that others hold, the one that is nearest
    IDLE     none
    a code   that pair, as long as it counts; a row that holds it goes on with it beyond that

Table of the pair, in `System.data`: depth at which bodies that thin would have passed through each other; the
slot; for A and then for B, number of corners, corners (3 each), number of edges, of each: beginning (3), unit
direction (3), length.
"""

from typing import Final

from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Ints
from engine.elements.gaps.features import AGAINST, CROSSED, Body
from engine.elements.gaps.nearest import vector_at
from engine.maths.vectors import ZERO, Vector, add, cross, dot, rotate, scale, sub

LINE_NUMBERS: Final = 7
FIRST: Final = 2  # where the corners of A begin in the table
PARALLEL: Final = 1e-4  # sine of the angle below which edges do not cross
# of an edge: so near to its end a corner touches; far less than `AS_NEAR`, so that both do for a moment
INSIDE: Final = 1e-11
BELOW: Final = 1e-9  # m: what may be above an edge that supports
FLAT: Final = 4e-3  # of the depth of the table: the same of shapes with faces, which may lie on each other
SAME: Final = 1.0 - 1e-5  # cosine between normals of one contact
NONE: Final = -1

SLOTS: Final = 8  # places where edges of two shapes cross at once: as many as two rectangles have
SEARCH: Final = 0
SEEK: Final = -1
IDLE: Final = -2
EXCLUDED: Final = 3  # integers of a seeker, with the codes that others hold
CODES: Final = 3  # in each of them
CODE: Final = 1 << 20  # one more than the largest

# sort, where the two edges stand in the table, gap, normal from A to B
Pair = tuple[int, int, int, float, Vector]
NO_PAIR: Final = (NONE, 0, 0, 0.0, ZERO)


@inlined
def code_of(number: int, sort: int) -> int:
    return 1 + 2 * number + (1 if sort == AGAINST else 0)


@kernel
def edges_of(data: Array, at: int, code: int) -> tuple[int, int, int]:
    """CROSSED or AGAINST, and where the edges of a code stand in the table of a pair."""
    corners_B, number = _corners_of_B(data, at), (code - 1) // 2
    edges_A = at + FIRST + 1 + 3 * int(data[at + FIRST])
    edges_B = corners_B + 1 + 3 * int(data[corners_B])
    a, b = number // int(data[edges_B]), number % int(data[edges_B])
    sort = AGAINST if (code - 1) % 2 else CROSSED
    return sort, edges_A + 1 + LINE_NUMBERS * a, edges_B + 1 + LINE_NUMBERS * b


@inlined
def _corners_of_B(data: Array, at: int) -> int:
    edges_A = at + FIRST + 1 + 3 * int(data[at + FIRST])
    return int(edges_A + 1 + LINE_NUMBERS * int(data[edges_A]))


@inlined
def _below(data: Array, at: int) -> float:
    return float(max(BELOW, FLAT * data[at]))


@kernel
def still_crossing(data: Array, at: int, A: Body, B: Body, code: int) -> bool:
    """Whether the pair of a code counts."""
    number = (code - 1) // 2
    sort, _, _, _, _ = pair(
        data, -data[at], at + FIRST, _corners_of_B(data, at), A, B, number, _below(data, at)
    )
    return sort != NONE and code_of(number, sort) == code


@kernel
def crossing(
    data: Array, at: int, A: Body, B: Body, chosen: int, excluded: Ints
) -> tuple[int, int, int, float]:
    """Of the table of a pair: CROSSED, AGAINST or NONE, where the two edges stand in it, and their gap.

    `chosen`: SEARCH or SEEK, which passes over the codes in `excluded`.
    """
    corners_A, corners_B, below = at + FIRST, _corners_of_B(data, at), _below(data, at)
    deciding = _deciding(data, at, A, B)
    found, best_A, best_B, smallest = NONE, 0, 0, 1e300
    number, count = 0, 0
    while deciding[0] != NONE:
        sort, a, b, gap, n, number = next_crossing(data, -data[at], corners_A, corners_B, A, B, number, below)
        if sort == NONE:
            break
        if dot(n, deciding[4]) < SAME:
            continue
        if chosen == SEARCH:
            if count == int(data[at + 1]):
                return sort, a, b, gap
            count += 1
        elif gap < smallest and not _is_excluded(excluded, code_of(number - 1, sort)):
            found, best_A, best_B, smallest = sort, a, b, gap
    return found, best_A, best_B, smallest


@kernel
def all_crossings(data: Array, at: int, A: Body, B: Body, found: Array) -> int:
    """Codes and gaps of the pairs that count, into the rows of `found`; their number."""
    deciding = _deciding(data, at, A, B)
    number, count = 0, 0
    while deciding[0] != NONE and count < found.shape[0]:
        sort, _, _, gap, n, number = next_crossing(
            data, -data[at], at + FIRST, _corners_of_B(data, at), A, B, number, _below(data, at)
        )
        if sort == NONE:
            break
        if dot(n, deciding[4]) >= SAME:
            found[count, 0], found[count, 1] = code_of(number - 1, sort), gap
            count += 1
    return count


@kernel
def _deciding(data: Array, at: int, A: Body, B: Body) -> Pair:
    """The pair with the largest gap."""
    best, number, largest = NO_PAIR, 0, -data[at]
    while True:
        sort, a, b, gap, n, number = next_crossing(
            data, largest, at + FIRST, _corners_of_B(data, at), A, B, number, _below(data, at)
        )
        if sort == NONE:
            return best
        best, largest = (sort, a, b, gap, n), gap


@inlined
def _is_excluded(excluded: Ints, code: int) -> bool:
    met = False
    for word in excluded:
        for k in range(CODES):
            met = met or (word >> (20 * k)) % CODE == code
    return met


@kernel
def next_crossing(
    data: Array, deepest: float, corners_A: int, corners_B: int, A: Body, B: Body, first: int, below: float
) -> tuple[int, int, int, float, Vector, int]:
    """The next pair of edges, from number `first` on, that counts and has a gap above `deepest`.

    As `pair`, and the number to go on from. `below`: how far corners may be above an edge that supports.
    """
    edges_A = corners_A + 1 + 3 * int(data[corners_A])
    edges_B = corners_B + 1 + 3 * int(data[corners_B])
    for k in range(first, int(data[edges_A]) * int(data[edges_B])):
        sort, a, b, gap, n = pair(data, deepest, corners_A, corners_B, A, B, k, below)
        if sort != NONE:
            return sort, a, b, gap, n, k + 1
    return NONE, 0, 0, deepest, ZERO, 0


@kernel
def pair(
    data: Array, deepest: float, corners_A: int, corners_B: int, A: Body, B: Body, k: int, below: float
) -> Pair:
    """Number k of the pairs of edges: CROSSED, AGAINST, or NONE where it does not count."""
    edges_A = corners_A + 1 + 3 * int(data[corners_A])
    edges_B = corners_B + 1 + 3 * int(data[corners_B])
    count = int(data[edges_B])
    a, b = edges_A + 1 + LINE_NUMBERS * (k // count), edges_B + 1 + LINE_NUMBERS * (k % count)
    x, y = rotate(A[0], vector_at(data, a + 3)), rotate(B[0], vector_at(data, b + 3))
    c = cross(x, y)
    length2 = dot(c, c)
    if length2 < PARALLEL * PARALLEL:
        return NO_PAIR
    p, q = add(A[1], rotate(A[0], vector_at(data, a))), add(B[1], rotate(B[0], vector_at(data, b)))
    d = sub(q, p)
    along_A, along_B = dot(cross(d, y), c) / length2, dot(cross(d, x), c) / length2
    if not INSIDE * data[a + 6] < along_A < (1.0 - INSIDE) * data[a + 6]:
        return NO_PAIR
    if not INSIDE * data[b + 6] < along_B < (1.0 - INSIDE) * data[b + 6]:
        return NO_PAIR
    n = scale(1.0 / length2**0.5, c)
    gap = dot(n, d)
    for sign in (1.0, -1.0):
        if (
            sign * gap > deepest
            and _supports(data, corners_A, A, p, sign, n, below)
            and _supports(data, corners_B, B, q, -sign, n, below)
        ):
            return (CROSSED if sign > 0.0 else AGAINST), a, b, sign * gap, scale(sign, n)
    return NO_PAIR


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
