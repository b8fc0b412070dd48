"""Contact of a rounded point of B with a rounded shape of A: the gap, and the speeds of slip at its place.

An entry gives the coordinate functions that its integers name: the gap (`NORMAL`); or, as those of the kind
`slip`, the speeds along one or two directions across it. The feature of A that is nearest is found anew at
every evaluation; `engine/elements/gaps` has the geometry. Derivatives of the frame of contact are differences
of fourth order over steps of a thousandth of the distance: exact to about 1e-11 of their size.

In a run, what is far apart is not looked at: where the point is farther from the box around A than a share of
the shapes' own size, the value is that distance, which the gap is not below, without rate and gradient.
"""

from typing import Final

import numpy as np

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import entries as ENTRY
from engine.compiled.columns import tangents as TAN
from engine.compiled.columns import velocity_blocks as BLOCK
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Packed, System, Work
from engine.elements.gaps.crossing import (
    EXCLUDED,
    NONE,
    SEARCH,
    SEEK,
    crossing,
    edges_of,
    still_crossing,
)
from engine.elements.gaps.features import (
    CORNER,
    CROSSED,
    EDGE,
    FACE,
    NEARLY_NONE,
    NORMAL,
    Body,
    Feature,
    contact_of,
    direction,
    speed_along,
    torques_of,
)
from engine.elements.gaps.nearest import (
    EDGES,
    HULL,
    OUTLINE,
    PLANE,
    Wedge,
    entered_face,
    held_face,
    nearest,
    sides_of,
    triangle,
    vector_at,
)
from engine.elements.gaps.uses import HELD, SEEN
from engine.elements.primitives.base import (
    PrimitiveKind,
    centre_of,
    negative,
    put,
    rotation_of,
    spin_of,
    unit,
    velocity_of,
    widen,
)
from engine.maths.vectors import ZERO, Rotation, Vector, add, dot, load, mix, rotate, sub, unrotate

TABLE: Final = ENTRY.COLUMNS - 1  # column of the entry: where the table of the core begins in `System.data`
# column of the entry: which pair of edges, as `crossing.py` says; for a row that holds a sharp corner on a
# hull, SEARCH, or one more than the number of the triangle
PAIR: Final = TABLE - 1
OTHERS: Final = PAIR - EXCLUDED  # first of the columns with the pairs that a seeker passes over
P_B: Final = 0  # columns of the reals: the point, body axes
R_A: Final = 3  # radii
R_B: Final = 4
CORE: Final = 5
USE: Final = 6  # of `engine/elements/gaps/uses.py`
CENTRE: Final = 7  # middle of the shape that the point is a corner of, body axes
LOWEST: Final = 10  # corners of the box around the core of A, body axes of A
HIGHEST: Final = 13
AROUND: Final = 16  # radius about the point that all of the gap lies in: 0 unless it is between edges
NEAR: Final = 17  # distance from which on nothing is looked at; below zero: everything is
TOWARDS: Final = 18  # middle of the directions in which the rounded point touches, body axes x, y
WITHIN: Final = 20  # cosine of the angle about them; ALL_AROUND: in all directions
DEEPEST: Final = 21  # half width of an arc: what is deeper has passed it
# from the point to its neighbours in the plane, body axes x, y; in space, where A is a hull, their number and
# the ways to them (3 each) are behind its table
SIDES: Final = 22
REALS: Final = 26
ALL_AROUND: Final = -2.0
FAR: Final = 1e3  # m: the gap where no edges cross
NOTHING: Final = (NONE, ZERO, ZERO, 0.0, ZERO, ZERO, 0.0)  # the feature where no edges cross
BEHIND: Final = 1e-3  # of a side: what is farther behind a face or corner keeps it from being touched there
SEAM: Final = 1e-12  # of a cosine: so far the end of an arc and the arc itself both touch
SMALL_STEP: Final = 1e-3  # of the distance, or rad
MIN_DISTANCE: Final = 1e-9  # m: a shorter one counts as this
# differences of fourth order: f' ≈ Σ weight f(k h)/h
SHIFTS: Final = (-2.0, -1.0, 1.0, 2.0)
WEIGHTS: Final = (1.0 / 12.0, -2.0 / 3.0, 2.0 / 3.0, -1.0 / 12.0)


