"""Applied force and torque: functions of time, in world or body axes, at a body point or at a moving point.

At a body point p̄ the force f acts with the torque p̄ × Rᵀf; at a given world point P with Rᵀ((P − r) × f).
"""

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import forces as LAW
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.columns import velocity_blocks as BLOCK
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Packed, System, Work
from engine.elements.laws.base import LawKind, push_body
from engine.elements.primitives.base import (
    centre_of,
    rotation_of,
    spin_of,
    unit,
    velocity_of,
    widen,
)
from engine.maths.jets import law_value
from engine.maths.vectors import ZERO, Vector, add, cross, dot, load, rotate, sub, unrotate

# the kind's integers: axes of the components, then programs or -1
IN_BODY, FORCE, POINT = LAW.X, LAW.X + 1, LAW.X + 4
POINT_COLUMNS = 0  # of force_reals: point in body axes from the centre of mass
IS_TORQUE = 3  # of force_reals: 1 for a torque


@inlined
def _vector(system: System, work: Work, t: float, i: int, column: int) -> Vector:
    x, y, z = system.forces[i, column], system.forces[i, column + 1], system.forces[i, column + 2]
    stack = work.stack[0]
    return (
        law_value(system.code, system.data, x, t, 0.0, 0.0, stack) if x >= 0 else 0.0,
        law_value(system.code, system.data, y, t, 0.0, 0.0, stack) if y >= 0 else 0.0,
        law_value(system.code, system.data, z, t, 0.0, 0.0, stack) if z >= 0 else 0.0,
    )


@inlined
def _moving(system: System, i: int) -> bool:
    """Whether the point of application is given as a function of time."""
    programs = system.forces[i]
    return bool(programs[POINT] >= 0 or programs[POINT + 1] >= 0 or programs[POINT + 2] >= 0)


@inlined
def _wrench(system: System, work: Work, t: float, i: int) -> tuple[Vector, Vector]:
    """Force at the centre of mass in the world, torque in body axes."""
    body = system.forces[i, LAW.A]
    R = rotation_of(work.pose, body)
    given = _vector(system, work, t, i, FORCE)
    if system.force_reals[i, IS_TORQUE] != 0.0:
        return ZERO, given if system.forces[i, IN_BODY] else unrotate(R, given)
    f = rotate(R, given) if system.forces[i, IN_BODY] else given
    if _moving(system, i):
        arm = sub(_vector(system, work, t, i, POINT), centre_of(work.pose, body))
        return f, unrotate(R, cross(arm, f))
    return f, cross(load(system.force_reals, i, POINT_COLUMNS), unrotate(R, f))


@kernel
def force(packed: Packed, t: float, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    for i in range(begin, end):
        body = system.forces[i, LAW.A]
        f, torque = _wrench(system, work, t, i)
        power = dot(f, velocity_of(work.pose, body)) + dot(torque, spin_of(work.pose, body))
        work.power[system.forces[i, LAW.QUADRATURE]] += power
        push_body(system.bodies, work.vectors[VECTOR.Q], body, f, torque)


@kernel
def tangent(packed: Packed, t: float, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    for i in range(begin, end):
        body = system.forces[i, LAW.A]
        start, step = system.velocity_blocks[body, BLOCK.START], system.velocity_blocks[body, BLOCK.ROW_STEP]
        if system.bodies[body, BODY.V] < 0:
            continue
        planar = system.bodies[body, BODY.PLANAR]
        R = rotation_of(work.pose, body)
        f, torque = _wrench(system, work, t, i)
        is_torque, in_body = system.force_reals[i, IS_TORQUE] != 0.0, system.forces[i, IN_BODY]
        for n in range(widen(planar)):
            dr, dtheta = unit(planar, n)
            df, dtorque = ZERO, ZERO
            if is_torque and not in_body:
                dtorque = cross(torque, dtheta)
            elif not is_torque and in_body:
                df = rotate(R, cross(dtheta, unrotate(R, f)))
            if not is_torque and _moving(system, i):
                arm = sub(_vector(system, work, t, i, POINT), centre_of(work.pose, body))
                moved = sub(cross(arm, df), cross(dr, f))
                dtorque = add(cross(torque, dtheta), unrotate(R, moved))
            elif not is_torque and not in_body:
                dtorque = cross(load(system.force_reals, i, POINT_COLUMNS), cross(unrotate(R, f), dtheta))
            # column n of the tangent: one entry per row of the body
            for m in range(widen(planar)):
                em, en = unit(planar, m)
                work.stiffness[start + m * step + n] += dot(em, df) + dot(en, dtorque)


KIND = LawKind("applied", force, tangent, integers=7, reals=4, on_body=True, first_program=1)
