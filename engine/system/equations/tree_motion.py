"""Poses of an open mechanism from the coordinates of its joints, line by line of `System.tree`; and back.

Frame of a line: axes R and origin P after its movement, spin ω and velocity v of the origin, world axes. With
ω₀, v₀ and r from the parent's origin, and the movement a turn by τz about the axis e and a slide by σz along
it:

    ω = ω₀ + e τż,   v = v₀ + ω₀ × r + e σż
    α = α₀ + e τz̈ + ω₀ × e τż,   a = a₀ + α₀ × r + e σz̈ + ω₀ × (ω₀ × r) + 2 ω₀ × e σż

A ball has a unit quaternion for its coordinates and its spin in its own axes for its velocities.
"""

import math

from engine.compiled.columns import poses as POSE
from engine.compiled.columns import tree as TREE
from engine.compiled.columns import tree_reals as TREE_REAL
from engine.compiled.columns import tree_sorts as TREE_SORT
from engine.compiled.columns import tree_values as TREE_VALUE
from engine.compiled.kernel import inlined, inlined_fast, kernel
from engine.compiled.layout import Array, System, Work
from engine.maths.arrays import index
from engine.maths.vectors import ZERO, Rotation, Vector, add, cross, dot, mix, rotate, scale, sub, unrotate


@inlined
def vector(row: Array, at: int) -> Vector:
    return (row[at], row[at + 1], row[at + 2])


@inlined
def keep(row: Array, at: int, a: Vector) -> None:
    row[at], row[at + 1], row[at + 2] = a


@inlined
def matrix(row: Array, at: int) -> Rotation:
    return (
        row[at],
        row[at + 1],
        row[at + 2],
        row[at + 3],
        row[at + 4],
        row[at + 5],
        row[at + 6],
        row[at + 7],
        row[at + 8],
    )


@inlined
def keep_matrix(row: Array, at: int, R: Rotation) -> None:
    for c in range(9):
        row[at + c] = R[c]


@inlined_fast
def product(A: Rotation, B: Rotation) -> Rotation:
    return (
        A[0] * B[0] + A[1] * B[3] + A[2] * B[6],
        A[0] * B[1] + A[1] * B[4] + A[2] * B[7],
        A[0] * B[2] + A[1] * B[5] + A[2] * B[8],
        A[3] * B[0] + A[4] * B[3] + A[5] * B[6],
        A[3] * B[1] + A[4] * B[4] + A[5] * B[7],
        A[3] * B[2] + A[4] * B[5] + A[5] * B[8],
        A[6] * B[0] + A[7] * B[3] + A[8] * B[6],
        A[6] * B[1] + A[7] * B[4] + A[8] * B[7],
        A[6] * B[2] + A[7] * B[5] + A[8] * B[8],
    )


@inlined_fast
def turned(R: Rotation, angle: float) -> Rotation:
    """R Rz(angle)."""
    c, s = math.cos(angle), math.sin(angle)
    return (
        c * R[0] + s * R[1],
        c * R[1] - s * R[0],
        R[2],
        c * R[3] + s * R[4],
        c * R[4] - s * R[3],
        R[5],
        c * R[6] + s * R[7],
        c * R[7] - s * R[6],
        R[8],
    )


@inlined
def half_turned(R: Rotation, about: int) -> Rotation:
    """R after half a turn about its x (1), y (2) or z (3)."""
    x, y, z = 1.0 if about == 1 else -1.0, 1.0 if about == 2 else -1.0, 1.0 if about == 3 else -1.0
    return (x * R[0], y * R[1], z * R[2], x * R[3], y * R[4], z * R[5], x * R[6], y * R[7], z * R[8])


@inlined
def of_quaternion(w: float, x: float, y: float, z: float) -> Rotation:
    """Dividing by the norm keeps it orthogonal inside the stages of a scheme."""
    k = 2.0 / (w * w + x * x + y * y + z * z)
    return (
        1.0 - k * (y * y + z * z),
        k * (x * y - w * z),
        k * (x * z + w * y),
        k * (x * y + w * z),
        1.0 - k * (x * x + z * z),
        k * (y * z - w * x),
        k * (x * z - w * y),
        k * (y * z + w * x),
        1.0 - k * (x * x + y * y),
    )


