"""The contacts of groups at the present poses: boxes around shapes by sweep and prune, then the gaps.

Shapes are kept in the order in which their boxes begin along the axis on which they are spread most. The
order of the last step is nearly that of this one, so that sorting by insertion costs next to nothing. Shapes
whose boxes overlap are looked at corner by corner and, in space, for edges that cross [Ericson 2005, §7.5].
"""

from typing import Final

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import body_reals as BODY_REAL
from engine.compiled.columns import ranges as SPAN
from engine.compiled.columns import sizes as SIZE
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import HISTORY, Array, Ints, Packed, System, Work
from engine.elements.gaps import shape_table as SHAPE
from engine.elements.gaps.crossing import NONE, next_crossing
from engine.elements.gaps.features import FACE, contact_of, tangents_of, torques_of
from engine.elements.gaps.nearest import (
    EDGE_NUMBERS,
    HULL,
    OUTLINE,
    SEGMENT,
    TRIANGLE_NUMBERS,
    nearest,
    vector_at,
)
from engine.elements.laws import contact_group
from engine.elements.primitives.contact import body_of
from engine.maths.vectors import ZERO, Vector, add, dot, rotate, sub, unrotate
from engine.solvers.contacts import records as REC
from engine.solvers.contacts.records import capacity, column_of, row_of

FULL: Final = -1  # more contacts than there is room for
MARGIN: Final = 0.01  # of the smaller shape: gaps up to this are kept
ALLOWED: Final = 1e-4  # of the margin: overlap that is left
BESIDE: Final = 0.01  # of the margin: how exactly faces lie on each other
CROSSINGS: Final = 16  # edges that may cross where two faces lie on each other
SORTED: Final = HISTORY - 1  # number of Work.history: 0 after a jump, when nothing is kept of the step before
FEATURES: Final = 256  # that two shapes may touch by, for the key of a contact
EMPTY: Final = -1.0


@kernel
def find_contacts(packed: Packed, lines: int) -> int:
    """How many contacts the groups have at the present poses; `records` has them. FULL: too many, beside the
    lines of single limits that may be."""
    system, work = open_system(packed), open_work(packed)
    span = system.ranges[system.sizes[SIZE.PRIMITIVES] + REC.GROUPS]
    count, first, room = 0, 0, capacity(work, lines)
    for line in range(span[SPAN.BEGIN], span[SPAN.END]):
        table = system.forces[line, contact_group.TABLE]
        shapes = int(system.data[table])
        if work.history[SORTED] == 0.0:
            for k in range(shapes):
                work.scratch[REC.ORDER, first + k] = k
        axis = _boxes(system, work, table, first, shapes)
        _sort(work, first, shapes, axis)
        count = _pairs(system, work, line, table, first, shapes, axis, count, room)
        if count == FULL:
            return FULL
        first += shapes
    if work.history[SORTED] == 0.0:
        work.scratch[REC.KEYS, :] = EMPTY
        work.history[SORTED] = 1.0
    return count


@inlined
def _boxes(system: System, work: Work, table: int, first: int, shapes: int) -> int:
    """Boxes around all shapes, with half of the margin; the axis along which they are spread most."""
    s = work.scratch
    mean, square = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for k in range(shapes):
        at = table + SHAPE.FIRST + SHAPE.COLUMNS * k
        body = body_of(work.pose, int(system.data[at + SHAPE.BODY]))
        lines = table + int(system.data[at + SHAPE.LINES])
        low, high = (1e300, 1e300, 1e300), (-1e300, -1e300, -1e300)
        for c in range(int(system.data[lines])):
            p = add(body[1], rotate(body[0], vector_at(system.data, lines + 1 + 3 * c)))
            low = (min(low[0], p[0]), min(low[1], p[1]), min(low[2], p[2]))
            high = (max(high[0], p[0]), max(high[1], p[1]), max(high[2], p[2]))
        out = system.data[at + SHAPE.RADIUS] + 0.5 * MARGIN * system.data[at + SHAPE.WIDTH]
        for c in range(3):
            s[REC.LOW + c, first + k], s[REC.HIGH + c, first + k] = low[c] - out, high[c] + out
        middle = (low[0] + high[0], low[1] + high[1], low[2] + high[2])
        mean = add(mean, middle)
        square = (
            square[0] + middle[0] * middle[0],
            square[1] + middle[1] * middle[1],
            square[2] + middle[2] * middle[2],
        )
    spread = (
        square[0] - mean[0] * mean[0] / shapes,
        square[1] - mean[1] * mean[1] / shapes,
        square[2] - mean[2] * mean[2] / shapes,
    )
    if spread[0] >= spread[1] and spread[0] >= spread[2]:
        return 0
    return 1 if spread[1] >= spread[2] else 2


