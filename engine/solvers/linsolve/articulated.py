"""Accelerations of an open mechanism by the articulated-body recursion [Featherstone 2008, ch. 7].

Inward, from the tips of `System.tree`: what a movement carries answers its acceleration by

    [moment; force] = [Θ H; Hᵀ M] [α; a] + [n; f],

about the origin of its frame, in world axes: its own body, and what hangs on it as far as the movements in
between do not give way. With s = [eτ; eσ] the motion of a unit of z̈, u = [Θ H; Hᵀ M] s, d = s·u and the
acceleration c that comes from velocities,

    [Θ H; Hᵀ M] − u uᵀ/d   and   [n; f] + [Θ H; Hᵀ M] c − u (s·[n; f] + u·c)/d

are what is handed to the parent, moved to its origin. Outward, z̈ = −(s·[n; f] + u·(a′ + c))/d with a′ the
parent's acceleration moved here. The work grows with the number of movements.
"""

from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import poses as POSE
from engine.compiled.columns import tree as TREE
from engine.compiled.columns import tree_reals as TREE_REAL
from engine.compiled.columns import tree_sorts as TREE_SORT
from engine.compiled.columns import tree_values as TREE_VALUE
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.kernel import fast_kernel, inlined_fast
from engine.compiled.layout import Array, StepStatus, System, Work
from engine.maths.arrays import index
from engine.maths.vectors import Rotation, Vector, add, cross, dot, mix, rotate, scale, unrotate
from engine.system.equations.tree_motion import keep, matrix, vector

OK, SINGULAR = int(StepStatus.OK), int(StepStatus.SINGULAR)
Symmetric = tuple[float, float, float, float, float, float]  # xx, xy, xz, yy, yz, zz


@inlined_fast
def _symmetric(row: Array, at: int) -> Symmetric:
    return (row[at], row[at + 1], row[at + 2], row[at + 3], row[at + 4], row[at + 5])


@inlined_fast
def _keep_symmetric(row: Array, at: int, S: Symmetric) -> None:
    for k in range(6):
        row[at + k] = S[k]


@inlined_fast
def _add_symmetric(row: Array, at: int, S: Symmetric) -> None:
    for k in range(6):
        row[at + k] += S[k]


@inlined_fast
def _times(S: Symmetric, a: Vector) -> Vector:
    return (
        S[0] * a[0] + S[1] * a[1] + S[2] * a[2],
        S[1] * a[0] + S[3] * a[1] + S[4] * a[2],
        S[2] * a[0] + S[4] * a[1] + S[5] * a[2],
    )


@inlined_fast
def _rotated(R: Rotation, S: Symmetric) -> Symmetric:
    """R S Rᵀ."""
    x, y, z = (
        _times(S, (R[0], R[1], R[2])),
        _times(S, (R[3], R[4], R[5])),
        _times(S, (R[6], R[7], R[8])),
    )
    return (
        R[0] * x[0] + R[1] * x[1] + R[2] * x[2],
        R[3] * x[0] + R[4] * x[1] + R[5] * x[2],
        R[6] * x[0] + R[7] * x[1] + R[8] * x[2],
        R[3] * y[0] + R[4] * y[1] + R[5] * y[2],
        R[6] * y[0] + R[7] * y[1] + R[8] * y[2],
        R[6] * z[0] + R[7] * z[1] + R[8] * z[2],
    )


@inlined_fast
def _inverse(S: Symmetric) -> tuple[Symmetric, float]:
    """S⁻¹, and the determinant of S over the product of its diagonal."""
    xx, xy, xz = S[3] * S[5] - S[4] * S[4], S[2] * S[4] - S[1] * S[5], S[1] * S[4] - S[2] * S[3]
    determinant = S[0] * xx + S[1] * xy + S[2] * xz
    k = 1.0 / determinant
    inverse = (
        k * xx,
        k * xy,
        k * xz,
        k * (S[0] * S[5] - S[2] * S[2]),
        k * (S[1] * S[2] - S[0] * S[4]),
        k * (S[0] * S[3] - S[1] * S[1]),
    )
    return inverse, determinant / (S[0] * S[3] * S[5])


