"""Discrete gradients: what a function of the configuration gains in a step, as a product with its motion.

With x the displacement and turn of a step (turns by the Cayley map, in body axes) and averages of both ends,

    r⁺ = r + x_r,   R⁺ = R cay(x_θ),   cay(x) = the quaternion (1, x/2), normalised;   R̄ = (R + R⁺)/2

R⁺ − R = R̄ [x_θ], and for every function s(q) that is at most quadratic in positions and direction cosines the
gradient at (r̄, R̄) satisfies

    ∇̄s·x = s⁺ − s.                                                                                  (1)

The torque block of ∇̄s is R̄⁻¹τ with the torque τ in the world: a step of the midpoint rule turns the moment of
momentum R Θ ω of a body by h τ, so that equal and opposite forces leave the whole alone. Functions that are
not quadratic [Gonzalez 1996]:

    length          ∇̄s = ∇s · s(r̄, R̄)/s̄,    s̄ = (s + s⁺)/2: the square of a length is quadratic
    planar angle    ∇̄s = ∇s · 2 atan(u)/(x_B − x_A),    u = (x_B − x_A)/2 / (1 + x_A x_B/4)
    all others      ∇̄s = ∇s + (s⁺ − s − ∇s·x) M x/(x·M x), over the bodies of s
"""

import math
from typing import Final

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import entries as ENTRY
from engine.compiled.columns import poses as POSE
from engine.compiled.columns import ranges as SPAN
from engine.compiled.dispatch import call_evaluate
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Ints, Packed, System, Work
from engine.elements.primitives import PRIMITIVES, component, point
from engine.elements.primitives import dot as dot_product
from engine.elements.primitives.base import centre_of, rotation_of
from engine.maths.vectors import Rotation, Vector, add, cross, dot, load, mix, rotate, scale, sub, unrotate
from engine.solvers.linsolve.rows import function_times

NAMES: Final = PRIMITIVES.names
POINT, LENGTH, COMPONENT, PRODUCT, PLANAR_ANGLE = (
    NAMES.index(name) for name in ("point", "distance", "component", "dot", "planar_angle")
)
QUADRATIC: Final = (POINT, LENGTH, COMPONENT, PRODUCT)  # or the square is
LAST = len(NAMES) - 1  # combination
VELOCITY_LEVEL: Final = tuple(NAMES.index(kind.name) for kind in PRIMITIVES if kind.velocity_level)
SMALL = 1e-4  # below it atan(u)/u is summed as a series, exact to rounding


@kernel
def cayley(bodies: Ints, q: Array, x: Array, out: Array) -> None:
    """out = q displaced by x: rotations by the Cayley map, in body axes."""
    for b in range(bodies.shape[0] - 1):
        at, to = bodies[b, BODY.Q], bodies[b, BODY.V]
        out[at], out[at + 1] = q[at] + x[to], q[at + 1] + x[to + 1]
        if bodies[b, BODY.PLANAR]:
            out[at + 2] = q[at + 2] + 2.0 * math.atan(0.5 * x[to + 2])
            continue
        out[at + 2] = q[at + 2] + x[to + 2]
        a, c, d = 0.5 * x[to + 3], 0.5 * x[to + 4], 0.5 * x[to + 5]
        k = 1.0 / math.sqrt(1.0 + a * a + c * c + d * d)
        w, i, j, z = q[at + 3], q[at + 4], q[at + 5], q[at + 6]
        out[at + 3] = k * (w - i * a - j * c - z * d)
        out[at + 4] = k * (w * a + i + j * d - z * c)
        out[at + 5] = k * (w * c + j + z * a - i * d)
        out[at + 6] = k * (w * d + z + i * c - j * a)


@kernel
def turn_rows(system: System, x: Array, table: Array) -> None:
    """table ← table T(x), the gradients by x where they were by the turn at the end of the step."""
    for k in range(table.shape[0]):
        body = system.block_bodies[k]
        at = system.bodies[body, BODY.V]
        if at < 0:
            continue
        if system.bodies[body, BODY.PLANAR]:
            table[k, 2] /= 1.0 + 0.25 * x[at + 2] * x[at + 2]
            continue
        a, c, d = 0.5 * x[at + 3], 0.5 * x[at + 4], 0.5 * x[at + 5]
        scale = 1.0 / (1.0 + a * a + c * c + d * d)
        g0, g1, g2 = table[k, 3], table[k, 4], table[k, 5]
        # gᵀ(δ − u × δ) = (g + u × g)ᵀδ,  u = x/2
        table[k, 3] = scale * (g0 + c * g2 - d * g1)
        table[k, 4] = scale * (g1 + d * g0 - a * g2)
        table[k, 5] = scale * (g2 + a * g1 - c * g0)


