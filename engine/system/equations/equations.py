"""The equations of a mechanism at one instant: coordinate functions, constraint rows, forces, energies and
all tangents.

Every function reads and writes `Work`; the caller keeps the order poses → coordinate functions → rows →
forces.
"""

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import body_reals as BODY_REAL
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import energies as ENERGY
from engine.compiled.columns import poses as POSE
from engine.compiled.columns import ranges as SPAN
from engine.compiled.columns import row_reals as ROW_REAL
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import rows as ROW
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.columns import velocity_blocks as BLOCK
from engine.compiled.dispatch import call_evaluate, call_force, call_force_tangent, call_tangent
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Ints, Packed, System, Work
from engine.elements.primitives import combination, composite
from engine.maths.arrays import index
from engine.maths.jets import time_jet
from engine.maths.vectors import Vector, add, cross, dot
from engine.system.equations.kinematics import poses

# the last kinds of primitives, which are made of others: composite, on both levels, and combination
MADE_OF_OTHERS = 3


@inlined
def coordinate_functions(packed: Packed, system: System) -> None:
    """Value, rate, bias and gradient of the coordinate functions that take part in the motion, at the
    current poses."""
    for k in range(system.sizes[SIZE.PRIMITIVES]):
        begin, end = system.ranges[k, SPAN.BEGIN], system.ranges[k, SPAN.USED]
        if end > begin:
            call_evaluate(packed, k, begin, end)


@inlined
def coordinates_at_rest(packed: Packed, system: System) -> None:
    """The same for coordinate functions that nothing needs but the eye, such as the angles of free hinges."""
    for k in range(system.sizes[SIZE.PRIMITIVES]):
        begin, end = system.ranges[k, SPAN.USED], system.ranges[k, SPAN.END]
        if end > begin:
            call_evaluate(packed, k, begin, end)


@inlined
def coordinate_at_rest(packed: Packed, system: System, g: int) -> None:
    """One of those, if g is one; where it is made of others, all of them."""
    kinds = system.sizes[SIZE.PRIMITIVES]
    for k in range(kinds):
        if system.ranges[k, SPAN.USED] <= g < system.ranges[k, SPAN.END]:
            if k < kinds - MADE_OF_OTHERS:
                call_evaluate(packed, k, g, g + 1)
            else:
                coordinates_at_rest(packed, system)


@inlined
def constraint_rows(system: System, work: Work, t: float) -> None:
    """Violation, its rate, and γ of every row from the coordinate functions and the functions of time.

    Position row: Φ = s − f, Φ' = s' − f', γ = f'' − bias. Velocity row: A v = f, γ = f' − bias. The time
    dependence is additive, so Φ_qt = 0, Φ_t = −f', Φ_tt = −f''.
    """
    for r in range(index(0), index(system.rows.shape[0])):
        row, out = system.rows[r], work.row[r]
        g = index(row[ROW.COORDINATE])
        function = work.coordinate[g]
        value, rate, bias = (
            function[COORDINATE_VALUE.VALUE],
            function[COORDINATE_VALUE.RATE],
            function[COORDINATE_VALUE.BIAS],
        )
        if row[ROW.ACTIVE] == 0:
            # a row that is switched off has no gradient: the linear algebra needs no case of its own
            out[ROW_VALUE.PHI], out[ROW_VALUE.RATE], out[ROW_VALUE.GAMMA] = 0.0, 0.0, 0.0
            begin = system.coordinate_functions[g, COORDINATE.BLOCK]
            work.grad[begin : begin + system.coordinate_functions[g, COORDINATE.BLOCKS]] = 0.0
            continue
        if row[ROW.PROGRAM] >= 0:
            time_jet(system.code, system.data, row[ROW.PROGRAM], t, work.stack[0], work.stack[1])
            out[ROW_VALUE.F], out[ROW_VALUE.FT], out[ROW_VALUE.FTT] = (
                work.stack[1, 0],
                work.stack[1, 1],
                work.stack[1, 2],
            )
        else:
            out[ROW_VALUE.F], out[ROW_VALUE.FT], out[ROW_VALUE.FTT] = (
                system.row_reals[r, ROW_REAL.TARGET],
                0.0,
                0.0,
            )
        if row[ROW.VELOCITY]:
            out[ROW_VALUE.PHI] = 0.0
            out[ROW_VALUE.RATE] = rate - out[ROW_VALUE.F]
            out[ROW_VALUE.GAMMA] = out[ROW_VALUE.FT] - bias
        else:
            out[ROW_VALUE.PHI] = value - out[ROW_VALUE.F]
            out[ROW_VALUE.RATE] = rate - out[ROW_VALUE.FT]
            out[ROW_VALUE.GAMMA] = out[ROW_VALUE.FTT] - bias


