"""Random states, comparisons, and rigid-body kinematics that the engine had no hand in."""

from dataclasses import dataclass

import numpy as np
from hypothesis import Phase, settings
from hypothesis import strategies as st

from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import poses as POSE
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.layout import Array
from engine.system.equations.evaluator import Evaluator

TOLERANCE = 1e-8  # of the largest entry; differences of fourth order reach 1e-10

# a seed is no simpler for being small: no shrinking
few = settings(max_examples=15, phases=[Phase.explicit, Phase.generate])
fewer = settings(few, max_examples=4)

seeds = st.integers(0, 2**32 - 1)


@dataclass(frozen=True)
class State:
    """An instant of a mechanism, off its constraints unless assembled; every number is general."""

    t: float
    q: Array
    v: Array
    a: Array
    multipliers: Array
    angles: Array  # references about which angles unwrap


def random_state(ev: Evaluator, seed: int, *, shift: float = 0.4, turn: float = 0.6) -> State:
    """A state near the given pose: points within `shift`, rotations within `turn`."""
    rng = np.random.default_rng(seed)
    m, n = len(ev.mechanism.rows), ev.mechanism.nv
    step = rng.uniform(-shift, shift, n)
    for begin, end in rotations(ev):
        axis = rng.normal(size=end - begin)
        step[begin:end] = axis / np.linalg.norm(axis) * rng.uniform(-turn, turn)
    q = ev.retract(ev.mechanism.q, step)
    t, v, a, multipliers = rng.uniform(0.1, 1.5), rng.normal(size=n), rng.normal(size=n), rng.normal(size=m)
    return at_pose(ev, State(float(t), q, v, a, multipliers, np.zeros(len(ev.system.tracked))), q)


def at_pose(ev: Evaluator, state: State, q: Array) -> State:
    """The state at another pose, angles unwrapped about their values there."""
    ev.at(state.t, q, state.v)
    angles = ev.work.coordinate[ev.system.tracked, COORDINATE_VALUE.VALUE].copy()
    return State(state.t, q, state.v, state.a, state.multipliers, angles)


def evaluate(ev: Evaluator, state: State) -> Evaluator:
    return ev.at(state.t, state.q, state.v, state.angles)


def assembled(ev: Evaluator, state: State) -> State:
    """The nearest pose on the constraints, by Newton steps of least norm; velocities are made to fit."""
    q = state.q
    for _ in range(30):
        ev.at(state.t, q, state.v, state.angles)
        if np.abs(ev.phi).max(initial=0.0) < 1e-13:
            break
        position = np.array([not row.velocity for row in ev.mechanism.rows])
        q = ev.retract(q, -np.linalg.lstsq(ev.jacobian[position], ev.phi[position], rcond=1e-9)[0])
    ev.at(state.t, q, state.v, state.angles)
    v = state.v - np.linalg.lstsq(ev.jacobian, ev.phi_rate, rcond=1e-9)[0]
    ev.at(state.t, q, v, state.angles)
    assert np.abs(ev.phi).max(initial=0.0) < 1e-11
    assert np.abs(ev.phi_rate).max(initial=0.0) < 1e-10
    return at_pose(ev, State(state.t, q, v, state.a, state.multipliers, state.angles), q)


def error(exact: Array, measured: Array) -> float:
    """Largest difference, relative to the largest number of either."""
    exact, measured = np.asarray(exact), np.asarray(measured)
    assert exact.shape == measured.shape
    size = max(np.abs(exact).max(initial=0.0), np.abs(measured).max(initial=0.0), 1.0)
    difference = np.abs(exact - measured).max(initial=0.0) / size
    return float(difference) if np.isfinite(difference) else np.inf


def same(what: str, exact: Array, measured: Array, tolerance: float = TOLERANCE) -> None:
    """Fail with the name of the quantity when two arrays differ."""
    found = error(exact, measured)
    assert found <= tolerance, f"{what}: relative error {found:.2e}\nexact\n{exact}\nmeasured\n{measured}"


# rigid bodies


