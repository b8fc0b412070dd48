"""Equilibrium: a pose on the constraints at which no degree of freedom is pushed.

    g = NᵀQ(q, 0, t) = 0,   H = −Nᵀ ∂(Q + Jᵀλ)/∂q N,   Jᵀλ = −Q

with N the null space of J, without units. Steps are p = Σ uᵢ (uᵢ·g)/|hᵢ| over the eigenvectors of H: Newton's
where the potential is a bowl, downhill everywhere else, so that the search ends in a stable pose, as a damped
mechanism would. They are short, closed again, and halved until the forces have done work on the way,
∫Q·dq > 0; no energy is asked for, so that forces without a potential are no exception. The search for the
nearest equilibrium, stable or not, takes Newton's own steps, halved until |g| falls.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from engine.compiled.layout import Array
from engine.system.assembly.position_problem import PositionProblem
from engine.system.assembly.scaling import Scales, Subspaces, subspaces
from engine.system.equations.evaluator import Evaluator
from engine.system.small_motions.force_balance import State, multipliers_for

LIMIT = 300  # steps
TRIALS = 30  # halvings of one
MAX_STEP = 0.2  # rad or lengths: largest step
CONVERGED = 1e-7  # rad or lengths: behind a step of this size the next is below rounding
CURVATURE_ROUNDING = 1e-9  # of the largest curvature, or of the largest force: nothing
GAIN = 1e-4  # share of the work promised by the slope that a step must yield
KICK = 0.02  # rad or lengths: away from an unstable equilibrium
ROUNDING = 1e-12  # of the largest force: what is left of g at an equilibrium


@dataclass(frozen=True)
class Equilibrium:
    """Where the search ended."""

    state: State  # at rest
    multipliers: Array
    # ω² of the degrees of freedom [1/s²], complex where forces have no potential; of a large mechanism the
    # smallest
    squares: Array
    flat: float  # ω² below this are zero
    found: bool
    steps: int
    loosest: str  # the body that moved most in the last step
    dof: int  # where the search began
    dof_here: int

    @property
    def notes(self) -> tuple[str, ...]:
        if self.dof_here == self.dof:
            return ()
        return (
            f"the equilibrium is a singular configuration, with {self.dof_here} degrees of freedom where the "
            f"start has {self.dof}",
        )

    @property
    def stability(self) -> str:
        """ "stable", "indifferent" or "unstable"."""
        if not len(self.squares):
            return "stable"
        if np.min(self.squares.real) < -self.flat or np.max(np.abs(self.squares.imag)) > self.flat:
            return "unstable"
        return "indifferent" if np.min(np.abs(self.squares)) <= self.flat else "stable"


@dataclass(frozen=True)
class _Point:
    """Forces and curvature at a closed pose, without units."""

    q: Array
    angles: Array
    space: Subspaces
    load: Array
    g: Array
    H: Array
    multipliers: Array


class Search:
    """Looks for an equilibrium of one mechanism, everything that depends on time held at t."""

    def __init__(self, evaluator: Evaluator, scales: Scales, t: float) -> None:
        self.evaluator, self.scales, self.t = evaluator, scales, t
        self.problem = PositionProblem(evaluator, scales, t)

    def find(
        self, q: Array, angles: Array, *, stable: bool = True, visit: Callable[[float], object] | None = None
    ) -> Equilibrium:
        here = self._point(q, angles)
        dof = len(here.g)
        largest = float(np.max(np.abs(here.load), initial=0.0))
        last = np.zeros(self.evaluator.mechanism.nv)
        for count in range(LIMIT):
            if visit is not None:
                visit(count / LIMIT)
            largest = max(largest, float(np.max(np.abs(here.load), initial=0.0)))
            h, U = np.linalg.eigh(0.5 * (here.H + here.H.T))
            along, steepest = U.T @ here.g, float(np.max(np.abs(h), initial=0.0))
            flat = CURVATURE_ROUNDING * max(steepest, largest, np.finfo(float).tiny)
            # pushed by rounding only
            along[(np.abs(h) <= flat) & (np.abs(along) <= CURVATURE_ROUNDING * largest)] = 0.0
            if stable:
                p = U @ (along / np.maximum(np.abs(h), flat))
            else:
                p = U @ (along / np.where(np.abs(h) > flat, h, flat))
            size = float(np.max(np.abs(p), initial=0.0))
            if size <= CONVERGED or float(np.max(np.abs(along), initial=0.0)) <= ROUNDING * largest:
                at_saddle = stable and len(h) and h[0] < -flat
                if not at_saddle:
                    here = self._moved(here, p) or here
                    return self._ended(here, last, True, count, dof)
                there = self._moved(here, KICK * U[:, 0] / float(np.max(np.abs(U[:, 0]))))
            else:
                there = self._tried(here, p * min(1.0, MAX_STEP / size), stable)
            if there is None:
                return self._ended(here, last, False, count, dof)
            last = self.evaluator.difference(here.q, there.q) / self.scales.column
            here = there
        return self._ended(here, last, False, LIMIT, dof)

    def _tried(self, here: _Point, p: Array, stable: bool) -> _Point | None:
        """The next point: the step as given, or the first half of it, or half of that …"""
        for _ in range(TRIALS):
            there = self._moved(here, p)
            if there is not None:
                way = self.evaluator.difference(here.q, there.q) / self.scales.column
                work = 0.5 * float((here.load + there.load) @ way)
                falls = float(np.linalg.norm(there.g)) < float(np.linalg.norm(here.g))
                if falls if not stable else work >= GAIN * float(here.g @ p):
                    return there
            p = 0.5 * p
        return None

    def _moved(self, here: _Point, p: Array) -> _Point | None:
        """The closed pose next to the one a step leads to, or None."""
        guess = self.evaluator.retract(here.q, here.space.null @ p * self.scales.column)
        pose = self.problem.solve(guess, here.angles, columns=self.scales.column)
        if not pose.closed or self.problem.turned_over(pose.q, here.q):
            return None
        return self._point(pose.q, pose.angles)

    def _point(self, q: Array, angles: Array) -> _Point:
        evaluator, column = self.evaluator.at(self.t, q, angles=angles), self.scales.column
        space = subspaces(self.scales.jacobian(evaluator.jacobian))
        load = evaluator.forces() * column
        multipliers = multipliers_for(space, self.scales, -load)
        stiffness, _ = evaluator.tangents(np.zeros(len(column)), multipliers)
        H = -space.null.T @ (stiffness * np.outer(column, column)) @ space.null
        return _Point(q, angles, space, load, space.null.T @ load, H, multipliers)

    def _ended(self, here: _Point, last: Array, found: bool, steps: int, dof: int) -> Equilibrium:
        mechanism, column = self.evaluator.mechanism, self.scales.column
        free = here.space.null
        mass = free.T @ (self.evaluator.mass_matrix() * np.outer(column, column)) @ free
        squares = np.linalg.eigvals(np.linalg.solve(mass, here.H)) if free.shape[1] else np.zeros(0)
        # forces of this size, met over a length or a radian, would be a curvature that counts
        usual = float(np.max(np.abs(here.load), initial=0.0)) / float(np.max(np.diag(mass), initial=1e-300))
        flat = CURVATURE_ROUNDING * max(usual, float(np.max(np.abs(squares), initial=0.0)))
        body = mechanism.body_of_velocity(int(np.argmax(np.abs(last)))) if len(last) else ""
        state = State(self.t, here.q, np.zeros(mechanism.nv), here.angles)
        return Equilibrium(state, here.multipliers, squares, flat, found, steps, body, dof, free.shape[1])