@kernel
def constraints(packed: Packed, t: float, q: Array, v: Array) -> None:
    """Poses, coordinate functions that take part and rows at (t, q, v)."""
    system, work = open_system(packed), open_work(packed)
    poses(system.bodies, q, v, work.pose)
    coordinate_functions(packed, system)
    constraint_rows(system, work, t)


@kernel
def constraints_and_coordinates(packed: Packed, t: float, q: Array, v: Array) -> None:
    """The same with every coordinate function, for those who look at a state rather than step from it."""
    system, work = open_system(packed), open_work(packed)
    poses(system.bodies, q, v, work.pose)
    coordinate_functions(packed, system)
    coordinates_at_rest(packed, system)
    constraint_rows(system, work, t)


@inlined
def spin_momentum(inertia: Array, w: Vector) -> Vector:
    """Moment of momentum Θω about the centre of mass, body axes."""
    j = inertia[BODY_REAL.INERTIA : BODY_REAL.INERTIA + 9]
    return (
        j[0] * w[0] + j[1] * w[1] + j[2] * w[2],
        j[3] * w[0] + j[4] * w[1] + j[5] * w[2],
        j[6] * w[0] + j[7] * w[1] + j[8] * w[2],
    )


@kernel
def forces(packed: Packed, t: float) -> None:
    """Generalised forces (gravity, gyroscopic torque, all laws), elastic energy, powers and weights."""
    system, work = open_system(packed), open_work(packed)
    load = work.vectors[VECTOR.Q]
    for b in range(system.bodies.shape[0] - 1):
        at, p, real = system.bodies[b, BODY.V], work.pose[b], system.body_reals[b]
        mass = real[BODY_REAL.MASS]
        load[at], load[at + 1] = mass * real[BODY_REAL.GRAVITY], mass * real[BODY_REAL.GRAVITY + 1]
        if system.bodies[b, BODY.PLANAR]:
            load[at + 2] = 0.0
        else:
            w = (p[POSE.W], p[POSE.W + 1], p[POSE.W + 2])
            torque = cross(spin_momentum(real, w), w)
            load[at + 2] = mass * real[BODY_REAL.GRAVITY + 2]
            load[at + 3], load[at + 4], load[at + 5] = torque
    work.power[:] = 0.0
    work.energy[:] = 0.0
    work.weight[:] = 0.0
    first = system.sizes[SIZE.PRIMITIVES]
    for k in range(system.ranges.shape[0] - first):
        begin, end = system.ranges[first + k, SPAN.BEGIN], system.ranges[first + k, SPAN.END]
        if end > begin:
            call_force(packed, k, t, begin, end)


@inlined
def motion_powers(system: System, work: Work) -> None:
    """Power of the motions, once the multipliers are known: λ times the prescribed rate."""
    for r in range(system.rows.shape[0]):
        quadrature = system.rows[r, ROW.QUADRATURE]
        if quadrature >= 0:
            rate = work.row[r, ROW_VALUE.F] if system.rows[r, ROW.VELOCITY] else work.row[r, ROW_VALUE.FT]
            work.power[quadrature] += work.row[r, ROW_VALUE.LAMBDA] * rate


