"""Functions of other coordinate functions of the same two bodies: wheels on bodies that move, roads.

With u the coordinate functions it is made of, each form states the coefficients c(u) of its rate

    s' = c_i u_i',    s'' = c_i u_i'' + c_ij u_i' u_j',    c_ij = ∂c_i/∂u_j

which are the gradient of a value, or, on velocity level, a row of their own. All of u are taken in the frame
of A, so that A may move. It comes after what it is made of, whose rates, gradients and tangents it adds up;
its weight in the geometric stiffness is handed to them by `spread_weights`.

Wheel on a plane, by its centre (x, y, z) and its axle a in axes of A, z being the normal; σ = √(a_x² + a_y²),
a·ω the spin about the axle relative to A:

    height    z − ρ √(1 − a_z²)
    forwards  a_y x' − a_x y' − ρ σ (a·ω)         both scaled by σ, unless the true speed is asked for, as in
    sideways  a_x x' + a_y y' + ρ σ a_z'          `rolling.py`; (a × n)·ω of a wheel on A is a_z'

Wheel on a road, in the plane of x (up) and y (the way) of A: `road_contact.py`.
"""

import math
from typing import Final

from engine.compiled import composite_forms as FORM
from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import entries as ENTRY
from engine.compiled.columns import tangents as TAN
from engine.compiled.columns import velocity_blocks as BLOCK
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Packed, System, Work
from engine.elements.primitives.base import PrimitiveKind, widen
from engine.elements.primitives.road_contact import road_row

FORM_OF: Final = ENTRY.X  # the kind's integer, before the numbers of what it is made of, and of its programs
SOURCES: Final = ENTRY.X + 1
PROGRAMS: Final = SOURCES + 3  # of a road and of its wheel
RADIUS: Final = 0  # column of the reals
ROADS: Final = (FORM.ROAD_HEIGHT, FORM.ROAD_SLIP)
SMALL_STEP: Final = 1e-3  # of a radius, or rad
# differences of fourth order: f' ≈ Σ weight f(k h)/h
SHIFTS: Final = (-2.0, -1.0, 1.0, 2.0)
WEIGHTS: Final = (1.0 / 12.0, -2.0 / 3.0, 2.0 / 3.0, -1.0 / 12.0)
Five = tuple[float, float, float, float, float]
NOTHING: Final = (0.0, 0.0, 0.0, 0.0, 0.0)


@kernel
def _height(rho: float, u: Five, d: Five) -> tuple[float, Five, Five]:
    sigma = math.sqrt(1.0 - u[1] * u[1])
    tilt = rho * u[1] / sigma
    return u[0] - rho * sigma, (1.0, tilt, 0.0, 0.0, 0.0), (0.0, rho * d[1] / sigma**3, 0.0, 0.0, 0.0)


@kernel
def _wheel(form: int, rho: float, u: Five, d: Five) -> tuple[float, Five, Five]:
    """Forwards or sideways, scaled by σ or true."""
    ax, ay, dx, dy = u[2], u[3], d[2], d[3]
    sigma = math.sqrt(ax * ax + ay * ay)
    if form >= FORM.TRUE_FORWARD:
        turn = (ax * dx + ay * dy) / (sigma * sigma)
        ax, ay, dx, dy = ax / sigma, ay / sigma, (dx - ax * turn) / sigma, (dy - ay * turn) / sigma
        roll, roll_d = rho, 0.0
    else:
        roll, roll_d = rho * sigma, rho * (ax * dx + ay * dy) / sigma
    if form in (FORM.FORWARD, FORM.TRUE_FORWARD):
        return 0.0, (ay, -ax, 0.0, 0.0, -roll), (dy, -dx, 0.0, 0.0, -roll_d)
    return 0.0, (ax, ay, 0.0, 0.0, roll), (dx, dy, 0.0, 0.0, roll_d)


