"""Where the contacts of a step are kept: rows of `Work.scratch` behind those of the method.

A record has all that sweeps over the impulses read of one contact, side by side. A row holds several of them.
Directions are the normal n and one or two across it; along each of them a unit impulse on B, and its opposite
on A, changes velocities by e/m and by turns w = Θ⁻¹ j, j the moment of e about the centre, in body axes.
"""

from typing import Final

from engine.compiled.columns import ranges as SPAN
from engine.compiled.columns import sizes as SIZE
from engine.compiled.kernel import inlined, inlined_fast
from engine.compiled.layout import Array, Room, System, Work
from engine.elements.gaps import shape_table as SHAPE
from engine.elements.laws import LAWS, contact_group

GROUPS: Final = LAWS.names.index(contact_group.KIND.name)

# rows of the scratch; those before are the method's own
ORDER: Final = 16  # shapes by where they begin along the axis of the sweep
LOW: Final = 17  # three rows: boxes around shapes
HIGH: Final = 20
KEYS: Final = 23  # impulses of the last step by the key of their contact: a table with open addressing
KEPT: Final = 24  # three rows
ROW_INVERSE: Final = 27  # of rows of joints: 1/(J M⁻¹ Jᵀ), and what they hold
ROW_RATE: Final = 28
VELOCITY: Final = 29  # that impulses lead to
SHIFT: Final = 30  # of positions that overlap
POOL: Final = 31  # first row of the records

# columns of a record
AT_A: Final = 0  # first velocity of the body, −1 of the world
AT_B: Final = 1
GAP: Final = 2
LINE: Final = 3  # line of the table of forces
KEY: Final = 4
MASS_A: Final = 5  # inverses
MASS_B: Final = 6
ALLOWED: Final = 7  # overlap that is left, so that what rests stays in touch
DIRECTIONS: Final = 8  # of each: e (3), j_A (3), j_B (3), w_A (3), w_B (3)
DIRECTION: Final = 15
IMPULSE: Final = 53  # three
BEFORE: Final = 56  # rates along the directions when the step begins
FREE: Final = 59  # and without impulses
INVERSE: Final = 62  # 1/G along n
TURN: Final = 63  # step of a projected gradient across n
DETERMINANT: Final = 64  # of G across n, 0 where it has no inverse; its three numbers follow
SLOPE: Final = 65
OVERLAP: Final = 68  # impulse of the shift
RECORD: Final = 72

PER_CORNER: Final = 8  # contacts that there is room for
SPARE: Final = 64


def groups_of(system: System) -> range:
    """Lines of the contact groups."""
    span = system.ranges[int(system.sizes[SIZE.PRIMITIVES]) + GROUPS]
    return range(int(span[SPAN.BEGIN]), int(span[SPAN.END]))


def contact_room(system: System, joints: int) -> Room:
    """Scratch for the contacts of a step; the rows from `joints` on are those of single limits."""
    shapes, corners = 0, 0
    for line in groups_of(system):
        table = int(system.forces[line, contact_group.TABLE])
        count = int(system.data[table])
        shapes += count
        for k in range(count):
            lines = system.data[table + SHAPE.FIRST + SHAPE.COLUMNS * k + SHAPE.LINES]
            corners += int(system.data[table + int(lines)])
    rows = len(system.rows)
    order = max(int(system.sizes[SIZE.NQ]), rows, int(system.sizes[SIZE.QUADRATURES]), shapes, RECORD)
    records = -(-(PER_CORNER * corners + SPARE) // (order // RECORD)) if shapes else 0
    return Room(vectors=POOL + records + 2 * (rows - joints), order=order)


@inlined
def capacity(work: Work, lines: int) -> int:
    """Contacts of groups that there is room for beside the lines of single limits."""
    return int((work.scratch.shape[0] - POOL - 2 * lines) * (work.scratch.shape[1] // RECORD))


@inlined
def row_of(scratch: Array, c: int) -> int:
    """Row of the scratch with the record of contact c."""
    return int(POOL + c // (scratch.shape[1] // RECORD))


@inlined
def column_of(scratch: Array, c: int) -> int:
    """Column of the scratch where it begins."""
    return int(c % (scratch.shape[1] // RECORD)) * RECORD


@inlined_fast
def rate_along(rec: Array, k: int, u: Array, planar: int) -> float:
    """Speed of B against A along a direction, for the velocities u."""
    d, a, b, total = DIRECTIONS + DIRECTION * k, int(rec[AT_A]), int(rec[AT_B]), 0.0
    if planar:
        if b >= 0:
            total += rec[d] * u[b] + rec[d + 1] * u[b + 1] + rec[d + 8] * u[b + 2]
        if a >= 0:
            total -= rec[d] * u[a] + rec[d + 1] * u[a + 1] + rec[d + 5] * u[a + 2]
        return total
    if b >= 0:
        total += rec[d] * u[b] + rec[d + 1] * u[b + 1] + rec[d + 2] * u[b + 2]
        total += rec[d + 6] * u[b + 3] + rec[d + 7] * u[b + 4] + rec[d + 8] * u[b + 5]
    if a >= 0:
        total -= rec[d] * u[a] + rec[d + 1] * u[a + 1] + rec[d + 2] * u[a + 2]
        total -= rec[d + 3] * u[a + 3] + rec[d + 4] * u[a + 4] + rec[d + 5] * u[a + 5]
    return total


@inlined_fast
def push_along(rec: Array, k: int, p: float, u: Array, planar: int) -> None:
    """Change velocities by an impulse along a direction."""
    d, a, b = DIRECTIONS + DIRECTION * k, int(rec[AT_A]), int(rec[AT_B])
    if b >= 0:
        f = p * rec[MASS_B]
        u[b] += f * rec[d]
        u[b + 1] += f * rec[d + 1]
        if planar:
            u[b + 2] += p * rec[d + 14]
        else:
            u[b + 2] += f * rec[d + 2]
            u[b + 3] += p * rec[d + 12]
            u[b + 4] += p * rec[d + 13]
            u[b + 5] += p * rec[d + 14]
    if a >= 0:
        f = p * rec[MASS_A]
        u[a] -= f * rec[d]
        u[a + 1] -= f * rec[d + 1]
        if planar:
            u[a + 2] -= p * rec[d + 11]
        else:
            u[a + 2] -= f * rec[d + 2]
            u[a + 3] -= p * rec[d + 9]
            u[a + 4] -= p * rec[d + 10]
            u[a + 5] -= p * rec[d + 11]


@inlined_fast
def load_along(rec: Array, k: int, p: float, f: Array, planar: int) -> None:
    """Add an impulse along a direction to generalised impulses: f += Dᵀp."""
    d, a, b = DIRECTIONS + DIRECTION * k, int(rec[AT_A]), int(rec[AT_B])
    if b >= 0:
        f[b] += p * rec[d]
        f[b + 1] += p * rec[d + 1]
        if planar:
            f[b + 2] += p * rec[d + 8]
        else:
            f[b + 2] += p * rec[d + 2]
            f[b + 3] += p * rec[d + 6]
            f[b + 4] += p * rec[d + 7]
            f[b + 5] += p * rec[d + 8]
    if a >= 0:
        f[a] -= p * rec[d]
        f[a + 1] -= p * rec[d + 1]
        if planar:
            f[a + 2] -= p * rec[d + 5]
        else:
            f[a + 2] -= p * rec[d + 2]
            f[a + 3] -= p * rec[d + 3]
            f[a + 4] -= p * rec[d + 4]
            f[a + 5] -= p * rec[d + 5]