@kernel
def average_poses(system: System, work: Work, h: float, old_q: Array, q: Array, x: Array) -> None:
    """Poses half-way as averages of matrices, with the velocities v̄ = x/h; those of q are there."""
    for b in range(system.bodies.shape[0] - 1):
        at, to, p = system.bodies[b, BODY.Q], system.bodies[b, BODY.V], work.pose[b]
        p[POSE.P], p[POSE.P + 1] = q[at] - 0.5 * x[to], q[at + 1] - 0.5 * x[to + 1]
        p[POSE.V], p[POSE.V + 1] = x[to] / h, x[to + 1] / h
        if system.bodies[b, BODY.PLANAR]:
            p[POSE.ANGLE] = 0.5 * (old_q[at + 2] + q[at + 2])
            # (R + R⁺)/2 is the rotation by the middle angle, shortened by the cosine of half the turn
            shorter = 1.0 / math.sqrt(1.0 + 0.25 * x[to + 2] * x[to + 2])
            c, s = shorter * math.cos(p[POSE.ANGLE]), shorter * math.sin(p[POSE.ANGLE])
            p[POSE.R], p[POSE.R + 1], p[POSE.R + 3], p[POSE.R + 4] = c, -s, s, c
            p[POSE.W + 2] = p[POSE.SPIN + 2] = x[to + 2] / h
            continue
        p[POSE.P + 2], p[POSE.V + 2] = q[at + 2] - 0.5 * x[to + 2], x[to + 2] / h
        # R̄ = R⁺ (1 + [x]/2)⁻¹ = R⁺ (1 + u uᵀ − [u])/(1 + u²),  u = x/2
        u0, u1, u2 = 0.5 * x[to + 3], 0.5 * x[to + 4], 0.5 * x[to + 5]
        k = 1.0 / (1.0 + u0 * u0 + u1 * u1 + u2 * u2)
        for i in range(3):
            r0, r1, r2 = p[POSE.R + 3 * i], p[POSE.R + 3 * i + 1], p[POSE.R + 3 * i + 2]
            along = r0 * u0 + r1 * u1 + r2 * u2
            # a row r of R⁺ times −[u] is u × r
            p[POSE.R + 3 * i] = k * (r0 + along * u0 + u1 * r2 - u2 * r1)
            p[POSE.R + 3 * i + 1] = k * (r1 + along * u1 + u2 * r0 - u0 * r2)
            p[POSE.R + 3 * i + 2] = k * (r2 + along * u2 + u0 * r1 - u1 * r0)
        for i in range(3):
            p[POSE.W + i] = x[to + 3 + i] / h
        for i in range(3):
            row = p[POSE.R + 3 * i : POSE.R + 3 * i + 3]
            p[POSE.SPIN + i] = row[0] * p[POSE.W] + row[1] * p[POSE.W + 1] + row[2] * p[POSE.W + 2]


@inlined
def _scale(system: System, work: Work, g: int, factor: float) -> None:
    begin = system.coordinate_functions[g, COORDINATE.BLOCK]
    for k in range(begin, begin + system.coordinate_functions[g, COORDINATE.BLOCKS]):
        for c in range(work.grad.shape[1]):
            work.grad[k, c] *= factor


@inlined
def _add_along_motion(system: System, work: Work, g: int, missing: float, x: Array, mass_x: Array) -> None:
    """∇s += missing M x/(x·M x), over the bodies of s."""
    begin = system.coordinate_functions[g, COORDINATE.BLOCK]
    end = begin + system.coordinate_functions[g, COORDINATE.BLOCKS]
    width, total = work.grad.shape[1], 0.0
    for k in range(begin, end):
        at = system.bodies[system.block_bodies[k], BODY.V]
        if at >= 0:
            for c in range(system.bodies[system.block_bodies[k], BODY.NV]):
                total += x[at + c] * mass_x[at + c]
    if not total > 0.0:
        return
    for k in range(begin, end):
        at = system.bodies[system.block_bodies[k], BODY.V]
        if at >= 0:
            for c in range(min(width, system.bodies[system.block_bodies[k], BODY.NV])):
                work.grad[k, c] += missing * mass_x[at + c] / total


@inlined
def _angle_share(system: System, entry: Ints, x: Array) -> float:
    """(turn of B − turn of A)/(x_B − x_A) of two planar bodies."""
    at_a, at_b = system.bodies[entry[ENTRY.A], BODY.V], system.bodies[entry[ENTRY.B], BODY.V]
    a, b = x[at_a + 2] if at_a >= 0 else 0.0, x[at_b + 2] if at_b >= 0 else 0.0
    if 1.0 + 0.25 * a * b <= 0.0:  # more than half a turn against each other
        return 2.0 * (math.atan(0.5 * b) - math.atan(0.5 * a)) / (b - a)
    u = 0.5 * (b - a) / (1.0 + 0.25 * a * b)
    share = math.atan(u) / u if abs(u) > SMALL else 1.0 - u * u / 3.0
    return share / (1.0 + 0.25 * a * b)


