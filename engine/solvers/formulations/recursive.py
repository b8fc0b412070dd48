"""Joint coordinates of open chains and trees, by the articulated-body recursion [Featherstone 2008, ch. 7].

The state holds what the joints allow and nothing else: angles and displacements z of the joints and their
rates, unit quaternions and spins where they are balls, all six of bodies that hang on nothing. Bodies follow
from the world outward (`equations/tree_motion.py`), accelerations by one sweep inward and one outward
(`linsolve/articulated.py`). Rows are never looked at, so they hold to rounding, and nothing is projected;
what they would have to push is found for samples alone, from M a = Q + Jᵀλ, J a = γ at the bodies' poses.

State vector y = (z, ż, w): the coordinates of a body's joint are the first in the place that the coordinates
of the body have elsewhere, its velocities likewise; what is left there stays zero.
"""

import math

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import poses as POSE
from engine.compiled.columns import ranges as SPAN
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import tree as TREE
from engine.compiled.columns import tree_sorts as TREE_SORT
from engine.compiled.columns import tree_values as TREE_VALUE
from engine.compiled.dispatch import call_evaluate, call_forces, call_rate
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Packed, Room, System
from engine.compiled.states import motion_size, open_motion
from engine.maths.arrays import copy, index
from engine.solvers.formulations.base import FormulationKind
from engine.solvers.formulations.common import NOT_FINITE, OK
from engine.solvers.formulations.lagrange import acceleration
from engine.solvers.linsolve.articulated import accelerations
from engine.system.equations.equations import coordinates_at_rest, count_turns
from engine.system.equations.kinematics import poses
from engine.system.equations.sampling import write_sample
from engine.system.equations.tree_motion import matrix, move, place_body, quaternion_of, read_coordinates

NO_TREE = "it follows open chains and trees, joint by joint"