@inlined_fast
def _carry(system: System, work: Work, i: int) -> None:
    """The own body of a line: its inertia about the origin of the frame, and the loads on it."""
    line, real, own = system.tree[i], system.tree_reals[i], work.scratch[i]
    for k in range(TREE_VALUE.INERTIA, TREE_VALUE.PUSH):
        own[k] = 0.0
    if line[TREE.BODY] < 0:
        return
    body, load = index(line[TREE.BODY]), work.vectors[VECTOR.Q]
    at, mass, spin = index(system.bodies[body, BODY.V]), real[TREE_REAL.MASS], vector(own, TREE_VALUE.SPIN)
    c = vector(own, TREE_VALUE.ARM_TO_CENTRE)
    first = scale(mass, c)
    inertia = _symmetric(real, TREE_REAL.INERTIA)
    _keep_symmetric(own, TREE_VALUE.INERTIA, _rotated(matrix(own, TREE_VALUE.R), inertia))
    own[TREE_VALUE.COUPLING + 1], own[TREE_VALUE.COUPLING + 2], own[TREE_VALUE.COUPLING + 3] = (
        -first[2],
        first[1],
        first[2],
    )
    own[TREE_VALUE.COUPLING + 5], own[TREE_VALUE.COUPLING + 6], own[TREE_VALUE.COUPLING + 7] = (
        -first[0],
        -first[1],
        first[0],
    )
    own[TREE_VALUE.MASS] = own[TREE_VALUE.MASS + 3] = own[TREE_VALUE.MASS + 5] = mass
    turning = cross(spin, cross(spin, first))
    if system.bodies[body, BODY.PLANAR]:
        force = (turning[0] - load[at], turning[1] - load[at + 1], 0.0)
        torque = (0.0, 0.0, load[at + 2])
    else:
        force = (turning[0] - load[at], turning[1] - load[at + 1], turning[2] - load[at + 2])
        R = matrix(work.pose[body], POSE.R)
        torque = rotate(R, (load[at + 3], load[at + 4], load[at + 5]))
    keep(own, TREE_VALUE.MOMENT, mix(1.0, cross(c, force), -1.0, torque))
    keep(own, TREE_VALUE.FORCE, force)


@inlined_fast
def _hand_over(
    base: Array, r: Vector, inertia: Symmetric, H: Rotation, M: Symmetric, moment: Vector, force: Vector
) -> None:
    """Add to the parent what a line is to it, about its origin: H′ = H + r̃ M, Θ′ = Θ − H r̃ + r̃ H′ᵀ."""
    x, y, z = cross(r, (M[0], M[1], M[2])), cross(r, (M[1], M[3], M[4])), cross(r, (M[2], M[4], M[5]))
    moved = (
        H[0] + x[0],
        H[1] + y[0],
        H[2] + z[0],
        H[3] + x[1],
        H[4] + y[1],
        H[5] + z[1],
        H[6] + x[2],
        H[7] + y[2],
        H[8] + z[2],
    )
    one, two, three = cross(r, (H[0], H[1], H[2])), cross(r, (H[3], H[4], H[5])), cross(r, (H[6], H[7], H[8]))
    a = cross(r, (moved[0], moved[1], moved[2]))
    b = cross(r, (moved[3], moved[4], moved[5]))
    c = cross(r, (moved[6], moved[7], moved[8]))
    base[TREE_VALUE.INERTIA] += inertia[0] + one[0] + a[0]
    base[TREE_VALUE.INERTIA + 1] += inertia[1] + one[1] + b[0]
    base[TREE_VALUE.INERTIA + 2] += inertia[2] + one[2] + c[0]
    base[TREE_VALUE.INERTIA + 3] += inertia[3] + two[1] + b[1]
    base[TREE_VALUE.INERTIA + 4] += inertia[4] + two[2] + c[1]
    base[TREE_VALUE.INERTIA + 5] += inertia[5] + three[2] + c[2]
    for k in range(9):
        base[TREE_VALUE.COUPLING + k] += moved[k]
    _add_symmetric(base, TREE_VALUE.MASS, M)
    keep(base, TREE_VALUE.MOMENT, add(vector(base, TREE_VALUE.MOMENT), add(moment, cross(r, force))))
    keep(base, TREE_VALUE.FORCE, add(vector(base, TREE_VALUE.FORCE), force))