@inlined
def body_of(pose: Array, b: int) -> Body:
    return rotation_of(pose, b), centre_of(pose, b), velocity_of(pose, b), spin_of(pose, b)


@inlined
def feature_of(system: System, i: int, A: Body, B: Body) -> Feature:
    """The feature of A nearest to the point of B, in axes of A, with that point; or two edges that cross."""
    table, r_A, r_B = system.entries[i, TABLE], system.entry_reals[i, R_A], system.entry_reals[i, R_B]
    if system.entry_reals[i, CORE] == EDGES:
        sort, a, b = _edges(system, i, table, A, B)
        if sort == NONE:
            return NOTHING
        return (
            sort,
            vector_at(system.data, a),
            vector_at(system.data, a + 3),
            r_A,
            vector_at(system.data, b),
            vector_at(system.data, b + 3),
            r_B,
        )
    p_B = load(system.entry_reals, i, P_B)
    feature = _nearest_to(system, i, A, B, p_B, r_A, r_B)
    if system.entry_reals[i, WITHIN] == ALL_AROUND:
        return feature
    return _of_part(system, i, A, B, feature)


@kernel
def _edges(system: System, i: int, table: int, A: Body, B: Body) -> tuple[int, int, int]:
    """Two edges that cross, and where they stand in the table."""
    chosen = system.entries[i, PAIR]
    if chosen in (SEARCH, SEEK):
        sort, a, b, _ = crossing(system.data, table, A, B, chosen, system.entries[i, OTHERS:PAIR])
        return sort, a, b
    seen = system.entry_reals[i, USE] == SEEN
    if chosen < 0 or (seen and not still_crossing(system.data, table, A, B, chosen)):
        return NONE, 0, 0
    return edges_of(system.data, table, chosen)


@inlined
def _nearest_to(system: System, i: int, A: Body, B: Body, p_B: Vector, r_A: float, r_B: float) -> Feature:
    reals = system.entry_reals[i]
    p = unrotate(A[0], sub(add(B[1], rotate(B[0], p_B)), A[1]))
    wedge = (
        unrotate(A[0], rotate(B[0], sub(load(system.entry_reals, i, CENTRE), p_B))),
        unrotate(A[0], rotate(B[0], (reals[SIDES], reals[SIDES + 1], 0.0))),
        unrotate(A[0], rotate(B[0], (reals[SIDES + 2], reals[SIDES + 3], 0.0))),
    )
    core, table = int(reals[CORE]), system.entries[i, TABLE]
    sharp = r_A + r_B == 0.0 and core in (OUTLINE, HULL)
    if sharp and core == HULL:
        return _on_hull(system, i, A, B, p_B, p, wedge)
    if sharp and reals[USE] != SEEN:
        sort, p_A, x_A = held_face(core, system.data, table, p, wedge)
        return sort, p_A, x_A, 0.0, p_B, ZERO, 0.0
    sort, p_A, x_A, bend = nearest(core, system.data, table, p, wedge)
    if sharp:
        height, n = _above(sort, p_A, x_A, p)
        if height > 0.0 and (_is_behind(height, n, wedge[1]) or _is_behind(height, n, wedge[2])):
            return NOTHING
    return sort, p_A, x_A, r_A + bend, p_B, ZERO, r_B


@inlined
def _above(sort: int, p_A: Vector, x_A: Vector, p: Vector) -> tuple[float, Vector]:
    """How far a corner is outside what it is nearest to, and which way; 0 where that does not bound it.

    It cannot touch where its own body is behind that: it goes by, as the corner of a box that slides over the
    edge of a table.
    """
    d = sub(p, p_A)
    if sort == FACE:
        return dot(x_A, d), x_A
    if sort not in (CORNER, EDGE):
        return 0.0, x_A
    w = mix(1.0, d, -dot(x_A, d), x_A) if sort == EDGE else d
    height = dot(w, w) ** 0.5
    if height < NEARLY_NONE:
        return 0.0, x_A
    return height, mix(1.0 / height, w, 0.0, w)


