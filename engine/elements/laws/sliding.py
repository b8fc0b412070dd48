"""What the laws of dry friction share: slip of one to three components, and what presses on the surfaces.

A friction acts along the functions from its first one on, whose rates are the components of the slip u; its
force points against u. What it is multiplied by is 1 where it is given as an effort. Where it depends on the
reaction F that the rows of a joint put on one of its bodies, it is

    N = |F|,   or with a thrust face   N = |F_r| + (r_face/r) |F_a|

with the parts of F across and along the axis that an angle is counted about [Budynas 2011, §8-2].
"""

import math

import numpy as np

from engine.compiled.columns import bodies as BODIES
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import forces as LAW
from engine.compiled.columns import poses as POSE
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import rows as ROWS
from engine.compiled.kernel import inlined
from engine.compiled.layout import Array, System, Work
from engine.elements.laws.base import push_along, tangent_across, tangent_along

FACE = 8  # column of force_reals of frictions along one function: r_face/r, 0 without a face
SMALL = 1e-4  # tanh x/x by its series
TURNS = 1e-9  # m/s or rad/s
STRAIGHT = 1e-12  # the same, across the direction that is held: rounding


@inlined
def slip_of(system: System, work: Work, i: int, count: int) -> tuple[float, float, float, float]:
    """Components of the slip of a line with so many, and its magnitude."""
    g = system.forces[i, LAW.A]
    u = work.coordinate[g, COORDINATE_VALUE.RATE]
    v = work.coordinate[g + 1, COORDINATE_VALUE.RATE] if count > 1 else 0.0
    w = work.coordinate[g + 2, COORDINATE_VALUE.RATE] if count > 2 else 0.0
    return u, v, w, math.sqrt(u * u + v * v + w * w)


@inlined
def against(u: float, v: float, w: float, x: float, y: float, z: float) -> tuple[float, float, float, float]:
    """Direction in which a slip (u, v, w) counts, and its speed, while the direction (x, y, z) is held.

    The speed is negative where the slip has turned against what is held: friction goes on smoothly through
    zero. What is slower than `TURNS` along the direction counts as that fast, and what is slower than
    `STRAIGHT` across it as nothing: friction turns with rounding otherwise, by the more the slower the slip
    is, and explicit steps towards rest make it grow.
    """
    along = u * x + v * y + w * z
    sign = -1.0 if along < 0.0 else 1.0
    p, q, r = sign * (u - along * x), sign * (v - along * y), sign * (w - along * z)
    if p * p + q * q + r * r <= STRAIGHT * STRAIGHT:
        p = q = r = 0.0
    forth = max(abs(along), TURNS)
    size = math.sqrt(forth * forth + p * p + q * q + r * r)
    speed = sign * math.sqrt(u * u + v * v + w * w)
    return (forth * x + p) / size, (forth * y + q) / size, (forth * z + r) / size, speed


@inlined
def push_components(system: System, work: Work, i: int, count: int, x: float, y: float, z: float) -> None:
    """Efforts along the functions of a line."""
    g = system.forces[i, LAW.A]
    push_along(system, work, g, x)
    if count > 1:
        push_along(system, work, g + 1, y)
    if count > 2:
        push_along(system, work, g + 2, z)


@inlined
def tangent_of_slip(
    system: System,
    work: Work,
    i: int,
    count: int,
    slip: tuple[float, float, float, float],
    isotropic: float,
    along: float,
) -> None:
    """Of efforts with ∂f_j/∂u_k = isotropic·δ_jk + along·u_j u_k."""
    g = system.forces[i, LAW.A]
    if count == 1:
        tangent_along(system, work, g, 0.0, isotropic + along * slip[0] * slip[0])
        return
    for j in range(count):
        own = slip[0] if j == 0 else slip[1] if j == 1 else slip[2]
        for k in range(count):
            other = slip[0] if k == 0 else slip[1] if k == 1 else slip[2]
            by_rate = (isotropic if j == k else 0.0) + along * own * other
            tangent_across(system, work, g + j, g + k, 0.0, by_rate)


@inlined
def stribeck(kinetic: float, static: float, about: float, speed: float) -> tuple[float, float]:
    """F_k + (F_s − F_k) exp(−(u/v_S)²), and its derivative by u divided by u; F_k at once where v_S is 0."""
    if about <= 0.0:
        return kinetic, 0.0
    x = speed / about
    fading = (static - kinetic) * math.exp(-x * x)
    return kinetic + fading, -2.0 * fading / (about * about)


@inlined
def smoothed(speed: float, smoothing: float) -> tuple[float, float]:
    """tanh(|u|/v_0)/|u|, and its derivative by |u| divided by |u|."""
    x = speed / smoothing
    if x < SMALL:
        return (1.0 - x * x / 3.0) / smoothing, -2.0 / 3.0 / smoothing**3
    steep = math.tanh(x)
    slope = (1.0 - steep * steep) / smoothing
    return steep / speed, (slope - steep / speed) / (speed * speed)


@inlined
def load(system: System, work: Work, i: int, first: int, face: float) -> float:
    """N of a line whose rows of reaction, begin, end and body, stand from column `first` on."""
    force = system.forces[i]
    begin, end, body = force[first], force[first + 1], force[first + 2]
    if end <= begin:
        return 1.0
    x, y, z = 0.0, 0.0, 0.0
    for r in range(begin, end):
        function = system.coordinate_functions[system.rows[r, ROWS.COORDINATE]]
        at, multiplier = function[COORDINATE.BLOCK], work.row[r, ROW_VALUE.LAMBDA]
        for block in range(at, at + function[COORDINATE.BLOCKS]):
            if system.block_bodies[block] == body:
                x += multiplier * work.grad[block, 0]
                y += multiplier * work.grad[block, 1]
                if system.bodies[body, BODIES.PLANAR] == 0:
                    z += multiplier * work.grad[block, 2]
    square = x * x + y * y + z * z
    if face <= 0.0 or system.bodies[body, BODIES.PLANAR] != 0:
        return float(np.sqrt(square))
    axial = _axial(system, work, system.forces[i, LAW.A], body, x, y, z)
    return float(np.sqrt(max(square - axial * axial, 0.0)) + face * abs(axial))


@inlined
def _axial(system: System, work: Work, g: int, body: int, x: float, y: float, z: float) -> float:
    """Component of a force along the axis about which a body turns when an angle changes."""
    at = system.coordinate_functions[g, COORDINATE.BLOCK]
    for block in range(at, at + system.coordinate_functions[g, COORDINATE.BLOCKS]):
        if system.block_bodies[block] == body:
            pose, grad = work.pose[body], work.grad[block]
            along = x * _turned(pose, grad, 0) + y * _turned(pose, grad, 1) + z * _turned(pose, grad, 2)
            size = math.sqrt(grad[3] * grad[3] + grad[4] * grad[4] + grad[5] * grad[5])
            return float(along / size) if size > 0.0 else 0.0
    return 0.0


@inlined
def _turned(pose: Array, grad: Array, i: int) -> float:
    """A component in the world of the rotational part of a gradient, which is in body axes."""
    at = POSE.R + 3 * i
    return float(pose[at] * grad[3] + pose[at + 1] * grad[4] + pose[at + 2] * grad[5])