@fast_kernel
def _inward(system: System, work: Work) -> int:
    """What each movement carries, and what is left for its parent; SINGULAR where nothing is carried."""
    lines, s = index(system.tree.shape[0]), work.scratch
    for k in range(system.tree.shape[0]):
        i = lines - index(1) - index(k)
        line, real, own = system.tree[i], system.tree_reals[i], s[i]
        inertia, H = _symmetric(own, TREE_VALUE.INERTIA), matrix(own, TREE_VALUE.COUPLING)
        M = _symmetric(own, TREE_VALUE.MASS)
        moment, force = vector(own, TREE_VALUE.MOMENT), vector(own, TREE_VALUE.FORCE)
        c, d = vector(own, TREE_VALUE.TURN_BIAS), vector(own, TREE_VALUE.BIAS)
        if line[TREE.SORT] == TREE_SORT.BALL:
            inverse, regular = _inverse(inertia)
            if not regular > 0.0:
                return SINGULAR
            _keep_symmetric(own, TREE_VALUE.PUSH, inverse)
            keep(own, TREE_VALUE.EFFORT, scale(-1.0, moment))
            if line[TREE.PARENT] == system.tree.shape[0]:
                continue
            # Θ and H give way altogether: M − Hᵀ Θ⁻¹ H
            x = _times(inverse, (H[0], H[3], H[6]))
            y = _times(inverse, (H[1], H[4], H[7]))
            z = _times(inverse, (H[2], H[5], H[8]))
            M = (
                M[0] - (H[0] * x[0] + H[3] * x[1] + H[6] * x[2]),
                M[1] - (H[0] * y[0] + H[3] * y[1] + H[6] * y[2]),
                M[2] - (H[0] * z[0] + H[3] * z[1] + H[6] * z[2]),
                M[3] - (H[1] * y[0] + H[4] * y[1] + H[7] * y[2]),
                M[4] - (H[1] * z[0] + H[4] * z[1] + H[7] * z[2]),
                M[5] - (H[2] * z[0] + H[5] * z[1] + H[8] * z[2]),
            )
            force = add(force, mix(1.0, _times(M, d), -1.0, unrotate(H, _times(inverse, moment))))
            inertia, H, moment = (0.0,) * 6, (0.0,) * 9, (0.0, 0.0, 0.0)
        else:
            if line[TREE.SORT] == TREE_SORT.ALONG_AXIS:
                turn, advance, e = real[TREE_REAL.TURN], real[TREE_REAL.ADVANCE], vector(own, TREE_VALUE.AXIS)
                u, w = scale(turn, _times(inertia, e)), scale(turn, unrotate(H, e))
                if advance != 0.0:
                    u, w = mix(1.0, u, advance, rotate(H, e)), mix(1.0, w, advance, _times(M, e))
                pivot = turn * dot(e, u) + advance * dot(e, w)
                if not pivot > 0.0:
                    return SINGULAR
                k1 = 1.0 / pivot
                effort = -(turn * dot(e, moment) + advance * dot(e, force))
                keep(own, TREE_VALUE.PUSH, u)
                keep(own, TREE_VALUE.PUSH + 3, w)
                own[TREE_VALUE.PIVOT], own[TREE_VALUE.EFFORT] = k1, effort
                if line[TREE.PARENT] == system.tree.shape[0]:
                    continue
                ku, kw = scale(k1, u), scale(k1, w)
                inertia = (
                    inertia[0] - ku[0] * u[0],
                    inertia[1] - ku[0] * u[1],
                    inertia[2] - ku[0] * u[2],
                    inertia[3] - ku[1] * u[1],
                    inertia[4] - ku[1] * u[2],
                    inertia[5] - ku[2] * u[2],
                )
                H = (
                    H[0] - ku[0] * w[0],
                    H[1] - ku[0] * w[1],
                    H[2] - ku[0] * w[2],
                    H[3] - ku[1] * w[0],
                    H[4] - ku[1] * w[1],
                    H[5] - ku[1] * w[2],
                    H[6] - ku[2] * w[0],
                    H[7] - ku[2] * w[1],
                    H[8] - ku[2] * w[2],
                )
                M = (
                    M[0] - kw[0] * w[0],
                    M[1] - kw[0] * w[1],
                    M[2] - kw[0] * w[2],
                    M[3] - kw[1] * w[1],
                    M[4] - kw[1] * w[2],
                    M[5] - kw[2] * w[2],
                )
                moment, force = mix(1.0, moment, effort, ku), mix(1.0, force, effort, kw)
            elif line[TREE.PARENT] == system.tree.shape[0]:
                continue
            moment = add(moment, add(_times(inertia, c), rotate(H, d)))
            force = add(force, add(unrotate(H, c), _times(M, d)))
        _hand_over(s[index(line[TREE.PARENT])], vector(own, TREE_VALUE.ARM), inertia, H, M, moment, force)
    return OK


