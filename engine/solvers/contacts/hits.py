"""Impacts of the steps since a run has last looked: rows of `Work.scratch`, read by `stepped_events.py`.

What closes faster than loads make it within a step (`lines.py`), and takes an impulse, has been hit. The
instant is the middle of the step, the loss what the normal impulse and its friction have cost. Of a contact
group, all places where two bodies hit each other in one step are one hit.
"""

from typing import Final

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import bodies as BODY
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Packed, Work
from engine.solvers.contacts import lines as LINES
from engine.solvers.contacts import records as REC
from engine.solvers.contacts.lines import dot, gradient_row
from engine.solvers.contacts.records import column_of, rate_along, row_of

# columns of a hit; A and B: first velocities of two bodies of a group, else NO_BODY
T, LINE, A, B, IMPULSE, LOSS = range(6)
WIDTH: Final = 6
NO_BODY: Final = -2.0
NONE: Final = -1


@inlined
def room_for_hits(work: Work) -> int:
    """How many there is room for; what comes beyond is counted, no more."""
    return int(REC.HIT_ROWS * (work.scratch.shape[1] // WIDTH))


@inlined
def _row(work: Work, k: int) -> int:
    return int(REC.HITS + k // (work.scratch.shape[1] // WIDTH))


@inlined
def _column(work: Work, k: int) -> int:
    return int(k % (work.scratch.shape[1] // WIDTH)) * WIDTH


@inlined
def _add(work: Work, t: float, line: int, a: float, b: float) -> int:
    """The hit of this instant, line and pair; NONE where the room is used up."""
    count = int(work.scratch[REC.HIT_COUNT, 0])
    for k in range(min(count, room_for_hits(work)) - 1, -1, -1):
        known = work.scratch[_row(work, k), _column(work, k) :]
        if known[T] != t:
            break
        if known[LINE] == line and known[A] == a and known[B] == b:
            return k
    work.scratch[REC.HIT_COUNT, 0] = count + 1
    if count >= room_for_hits(work):
        return NONE
    new = work.scratch[_row(work, count), _column(work, count) :]
    new[T], new[LINE], new[A], new[B], new[IMPULSE], new[LOSS] = t, line, a, b, 0.0, 0.0
    return count


@kernel
def note_hits(packed: Packed, count: int, contacts: int, t: float, free: int, v: Array) -> None:
    """Those of a step about t that ends with the velocities v; `free`: row of the scratch with the rates of
    lines that impulses meet, `FREE_RATE` or `BEFORE`."""
    system, work = open_system(packed), open_work(packed)
    s, n, planar = work.scratch, v.shape[0], system.bodies[0, BODY.PLANAR]
    for j in range(count):
        bound = s[LINES.BOUND, j]
        normal = j if bound == LINES.LIMIT_OF_GAP else int(s[LINES.NORMAL, j]) if bound < 0.0 else NONE
        if normal == NONE or s[LINES.HIT, normal] == 0.0 or s[LINES.IMPULSE, normal] == 0.0:
            continue
        k = _add(work, t, int(s[LINES.LINE, normal]), NO_BODY, NO_BODY)
        if k != NONE:
            hit = s[_row(work, k), _column(work, k) :]
            after = dot(s[gradient_row(work, j)], v, n)
            hit[LOSS] -= 0.5 * s[LINES.IMPULSE, j] * (s[free, j] + after)
            if normal == j:
                hit[IMPULSE] += s[LINES.IMPULSE, j]
    rates = REC.BEFORE if free == LINES.BEFORE else REC.FREE
    for c in range(contacts):
        rec = s[row_of(s, c), column_of(s, c) :]
        if rec[REC.HIT] == 0.0 or rec[REC.IMPULSE] == 0.0:
            continue
        k = _add(work, t, int(rec[REC.LINE]), rec[REC.AT_A], rec[REC.AT_B])
        if k != NONE:
            hit = s[_row(work, k), _column(work, k) :]
            hit[IMPULSE] += rec[REC.IMPULSE]
            for i in range(2 if planar else 3):
                after = rate_along(rec, i, v, planar)
                hit[LOSS] -= 0.5 * rec[REC.IMPULSE + i] * (rec[rates + i] + after)