@kernel
def _row(system: System, work: Work, i: int, u: Five, d: Five) -> tuple[float, Five, Five]:
    """Value, coefficients c, and their change c_ij d_j along a direction d of u."""
    form, rho = system.entries[i, FORM_OF], system.entry_reals[i, RADIUS]
    if form == FORM.WHEEL_HEIGHT:
        return _height(rho, u, d)
    if form == FORM.PLANAR_FORWARD:
        return 0.0, (1.0, -rho, 0.0, 0.0, 0.0), NOTHING
    if form <= FORM.TRUE_SIDEWAYS:
        return _wheel(form, rho, u, d)
    road, wheel = system.entries[i, PROGRAMS], system.entries[i, PROGRAMS + 1]
    value, c, dc = road_row(
        system.code,
        system.data,
        road,
        wheel,
        work.stack,
        (u[0], u[1], u[2]),
        (d[0], d[1], d[2]),
        form == FORM.ROAD_SLIP,
    )
    return value, (c[0], c[1], c[2], 0.0, 0.0), (dc[0], dc[1], dc[2], 0.0, 0.0)


@inlined
def _five(system: System, work: Work, i: int, column: int) -> Five:
    """A column of the values of what it is made of."""
    entry, count = system.entries[i], FORM.COUNTS[system.entries[i, FORM_OF]]
    table = work.coordinate
    return (
        table[entry[SOURCES], column],
        table[entry[SOURCES + 1], column],
        table[entry[SOURCES + 2], column] if count > 2 else 0.0,
        table[entry[SOURCES + 3], column] if count > 3 else 0.0,
        table[entry[SOURCES + 4], column] if count > 4 else 0.0,
    )


@inlined
def _along(u: Five, j: int, step: float) -> Five:
    return (
        u[0] + (step if j == 0 else 0.0),
        u[1] + (step if j == 1 else 0.0),
        u[2] + (step if j == 2 else 0.0),
        u[3] + (step if j == 3 else 0.0),
        u[4] + (step if j == 4 else 0.0),
    )


@inlined
def _dot(a: Five, b: Five) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4]


@inlined
def _first_block(system: System, i: int, k: int) -> int:
    """Of the k-th coordinate function it is made of."""
    return int(system.coordinate_functions[system.entries[i, SOURCES + k], COORDINATE.BLOCK])


