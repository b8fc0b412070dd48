"""The equations of a mechanism at one instant: gauges, constraint rows, forces, energies and all tangents.

Every function reads and writes `Work`; the caller keeps the order poses → gauges → rows → forces.
"""

from engine.compiled.arenas import open_system, open_work
from engine.compiled.dispatch import call_evaluate, call_force, call_force_tangent, call_tangent
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import (
    B_PLANAR,
    B_V,
    BR_GRAVITY,
    BR_INERTIA,
    BR_MASS,
    EN_GRAVITY,
    EN_KINETIC,
    G_BLOCK,
    G_BLOCKS,
    GV_BIAS,
    GV_RATE,
    GV_REFERENCE,
    GV_VALUE,
    KR_BEGIN,
    KR_END,
    KR_USED,
    P_P,
    P_V,
    P_W,
    R_ACTIVE,
    R_GAUGE,
    R_PROGRAM,
    R_QUADRATURE,
    R_VELOCITY,
    RR_TARGET,
    RV_F,
    RV_FT,
    RV_FTT,
    RV_GAMMA,
    RV_LAMBDA,
    RV_PHI,
    RV_RATE,
    S_PRIMITIVES,
    V_Q,
    Array,
    Ints,
    Packed,
    System,
    Work,
)
from engine.elements.primitives.combination import spread_weights
from engine.maths.jets import time_jet
from engine.maths.vectors import Vector, add, cross, dot
from engine.system.equations.kinematics import poses


@inlined
def gauges(packed: Packed, system: System) -> None:
    """Value, rate, bias and gradient of the gauges that take part in the motion, at the current poses."""
    for k in range(system.sizes[S_PRIMITIVES]):
        begin, end = system.ranges[k, KR_BEGIN], system.ranges[k, KR_USED]
        if end > begin:
            call_evaluate(packed, k, begin, end)


@inlined
def idle_gauges(packed: Packed, system: System) -> None:
    """The same for gauges that nothing needs but the eye, such as the angles of free hinges."""
    for k in range(system.sizes[S_PRIMITIVES]):
        begin, end = system.ranges[k, KR_USED], system.ranges[k, KR_END]
        if end > begin:
            call_evaluate(packed, k, begin, end)


@inlined
def constraint_rows(system: System, work: Work, t: float) -> None:
    """Violation, its rate, and γ of every row from the gauges and the functions of time.

    Position row: Φ = s − f, Φ' = s' − f', γ = f'' − bias. Velocity row: A v = f, γ = f' − bias. The time
    dependence is additive, so Φ_qt = 0, Φ_t = −f', Φ_tt = −f''.
    """
    for r in range(system.rows.shape[0]):
        row, out = system.rows[r], work.row[r]
        g = row[R_GAUGE]
        if row[R_ACTIVE] == 0:
            # a row that is switched off has no gradient: the linear algebra needs no case of its own
            out[RV_PHI], out[RV_RATE], out[RV_GAMMA] = 0.0, 0.0, 0.0
            begin = system.gauges[g, G_BLOCK]
            work.grad[begin : begin + system.gauges[g, G_BLOCKS]] = 0.0
            continue
        if row[R_PROGRAM] >= 0:
            time_jet(system.code, system.data, row[R_PROGRAM], t, work.stack[0], work.stack[1])
            out[RV_F], out[RV_FT], out[RV_FTT] = work.stack[1, 0], work.stack[1, 1], work.stack[1, 2]
        else:
            out[RV_F], out[RV_FT], out[RV_FTT] = system.row_reals[r, RR_TARGET], 0.0, 0.0
        if row[R_VELOCITY]:
            out[RV_PHI] = 0.0
            out[RV_RATE] = work.gauge[g, GV_RATE] - out[RV_F]
            out[RV_GAMMA] = out[RV_FT] - work.gauge[g, GV_BIAS]
        else:
            out[RV_PHI] = work.gauge[g, GV_VALUE] - out[RV_F]
            out[RV_RATE] = work.gauge[g, GV_RATE] - out[RV_FT]
            out[RV_GAMMA] = out[RV_FTT] - work.gauge[g, GV_BIAS]


@kernel
def constraints(packed: Packed, t: float, q: Array, v: Array) -> None:
    """Poses, gauges that take part and rows at (t, q, v)."""
    system, work = open_system(packed), open_work(packed)
    poses(system.bodies, q, v, work.pose)
    gauges(packed, system)
    constraint_rows(system, work, t)


@kernel
def constraints_and_coordinates(packed: Packed, t: float, q: Array, v: Array) -> None:
    """The same with every gauge, for those who look at a state rather than step from it."""
    system, work = open_system(packed), open_work(packed)
    poses(system.bodies, q, v, work.pose)
    gauges(packed, system)
    idle_gauges(packed, system)
    constraint_rows(system, work, t)


@inlined
def spin_momentum(inertia: Array, w: Vector) -> Vector:
    """Moment of momentum J ω about the centre of mass, body axes."""
    j = inertia[BR_INERTIA : BR_INERTIA + 9]
    return (
        j[0] * w[0] + j[1] * w[1] + j[2] * w[2],
        j[3] * w[0] + j[4] * w[1] + j[5] * w[2],
        j[6] * w[0] + j[7] * w[1] + j[8] * w[2],
    )


