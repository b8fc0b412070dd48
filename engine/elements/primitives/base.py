"""What primitives share: the kind record, and the derivatives of body-fixed vectors.

A primitive gives coordinate functions: scalar functions s(q). A constraint holds a coordinate function at a
function of time, a force acts along it, a measure shows it. Every coordinate function is built of vectors
fixed in a body (directions and points), so its derivatives follow from those of x = R x̄ along a motion with
angular velocity ω and acceleration α in body axes:

    x' = R x1,  x1 = ω × x̄          x'' = R x2,  x2 = ω × x1 + α × x̄
    δx = R (δθ × x̄),  δx' = R (δθ × x1),  δx'' = R (δθ × x2)                     (q varied, ω and α kept)
    δx' = R (δω × x̄),  δx'' = R (δω × x1 + ω × (δω × x̄))                         (ω varied)

so y·δx = δθ·(x̄ × Rᵀy): `lever`. A coordinate function therefore only states the vectors that multiply δx,
δx' and δx''.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.compiled.columns import entries as ENTRY
from engine.compiled.columns import poses as POSE
from engine.compiled.columns import velocity_blocks as BLOCK
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Ints, System
from engine.maths.arrays import index
from engine.maths.vectors import Rotation, Vector, add, cross, rotate, scale, sub, unrotate

# which way a function pushes a body: any, along the world axis that ENTRY.X names, or not at all
ANY, ALONG_AXIS, TURNS = 0, 1, 2


@dataclass(frozen=True)
class PrimitiveKind:
    """Facts and compiled functions of one kind of primitive."""

    name: str
    evaluate: Any  # value, rate, bias and gradient blocks of all its coordinate functions
    tangent: Any  # derivatives of rate and acceleration, and the geometric stiffness
    # how many of its own a coordinate function gives it, in `System.entries` from `ENTRY.X` on
    integers: int = 0
    reals: int = 0  # and in `System.entry_reals`
    counts_turns: bool = False  # its value is known up to whole turns, which are tracked from step to step
    velocity_level: bool = False  # non-holonomic: no value, the gradient is the row A(q)
    push: int = ANY  # of its functions on their bodies


@inlined
def places_of(entries: Ints, i: int) -> tuple[int, int, int, int, int]:
    """Bodies A and B, whether it is planar, coordinate function and first block of gradients of an entry."""
    return (
        entries[i, ENTRY.A],
        entries[i, ENTRY.B],
        entries[i, ENTRY.PLANAR],
        entries[i, ENTRY.COORDINATE],
        entries[i, ENTRY.BLOCK],
    )


@kernel
def rotation_of(pose: Array, body: int) -> Rotation:
    p = pose[body]
    return (
        p[POSE.R],
        p[POSE.R + 1],
        p[POSE.R + 2],
        p[POSE.R + 3],
        p[POSE.R + 4],
        p[POSE.R + 5],
        p[POSE.R + 6],
        p[POSE.R + 7],
        p[POSE.R + 8],
    )


@kernel
def centre_of(pose: Array, body: int) -> Vector:
    return (pose[body, POSE.P], pose[body, POSE.P + 1], pose[body, POSE.P + 2])


@kernel
def velocity_of(pose: Array, body: int) -> Vector:
    return (pose[body, POSE.V], pose[body, POSE.V + 1], pose[body, POSE.V + 2])


@kernel
def spin_of(pose: Array, body: int) -> Vector:
    return (pose[body, POSE.W], pose[body, POSE.W + 1], pose[body, POSE.W + 2])


@kernel
def world_spin_of(pose: Array, body: int) -> Vector:
    return (pose[body, POSE.SPIN], pose[body, POSE.SPIN + 1], pose[body, POSE.SPIN + 2])


@kernel
def first(w: Vector, x: Vector) -> Vector:
    """x1 of the module's heading: body components of x'."""
    return cross(w, x)


@kernel
def second(w: Vector, alpha: Vector, x: Vector) -> Vector:
    """x2 of the module's heading: body components of x''."""
    return add(cross(w, cross(w, x)), cross(alpha, x))


@kernel
def lever(R: Rotation, x: Vector, y: Vector) -> Vector:
    """Torque of the world vector y at the body vector x, in body axes."""
    return cross(x, unrotate(R, y))


