"""The mouse: a spring and damper between a point of a body and a place in the world, led from outside.

f = k (target − p) − c p',  p = r + R p̄. All numbers are live: written between two calls of `advance`, and a
stiffness of zero is no pull. What f does is work from outside; nothing is stored or dissipated here.
"""

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import forces as LAW
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.columns import velocity_blocks as BLOCK
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Packed, System, Work
from engine.elements.laws.base import LawKind, push_body
from engine.elements.primitives.base import centre_of, rotation_of, spin_of, unit, velocity_of, widen
from engine.maths.vectors import Rotation, Vector, add, cross, dot, load, mix, rotate, sub, unrotate

# columns of force_reals
POINT = 0  # in body axes from the centre of mass
TARGET = 3  # in the world
STIFFNESS, DAMPING = 6, 7
# its index: a number like the others, so that grabbing another body leaves the structure alone
PULLED_BODY = 8


@inlined
def _pull(system: System, work: Work, i: int, body: int, R: Rotation) -> tuple[Vector, Vector]:
    """Force in the world, and the velocity of the point."""
    law = system.force_reals[i]
    p_B = load(system.force_reals, i, POINT)
    place = add(centre_of(work.pose, body), rotate(R, p_B))
    velocity = add(velocity_of(work.pose, body), rotate(R, cross(spin_of(work.pose, body), p_B)))
    away = sub(load(system.force_reals, i, TARGET), place)
    return mix(law[STIFFNESS], away, -law[DAMPING], velocity), velocity


@kernel
def force(packed: Packed, t: float, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    for i in range(begin, end):
        if system.force_reals[i, STIFFNESS] == 0.0:
            continue
        body = int(system.force_reals[i, PULLED_BODY])
        R = rotation_of(work.pose, body)
        f, velocity = _pull(system, work, i, body, R)
        work.power[system.forces[i, LAW.QUADRATURE]] += dot(f, velocity)
        torque = cross(load(system.force_reals, i, POINT), unrotate(R, f))
        push_body(system.bodies, work.vectors[VECTOR.Q], body, f, torque)


@kernel
def tangent(packed: Packed, t: float, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    for i in range(begin, end):
        if system.force_reals[i, STIFFNESS] == 0.0:
            continue
        body = int(system.force_reals[i, PULLED_BODY])
        planar, block = system.bodies[body, BODY.PLANAR], system.velocity_blocks[body]
        start, step = block[BLOCK.START], block[BLOCK.ROW_STEP]
        R = rotation_of(work.pose, body)
        law, p_B = system.force_reals[i], load(system.force_reals, i, POINT)
        f, _ = _pull(system, work, i, body, R)
        swing = cross(spin_of(work.pose, body), p_B)
        for n in range(widen(planar)):
            dr, dtheta = unit(planar, n)
            dp = add(dr, rotate(R, cross(dtheta, p_B)))
            # by position: p moves by dp, R (ω × p̄) turns;  by velocity: p' changes as p does
            df = mix(-law[STIFFNESS], dp, -law[DAMPING], rotate(R, cross(dtheta, swing)))
            dtorque = cross(p_B, add(unrotate(R, df), cross(unrotate(R, f), dtheta)))
            df_v = mix(-law[DAMPING], dp, 0.0, dp)
            dtorque_v = cross(p_B, unrotate(R, df_v))
            for m in range(widen(planar)):
                em, en = unit(planar, m)
                work.stiffness[start + m * step + n] += dot(em, df) + dot(en, dtorque)
                work.damping[start + m * step + n] += dot(em, df_v) + dot(en, dtorque_v)


KIND = LawKind("mouse", force, tangent, on_body=True)
