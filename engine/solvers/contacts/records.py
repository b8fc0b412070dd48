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
KEPT_SHIFT: Final = 27
ROW_INVERSE: Final = 28  # of rows of joints: 1/(J M⁻¹ Jᵀ), and what they hold
ROW_RATE: Final = 29
SHIFT: Final = 30  # of positions that overlap
HIT_COUNT: Final = 31  # how many impacts there were since a run has last looked (`hits.py`)
HITS: Final = 32  # what they were
HIT_ROWS: Final = 64
POOL: Final = HITS + HIT_ROWS  # first row of the records

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
MOMENT_A: Final = 3  # places of j and w within a direction
MOMENT_B: Final = 6
TURN_A: Final = 9
TURN_B: Final = 12
IMPULSE: Final = 53  # three
BEFORE: Final = 56  # rates along the directions when the step begins
FREE: Final = 59  # and without impulses
INVERSE: Final = 62  # 1/G along n
TURN: Final = 63  # step of a projected gradient across n
DETERMINANT: Final = 64  # of G across n, 0 where it has no inverse; its three numbers follow
SLOPE: Final = 65
OVERLAP: Final = 68  # impulse of the shift
SLACK: Final = 69  # rate that may be left: a gap that is not yet used up
RETURN: Final = 70  # rate that comes back, times −1
HIT: Final = 71  # 1 where it closes faster than loads make it within a step
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
    rows, most = len(system.rows), PER_CORNER * corners + SPARE if shapes else 0
    # a table of keys that is half full at most, so that no contact forgets its impulse
    order = max(int(system.sizes[SIZE.NQ]), rows, int(system.sizes[SIZE.QUADRATURES]), RECORD, 2 * most)
    return Room(vectors=POOL - (-most // (order // RECORD)) + 2 * (rows - joints), order=order)


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
def _along(rec: Array, d: int, turn: int, u: Array, at: int, planar: int) -> float:
    """Speed of one body along the direction at d, with the moment of it at `turn`."""
    total = rec[d] * u[at] + rec[d + 1] * u[at + 1]
    if planar:
        total += rec[turn + 2] * u[at + 2]
    else:
        total += rec[d + 2] * u[at + 2]
        total += rec[turn] * u[at + 3] + rec[turn + 1] * u[at + 4] + rec[turn + 2] * u[at + 5]
    return float(total)


@inlined_fast
def _add(rec: Array, d: int, f: float, turn: int, p: float, u: Array, at: int, planar: int) -> None:
    """Add f times the direction at d, and p times what stands at `turn`, to the numbers of one body."""
    u[at] += f * rec[d]
    u[at + 1] += f * rec[d + 1]
    if planar:
        u[at + 2] += p * rec[turn + 2]
    else:
        u[at + 2] += f * rec[d + 2]
        u[at + 3] += p * rec[turn]
        u[at + 4] += p * rec[turn + 1]
        u[at + 5] += p * rec[turn + 2]


@inlined_fast
def rate_along(rec: Array, k: int, u: Array, planar: int) -> float:
    """Speed of B against A along a direction, for the velocities u."""
    d, a, b, total = DIRECTIONS + DIRECTION * k, int(rec[AT_A]), int(rec[AT_B]), 0.0
    if b >= 0:
        total += _along(rec, d, d + MOMENT_B, u, b, planar)
    if a >= 0:
        total -= _along(rec, d, d + MOMENT_A, u, a, planar)
    return total


@inlined
def loaded_along(rec: Array, u: Array, v: Array, planar: int) -> float:
    """What the change of the velocities from v to u can make of the rate along the normal, without signs."""
    total, width = 0.0, 2 if planar else 3
    for side in range(2):
        at, moment = int(rec[AT_B if side else AT_A]), DIRECTIONS + (MOMENT_B if side else MOMENT_A)
        if at < 0:
            continue
        for x in range(width):
            total += abs(rec[DIRECTIONS + x] * (u[at + x] - v[at + x]))
        if planar:
            total += abs(rec[moment + 2] * (u[at + 2] - v[at + 2]))
        else:
            for x in range(3):
                total += abs(rec[moment + x] * (u[at + 3 + x] - v[at + 3 + x]))
    return total


@inlined_fast
def push_along(rec: Array, k: int, p: float, u: Array, planar: int) -> None:
    """Change velocities by an impulse along a direction."""
    d, a, b = DIRECTIONS + DIRECTION * k, int(rec[AT_A]), int(rec[AT_B])
    if b >= 0:
        _add(rec, d, p * rec[MASS_B], d + TURN_B, p, u, b, planar)
    if a >= 0:
        _add(rec, d, -p * rec[MASS_A], d + TURN_A, -p, u, a, planar)


@inlined_fast
def load_along(rec: Array, k: int, p: float, f: Array, planar: int) -> None:
    """Add an impulse along a direction to generalised impulses: f += Dᵀp."""
    d, a, b = DIRECTIONS + DIRECTION * k, int(rec[AT_A]), int(rec[AT_B])
    if b >= 0:
        _add(rec, d, p, d + MOMENT_B, p, f, b, planar)
    if a >= 0:
        _add(rec, d, -p, d + MOMENT_A, -p, f, a, planar)