@inlined
def _sort(work: Work, first: int, shapes: int, axis: int) -> None:
    """By insertion."""
    order, low = work.scratch[REC.ORDER], work.scratch[REC.LOW + axis]
    for i in range(1, shapes):
        moved = order[first + i]
        begin, j = low[first + int(moved)], i - 1
        while j >= 0 and low[first + int(order[first + j])] > begin:
            order[first + j + 1] = order[first + j]
            j -= 1
        order[first + j + 1] = moved


@inlined
def _may_touch(data: Array, table: int, a: int, b: int, j: int) -> bool:
    """Whether two shapes with columns at a and b, the second of which is j, are of bodies that may touch."""
    if data[a + SHAPE.BODY] == data[b + SHAPE.BODY]:
        return False
    ours, theirs = int(data[a + SHAPE.SIDES]), int(data[b + SHAPE.SIDES])
    if not ((ours & 1 and theirs & 2) or (ours & 2 and theirs & 1)):
        return False
    barred = table + int(data[a + SHAPE.BARRED])
    met = False
    for k in range(int(data[barred])):
        met = met or data[barred + 1 + k] == j
    return not met


@inlined
def _pairs(
    system: System,
    work: Work,
    line: int,
    table: int,
    first: int,
    shapes: int,
    axis: int,
    count: int,
    room: int,
) -> int:
    """Sweep along the axis."""
    s, data = work.scratch, system.data
    order = s[REC.ORDER]
    one, two = (axis + 1) % 3, (axis + 2) % 3
    for m in range(shapes):
        i = int(order[first + m])
        end = s[REC.HIGH + axis, first + i]
        for n in range(m + 1, shapes):
            j = int(order[first + n])
            if s[REC.LOW + axis, first + j] > end:
                break
            if (
                s[REC.LOW + one, first + j] > s[REC.HIGH + one, first + i]
                or s[REC.LOW + one, first + i] > s[REC.HIGH + one, first + j]
                or s[REC.LOW + two, first + j] > s[REC.HIGH + two, first + i]
                or s[REC.LOW + two, first + i] > s[REC.HIGH + two, first + j]
            ):
                continue
            low, high = (i, j) if i < j else (j, i)
            a, b = table + SHAPE.FIRST + SHAPE.COLUMNS * low, table + SHAPE.FIRST + SHAPE.COLUMNS * high
            if _may_touch(data, table, a, b, high):
                key = float((line * shapes + low) * shapes + high) * FEATURES
                count = _touch(
                    data, system.bodies, system.body_reals, work.pose, s, line, table, a, b, key, count, room
                )
                if count == FULL:
                    return FULL
    return count