@fast_kernel
def _outward(system: System, work: Work, a: Array) -> None:
    """Accelerations of the coordinates, from the world to the tips."""
    s = work.scratch
    for i in range(index(0), index(system.tree.shape[0])):
        line, own, base = system.tree[i], s[i], s[index(system.tree[i, TREE.PARENT])]
        alpha = vector(base, TREE_VALUE.ALPHA)
        acceleration = add(vector(base, TREE_VALUE.ACCELERATION), cross(alpha, vector(own, TREE_VALUE.ARM)))
        alpha = add(alpha, vector(own, TREE_VALUE.TURN_BIAS))
        acceleration = add(acceleration, vector(own, TREE_VALUE.BIAS))
        to = index(line[TREE.V])
        if line[TREE.SORT] == TREE_SORT.ALONG_AXIS:
            real, e = system.tree_reals[i], vector(own, TREE_VALUE.AXIS)
            answer = dot(vector(own, TREE_VALUE.PUSH), alpha) + dot(
                vector(own, TREE_VALUE.PUSH + 3), acceleration
            )
            a[to] = (own[TREE_VALUE.EFFORT] - answer) * own[TREE_VALUE.PIVOT]
            alpha = mix(1.0, alpha, real[TREE_REAL.TURN] * a[to], e)
            acceleration = mix(1.0, acceleration, real[TREE_REAL.ADVANCE] * a[to], e)
        elif line[TREE.SORT] == TREE_SORT.BALL:
            left = mix(
                1.0,
                vector(own, TREE_VALUE.EFFORT),
                -1.0,
                rotate(matrix(own, TREE_VALUE.COUPLING), acceleration),
            )
            found = _times(_symmetric(own, TREE_VALUE.PUSH), left)
            relative = unrotate(matrix(own, TREE_VALUE.R), mix(1.0, found, -1.0, alpha))
            a[to], a[to + 1], a[to + 2] = relative
            alpha = found
        keep(own, TREE_VALUE.ALPHA, alpha)
        keep(own, TREE_VALUE.ACCELERATION, acceleration)


@fast_kernel
def accelerations(system: System, work: Work, a: Array) -> int:
    """Of the joint coordinates, under the loads in VECTOR.Q, at the poses of `tree_motion.move`."""
    for i in range(index(0), index(system.tree.shape[0])):
        _carry(system, work, i)
    status = _inward(system, work)
    if status == OK:
        _outward(system, work, a)
    return status