@inlined
def quaternion_of(R: Rotation) -> tuple[float, float, float, float]:
    """Unit quaternion, by its largest component."""
    trace = R[0] + R[4] + R[8]
    if trace >= R[0] and trace >= R[4] and trace >= R[8]:
        w = 1.0 + trace
        k = 0.5 / math.sqrt(w)
        return (k * w, k * (R[7] - R[5]), k * (R[2] - R[6]), k * (R[3] - R[1]))
    if R[0] >= R[4] and R[0] >= R[8]:
        x = 1.0 + R[0] - R[4] - R[8]
        k = 0.5 / math.sqrt(x)
        return (k * (R[7] - R[5]), k * x, k * (R[1] + R[3]), k * (R[2] + R[6]))
    if R[4] >= R[8]:
        y = 1.0 - R[0] + R[4] - R[8]
        k = 0.5 / math.sqrt(y)
        return (k * (R[2] - R[6]), k * (R[1] + R[3]), k * y, k * (R[5] + R[7]))
    z = 1.0 - R[0] - R[4] + R[8]
    k = 0.5 / math.sqrt(z)
    return (k * (R[3] - R[1]), k * (R[2] + R[6]), k * (R[5] + R[7]), k * z)


@inlined_fast
def at_zero(system: System, work: Work, i: int) -> tuple[Rotation, Vector]:
    """Axes of the frame before its movement, and its origin from the parent's."""
    real, base = system.tree_reals[i], work.scratch[index(system.tree[i, TREE.PARENT])]
    R = matrix(base, TREE_VALUE.R)
    r = rotate(R, vector(real, TREE_REAL.POINT))
    if not system.tree[i, TREE.STRAIGHT]:
        R = product(R, matrix(real, TREE_REAL.AXES))
    return R, r


@inlined_fast
def move(system: System, work: Work, i: int, q: Array, v: Array) -> None:
    """Pose, velocities and biases of one line, whose parent has them."""
    line, real, out = system.tree[i], system.tree_reals[i], work.scratch[i]
    base = work.scratch[index(line[TREE.PARENT])]
    R, r = at_zero(system, work, i)
    spin = vector(base, TREE_VALUE.SPIN)
    axis = (R[2], R[5], R[8])
    at, to = index(line[TREE.Q]), index(line[TREE.V])
    if line[TREE.SORT] == TREE_SORT.ALONG_AXIS:
        z, rate = q[at], v[to]
        turn, advance = real[TREE_REAL.TURN], real[TREE_REAL.ADVANCE]
        relative, bias = ZERO, cross(spin, cross(spin, r))
        if turn != 0.0:
            R = turned(R, z)
            relative = scale(rate, axis)
        velocity = cross(spin, r)
        if advance != 0.0 or line[TREE.THREADED]:
            r = mix(1.0, r, advance * z + out[TREE_VALUE.SHIFT], axis)
            slip = scale(advance * rate, axis)
            velocity = add(cross(spin, r), slip)
            bias = cross(spin, mix(1.0, velocity, 1.0, slip))
        out[TREE_VALUE.ANGLE] = base[TREE_VALUE.ANGLE] + real[TREE_REAL.ANGLE] + turn * z
    else:
        velocity = cross(spin, r)
        bias, relative = cross(spin, velocity), ZERO
        if line[TREE.SORT] == TREE_SORT.BALL:
            R = product(R, of_quaternion(q[at], q[at + 1], q[at + 2], q[at + 3]))
            relative = rotate(R, (v[to], v[to + 1], v[to + 2]))
        out[TREE_VALUE.ANGLE] = base[TREE_VALUE.ANGLE] + real[TREE_REAL.ANGLE]
    if out[TREE_VALUE.HALF] != 0.0:
        R = half_turned(R, int(out[TREE_VALUE.HALF]))
    keep_matrix(out, TREE_VALUE.R, R)
    keep(out, TREE_VALUE.P, add(vector(base, TREE_VALUE.P), r))
    keep(out, TREE_VALUE.SPIN, add(spin, relative))
    keep(out, TREE_VALUE.V, add(vector(base, TREE_VALUE.V), velocity))
    keep(out, TREE_VALUE.AXIS, axis)
    keep(out, TREE_VALUE.ARM, r)
    keep(out, TREE_VALUE.TURN_BIAS, cross(spin, relative))
    keep(out, TREE_VALUE.BIAS, bias)


@inlined_fast
def place_body(system: System, work: Work, i: int, planar: bool) -> None:
    """Pose and velocities of the body that a line carries into `Work.pose`."""
    line, real, own = system.tree[i], system.tree_reals[i], work.scratch[i]
    pose = work.pose[index(line[TREE.BODY])]
    R, spin = matrix(own, TREE_VALUE.R), vector(own, TREE_VALUE.SPIN)
    c = rotate(R, vector(real, TREE_REAL.CENTRE))
    keep(own, TREE_VALUE.ARM_TO_CENTRE, c)
    p, v = add(vector(own, TREE_VALUE.P), c), add(vector(own, TREE_VALUE.V), cross(spin, c))
    if not line[TREE.ALIGNED]:
        R = product(R, matrix(real, TREE_REAL.BODY_AXES))
    if planar:
        pose[POSE.R], pose[POSE.R + 1], pose[POSE.R + 3], pose[POSE.R + 4] = R[0], R[1], R[3], R[4]
        pose[POSE.P], pose[POSE.P + 1], pose[POSE.V], pose[POSE.V + 1] = p[0], p[1], v[0], v[1]
        pose[POSE.W + 2] = pose[POSE.SPIN + 2] = spin[2]
        pose[POSE.ANGLE] = own[TREE_VALUE.ANGLE]
        return
    keep_matrix(pose, POSE.R, R)
    keep(pose, POSE.P, p)
    keep(pose, POSE.V, v)
    keep(pose, POSE.W, unrotate(R, spin))
    keep(pose, POSE.SPIN, spin)