@kernel
def energies(packed: Packed) -> None:
    """Kinetic and gravitational energy at the current poses; the laws have added the elastic one."""
    system, work = open_system(packed), open_work(packed)
    kinetic, gravity = 0.0, 0.0
    for b in range(system.bodies.shape[0] - 1):
        p, real = work.pose[b], system.body_reals[b]
        w = (p[POSE.W], p[POSE.W + 1], p[POSE.W + 2])
        speed2 = p[POSE.V] ** 2 + p[POSE.V + 1] ** 2 + p[POSE.V + 2] ** 2
        kinetic += 0.5 * (real[BODY_REAL.MASS] * speed2 + dot(w, spin_momentum(real, w)))
        for c in range(3):
            gravity -= real[BODY_REAL.MASS] * real[BODY_REAL.GRAVITY + c] * p[POSE.P + c]
    work.energy[ENERGY.KINETIC] = kinetic
    work.energy[ENERGY.GRAVITY] = gravity


@kernel
def accelerations_to_bodies(bodies: Ints, a: Array, accel: Array) -> None:
    """Spread the acceleration vector over the bodies, as the tangents read it."""
    for b in range(bodies.shape[0] - 1):
        at = bodies[b, BODY.V]
        accel[b, 0], accel[b, 1] = a[at], a[at + 1]
        if bodies[b, BODY.PLANAR]:
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
        if system.rows[r, ROW.ACTIVE]:
            work.weight[system.rows[r, ROW.COORDINATE]] += work.row[r, ROW_VALUE.LAMBDA]
    last = system.sizes[SIZE.PRIMITIVES] - 1  # combination
    combination.spread_weights(
        system.entries,
        system.links,
        system.link_reals,
        work.weight,
        system.ranges[last, SPAN.BEGIN],
        system.ranges[last, SPAN.USED],
    )
    for k in range(
        last + 1 - MADE_OF_OTHERS, last
    ):  # composite, on the levels of positions and of velocities
        composite.spread_weights(packed, system.ranges[k, SPAN.BEGIN], system.ranges[k, SPAN.USED])
    for k in range(system.sizes[SIZE.PRIMITIVES]):
        begin, end = system.ranges[k, SPAN.BEGIN], system.ranges[k, SPAN.USED]
        if end > begin:
            call_tangent(packed, k, begin, end)
    first = system.sizes[SIZE.PRIMITIVES]
    for k in range(system.ranges.shape[0] - first):
        begin, end = system.ranges[first + k, SPAN.BEGIN], system.ranges[first + k, SPAN.END]
        if end > begin:
            call_force_tangent(packed, k, t, begin, end)
    # a row that is switched off has no tangents, as it has no gradient
    for r in range(system.rows.shape[0]):
        if system.rows[r, ROW.ACTIVE] == 0:
            coordinate_function = system.coordinate_functions[system.rows[r, ROW.COORDINATE]]
            work.tangent[
                :,
                coordinate_function[COORDINATE.BLOCK] : coordinate_function[COORDINATE.BLOCK]
                + coordinate_function[COORDINATE.BLOCKS],
            ] = 0.0
    # gyroscopic torque Θω × ω:  its derivative by ω
    for b in range(system.bodies.shape[0] - 1):
        if system.bodies[b, BODY.PLANAR] == 0:
            p, real, block = work.pose[b], system.body_reals[b], system.velocity_blocks[b]
            at, step = block[BLOCK.START] + 3 * (block[BLOCK.ROW_STEP] + 1), block[BLOCK.ROW_STEP]
            w = (p[POSE.W], p[POSE.W + 1], p[POSE.W + 2])
            h = spin_momentum(real, w)
            for c in range(3):
                e = (1.0 if c == 0 else 0.0, 1.0 if c == 1 else 0.0, 1.0 if c == 2 else 0.0)
                column = add(cross(spin_momentum(real, e), w), cross(h, e))
                for m in range(3):
                    work.damping[at + m * step + c] += column[m]


@inlined
def count_turns(system: System, work: Work) -> None:
    """After an accepted step: angles unwrap about their present values from now on."""
    for k in range(system.tracked.shape[0]):
        g = system.tracked[k]
        work.coordinate[g, COORDINATE_VALUE.REFERENCE] = work.coordinate[g, COORDINATE_VALUE.VALUE]