@inlined
def _to_body(R: Rotation, planar: int, u: Vector, torque: Vector) -> Vector:
    """R̄⁻¹τ = ((1 + u²) − u uᵀ) R̄ᵀτ with u = x_θ/2; about z alone in the plane."""
    if planar:
        return torque
    turned = unrotate(R, torque)
    return mix(1.0 + dot(u, u), turned, -dot(u, turned), u)


@inlined
def _half_turn(system: System, body: int, x: Array) -> Vector:
    at = system.bodies[body, BODY.V]
    if at < 0 or system.bodies[body, BODY.PLANAR]:
        return (0.0, 0.0, 0.0)
    return (0.5 * x[at + 3], 0.5 * x[at + 4], 0.5 * x[at + 5])


@inlined
def _put_torque(grad: Array, block: int, planar: int, torque: Vector) -> None:
    if planar:
        grad[block, 2] = torque[2]
    else:
        grad[block, 3], grad[block, 4], grad[block, 5] = torque


@inlined
def _force_of(grad: Array, block: int, planar: int) -> Vector:
    return (grad[block, 0], grad[block, 1], 0.0 if planar else grad[block, 2])


@inlined
def _quadratic_torques(system: System, work: Work, kind: int, i: int, x: Array) -> None:
    """Torque blocks R̄⁻¹τ of the functions of one entry: points, lengths, components, scalar products."""
    entry, reals, pose, grad = system.entries[i], system.entry_reals, work.pose, work.grad
    a, b, planar = entry[ENTRY.A], entry[ENTRY.B], entry[ENTRY.PLANAR]
    R_A, R_B, u_A, u_B = (
        rotation_of(pose, a),
        rotation_of(pose, b),
        _half_turn(system, a, x),
        _half_turn(system, b, x),
    )
    for j in range(entry[ENTRY.COUNT]):
        on_a, on_b = entry[ENTRY.BLOCK] + 2 * j, entry[ENTRY.BLOCK] + 2 * j + 1
        if kind == PRODUCT:
            torque = cross(
                rotate(R_A, load(reals, i, dot_product.X)), rotate(R_B, load(reals, i, dot_product.Y + 3 * j))
            )
            tau_A, tau_B = torque, scale(-1.0, torque)
        else:
            s_A, s_B = rotate(R_A, load(reals, i, point.P_A)), rotate(R_B, load(reals, i, point.P_B))
            tau_A, tau_B = (
                cross(s_A, _force_of(grad, on_a, planar)),
                cross(s_B, _force_of(grad, on_b, planar)),
            )
            if kind == COMPONENT:
                d = sub(add(centre_of(pose, b), s_B), add(centre_of(pose, a), s_A))
                tau_A = add(tau_A, cross(rotate(R_A, load(reals, i, component.AXIS)), d))
        _put_torque(grad, on_a, planar, _to_body(R_A, planar, u_A, tau_A))
        _put_torque(grad, on_b, planar, _to_body(R_B, planar, u_B, tau_B))


@kernel
def discrete_gradients(packed: Packed, h: float, x: Array, mass_x: Array, old_s: Array, new_s: Array) -> None:
    """Gradients that satisfy (1); mean values and mean rates of the coordinate functions."""
    system, work = open_system(packed), open_work(packed)
    for kind in range(LAST):
        if kind in VELOCITY_LEVEL:
            continue
        for i in range(system.ranges[kind, SPAN.BEGIN], system.ranges[kind, SPAN.USED]):
            if kind in QUADRATIC:
                _quadratic_torques(system, work, kind, i, x)
            first = system.entries[i, ENTRY.COORDINATE]
            for g in range(first, first + system.entries[i, ENTRY.COUNT]):
                change, mean = new_s[g] - old_s[g], 0.5 * (old_s[g] + new_s[g])
                if kind == LENGTH:
                    _scale(system, work, g, work.coordinate[g, COORDINATE_VALUE.VALUE] / mean)
                elif kind == PLANAR_ANGLE:
                    _scale(system, work, g, _angle_share(system, system.entries[i], x))
                elif kind not in QUADRATIC:
                    missing = change - function_times(system, work.grad, g, x)
                    _add_along_motion(system, work, g, missing, x, mass_x)
                work.coordinate[g, COORDINATE_VALUE.VALUE] = mean
                work.coordinate[g, COORDINATE_VALUE.RATE] = change / h
    begin, end = system.ranges[LAST, SPAN.BEGIN], system.ranges[LAST, SPAN.USED]
    if end > begin:
        call_evaluate(packed, LAST, begin, end)