@kernel
def _on_hull(system: System, i: int, A: Body, B: Body, p_B: Vector, p: Vector, wedge: Wedge) -> Feature:
    """A sharp corner on a hull."""
    data, table, chosen = system.data, system.entries[i, TABLE], system.entries[i, PAIR]
    if system.entry_reals[i, USE] != SEEN:
        if chosen == SEARCH:
            sort, p_A, x_A = held_face(HULL, data, table, p, wedge)
        else:
            sort, p_A, x_A = triangle(data, table, chosen - 1)
        return sort, p_A, x_A, 0.0, p_B, ZERO, 0.0
    face = face_of_corner(system, i, A, B, p, wedge[0])
    if face >= 0:
        sort, p_A, x_A = triangle(data, table, face)
        return sort, p_A, x_A, 0.0, p_B, ZERO, 0.0
    sort, p_A, x_A, _ = nearest(HULL, data, table, p, wedge)
    height, n = _above(sort, p_A, x_A, p)
    if height > 0.0:
        n_B, sides = unrotate(B[0], rotate(A[0], n)), sides_of(data, table)
        for k in range(int(data[sides])):
            if _is_behind(height, n_B, vector_at(data, sides + 1 + 3 * k)):
                return NOTHING
    return sort, p_A, x_A, 0.0, p_B, ZERO, 0.0


@inlined
def face_of_corner(system: System, i: int, A: Body, B: Body, p: Vector, middle: Vector) -> int:
    """Number of the triangle of a hull that a sharp corner has come in by; -1: it is outside."""
    table = system.entries[i, TABLE]
    return int(entered_face(system.data, table, p, sides_of(system.data, table), A[0], B[0], middle))


@inlined
def _is_behind(height: float, n: Vector, side: Vector) -> bool:
    return bool(height + dot(n, side) < -BEHIND * dot(side, side) ** 0.5)


@kernel
def _of_part(system: System, i: int, A: Body, B: Body, feature: Feature) -> Feature:
    """Where B is an arc, a part of a circle about the point: nothing where the circle touches and the arc is
    not there. A gap that a row may hold goes on with the end of the arc instead, so that it has no jump."""
    reals = system.entry_reals[i]
    gap, n, _, _, _ = contact_of(feature, A, B)
    back = unrotate(B[0], n)
    x, y = reals[TOWARDS], reals[TOWARDS + 1]
    if gap < -reals[DEEPEST]:
        return NOTHING
    if -(back[0] * x + back[1] * y) >= reals[WITHIN] - SEAM:
        return feature
    if reals[USE] != HELD:
        return NOTHING
    c = reals[WITHIN]
    s = max(1.0 - c * c, 0.0) ** 0.5 * (1.0 if back[0] * y - back[1] * x > 0.0 else -1.0)
    bend = feature[6] - reals[DEEPEST]
    end = mix(1.0, feature[4], bend, (c * x - s * y, s * x + c * y, 0.0))
    return _nearest_to(system, i, A, B, end, reals[R_A], reals[DEEPEST])


@inlined
def far_by(system: System, i: int, A: Body, B: Body) -> float:
    """A distance that the gap is not below, where that is far from touching; else something below zero."""
    reals = system.entry_reals[i]
    if reals[NEAR] < 0.0:
        return -1.0
    p = unrotate(A[0], sub(add(B[1], rotate(B[0], load(system.entry_reals, i, P_B))), A[1]))
    distance = -reals[R_A] - reals[R_B] - reals[AROUND]
    if reals[CORE] == PLANE:
        at = system.entries[i, TABLE]
        distance += dot(vector_at(system.data, at + 3), sub(p, vector_at(system.data, at)))
    else:
        off2 = 0.0
        for c in range(3):
            beyond = max(reals[LOWEST + c] - p[c], p[c] - reals[HIGHEST + c])
            if beyond > 0.0:
                off2 += beyond * beyond
        distance += off2**0.5
    return distance if distance > reals[NEAR] else -1.0


@inlined
def _nothing(system: System, work: Work, i: int, value: float) -> None:
    """A gap of that size, without rate and gradient."""
    entry = system.entries[i]
    g, block = entry[ENTRY.COORDINATE], entry[ENTRY.BLOCK]
    for j in range(entry[ENTRY.COUNT]):
        work.coordinate[g + j, : COORDINATE_VALUE.REFERENCE] = 0.0
        if entry[ENTRY.X + j] == NORMAL:
            work.coordinate[g + j, COORDINATE_VALUE.VALUE] = value
        work.grad[block + 2 * j : block + 2 * j + 2] = 0.0


