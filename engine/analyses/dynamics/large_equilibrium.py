"""The search for an equilibrium of a large mechanism, without a basis of its null space.

    r = Q + Jᵀλ, λ by least squares;   (H + σ + ρ JᵀJ) p = r,   H = −∂(Q + Jᵀλ)/∂q

A = H + σ + ρ JᵀJ is positive definite where H + σ is so along the constraints, which the pivots of its sparse
factor tell: σ, a damping without units, grows until it is, and shrinks as steps succeed. So steps go
downhill, are Newton's near the end, and the search ends in a stable pose as that of small mechanisms does. A
step turns no body by more than a fraction of a radian; how far it leads is no matter, as the end of a long
chain goes far when all of it turns a little. The search for the nearest equilibrium, stable or not, takes
Newton's own steps, from a factor of [H Jᵀ; J 0].
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy

from engine.analyses.dynamics.equilibrium import (
    CONVERGED,
    CURVATURE_ROUNDING,
    GAIN,
    KICK,
    LIMIT,
    ROUNDING,
    TRIALS,
    Equilibrium,
)
from engine.compiled.layout import Array
from engine.maths.sparse.ldl import SparseFactor
from engine.maths.sparse.symbolic import analyse
from engine.system.assembly.position_problem import PositionProblem
from engine.system.assembly.row_factor import RowFactor, with_diagonal
from engine.system.assembly.scaling import Scales
from engine.system.equations.evaluator import Evaluator
from engine.system.small_motions.force_balance import State

MAX_TURN = 0.2  # rad: largest rotation in one step
STIFF = 1e4  # ρ, of the largest entry of H
POSITIVE = 1e-13  # of its diagonal: a smaller pivot counts as none
HARDER, SOFTER = 4.0, 0.25  # factors of σ after a step that failed or succeeded
SOFTEST = 1e-12  # of the largest entry of H: σ below is none
SHIFTED = 100.0  # how much rather
CLOSINGS = 12  # corrections by which a pose is closed
SLOWEST = 12  # degrees of freedom whose stability is told


@dataclass(frozen=True)
class _Point:
    """Forces at a closed pose, without units."""

    q: Array
    angles: Array
    rows: RowFactor
    J: Any
    load: Array
    r: Array
    multipliers: Array
    H: Any


class LargeSearch:
    """Looks for an equilibrium of one mechanism, everything that depends on time held at t."""

    def __init__(self, evaluator: Evaluator, scales: Scales, t: float) -> None:
        self.evaluator, self.scales, self.t = evaluator, scales, t
        self.problem = PositionProblem(evaluator, scales, t)
        self._units = scipy.sparse.diags_array(scales.column, format="csr")
        self._eye = scipy.sparse.eye_array(len(scales.column), format="csr")
        self._factor: SparseFactor | None = None
        width = 3 if evaluator.mechanism.planar else 6
        turns = np.zeros(width, dtype=bool)
        turns[2 if width == 3 else 3 :] = True
        # a pose is closed rather by shifting bodies than by turning them: turned links drag all behind them
        self._easy = scipy.sparse.diags_array(
            np.tile(np.where(turns, 1.0, SHIFTED), len(evaluator.mechanism.bodies)), format="csr"
        )
        self._turns = np.tile(turns, len(evaluator.mechanism.bodies))

    def find(
        self, q: Array, angles: Array, *, stable: bool = True, visit: Callable[[float], object] | None = None
    ) -> Equilibrium:
        here = self._point(q, angles)
        dof = len(here.load) - here.rows.rank
        sigma, last, largest = 0.0, np.zeros(len(here.load)), 0.0
        for count in range(LIMIT):
            if visit is not None:
                visit(count / LIMIT)
            largest = max(largest, _size(here.load))
            step, sigma = self._step(here, sigma, stable)
            if step is None:
                return self._ended(here, last, False, count, dof)
            if _size(here.r) <= ROUNDING * largest or _size(step) <= CONVERGED:
                down = self._downhill(here) if stable else None
                if down is None:
                    here = self._moved(here, step) or here
                    return self._ended(here, last, True, count, dof)
                there = self._moved(here, KICK * down / _size(down))
            else:
                there, sigma = self._tried(here, step, sigma, stable)
            if there is None:
                return self._ended(here, last, False, count, dof)
            last = self._way(here, there)
            here = there
        return self._ended(here, last, False, LIMIT, dof)

    def _point(self, q: Array, angles: Array) -> _Point:
        evaluator, column = self.evaluator.at(self.t, q, angles=angles), self.scales.column
        J = self.scales.sparse_jacobian(evaluator.sparse_jacobian)
        rows = RowFactor(J, evaluator.row_structure)
        load = evaluator.forces() * column
        multipliers = rows.multipliers(-load)
        multipliers += rows.multipliers(-load - J.T @ multipliers)
        K, _ = evaluator.sparse_tangents(np.zeros(len(column)), multipliers / self.scales.row)
        H = -(self._units @ K @ self._units).tocsr()
        return _Point(q, angles, rows, J, load, rows.tangential(load), multipliers, H)

    # steps

    def _step(self, here: _Point, sigma: float, stable: bool) -> tuple[Array | None, float]:
        """A step along the constraints, not too long, and the damping that it took."""
        if not stable:
            return self._limited(self._newton(here)), sigma
        for _ in range(4 * TRIALS):
            factor = self._positive(here, sigma * self._eye)
            if factor is not None:
                step = here.rows.tangential(factor.solve(here.r))
                return self._limited(step), sigma
            sigma = max(HARDER * sigma, SOFTEST * _stiffness(here.H))
        return None, sigma

    def _positive(self, here: _Point, damping: Any) -> SparseFactor | None:
        """The factor of A with some damping, or None when A is not positive definite."""
        if self._factor is None:
            J, K = _ones(here.J), _ones(here.H)
            self._factor = SparseFactor(analyse(with_diagonal(J.T @ J + K + K.T)))
        A = 0.5 * (here.H + here.H.T) + damping + STIFF * _stiffness(here.H) * (here.J.T @ here.J)
        return self._factor if not self._factor.factor(A, POSITIVE) else None

    def _newton(self, here: _Point) -> Array | None:
        """H p + Jᵀν = r, J p = 0."""
        kept = np.flatnonzero(here.rows.independent)
        matrix = scipy.sparse.block_array([[here.H, here.J[kept].T], [here.J[kept], None]], format="csc")
        try:
            found = scipy.sparse.linalg.splu(matrix).solve(np.concatenate([here.r, np.zeros(len(kept))]))
        except RuntimeError:  # exactly singular
            return None
        return np.asarray(found[: len(here.r)]) if np.isfinite(found).all() else None

    def _limited(self, step: Array | None) -> Array | None:
        if step is None:
            return None
        turn = _size(step[self._turns])
        if turn <= 0.0:  # nothing turns: lengths count
            turn = _size(step)
        return step * min(1.0, MAX_TURN / max(turn, np.finfo(float).tiny))

    def _tried(self, here: _Point, step: Array, sigma: float, stable: bool) -> tuple[_Point | None, float]:
        """The next point: the step as given, or a shorter one."""
        for k in range(TRIALS):
            there = self._moved(here, step)
            if there is not None:
                # constraint forces do no work on the way: without them small steps are not lost in rounding
                work = 0.5 * float((here.r + there.r) @ self._way(here, there))
                falls = float(np.linalg.norm(there.r)) < float(np.linalg.norm(here.r))
                if falls if not stable else work >= GAIN * float(here.r @ step):
                    return there, 0.0 if not k and sigma <= SOFTEST * _stiffness(here.H) else SOFTER * sigma
            step = 0.5 * step
            if stable and k % 2:
                longer = max(HARDER * sigma, SOFTEST * _stiffness(here.H))
                again, sigma = self._step(here, longer, stable)
                step = step if again is None else min(step, again, key=_size)
        return None, sigma

    def _moved(self, here: _Point, step: Array) -> _Point | None:
        """The closed pose next to the one a step leads to, or None."""
        q, angles = self.evaluator.retract(here.q, step * self.scales.column), here.angles
        last, closed = np.inf, False
        for _ in range(CLOSINGS):
            r = self.problem.residual(q, angles, ())
            angles, size = self.problem.values(), _size(r)
            closed = size <= self.problem.rounding(q, ())
            if closed or not size < last:
                break
            J = self.scales.sparse_jacobian(self.evaluator.sparse_jacobian)
            rows = RowFactor(J @ self._easy, self.evaluator.row_structure)
            step = self._easy @ rows.shortest(-r) * self.scales.column
            q, last = self.evaluator.retract(q, step), size
        if not closed:
            pose = self.problem.solve(q, angles, columns=self.scales.column)
            q, angles, closed = pose.q, pose.angles, pose.closed
        q = self.evaluator.normalised(q)
        if not closed or self.problem.turned_over(q, here.q):
            return None
        return self._point(q, angles)

    def _way(self, here: _Point, there: _Point) -> Array:
        return np.asarray(self.evaluator.difference(here.q, there.q) / self.scales.column)

    # the end

    def _downhill(self, here: _Point) -> Array | None:
        """The direction in which an equilibrium is left, or None where it is stable or indifferent."""
        flat = CURVATURE_ROUNDING * max(_stiffness(here.H), _size(here.load))
        if self._positive(here, flat * self._eye) is not None:
            return None
        squares, vectors = self._slowest(here)
        k = int(np.argmin(squares))
        return np.asarray(vectors[:, k]) if squares[k] < 0.0 else None

    def _slowest(self, here: _Point) -> tuple[Array, Array]:
        """The smallest ω² and their displacements: H x + Jᵀν = ω² M x, J x = 0."""
        n, kept = len(here.load), np.flatnonzero(here.rows.independent)
        M = self._units @ self.evaluator.sparse_mass() @ self._units
        H = 0.5 * (here.H + here.H.T)
        count = min(SLOWEST, n - here.rows.rank)
        if not count:
            return np.zeros(0), np.zeros((n, 0))
        # nothing is below the shift: it is the damping that makes A positive definite
        shift = max(_stiffness(H) / float(M.diagonal().max()), np.finfo(float).tiny) * SOFTEST
        while self._positive(here, shift * M) is None:
            shift *= HARDER
        matrix = scipy.sparse.block_array(
            [[H + shift * M, here.J[kept].T], [here.J[kept], None]], format="csc"
        )
        factor, zeros = scipy.sparse.linalg.splu(matrix), np.zeros(len(kept))

        def inverse(x: Array) -> Array:
            return np.asarray(factor.solve(np.concatenate([M @ x, zeros]))[:n])

        operator = scipy.sparse.linalg.LinearOperator((n, n), matvec=inverse)
        begin = inverse(np.random.default_rng(7).normal(size=n))
        values, vectors = scipy.sparse.linalg.eigs(operator, count, v0=begin, which="LM")
        return np.asarray(1.0 / values.real - shift), np.asarray(vectors.real)

    def _ended(self, here: _Point, last: Array, found: bool, steps: int, dof: int) -> Equilibrium:
        mechanism = self.evaluator.mechanism
        squares = self._slowest(here)[0] if found else np.zeros(0)
        mass = float(np.max((self._units @ self.evaluator.sparse_mass() @ self._units).diagonal()))
        flat = CURVATURE_ROUNDING * max(_size(here.load) / mass, _size(squares))
        state = State(self.t, here.q, np.zeros(mechanism.nv), here.angles)
        multipliers = here.rows.least_multipliers(-here.load) / self.scales.row
        body = mechanism.body_of_velocity(int(np.argmax(np.abs(last))))
        here_dof = len(here.load) - here.rows.rank
        return Equilibrium(state, multipliers, squares, flat, found, steps, body, dof, here_dof)


def _size(x: Array) -> float:
    return float(np.max(np.abs(x), initial=0.0))


def _stiffness(H: Any) -> float:
    """The largest entry."""
    return max(float(abs(H).max()) if H.nnz else 0.0, float(np.finfo(float).tiny))


def _ones(matrix: Any) -> Any:
    """All places that may have an entry."""
    return scipy.sparse.csr_array((np.ones(matrix.nnz), matrix.indices, matrix.indptr), shape=matrix.shape)