@kernel
def _touch(
    data: Array,
    bodies: Ints,
    body_reals: Array,
    pose: Array,
    s: Array,
    line: int,
    table: int,
    a: int,
    b: int,
    key: float,
    count: int,
    room: int,
) -> int:
    """Contacts of two shapes: corners of each against the other, and edges that cross."""
    margin = MARGIN * min(data[a + SHAPE.WIDTH], data[b + SHAPE.WIDTH])
    corners_a = int(data[table + int(data[a + SHAPE.LINES])])
    corners_b = int(data[table + int(data[b + SHAPE.LINES])])
    faced = _convex(data, table, a) and _convex(data, table, b)
    for side in range(3):
        own, other, first = (a, b, key) if side != 1 else (b, a, key + corners_b)
        if side == 0 and corners_a == 1 and corners_b > 1:
            continue  # a round shape is met by its middle alone
        if side == 1 and corners_b == 1:
            continue
        if side == 2 and not _edged(data, bodies, a, b):
            continue
        i, j = int(data[own + SHAPE.BODY]), int(data[other + SHAPE.BODY])
        A, B = body_of(pose, i), body_of(pose, j)
        r_A, r_B = data[own + SHAPE.RADIUS], data[other + SHAPE.RADIUS]
        lines_A, lines_B = table + int(data[own + SHAPE.LINES]), table + int(data[other + SHAPE.LINES])
        half = 0.5 * data[own + SHAPE.WIDTH] + r_A + r_B + margin
        crossed = 0  # pairs of edges that have been looked at
        for c in range(CROSSINGS if side == 2 else int(data[lines_B])):
            p_B, y_B = vector_at(data, lines_B + 1 + 3 * (0 if side == 2 else c)), ZERO
            if side == 2:
                deepest = -min(data[own + SHAPE.THIN], data[other + SHAPE.THIN])
                sort, at_A, at_B, _, _, crossed = next_crossing(
                    data, deepest, lines_A, lines_B, A, B, crossed, BESIDE * margin
                )
                if sort == NONE:
                    break
                p_A, x_A = vector_at(data, at_A), vector_at(data, at_A + 3)
                p_B, y_B, first = vector_at(data, at_B), vector_at(data, at_B + 3), key + FEATURES - CROSSINGS
            else:
                p = unrotate(A[0], sub(add(B[1], rotate(B[0], p_B)), A[1]))
                off = sub(p, vector_at(data, own + SHAPE.CENTRE))
                if dot(off, off) > half * half:
                    continue
                inwards = unrotate(A[0], rotate(B[0], sub(vector_at(data, other + SHAPE.CENTRE), p_B)))
                core = table + int(data[own + SHAPE.TABLE])
                if faced:
                    outline = int(data[own + SHAPE.SORT]) == OUTLINE
                    sort, p_A, x_A = _over_face(outline, data, core, p, inwards, BESIDE * margin)
                    if sort == NONE:
                        continue
                else:
                    wedge = (inwards if _convex(data, table, other) else ZERO, ZERO, ZERO)
                    sort, p_A, x_A, _ = nearest(int(data[own + SHAPE.SORT]), data, core, p, wedge)
            gap, n, n1, place, _ = contact_of((sort, p_A, x_A, r_A, p_B, y_B, r_B), A, B)
            if not gap <= margin:
                continue
            if count >= room:
                return FULL
            rec = s[row_of(s, count), column_of(s, count) :]
            count += 1
            rec[REC.AT_A], rec[REC.AT_B] = bodies[i, BODY.V], bodies[j, BODY.V]
            rec[REC.GAP], rec[REC.LINE], rec[REC.KEY] = gap, line, first + c
            rec[REC.ALLOWED] = ALLOWED * margin
            rec[REC.MASS_A] = body_reals[i, BODY_REAL.MASS_INV]
            rec[REC.MASS_B] = body_reals[j, BODY_REAL.MASS_INV]
            t, _, across, _ = tangents_of(bodies[0, BODY.PLANAR], n, n1, A)
            for k in range(3):
                e = n if k == 0 else (t if k == 1 else across)
                on_A, on_B = torques_of(e, place, A, B)
                turn_A, turn_B = _turned(body_reals[i], on_A), _turned(body_reals[j], on_B)
                d = REC.DIRECTIONS + REC.DIRECTION * k
                for x in range(3):
                    rec[d + x] = e[x]
                    rec[d + REC.MOMENT_A + x], rec[d + REC.MOMENT_B + x] = on_A[x], on_B[x]
                    rec[d + REC.TURN_A + x], rec[d + REC.TURN_B + x] = turn_A[x], turn_B[x]
    return count


@inlined
def _edged(data: Array, bodies: Ints, a: int, b: int) -> bool:
    """Whether edges of two shapes may cross: in space, of hulls and lines."""
    sort_a, sort_b = int(data[a + SHAPE.SORT]), int(data[b + SHAPE.SORT])
    return bodies[0, BODY.PLANAR] == 0 and sort_a in (SEGMENT, HULL) and sort_b in (SEGMENT, HULL)


