"""Dragging: a point of a body follows a target on the constraints, step by step, on its branch.

Minimise f(q) = eᵀWe/2, e = p(q) − target, subject to Φ(q) = 0, from a closed pose. With A = Φ_q D (D: sizes
of the coordinates, heavy bodies count as larger), Q from a pivoted QR of Aᵀ, N its null space and
G = ∂p/∂x N, one step is

    z = −H⁻¹ Gᵀ W e,   H = Gᵀ W G + Nᵀ ∂(J_pᵀ W e + Aᵀλ)/∂x N,   Aᵀλ = −J_pᵀ W e on range(Aᵀ)

with H + σ1 in its place where the step would be long, then closed again across N. The second term of H lets
the point stop smoothly where its reach ends: there Gᵀ W e = 0 with e ≠ 0. A step is taken when the way back
to the constraints is short and the tangent space has hardly turned: that keeps the branch. Freedoms that do
not move the point stay at rest.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.linalg import qr, solve_triangular

from engine.analyses.grips import Grip, Reached, cross_matrix, grip_of, linkage, overlap, reach, rotation
from engine.problems import B_V, BR_MASS, GV_VALUE, P_P, R_ACTIVE, R_VELOCITY, Array
from engine.system.evaluator import Evaluator
from engine.system.mechanism import Mechanism
from engine.system.scaling import RANK, scales_of

CLOSED = 1e-12  # rows over their sizes
SHORT = 0.15  # longest step: rad or characteristic lengths
SHORTEST = 1e-7  # a step so short is none
LAST = 1e-4  # after a whole step so short the next one would be its square
STEPS = 16  # of one update; the next one goes on
CORRECTIONS = 10  # with one factor
CONTRACTS = 0.5  # what a correction must leave of the violation
ASIDE = 0.35  # longest way back to the constraints, over the step
TURNED = 0.8  # cosine by which the tangent space may turn in one step
LEAP = 1.7  # over a singular pose, in steps
MOVES = 1e-6  # share of the largest gain below which a freedom does not move the point
CURVED = 12  # freedoms up to which second derivatives are worked out
NEARLY = 1e-4  # lengths: nearer to its target a point needs no second derivatives
PROBE = 1e-6  # rad or lengths, for the derivative of the gradient
SLOW = 0.25  # share of f that a step leaves when second derivatives are worth their cost
DEPTH = 3e-4  # weight of the distance along the line of sight
LIGHT = 0.2  # least share of the mean mass that a body counts with
FLAT = 1e-6  # share of the largest curvature that counts as none
RIDGE = 1e-3  # share of it that counts as a way down
HALVINGS = 8  # to find a step of the right length
TRUSTED = 0.25  # share of the foreseen gain below which the next step is shorter
STILL = 1e-9  # sine between the error and the path at which the point is as near as it gets


__all__ = ["STEPS", "Dragging", "Grip", "Reached", "grip_of"]


class Dragging:
    """Leads points of one linkage. Motions hold unless without them the point could not move at all."""

    def __init__(
        self,
        mechanism: Mechanism,
        grips: Sequence[Grip],
        *,
        t: float,
        q: Array,
        angles: Array | None = None,
        evaluator: Evaluator | None = None,
    ) -> None:
        self.mechanism, self.grips, self.t = mechanism, tuple(grips), t
        self._evaluator = evaluator or Evaluator(mechanism)
        self._scales = scales_of(mechanism)
        self.length = self._scales.length if mechanism.rows else reach(mechanism)
        nb = len(mechanism.bodies)
        linked, bodies_of_row = linkage(mechanism, self.grips[0].body)
        self.bodies = tuple(mechanism.bodies[b] for b in linked)
        width = 3 if mechanism.planar else 6
        alone = not any(set(linked) & bodies for bodies in bodies_of_row)
        per_body = range(2 if mechanism.planar else 3) if alone else range(width)  # alone: it does not turn
        if len(self.grips) > 1:
            per_body = range(width)
        self._columns = np.array([b * width + c for b in linked for c in per_body], dtype=np.int64)
        own = set(linked)
        active = mechanism.system.rows[:, R_ACTIVE] != 0
        self._all = np.array(
            [r for r, found in enumerate(bodies_of_row) if found & own and active[r]], dtype=np.int64
        )
        velocity = mechanism.system.rows[:, R_VELOCITY] != 0
        self._velocity_rows = velocity
        self._sizes = self._weights(width, nb)[self._columns]
        self._angles = angles
        self.q = np.array(q, dtype=float)
        self.released: tuple[str, ...] = ()
        self._null: Array = np.zeros((len(self._columns), 0))
        self._factor: tuple[Array, Array, Any, int] = (self._null, self._null, np.zeros(0, np.int64), 0)
        self._directions: Array = np.zeros((0, 3))
        self._stubborn, self._value = False, 0.0  # whether the last step gained little; what is left
        self._rows = self._all
        self._leave(self.q)
        self.closed = self._open() <= CLOSED or self._close_first()
        self._frame()
        if (not self.closed or not len(self.directions)) and self._motions():
            # held motions would block the drag: let go of them
            self.released = self._motions()
            self._rows = np.array(
                [r for r in self._all if mechanism.rows[r].owner != "motion"], dtype=np.int64
            )
            self._leave(self.q)
            self.closed = self._open() <= CLOSED or self._close_first()
            self._frame()

    # what is known of the freedom

    @property
    def freedoms(self) -> int:
        """Of the linkage that the point belongs to, at this pose."""
        return int(self._null.shape[1])

    @property
    def directions(self) -> Array:
        """Unit vectors in which the first point can move, the freest first, shape (k, 3)."""
        return self._directions

    @property
    def places(self) -> Array:
        """Of the grips, in the world."""
        pose = self._evaluator.work.pose
        return np.array(
            [pose[g.body, P_P : P_P + 3] + rotation(pose, g.body) @ g.point for g in self.grips]
        ).reshape(-1, 3)

    def poses(self) -> dict[str, tuple[Array, Array]]:
        """Origins (3,) and rotations (3, 3) of the bodies that are led along."""
        pose, found = self._evaluator.work.pose, {}
        for name in self.bodies:
            b = self.mechanism.bodies.index(name)
            R = rotation(pose, b).copy()
            found[name] = (pose[b, P_P : P_P + 3] - R @ self.mechanism.com[b], R)
        return found

    @property
    def angles(self) -> Array:
        """Tracked angles at this pose, whole turns counted."""
        return np.array(self._evaluator.work.gauge[self.mechanism.system.tracked, GV_VALUE])

    @property
    def violation(self) -> float:
        """Largest |Φ| of the rows that hold [m, rad]."""
        return float(np.max(np.abs(self._evaluator.phi[self._rows]), initial=0.0))

    def effective_mass(self) -> float:
        """What the first point weighs in the direction in which it gives way most easily [kg]; 0: nothing.

        1/μ, μ the largest eigenvalue of G (NᵀMN)⁻¹ Gᵀ.
        """
        null = self._null * self._sizes[:, None]
        M = null.T @ self._evaluator.mass_matrix()[np.ix_(self._columns, self._columns)] @ null
        gains = self._point_jacobian()[:3] @ self._null
        if not gains.size or not np.isfinite(M).all():
            return 0.0
        mobility = gains @ np.linalg.pinv(M, hermitian=True) @ gains.T
        largest = float(np.linalg.eigvalsh(mobility)[-1])
        return 1.0 / largest if largest > 0.0 else 0.0

    @property
    def mass(self) -> float:
        """Of all bodies that come along [kg]."""
        own = [self.mechanism.bodies.index(name) for name in self.bodies]
        return float(self.mechanism.system.body_reals[own, BR_MASS].sum())

    def gauge(self, number: int) -> float:
        """Value of a gauge at this pose."""
        return float(self._evaluator.work.gauge[number, GV_VALUE])

    # leading

    def follow(
        self,
        target: Array,
        *,
        sight: Array | None = None,
        steps: int = STEPS,
        seconds: float = math.inf,
    ) -> Reached:
        """Lead the grips to their targets, shape (3,) or (k, 3); stops at the end of their reach.

        `sight` is the direction of the line of sight: along it the point goes where it must. After so many
        steps or seconds it comes back; whether it has arrived it says, and the next call goes on.
        """
        targets = np.asarray(target, dtype=float).reshape(-1, 3)
        metric, u = np.eye(3), None
        if sight is not None:
            u = np.asarray(sight, dtype=float) / np.linalg.norm(sight)
            metric = metric - (1.0 - DEPTH) * np.outer(u, u)
        usable = bool(np.isfinite(targets).all() and np.isfinite(metric).all()) and self.closed
        done, count = not usable or not len(self._columns), 0
        longest = SHORT
        begin = time.perf_counter()
        while not done and count < steps and time.perf_counter() - begin < seconds:
            done, longest = self._step(targets, metric, longest)
            count += 1
            if u is not None and len(targets) == 1:  # under the pointer: the depth is not worth going on for
                across = (targets - self.places)[0]
                across = across - u * float(u @ across)
                done = done or float(np.linalg.norm(across)) <= NEARLY * self.length
        error = (targets - self.places)[0] if usable else np.zeros(3)
        return Reached(
            self.q.copy(), self.places, float(np.sqrt(error @ metric @ error)), self.violation, done, count
        )

    def _step(self, targets: Array, metric: Array, longest: float) -> tuple[bool, float]:
        """One step; whether there is nothing more to gain, and the longest step to try next."""
        null, before = self._null, self._leave(self.q)
        error = self.places - targets
        weighted = error @ metric
        value = 0.5 * float(np.sum(error * weighted))
        full = self._gradient(weighted)
        points = self._point_jacobian()
        gains = points @ null  # (3k, f)
        slope = null.T @ full
        size = float(np.linalg.norm(gains))
        heavy = np.kron(np.eye(len(self.grips)), metric)
        H = gains.T @ heavy @ gains
        eligible = null.shape[1] <= CURVED and np.sqrt(2.0 * value) > NEARLY * self.length
        curved = eligible and self._stubborn
        if curved:
            H = H + self._curvature(weighted, full)
        values, vectors = np.linalg.eigh(0.5 * (H + H.T))
        if not np.isfinite(values).all():
            return True, longest
        largest = max(float(np.max(np.abs(values), initial=0.0)), np.finfo(float).tiny)
        along = vectors.T @ slope
        shift, z = self._within(values, vectors, along, longest)
        way = self._longest(null @ z)
        still = float(np.linalg.norm(slope)) <= STILL * size * np.sqrt(2.0 * value)
        if still or way < SHORTEST:
            if eligible and not curved:  # nothing to gain at first sight
                self._stubborn = True
                return False, longest
            if curved and len(values) and values[0] < -RIDGE * largest:
                # on a ridge (dead centre): either side leads nearer
                z = math.copysign(1.0, -along[0]) * vectors[:, 0]
                z, way = z * (longest / self._longest(null @ z)), longest
            elif still:
                return True, longest
            else:
                self._try(null @ z, way, value, targets, metric)
                return True, longest
        tried = way
        while tried >= SHORTEST:
            part = tried / way
            if self._try(null @ z * part, tried, value, targets, metric):
                self._stubborn = self._value > SLOW * value
                foreseen = -part * float(slope @ z) - 0.5 * part * part * float(z @ H @ z)
                kept = value - self._value >= TRUSTED * foreseen
                whole = shift == 0.0 and part == 1.0
                return whole and way < LAST, min(SHORT, (2.0 if kept else 0.5) * tried)
            if eligible and not curved:
                self._stubborn = True
                return False, longest
            tried *= 0.5
        leap = min(LEAP * way, SHORT)
        if leap > way and self._try(null @ z * (leap / way), leap, value, targets, metric):
            return False, SHORT
        self._restore(before)
        return True, SHORT

    def _within(self, values: Array, vectors: Array, along: Array, longest: float) -> tuple[float, Array]:
        """z of (H + shift·1) z = −slope, with the least shift for which the step is not too long."""
        largest = max(float(np.max(np.abs(values), initial=0.0)), np.finfo(float).tiny)

        def step(shift: float) -> Array:
            return np.asarray(vectors @ (-along / np.maximum(values + shift, FLAT * largest)))

        def way(shift: float) -> float:
            return self._longest(self._null @ step(shift))

        if way(0.0) <= longest:
            return 0.0, step(0.0)
        low, high = math.log(FLAT * largest), math.log(largest)
        while way(math.exp(high)) > longest:
            low, high = high, high + 2.0
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if way(math.exp(middle)) > longest else (low, middle)
        return math.exp(high), step(math.exp(high))

    def _try(self, x: Array, length: float, value: float, targets: Array, metric: Array) -> bool:
        """Take a step x along the tangent and close again; False, nothing done, when it is no good."""
        before, null = self.q, self._null
        state = (self._null, self._factor, self._directions, self._angles)
        trial = self._retract(before, x)
        self._leave(trial)
        far = 0.0
        last = self._open()
        for _ in range(CORRECTIONS):
            if last <= CLOSED:
                break
            y = self._correction()
            far += self._longest(y)
            if not far <= ASIDE * length + SHORTEST:
                break
            trial = self._retract(trial, y)
            self._leave(trial)
            now = self._open()
            if not now <= CONTRACTS * last + CLOSED:
                last = np.inf
                break
            last = now
        good = last <= CLOSED
        if good:
            error = self.places - targets
            self._value = 0.5 * float(np.sum(error * (error @ metric)))
            good = self._value < value
        if good:
            self._angles = self.angles
            self.q = self._normalised(trial)
            self._leave(self.q)
            self._frame()
            good = self._null.shape == null.shape and overlap(null, self._null) >= TURNED
        if not good:
            self.q = before
            self._null, self._factor, self._directions, self._angles = state
            self._leave(before)
        return good

    # the pose

    def _leave(self, q: Array) -> Array:
        """Evaluate at a pose."""
        self._evaluator.at(self.t, q, angles=self._angles)
        return q

    def _restore(self, q: Array) -> None:
        self.q = q
        self._leave(q)

    def _retract(self, q: Array, x: Array) -> Array:
        step = np.zeros(self.mechanism.nv)
        step[self._columns] = self._sizes * x
        return self._evaluator.retract(q, step)

    def _normalised(self, q: Array) -> Array:
        if self.mechanism.planar:
            return q
        table = q.reshape(-1, 7).copy()
        table[:, 3:] /= np.linalg.norm(table[:, 3:], axis=1)[:, None]
        return table.ravel()

    def _longest(self, x: Array) -> float:
        """Largest part of a step: rad or lengths."""
        plain = np.abs(x * self._sizes / self._plain)
        return float(np.max(plain, initial=0.0))

    def _residual(self) -> Array:
        """Violation of the position rows, over their sizes."""
        rows = self._rows
        return np.where(self._velocity_rows[rows], 0.0, self._evaluator.phi[rows] / self._scales.row[rows])

    def _open(self) -> float:
        found = float(np.max(np.abs(self._residual()), initial=0.0))
        return found if np.isfinite(found) else np.inf

    def _close_first(self) -> bool:
        """Bring the given pose to the constraints; small gaps only."""
        q = self.q
        for _ in range(CORRECTIONS):
            self._frame()
            y = self._correction()
            if not self._longest(y) <= SHORT:
                break
            q = self._retract(q, y)
            self._leave(q)
            if self._open() <= CLOSED:
                self.q = self._normalised(q)
                self._angles = self.angles
                self._leave(self.q)
                return True
        self._leave(self.q)
        return False

    # derivatives

    def _matrix(self) -> Array:
        rows = self._rows
        J = self._evaluator.jacobian[rows][:, self._columns]
        return np.asarray(J / self._scales.row[rows, None] * self._sizes)

    def _frame(self) -> None:
        """Factor the rows at the evaluated pose: null space, and directions of the point."""
        A = self._matrix()
        if not np.isfinite(A).all():
            empty = np.zeros((len(self._columns), 0))
            self._factor, self._null = (empty, empty, np.zeros(0, np.int64), 0), empty
            self._directions = np.zeros((0, 3))
            return
        if A.size:
            Q, R, order = qr(A.T, pivoting=True, check_finite=False)
            pivots = np.abs(np.diag(R))
            rank = int(np.sum(pivots > RANK * pivots[0])) if len(pivots) and pivots[0] > 0.0 else 0
        else:
            Q, R, order, rank = np.eye(len(self._columns)), np.zeros((0, 0)), np.zeros(0, np.int64), 0
        self._factor = (Q, R, order, rank)
        self._null = Q[:, rank:]
        gains = self._point_jacobian()[:3] @ self._null
        if gains.size:
            U, singular, _ = np.linalg.svd(gains, full_matrices=False)
            moves = singular > MOVES * self.length
            self._directions = U.T[moves]
        else:
            self._directions = np.zeros((0, 3))

    def _correction(self) -> Array:
        """Shortest x with A x = −r, by the last factor."""
        Q, R, order, rank = self._factor
        if not rank:
            return np.zeros(len(self._columns))
        wanted = -self._residual()[order[:rank]]
        y = solve_triangular(R[:rank, :rank], wanted, trans="T", check_finite=False)
        return np.asarray(Q[:, :rank] @ y)

    def _point_jacobian(self) -> Array:
        """∂p/∂x of all grips, shape (3k, n)."""
        system, pose = self.mechanism.system, self._evaluator.work.pose
        full = np.zeros((3 * len(self.grips), self.mechanism.nv))
        for i, grip in enumerate(self.grips):
            at = int(system.bodies[grip.body, B_V])
            R = rotation(pose, grip.body)
            lines = slice(3 * i, 3 * i + 3)
            if self.mechanism.planar:
                arm = R @ grip.point
                full[lines, at : at + 2] = np.eye(3)[:, :2]
                full[lines, at + 2] = (-arm[1], arm[0], 0.0)
            else:
                full[lines, at : at + 3] = np.eye(3)
                full[lines, at + 3 : at + 6] = -R @ cross_matrix(grip.point)
        return np.asarray(full[:, self._columns] * self._sizes)

    def _gradient(self, weighted: Array) -> Array:
        """J_pᵀ W e."""
        return np.asarray(self._point_jacobian().T @ weighted.ravel())

    def _curvature(self, weighted: Array, full: Array) -> Array:
        """Nᵀ ∂(J_pᵀ W e + Aᵀλ)/∂x N with W e and λ kept, by differences along the null space."""
        Q, R, order, rank = self._factor
        null, q = self._null, self.q
        multipliers = np.zeros(len(self._rows))
        if rank:
            y = -(Q[:, :rank].T @ full)
            multipliers[order[:rank]] = solve_triangular(R[:rank, :rank], y, check_finite=False)
        here = full + self._matrix().T @ multipliers
        changes = np.zeros((len(self._columns), null.shape[1]))
        for i in range(null.shape[1]):
            step = PROBE / max(self._longest(null[:, i]), np.finfo(float).tiny)
            self._leave(self._retract(q, step * null[:, i]))
            changes[:, i] = (self._gradient(weighted) + self._matrix().T @ multipliers - here) / step
        self._leave(q)
        return np.asarray(null.T @ changes)

    def _weights(self, width: int, nb: int) -> Array:
        """Size of every coordinate: lengths and radians, smaller for heavy bodies."""
        plain = np.tile([self.length, self.length, 1.0] if width == 3 else [self.length] * 3 + [1.0] * 3, nb)
        mass = self.mechanism.system.body_reals[:nb, BR_MASS]
        share = mass / mass.mean() if nb and mass.mean() > 0.0 else np.ones(nb)
        self._plain_all = plain
        sizes = plain / np.sqrt(LIGHT + np.repeat(share, width))
        return np.asarray(sizes)

    @property
    def _plain(self) -> Array:
        return np.asarray(self._plain_all[self._columns])

    @property
    def held(self) -> tuple[str, ...]:
        """Motions that hold while the point is led."""
        return self._motions()

    def _motions(self) -> tuple[str, ...]:
        rows = [self.mechanism.rows[r] for r in self._rows]
        return tuple(dict.fromkeys(row.name for row in rows if row.owner == "motion"))