@kernel
def evaluate(packed: Packed, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    for i in range(begin, end):
        entry = system.entries[i]
        planar, g, block = entry[ENTRY.PLANAR], entry[ENTRY.COORDINATE], entry[ENTRY.BLOCK]
        A, B = body_of(work.pose, entry[ENTRY.A]), body_of(work.pose, entry[ENTRY.B])
        distance = far_by(system, i, A, B)
        if distance > 0.0:
            _nothing(system, work, i, distance)
            continue
        feature = feature_of(system, i, A, B)
        if feature[0] == NONE:
            _nothing(system, work, i, FAR)
            continue
        contact = contact_of(feature, A, B)
        for j in range(entry[ENTRY.COUNT]):
            which = entry[ENTRY.X + j]
            e, e1 = direction(which, planar, contact, A)
            rate, bias = speed_along(e, e1, contact, A, B)
            values = work.coordinate[g + j]
            values[COORDINATE_VALUE.VALUE] = contact[0] if which == NORMAL else 0.0
            values[COORDINATE_VALUE.RATE], values[COORDINATE_VALUE.BIAS] = rate, bias
            on_A, on_B = torques_of(e, contact[3], A, B)
            put(work.grad, block + 2 * j, planar, negative(e), negative(on_A))
            put(work.grad, block + 2 * j + 1, planar, e, on_B)


@kernel
def _turned(R: Rotation, axis: Vector, angle: float) -> Rotation:
    """R after a turn about one of the axes of the body."""
    c, s = np.cos(angle), np.sin(angle)
    columns = ((R[0], R[3], R[6]), (R[1], R[4], R[7]), (R[2], R[5], R[8]))
    k = 0 if axis[0] != 0.0 else (1 if axis[1] != 0.0 else 2)
    u, v, w = columns[k], columns[(k + 1) % 3], columns[(k + 2) % 3]
    v, w = mix(c, v, s, w), mix(-s, v, c, w)
    if k == 0:
        return (u[0], v[0], w[0], u[1], v[1], w[1], u[2], v[2], w[2])
    if k == 1:
        return (w[0], u[0], v[0], w[1], u[1], v[1], w[2], u[2], v[2])
    return (v[0], w[0], u[0], v[1], w[1], u[1], v[2], w[2], u[2])


@kernel
def _shifted(body: Body, dr: Vector, dtheta: Vector, step: float) -> Body:
    R = body[0]
    if dtheta[0] != 0.0 or dtheta[1] != 0.0 or dtheta[2] != 0.0:
        R = _turned(R, dtheta, step)
    return R, mix(1.0, body[1], step, dr), body[2], body[3]


@kernel
def _hurried(body: Body, dv: Vector, dw: Vector, step: float) -> Body:
    return body[0], body[1], mix(1.0, body[2], step, dv), mix(1.0, body[3], step, dw)


@kernel
def _motion(
    which: int,
    planar: int,
    feature: Feature,
    A: Body,
    B: Body,
    a_A: Vector,
    al_A: Vector,
    a_B: Vector,
    al_B: Vector,
) -> tuple[float, float, Vector, Vector, Vector]:
    """u, u', and the gradient: e, and the torques of e on A and B."""
    contact = contact_of(feature, A, B)
    e, e1 = direction(which, planar, contact, A)
    rate, bias = speed_along(e, e1, contact, A, B)
    on_A, on_B = torques_of(e, contact[3], A, B)
    acceleration = dot(e, sub(a_B, a_A)) + dot(on_B, al_B) - dot(on_A, al_A) + bias
    return rate, acceleration, e, on_A, on_B


@kernel
def _steps(feature: Feature, A: Body, B: Body) -> tuple[float, float]:
    """Shift [m] and turn [rad] of the differences: small against the distance that curves the frame."""
    sort, p_A, x_A, _, p_B, _, _ = feature
    if sort == FACE or sort >= CROSSED:
        return SMALL_STEP, SMALL_STEP
    d = sub(add(B[1], rotate(B[0], p_B)), add(A[1], rotate(A[0], p_A)))
    x = rotate(A[0], x_A)
    w = mix(1.0, d, -dot(x, d), x) if sort == EDGE else d
    distance = max(dot(w, w) ** 0.5, MIN_DISTANCE)
    arm = max(dot(d, d) + dot(p_A, p_A), dot(p_B, p_B)) ** 0.5
    return SMALL_STEP * distance, SMALL_STEP * min(1.0, distance / arm)


@kernel
def tangent(packed: Packed, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    tang = work.tangent
    for i in range(begin, end):
        entry = system.entries[i]
        planar, g = entry[ENTRY.PLANAR], entry[ENTRY.COORDINATE]
        a, b = entry[ENTRY.A], entry[ENTRY.B]
        A, B = body_of(work.pose, a), body_of(work.pose, b)
        feature = NOTHING
        if far_by(system, i, A, B) <= 0.0:
            feature = feature_of(system, i, A, B)
        if feature[0] == NONE:
            first = entry[ENTRY.BLOCK]
            tang[: TAN.ACTING, first : first + 2 * entry[ENTRY.COUNT]] = 0.0
            continue
        a_A, al_A, a_B, al_B = (
            load(work.accel, a, 0),
            load(work.accel, a, 3),
            load(work.accel, b, 0),
            load(work.accel, b, 3),
        )
        shift, turn = _steps(feature, A, B)
        for j in range(entry[ENTRY.COUNT]):
            which, block = entry[ENTRY.X + j], entry[ENTRY.BLOCK] + 2 * j
            k = work.weight[g + j] if work.stiffness.shape[0] > 0 else 0.0
            pair = system.coordinate_functions[g + j, COORDINATE.PAIR]
            for side in range(2):
                moves = system.bodies[a if side == 0 else b, BODY.V] >= 0
                for m in range(widen(planar)):
                    dr, dtheta = unit(planar, m)
                    step = shift if m < (2 if planar else 3) else turn
                    rate_q, acc_q, acc_v = 0.0, 0.0, 0.0
                    force, on_A, on_B = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
                    if moves:
                        for point in range(4):
                            weight = WEIGHTS[point] / step
                            A_, B_ = A, B
                            if side == 0:
                                A_ = _shifted(A, dr, dtheta, SHIFTS[point] * step)
                            else:
                                B_ = _shifted(B, dr, dtheta, SHIFTS[point] * step)
                            rate, acc, e, t_A, t_B = _motion(
                                which, planar, feature, A_, B_, a_A, al_A, a_B, al_B
                            )
                            rate_q += weight * rate
                            acc_q += weight * acc
                            force = mix(1.0, force, weight, e)
                            on_A, on_B = mix(1.0, on_A, weight, t_A), mix(1.0, on_B, weight, t_B)
                        # quadratic in the velocities: one difference is exact
                        for sign in (-1.0, 1.0):
                            A_, B_ = A, B
                            if side == 0:
                                A_ = _hurried(A, dr, dtheta, sign)
                            else:
                                B_ = _hurried(B, dr, dtheta, sign)
                            _, acc, _, _, _ = _motion(which, planar, feature, A_, B_, a_A, al_A, a_B, al_B)
                            acc_v += 0.5 * sign * acc
                    tang[TAN.RATE_Q, block + side, m] = rate_q
                    tang[TAN.ACC_Q, block + side, m] = acc_q
                    tang[TAN.ACC_V, block + side, m] = acc_v
                    if k != 0.0 and moves:
                        _add_lines(work.stiffness, system, pair + side, m, planar, -k, force, on_A)
                        _add_lines(work.stiffness, system, pair + 2 + side, m, planar, k, force, on_B)


@inlined
def _add_lines(
    matrix: Array, system: System, pair: int, m: int, planar: int, k: float, force: Vector, torque: Vector
) -> None:
    """Add k·(force, torque) to column m of the block of a pair."""
    number = system.pairs[pair]
    if number < 0:
        return
    block = system.velocity_blocks[number]
    at, step = block[BLOCK.START] + m * block[BLOCK.COLUMN_STEP], block[BLOCK.ROW_STEP]
    matrix[at] += k * force[0]
    matrix[at + step] += k * force[1]
    if planar:
        matrix[at + 2 * step] += k * torque[2]
    else:
        matrix[at + 2 * step] += k * force[2]
        matrix[at + 3 * step] += k * torque[0]
        matrix[at + 4 * step] += k * torque[1]
        matrix[at + 5 * step] += k * torque[2]


KIND = PrimitiveKind("contact", evaluate, tangent, integers=1, reals=REALS)