@kernel
def vary_q(R: Rotation, x: Vector, x1: Vector, x2: Vector, y0: Vector, y1: Vector, y2: Vector) -> Vector:
    """Coefficient of δθ in y0·δx + y1·δx' + y2·δx''."""
    return add(add(lever(R, x, y0), lever(R, x1, y1)), lever(R, x2, y2))


@kernel
def vary_v(R: Rotation, x: Vector, x1: Vector, w: Vector, y1: Vector, y2: Vector) -> Vector:
    """Coefficient of δω in y1·δx' + y2·δx''."""
    # y·(R(ω × (δω × x̄))) = δω·(x̄ × (ŷ × ω)),  ŷ = Rᵀy
    return add(add(lever(R, x, y1), lever(R, x1, y2)), cross(x, cross(unrotate(R, y2), w)))


@kernel
def put(table: Array, block: int, planar: int, force: Vector, torque: Vector) -> None:
    """Store the block of one body: six numbers, or x, y and the moment about z in the plane."""
    if planar:
        table[block, 0], table[block, 1], table[block, 2] = force[0], force[1], torque[2]
    else:
        table[block, 0], table[block, 1], table[block, 2] = force
        table[block, 3], table[block, 4], table[block, 5] = torque


@kernel
def unit(planar: int, i: int) -> tuple[Vector, Vector]:
    """Velocity and angular velocity of the i-th velocity coordinate of a body."""
    k = 5 if planar and i == 2 else i
    v = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
    w = (1.0 if k == 3 else 0.0, 1.0 if k == 4 else 0.0, 1.0 if k == 5 else 0.0)
    return v, w


@kernel
def widen(planar: int) -> int:
    """Number of velocity coordinates of a body."""
    return 3 if planar else 6


@inlined
def add_block(
    matrix: Array, system: System, pair: int, n: int, planar: int, w: float, force: Vector, torque: Vector
) -> None:
    """Add w·(force, torque) to row n of a block of a matrix over the velocities; the world has none."""
    number = system.pairs[pair]
    if number < 0:
        return
    block = system.velocity_blocks[number]
    at, step = index(block[BLOCK.START] + n * block[BLOCK.ROW_STEP]), index(block[BLOCK.COLUMN_STEP])
    third = at + step + step
    matrix[at] += w * force[0]
    matrix[at + step] += w * force[1]
    if planar:
        matrix[third] += w * torque[2]
    else:
        fourth = third + step
        matrix[third] += w * force[2]
        matrix[fourth] += w * torque[0]
        matrix[fourth + step] += w * torque[1]
        matrix[fourth + step + step] += w * torque[2]


@inlined
def first_turn(planar: int) -> int:
    """The first axis a body can turn about: z alone in the plane."""
    return 2 if planar else 0


@inlined
def axis_of(axis: int) -> Vector:
    return (1.0 if axis == 0 else 0.0, 1.0 if axis == 1 else 0.0, 1.0 if axis == 2 else 0.0)


@inlined
def add_turn(
    matrix: Array, system: System, pair: int, axis: int, planar: int, w: float, torque: Vector
) -> None:
    """As `add_block` where turning about an axis changes a torque alone: functions of orientations."""
    number = system.pairs[pair]
    if number < 0:
        return
    block = system.velocity_blocks[number]
    step, turns = block[BLOCK.COLUMN_STEP], 0 if planar else 3
    at = index(block[BLOCK.START] + (turns + axis) * block[BLOCK.ROW_STEP] + turns * step)
    if planar:
        matrix[at + index(2 * step)] += w * torque[2]
    else:
        matrix[at] += w * torque[0]
        matrix[at + index(step)] += w * torque[1]
        matrix[at + index(2 * step)] += w * torque[2]


@kernel
def separation(R_A: Rotation, r_A: Vector, p_A: Vector, R_B: Rotation, r_B: Vector, p_B: Vector) -> Vector:
    """World vector from point p of body A to point p of body B."""
    return sub(add(r_B, rotate(R_B, p_B)), add(r_A, rotate(R_A, p_A)))


@kernel
def separation_rate(
    R_A: Rotation, v_A: Vector, p1_A: Vector, R_B: Rotation, v_B: Vector, p1_B: Vector
) -> Vector:
    """First or second time derivative of `separation`, from the body components of the points' motion."""
    return sub(add(v_B, rotate(R_B, p1_B)), add(v_A, rotate(R_A, p1_A)))


@kernel
def negative(a: Vector) -> Vector:
    return scale(-1.0, a)