@inlined
def _convex(data: Array, table: int, shape: int) -> bool:
    """Whether a shape has flat faces and is nowhere hollow."""
    sort, core = int(data[shape + SHAPE.SORT]), table + int(data[shape + SHAPE.TABLE])
    if sort != OUTLINE:
        return sort == HULL
    count = int(data[core])
    for k in range(count):
        e, f = core + 1 + EDGE_NUMBERS * k, core + 1 + EDGE_NUMBERS * ((k + 1) % count)
        if data[e + 2] * data[f + 3] - data[e + 3] * data[f + 2] < 0.0:
            return False
    return True


@inlined
def _face(outline: bool, data: Array, core: int, k: int) -> tuple[Vector, Vector]:
    """A point of a face and its normal outwards."""
    if outline:
        e = core + 1 + EDGE_NUMBERS * k
        return (data[e], data[e + 1], 0.0), (data[e + 3], -data[e + 2], 0.0)
    t = core + 1 + TRIANGLE_NUMBERS * k
    return vector_at(data, t), vector_at(data, t + 9)


@inlined
def _over_face(
    outline: bool, data: Array, core: int, p: Vector, inwards: Vector, beside: float
) -> tuple[int, Vector, Vector]:
    """The face of a convex shape by which a corner of another comes in; NONE where it passes beside them all.

    Of the faces that the other body lies before it is the one that the corner is highest over, however near
    others are; a corner that is beyond the others by no more than `beside` counts as over it, as where
    corners stand on corners. That keeps a stack of equal boxes from falling into its sides.
    """
    best, most = NONE, -1e300
    for k in range(int(data[core])):
        place, n = _face(outline, data, core, k)
        height = dot(n, sub(p, place))
        if dot(n, inwards) <= 0.0:
            if height > beside:
                return NONE, p, p
        elif height > most:
            best, most = k, height
    if best == NONE:
        return NONE, p, p
    place, n = _face(outline, data, core, best)
    return FACE, place, n


@inlined
def _turned(real: Array, torque: Vector) -> Vector:
    """Θ⁻¹ times a moment."""
    k = BODY_REAL.INERTIA_INV
    return (
        real[k] * torque[0] + real[k + 1] * torque[1] + real[k + 2] * torque[2],
        real[k + 3] * torque[0] + real[k + 4] * torque[1] + real[k + 5] * torque[2],
        real[k + 6] * torque[0] + real[k + 7] * torque[1] + real[k + 8] * torque[2],
    )


# impulses and shifts of the step before


@inlined
def _slot(keys: Array, key: float) -> int:
    """Where a key stands, or would stand."""
    size = int(keys.shape[0])
    at = (int(key) * 2654435761) % size
    for _ in range(size):
        if keys[at] == key or keys[at] == EMPTY:
            return at
        at = at + 1 if at + 1 < size else 0
    return -1


@inlined
def recall(work: Work, rec: Array) -> None:
    """Begin with the impulses and the shift that this contact had in the last step, or none."""
    at = _slot(work.scratch[REC.KEYS], rec[REC.KEY])
    known = at >= 0 and work.scratch[REC.KEYS, at] == rec[REC.KEY]
    for k in range(3):
        rec[REC.IMPULSE + k] = work.scratch[REC.KEPT + k, at] if known else 0.0
    rec[REC.OVERLAP] = work.scratch[REC.KEPT_SHIFT, at] if known else 0.0


@inlined
def remember(work: Work, count: int) -> None:
    """Keep impulses and shifts for the next step."""
    keys = work.scratch[REC.KEYS]
    keys[:] = EMPTY
    room = keys.shape[0] // 2
    for c in range(count):
        rec = work.scratch[row_of(work.scratch, c), column_of(work.scratch, c) :]
        if rec[REC.IMPULSE] > 0.0 and room > 0:
            at = _slot(keys, rec[REC.KEY])
            keys[at] = rec[REC.KEY]
            for k in range(3):
                work.scratch[REC.KEPT + k, at] = rec[REC.IMPULSE + k]
            work.scratch[REC.KEPT_SHIFT, at] = rec[REC.OVERLAP]
            room -= 1