def rotations(ev: Evaluator) -> list[tuple[int, int]]:
    """Where the angular velocity of each body stands in the velocities."""
    starts = [int(b) for b in ev.system.bodies[:-1, BODY.V]]
    return [(at + 2, at + 3) if ev.mechanism.planar else (at + 3, at + 6) for at in starts]


def poses(ev: Evaluator) -> list[tuple[Array, Array]]:
    """Rotation and centre of mass of every body, after `at`."""
    return [
        (p[POSE.R : POSE.R + 9].reshape(3, 3).copy(), p[POSE.P : POSE.P + 3].copy())
        for p in ev.work.pose[:-1]
    ]


def motion(ev: Evaluator, body: int, v: Array) -> tuple[Array, Array]:
    """Velocity of the centre and angular velocity of a body, both in the world."""
    at = int(ev.system.bodies[body, BODY.V])
    R, _ = poses(ev)[body]
    if ev.mechanism.planar:
        return np.array([v[at], v[at + 1], 0.0]), np.array([0.0, 0.0, v[at + 2]])
    return v[at : at + 3].copy(), R @ v[at + 3 : at + 6]


def resultant(ev: Evaluator, force: Array) -> tuple[Array, Array]:
    """Sum of generalised forces over all bodies: force, and moment about the world's origin."""
    total, moment = np.zeros(3), np.zeros(3)
    for body, (R, r) in enumerate(poses(ev)):
        at = int(ev.system.bodies[body, BODY.V])
        f, torque = np.zeros(3), np.zeros(3)
        if ev.mechanism.planar:
            f[:2], torque[2] = force[at : at + 2], force[at + 2]
        else:
            f, torque = force[at : at + 3], R @ force[at + 3 : at + 6]
        total += f
        moment += np.cross(r, f) + torque
    return total, moment


def gyroscopic(ev: Evaluator, v: Array) -> Array:
    """The torques Jω × ω that Q holds beside the forces."""
    out, mass = np.zeros_like(v), ev.mass_matrix()
    for begin, end in rotations(ev):
        if end - begin == 3:
            out[begin:end] = np.cross(mass[begin:end, begin:end] @ v[begin:end], v[begin:end])
    return out


def product(p: Array, q: Array) -> Array:
    """Of two quaternions, scalar first."""
    return np.array([p[0] * q[0] - p[1:] @ q[1:], *(p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:]))])


def rotation_matrix(p: Array) -> Array:
    """Of a unit quaternion: the images of the axes."""
    conjugate = p * np.array([1.0, -1.0, -1.0, -1.0])
    return np.column_stack([product(product(p, np.array([0.0, *e])), conjugate)[1:] for e in np.eye(3)])


def moved(ev: Evaluator, state: State, turn: Array, shift: Array) -> tuple[State, Array]:
    """The whole mechanism moved rigidly by a unit quaternion and a shift; and the map of velocities."""
    q, n = state.q.copy(), ev.mechanism.nv
    S, T = rotation_matrix(turn), np.eye(n)
    for body in ev.system.bodies[:-1]:
        at, to = int(body[BODY.Q]), int(body[BODY.V])
        if ev.mechanism.planar:
            q[at : at + 2] = S[:2, :2] @ q[at : at + 2] + shift[:2]
            q[at + 2] += 2.0 * np.arctan2(turn[3], turn[0])
            T[to : to + 2, to : to + 2] = S[:2, :2]
        else:
            q[at : at + 3] = S @ q[at : at + 3] + shift
            q[at + 3 : at + 7] = product(turn, q[at + 3 : at + 7])
            T[to : to + 3, to : to + 3] = S
    return State(state.t, q, T @ state.v, T @ state.a, state.multipliers, state.angles), T


def function_rates(ev: Evaluator) -> Array:
    """f' of every row, after `at`."""
    return ev.work.row[:, ROW_VALUE.FT].copy()


def row_space(J: Array, tolerance: float = 1e-8) -> Array:
    """Projector on the row space of a matrix."""
    _, s, Vt = np.linalg.svd(J)
    V = Vt[: int((s > tolerance * s.max(initial=1e-300)).sum())]
    return np.asarray(V.T @ V)