@kernel
def forces(packed: Packed, t: float) -> None:
    """Generalised forces (gravity, gyroscopic torque, all laws), elastic energy, powers and weights."""
    system, work = open_system(packed), open_work(packed)
    load = work.vectors[V_Q]
    for b in range(system.bodies.shape[0] - 1):
        at, p, real = system.bodies[b, B_V], work.pose[b], system.body_reals[b]
        mass = real[BR_MASS]
        load[at], load[at + 1] = mass * real[BR_GRAVITY], mass * real[BR_GRAVITY + 1]
        if system.bodies[b, B_PLANAR]:
            load[at + 2] = 0.0
        else:
            w = (p[P_W], p[P_W + 1], p[P_W + 2])
            torque = cross(spin_momentum(real, w), w)
            load[at + 2] = mass * real[BR_GRAVITY + 2]
            load[at + 3], load[at + 4], load[at + 5] = torque
    work.power[:] = 0.0
    work.energy[:] = 0.0
    work.weight[:] = 0.0
    first = system.sizes[S_PRIMITIVES]
    for k in range(system.ranges.shape[0] - first):
        begin, end = system.ranges[first + k, KR_BEGIN], system.ranges[first + k, KR_END]
        if end > begin:
            call_force(packed, k, t, begin, end)


@inlined
def motion_powers(system: System, work: Work) -> None:
    """Power of the motions, once the multipliers are known: λ times the prescribed rate."""
    for r in range(system.rows.shape[0]):
        quadrature = system.rows[r, R_QUADRATURE]
        if quadrature >= 0:
            rate = work.row[r, RV_F] if system.rows[r, R_VELOCITY] else work.row[r, RV_FT]
            work.power[quadrature] += work.row[r, RV_LAMBDA] * rate


@kernel
def energies(packed: Packed) -> None:
    """Kinetic and gravitational energy at the current poses; the laws have added the elastic one."""
    system, work = open_system(packed), open_work(packed)
    kinetic, gravity = 0.0, 0.0
    for b in range(system.bodies.shape[0] - 1):
        p, real = work.pose[b], system.body_reals[b]
        w = (p[P_W], p[P_W + 1], p[P_W + 2])
        speed2 = p[P_V] ** 2 + p[P_V + 1] ** 2 + p[P_V + 2] ** 2
        kinetic += 0.5 * (real[BR_MASS] * speed2 + dot(w, spin_momentum(real, w)))
        for c in range(3):
            gravity -= real[BR_MASS] * real[BR_GRAVITY + c] * p[P_P + c]
    work.energy[EN_KINETIC] = kinetic
    work.energy[EN_GRAVITY] = gravity


@kernel
def accelerations_to_bodies(bodies: Ints, a: Array, accel: Array) -> None:
    """Spread the acceleration vector over the bodies, as the tangents read it."""
    for b in range(bodies.shape[0] - 1):
        at = bodies[b, B_V]
        accel[b, 0], accel[b, 1] = a[at], a[at + 1]
        if bodies[b, B_PLANAR]:
            accel[b, 5] = a[at + 2]
        else:
            for c in range(2, 6):
                accel[b, c] = a[at + c]


@kernel
def tangents(packed: Packed, t: float, a: Array) -> None:
    """∂(Q + Jᵀλ)/∂q and ∂Q/∂v, and the derivatives of the rows' rates and accelerations.

    Needs `constraints` and `forces` at the same (t, q, v); λ is read from the rows.
    """
    system, work = open_system(packed), open_work(packed)
    accelerations_to_bodies(system.bodies, a, work.accel)
    work.stiffness[:] = 0.0
    work.damping[:] = 0.0
    for r in range(system.rows.shape[0]):
        if system.rows[r, R_ACTIVE]:
            work.weight[system.rows[r, R_GAUGE]] += work.row[r, RV_LAMBDA]
    last = system.sizes[S_PRIMITIVES] - 1  # combination
    spread_weights(
        system.entries,
        system.links,
        system.link_reals,
        work.weight,
        system.ranges[last, KR_BEGIN],
        system.ranges[last, KR_USED],
    )
    for k in range(system.sizes[S_PRIMITIVES]):
        begin, end = system.ranges[k, KR_BEGIN], system.ranges[k, KR_USED]
        if end > begin:
            call_tangent(packed, k, begin, end)
    first = system.sizes[S_PRIMITIVES]
    for k in range(system.ranges.shape[0] - first):
        begin, end = system.ranges[first + k, KR_BEGIN], system.ranges[first + k, KR_END]
        if end > begin:
            call_force_tangent(packed, k, t, begin, end)
    # a row that is switched off has no tangents, as it has no gradient
    for r in range(system.rows.shape[0]):
        if system.rows[r, R_ACTIVE] == 0:
            gauge = system.gauges[system.rows[r, R_GAUGE]]
            work.tangent[:, gauge[G_BLOCK] : gauge[G_BLOCK] + gauge[G_BLOCKS]] = 0.0
    # gyroscopic torque Jω × ω:  its derivative by ω
    for b in range(system.bodies.shape[0] - 1):
        if system.bodies[b, B_PLANAR] == 0:
            at, p, real = system.bodies[b, B_V] + 3, work.pose[b], system.body_reals[b]
            w = (p[P_W], p[P_W + 1], p[P_W + 2])
            h = spin_momentum(real, w)
            for c in range(3):
                e = (1.0 if c == 0 else 0.0, 1.0 if c == 1 else 0.0, 1.0 if c == 2 else 0.0)
                column = add(cross(spin_momentum(real, e), w), cross(h, e))
                for m in range(3):
                    work.damping[at + m, at + c] += column[m]


@inlined
def count_turns(system: System, work: Work) -> None:
    """After an accepted step: angles unwrap about their present values from now on."""
    for k in range(system.tracked.shape[0]):
        g = system.tracked[k]
        work.gauge[g, GV_REFERENCE] = work.gauge[g, GV_VALUE]