@kernel
def evaluate(packed: Packed, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    for i in range(begin, end):
        entry, count = system.entries[i], FORM.COUNTS[system.entries[i, FORM_OF]]
        rates = _five(system, work, i, COORDINATE_VALUE.RATE)
        value, c, dc = _row(system, work, i, _five(system, work, i, COORDINATE_VALUE.VALUE), rates)
        out = work.coordinate[entry[ENTRY.COORDINATE]]
        out[COORDINATE_VALUE.VALUE] = value
        out[COORDINATE_VALUE.RATE] = _dot(c, rates)
        out[COORDINATE_VALUE.BIAS] = _dot(c, _five(system, work, i, COORDINATE_VALUE.BIAS)) + _dot(dc, rates)
        block = entry[ENTRY.BLOCK]
        work.grad[block : block + 2] = 0.0
        for k in range(count):
            source = _first_block(system, i, k)
            for side in range(2):
                for n in range(widen(entry[ENTRY.PLANAR])):
                    work.grad[block + side, n] += c[k] * work.grad[source + side, n]


@inlined
def _acceleration(system: System, work: Work, i: int, k: int) -> float:
    """u_k''."""
    entry, source = system.entries[i], _first_block(system, i, k)
    planar = entry[ENTRY.PLANAR]
    total = work.coordinate[entry[SOURCES + k], COORDINATE_VALUE.BIAS]
    for side in range(2):
        for n in range(widen(planar)):
            column = 5 if planar and n == 2 else n
            total += work.grad[source + side, n] * work.accel[entry[ENTRY.A + side], column]
    return float(total)


@inlined
def _distance(system: System, i: int, u: Five, j: int) -> float:
    """Over which c changes by its own size: a radius, a radian, or the way to a wheel that lies flat."""
    form = system.entries[i, FORM_OF]
    if form == FORM.WHEEL_HEIGHT:
        return 0.5 * (1.0 - u[1] * u[1])
    if form in ROADS:
        return float(system.entry_reals[i, RADIUS]) if j < 2 else 1.0
    return math.sqrt(u[2] * u[2] + u[3] * u[3]) if form != FORM.PLANAR_FORWARD else 1.0


@kernel
def tangent(packed: Packed, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    tang, grad = work.tangent, work.grad
    for i in range(begin, end):
        entry, count = system.entries[i], FORM.COUNTS[system.entries[i, FORM_OF]]
        width, block, g = widen(entry[ENTRY.PLANAR]), entry[ENTRY.BLOCK], entry[ENTRY.COORDINATE]
        u, rates = (
            _five(system, work, i, COORDINATE_VALUE.VALUE),
            _five(system, work, i, COORDINATE_VALUE.RATE),
        )
        accelerations = (
            _acceleration(system, work, i, 0),
            _acceleration(system, work, i, 1),
            _acceleration(system, work, i, 2) if count > 2 else 0.0,
            _acceleration(system, work, i, 3) if count > 3 else 0.0,
            _acceleration(system, work, i, 4) if count > 4 else 0.0,
        )
        _, c, dc = _row(system, work, i, u, rates)
        weighted = work.stiffness.shape[0] > 0 and work.weight[g] != 0.0
        tang[: TAN.ACTING, block : block + 2, :] = 0.0
        for j in range(count):
            _, _, by_j = _row(system, work, i, u, _along(NOTHING, j, 1.0))
            rate_j, acc_j = _dot(by_j, rates), _dot(by_j, accelerations)  # c_ij u_i',  c_ij u_i''
            step = SMALL_STEP * _distance(system, i, u, j)
            for point in range(4):  # ∂(c_ik u_i' u_k')/∂u_j
                _, _, near = _row(system, work, i, _along(u, j, SHIFTS[point] * step), rates)
                acc_j += WEIGHTS[point] / step * _dot(near, rates)
            source = _first_block(system, i, j)
            for side in range(2):
                to, of = block + side, source + side
                for n in range(width):
                    tang[TAN.RATE_Q, to, n] += c[j] * tang[TAN.RATE_Q, of, n] + rate_j * grad[of, n]
                    tang[TAN.ACC_Q, to, n] += (
                        c[j] * tang[TAN.ACC_Q, of, n]
                        + (dc[j] + rate_j) * tang[TAN.RATE_Q, of, n]
                        + acc_j * grad[of, n]
                    )
                    tang[TAN.ACC_V, to, n] += c[j] * tang[TAN.ACC_V, of, n] + (dc[j] + rate_j) * grad[of, n]
            if weighted:
                _add_products(system, work, i, j, by_j)


@kernel
def _add_products(system: System, work: Work, i: int, j: int, by_j: Five) -> None:
    """Stiffness += weight Σ_k ∇u_k c_kj ∇u_jᵀ."""
    entry, grad = system.entries[i], work.grad
    width, column = widen(entry[ENTRY.PLANAR]), _first_block(system, i, j)
    pair = system.coordinate_functions[entry[ENTRY.COORDINATE], COORDINATE.PAIR]
    for k in range(FORM.COUNTS[entry[FORM_OF]]):
        factor, row = work.weight[entry[ENTRY.COORDINATE]] * by_j[k], _first_block(system, i, k)
        if factor == 0.0:
            continue
        for a in range(2):
            for b in range(2):
                number = system.pairs[pair + 2 * a + b]
                if number < 0 or system.bodies[entry[ENTRY.A + a], BODY.V] < 0:
                    continue
                at = system.velocity_blocks[number]
                for n in range(width):
                    for m in range(width):
                        place = at[BLOCK.START] + n * at[BLOCK.ROW_STEP] + m * at[BLOCK.COLUMN_STEP]
                        work.stiffness[place] += factor * grad[row + a, n] * grad[column + b, m]


@kernel
def spread_weights(packed: Packed, begin: int, end: int) -> None:
    """Hand the weight of every one of them to what it is made of."""
    system, work = open_system(packed), open_work(packed)
    for i in range(begin, end):
        weight = work.weight[system.entries[i, ENTRY.COORDINATE]]
        if weight == 0.0:
            continue
        _, c, _ = _row(system, work, i, _five(system, work, i, COORDINATE_VALUE.VALUE), NOTHING)
        for k in range(FORM.COUNTS[system.entries[i, FORM_OF]]):
            work.weight[system.entries[i, SOURCES + k]] += weight * c[k]


KIND = PrimitiveKind("composite", evaluate, tangent, integers=1, reals=1)
"""A value, held or acted along."""
ROW_KIND = PrimitiveKind("composite_row", evaluate, tangent, integers=1, reals=1, velocity_level=True)
"""A row on velocity level."""