@kernel
def rate(packed: Packed, t: float, y: Array, dy: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    state, out, planar = open_motion(system, y), open_motion(system, dy), system.bodies[0, BODY.PLANAR] == 1
    for i in range(index(0), index(system.tree.shape[0])):
        move(system, work, i, state.q, state.v)
        if system.tree[i, TREE.BODY] >= 0:
            place_body(system, work, i, planar)
    for k in range(system.sizes[SIZE.PRIMITIVES]):
        begin, end = system.ranges[k, SPAN.BEGIN], system.ranges[k, SPAN.ACTING]
        if end > begin:
            call_evaluate(packed, k, begin, end)
    call_forces(packed, t)
    for c in range(dy.shape[0]):
        dy[c] = 0.0
    work.counters[COUNT.EVALUATIONS] += 1
    status = accelerations(system, work, out.v)
    if status != OK:
        return int(status)
    total = 0.0
    for i in range(index(0), index(system.tree.shape[0])):
        line = system.tree[i]
        at, to = index(line[TREE.Q]), index(line[TREE.V])
        if line[TREE.SORT] == TREE_SORT.ALONG_AXIS:
            out.q[at] = state.v[to]
            total += abs(out.v[to])
        elif line[TREE.SORT] == TREE_SORT.BALL:
            w, x, yy, z = state.q[at], state.q[at + 1], state.q[at + 2], state.q[at + 3]
            a, b, c = 0.5 * state.v[to], 0.5 * state.v[to + 1], 0.5 * state.v[to + 2]
            out.q[at] = -x * a - yy * b - z * c
            out.q[at + 1] = w * a + yy * c - z * b
            out.q[at + 2] = w * b + z * a - x * c
            out.q[at + 3] = w * c + x * b - yy * a
            total += abs(out.v[to]) + abs(out.v[to + 1]) + abs(out.v[to + 2])
    copy(work.power, out.works)
    if math.isfinite(total):
        return OK
    work.counters[COUNT.OFFENDER] = -1
    for c in range(out.v.shape[0]):
        if not math.isfinite(out.v[c]):
            work.counters[COUNT.OFFENDER] = c
            break
    return NOT_FINITE


@kernel
def project(packed: Packed, t: float, y: Array) -> int:
    """Quaternions of balls get unit length."""
    system = open_system(packed)
    q = open_motion(system, y).q
    for i in range(system.tree.shape[0]):
        if system.tree[i, TREE.SORT] == TREE_SORT.BALL:
            at = index(system.tree[i, TREE.Q])
            norm = math.sqrt(q[at] ** 2 + q[at + 1] ** 2 + q[at + 2] ** 2 + q[at + 3] ** 2)
            for k in range(4):
                q[at + k] /= norm
    return OK


@kernel
def start(packed: Packed, clock: Array, y: Array) -> int:
    """Joint coordinates of the poses that are given."""
    system, work = open_system(packed), open_work(packed)
    state, s, planar = open_motion(system, y), work.scratch, system.bodies[0, BODY.PLANAR] == 1
    poses(system.bodies, state.q, state.v, work.pose)
    for i in range(system.tree.shape[0]):
        body = system.tree[i, TREE.BODY]
        if body >= 0 and not planar:
            at = system.bodies[body, BODY.Q]
            copy(state.q[at + 3 : at + 7], s[i, TREE_VALUE.QUATERNION :])
    for c in range(state.q.shape[0]):
        state.q[c] = 0.0
    for c in range(state.v.shape[0]):
        state.v[c] = 0.0
    read_coordinates(system, work, planar, state.q, state.v)
    status = call_rate(packed, clock[CLOCK.NOW], y, work.stages[0])
    coordinates_at_rest(packed, system)
    count_turns(system, work)
    return int(status)


@kernel
def report(packed: Packed, clock: Array, y: Array, sample: Array) -> None:
    """Coordinates of the bodies, their accelerations and reactions; quaternions keep their sign from sample
    to sample."""
    system, work = open_system(packed), open_work(packed)
    s, planar = work.scratch, system.bodies[0, BODY.PLANAR] == 1
    nq, nv = system.sizes[SIZE.NQ], system.sizes[SIZE.NV]
    q, v = sample[1 : 1 + nq], sample[1 + nq : 1 + nq + nv]
    for i in range(system.tree.shape[0]):
        body = system.tree[i, TREE.BODY]
        if body < 0:
            continue
        at, to, pose = system.bodies[body, BODY.Q], system.bodies[body, BODY.V], work.pose[body]
        q[at], q[at + 1], v[to], v[to + 1] = pose[POSE.P], pose[POSE.P + 1], pose[POSE.V], pose[POSE.V + 1]
        if planar:
            q[at + 2], v[to + 2] = pose[POSE.ANGLE], pose[POSE.W + 2]
            continue
        q[at + 2], v[to + 2] = pose[POSE.P + 2], pose[POSE.V + 2]
        found, past, sign = quaternion_of(matrix(pose, POSE.R)), s[i, TREE_VALUE.QUATERNION :], 0.0
        for k in range(4):
            sign += found[k] * past[k]
        for k in range(4):
            q[at + 3 + k] = past[k] = found[k] if sign >= 0.0 else -found[k]
        for k in range(3):
            v[to + 3 + k] = pose[POSE.W + k]
    acceleration(packed, clock[CLOCK.NOW], q, v)
    write_sample(system, work, clock, q, v, open_motion(system, y).works, sample)


def refuses(system: System) -> str:
    """What is no tree; the mechanism knows why."""
    return "" if len(system.tree) or not int(system.sizes[SIZE.BODIES]) else NO_TREE


def room(system: System) -> Room:
    return Room(vectors=len(system.tree) + 1, order=TREE_VALUE.COLUMNS)


KIND = FormulationKind(
    name="recursive",
    title="Joint coordinates, recursive",
    summary="Open chains and trees joint by joint; the work grows with the number of bodies, and joints stay "
    "closed to rounding.",
    layout="z",
    size=motion_size,
    rate=rate,
    start=start,
    report=report,
    project=project,
    room=room,
    refuses=refuses,
    jump_failure="its joints have coordinates and no rows that could come and go",
)