@kernel
def read_coordinates(system: System, work: Work, planar: bool, q: Array, v: Array) -> None:
    """Joint coordinates and velocities of the poses in `Work.pose`, into q and v."""
    lines, s = system.tree.shape[0], work.scratch
    s[lines, :] = 0.0  # the world
    for c in range(3):
        s[lines, TREE_VALUE.R + 4 * c] = 1.0
    for i in range(lines):
        line, real = system.tree[i], system.tree_reals[i]
        pose, base = work.pose[line[TREE.END]], s[line[TREE.PARENT]]
        R, r = at_zero(system, work, i)
        axis, spin = (R[2], R[5], R[8]), vector(base, TREE_VALUE.SPIN)
        body = matrix(pose, POSE.R)
        relative = sub(vector(pose, POSE.SPIN), spin)
        at, to = line[TREE.Q], line[TREE.V]
        s[i, TREE_VALUE.SHIFT] = s[i, TREE_VALUE.HALF] = 0.0
        if line[TREE.SORT] == TREE_SORT.BALL:
            frame = product(body, _transposed(matrix(real, TREE_REAL.BODY_AXES)))
            q[at], q[at + 1], q[at + 2], q[at + 3] = quaternion_of(product(_transposed(R), frame))
            v[to], v[to + 1], v[to + 2] = unrotate(frame, relative)
        elif line[TREE.SORT] == TREE_SORT.ALONG_AXIS:
            arm = rotate(body, vector(real, TREE_REAL.JOINT_POINT))
            out = add(vector(pose, POSE.P), arm)
            out = sub(out, vector(base, TREE_VALUE.P))  # the joint on the body, from the parent's origin
            distance = dot(axis, sub(out, r))
            if real[TREE_REAL.TURN] == 0.0:
                velocity = add(vector(pose, POSE.V), cross(vector(pose, POSE.SPIN), arm))
                velocity = sub(velocity, add(vector(base, TREE_VALUE.V), cross(spin, out)))
                q[at], v[to] = distance, dot(axis, velocity)
            else:
                marked = unrotate(R, rotate(body, vector(real, TREE_REAL.MARKED)))
                mark = vector(real, TREE_REAL.MARK)
                z = math.atan2(
                    mark[0] * marked[1] - mark[1] * marked[0], mark[0] * marked[0] + mark[1] * marked[1]
                )
                if planar:  # whole turns are kept
                    whole = pose[POSE.ANGLE] - base[TREE_VALUE.ANGLE] - _constant_angle(system, i)
                    z += 2.0 * math.pi * round((whole - z) / (2.0 * math.pi))
                q[at], v[to] = z, dot(axis, relative)
                if line[TREE.THREADED]:
                    s[i, TREE_VALUE.SHIFT] = distance - real[TREE_REAL.ADVANCE] * z
        move(system, work, i, q, v)
        if line[TREE.BODY] >= 0 and line[TREE.SORT] != TREE_SORT.BALL and not planar:
            s[i, TREE_VALUE.HALF] = _half(
                matrix(s[i], TREE_VALUE.R), product(body, _transposed(matrix(real, TREE_REAL.BODY_AXES)))
            )
            if s[i, TREE_VALUE.HALF] != 0.0:
                move(system, work, i, q, v)


@inlined
def _half(R: Rotation, wanted: Rotation) -> int:
    """About which axis, if any, R must make half a turn to come near to what is wanted: rows hold axes
    parallel, and assembly closes them one way or the other."""
    x = R[0] * wanted[0] + R[3] * wanted[3] + R[6] * wanted[6]
    y = R[1] * wanted[1] + R[4] * wanted[4] + R[7] * wanted[7]
    z = R[2] * wanted[2] + R[5] * wanted[5] + R[8] * wanted[8]
    if x + y >= 0.0 and x + z >= 0.0 and y + z >= 0.0:
        return 0
    return 1 if x >= y and x >= z else 2 if y >= z else 3


@inlined
def _constant_angle(system: System, i: int) -> float:
    """In the plane: by which the body that a joint carries is turned when the joint is at zero."""
    k = i
    while system.tree[k, TREE.BODY] < 0:
        k += 1
    return float(system.tree_reals[k, TREE_REAL.ANGLE])


@inlined
def _transposed(R: Rotation) -> Rotation:
    return (R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8])
