"""A fully driven motion: at every instant the motions and joints alone say where everything is.

    positions      Φ(q, t) = 0           Newton–Raphson from q ⊕ (v h + a h²/2)
    velocities     J v = −Φ_t            one factorisation of J
    accelerations  J a = γ(q, v, t)      serves both

Rows that exist at velocity level only (rolling, motions of a speed) say nothing about positions: with them
the prediction is a Runge–Kutta step of q' = T(q) v(t, q), and Newton–Raphson closes the position rows.

A step is taken again in halves when the iteration does not converge, when the pose found is far from the one
predicted (another branch), or when det J changed its sign on the way (a singular configuration was passed).
What cannot be passed in the smallest step is a failure, and gets a name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numba import types

from engine.analyses.kinematics.driven_rows import DrivenRows, driven_rows, independent_rows
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.kernel import compiled
from engine.compiled.layout import F1, I2, Array, Ints
from engine.system.assembly.position_problem import PositionProblem
from engine.system.assembly.row_factor import RowFactor
from engine.system.assembly.scaling import LARGE, Scales, subspaces
from engine.system.equations import kinematics
from engine.system.equations.evaluator import Evaluator
from engine.system.small_motions.force_balance import State

ITERATIONS = 20
CONVERGED = 1e-7  # rad or lengths: after a Newton step of this size the next would be below rounding
WILD = 1.0  # a Newton step this large leads anywhere
MAX_MOTION = 0.3  # rad or lengths: largest motion in one step
SHORT_INTEGRATED = 0.03  # the same where positions are integrated
ASTRAY = 0.1  # of the predicted motion, or rad or lengths: a pose this far from the prediction is not trusted
MIN_STEP = 1e-9  # of the whole time: steps below are not tried
SOUND = 1e-6  # ratio of singular values of J below which velocities mean nothing
SINGULAR = 1e-3  # ratio of singular values of J below which a pose that cannot be left is a singular one
BEYOND = 1e-3  # of the whole time: how far behind a failure poses are looked for
BRANCH_DISTANCE = 0.2  # rad or lengths: poses farther away are on another branch
KICKS = 16  # poses from which another branch is looked for
KICK = 0.5  # rad or lengths: how far the first is scattered; grows


@dataclass(frozen=True)
class Driven(State):
    """A state of the driven motion."""

    a: Array
    rows: DrivenRows

    @property
    def regular(self) -> bool:
        return self.rows.regular

    @property
    def reserve(self) -> float:
        """Smallest singular value of J over the largest: how far from a singular configuration."""
        return self.rows.reserve


@dataclass(frozen=True)
class Failure:
    """Why the motion ends: "unreachable", "change point", "branch", "jump" or "undefined"."""

    kind: str
    t: float
    text: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.text}. {self.remedy}."


@dataclass(frozen=True)
class Path:
    """States at the instants that were reached."""

    states: tuple[Driven, ...]
    failure: Failure | None

    def stack(self, name: str) -> Array:
        return np.array([getattr(state, name) for state in self.states])


class Follower:
    """Goes along a driven motion."""

    def __init__(self, evaluator: Evaluator, scales: Scales) -> None:
        self.evaluator, self.scales = evaluator, scales
        self.mechanism = evaluator.mechanism
        self._positions = np.array([not row.velocity for row in self.mechanism.rows], dtype=bool)
        self._integrates = not self._positions.all()
        self._short = SHORT_INTEGRATED if self._integrates else MAX_MOTION
        self._large = self.mechanism.nv > LARGE
        self._kept: Ints | None = None  # rows of a large mechanism that are solved for
        self._rates = compiled(kinematics.coordinate_rates, types.void(I2, F1, F1, F1))

    def follow(self, first: Driven, instants: Array, visit: Callable[[float], object] | None = None) -> Path:
        """From a regular state through the instants, the first of which is its own."""
        found, state = [first], first
        whole = float(instants[-1] - instants[0])
        for t in instants[1:]:
            if visit is not None:
                visit((t - instants[0]) / whole)
            state, arrived = self._advance(state, float(t), MIN_STEP * whole)
            if not arrived or state.reserve < SOUND:
                return Path(
                    tuple(found), self._failure_ahead(state, min(BEYOND * whole, float(t) - found[-1].t))
                )
            found[-1].rows.release()
            found.append(state)
        return Path(tuple(found), None)

    def rows(self, t: float, q: Array, angles: Array) -> DrivenRows:
        """The factor at a pose, where the evaluator is after that."""
        evaluator = self.evaluator.at(t, q, angles=angles)
        if self._kept is None and self._large:
            self._kept = independent_rows(evaluator, self.scales)
        return driven_rows(evaluator, self.scales, self._kept)

    def state(self, t: float, q: Array, angles: Array) -> Driven:
        """Velocities and accelerations at a closed pose: one factorisation."""
        evaluator, column, row = self.evaluator, self.scales.column, self.scales.row
        rows = self.rows(t, q, angles)
        v = rows.solve(-evaluator.phi_rate / row) * column
        evaluator.at(t, q, v, angles)
        a = rows.solve(evaluator.gamma / row) * column
        return Driven(t, q, v, self._angles(), a, rows)

    def _advance(self, state: Driven, end: float, smallest: float) -> tuple[Driven, bool]:
        h = end - state.t
        while state.t < end:
            t = end if state.t + h >= end else state.t + h
            new = self._attempt(state, t)
            if new is not None:
                state, h = new, 2.0 * h
            else:
                h = 0.5 * (t - state.t)
                if h < max(smallest, 4.0 * np.spacing(abs(t))):
                    return state, False
        return state, True

    def _attempt(self, state: Driven, t: float) -> Driven | None:
        """The next state, or None when the step is too long."""
        evaluator = self.evaluator
        guess = self._predicted(state, t)
        if guess is None:
            return None
        ahead = self._size(evaluator.difference(state.q, guess))
        if ahead > self._short:
            return None
        q = self._closed(t, guess, state)
        if q is None:
            return None
        off = self._size(evaluator.difference(guess, q))
        if off > ASTRAY * max(ahead, ASTRAY):
            return None
        new = self.state(t, q, state.angles)
        if not new.regular:
            return None
        return new if new.rows.same_branch(state.rows) and np.isfinite(new.v).all() else None

    def _predicted(self, state: Driven, t: float) -> Array | None:
        h = t - state.t
        if not self._integrates:
            return self.evaluator.retract(state.q, h * state.v + 0.5 * h * h * state.a)
        # classic Runge–Kutta in the coordinates themselves
        rates = [self._rate(state.q, state.v)]
        for share in (0.5, 0.5, 1.0):
            q = state.q + share * h * rates[-1]
            middle = self.state(state.t + share * h, q, state.angles)
            if not middle.regular:
                return None
            rates.append(self._rate(q, middle.v))
        step = (rates[0] + 2.0 * rates[1] + 2.0 * rates[2] + rates[3]) / 6.0
        return self.evaluator.retract(state.q + h * step, np.zeros(self.mechanism.nv))

    def _rate(self, q: Array, v: Array) -> Array:
        out = np.zeros(self.mechanism.nq)
        self._rates(self.mechanism.system.bodies, q, v, out)
        return out

    def _closed(self, t: float, guess: Array, state: Driven) -> Array | None:
        """The closed pose next to a guess, or None."""
        if self._large and not self._integrates:
            return self._with_old_factor(t, guess, state)
        return self._newton(t, guess, state.angles)

    def _with_old_factor(self, t: float, q: Array, state: Driven) -> Array | None:
        """The same with the factor of the last state, which is near: more iterations that cost little."""
        problem = PositionProblem(self.evaluator, self.scales, t)
        last = WILD
        for _ in range(ITERATIONS):
            r = problem.residual(q, state.angles, ())
            if float(np.max(np.abs(r))) <= problem.rounding(q, ()):
                return self.evaluator.normalised(q)
            x = state.rows.solve(-r)
            size = float(np.max(np.abs(x)))
            if not size <= last:
                return None
            q, last = self.evaluator.retract(q, x * self.scales.column), size
        return None

    def _newton(self, t: float, q: Array, angles: Array) -> Array | None:
        """By Newton–Raphson."""
        evaluator, scales, rows = self.evaluator, self.scales, self._positions
        problem = PositionProblem(evaluator, scales, t)
        for _ in range(ITERATIONS):
            evaluator.at(t, q, angles=angles)
            r = (evaluator.phi / scales.row)[rows]
            if not np.isfinite(r).all():
                return None
            x = self._step(-r)
            size = float(np.max(np.abs(x), initial=0.0))
            if not size <= WILD:
                return None
            q = evaluator.normalised(evaluator.retract(q, x * scales.column))
            if size <= CONVERGED:
                return q if problem.pose(q, angles, ()).closed else None
        return None

    def _step(self, r: Array) -> Array:
        """x of least norm with J x = r over the position rows: by elimination where these are square and
        regular, which is the usual case."""
        if self._large:
            J = self.scales.sparse_jacobian(self.evaluator.sparse_jacobian)
            return RowFactor(J[self._positions]).shortest(r)
        A = self.scales.jacobian(self.evaluator.jacobian)[self._positions]
        if A.shape[0] == A.shape[1]:
            try:
                return np.asarray(np.linalg.solve(A, r))
            except np.linalg.LinAlgError:
                pass
        return subspaces(A).solve(r)

    def _size(self, step: Array) -> float:
        return float(np.max(np.abs(step / self.scales.column), initial=0.0))

    def _angles(self) -> Array:
        return PositionProblem(self.evaluator, self.scales, 0.0).values()

    # why it does not go on

    def _failure_ahead(self, state: Driven, ahead: float) -> Failure:
        t = state.t + ahead
        self.evaluator.at(t, state.q, angles=state.angles)
        values = self.evaluator.work.row[: len(self.mechanism.rows), ROW_VALUE.F]
        undefined = [row for row, f in zip(self.mechanism.rows, values, strict=True) if not np.isfinite(f)]
        at = f"at t = {state.t:.6g} s"
        if undefined:
            row = undefined[0]
            text = f"{row.owner.capitalize()} {row.name!r} has no value after t = {state.t:.6g} s"
            return Failure("undefined", state.t, text, "Extend its function, or let the analysis end earlier")
        if state.reserve > SINGULAR:
            text = f"A function of time jumps {at}, and the pose with it"
            return Failure("jump", state.t, text, "Give motions that are continuous")
        problem = PositionProblem(self.evaluator, self.scales, t)
        pose = problem.solve(state.q, state.angles, columns=self.scales.column)
        driver = self._driver(state)
        if pose.closed and self._size(self.evaluator.difference(state.q, pose.q)) <= BRANCH_DISTANCE:
            text = f"Change point {at}: there {driver} does not say how the mechanism goes on, branches cross"
            remedy = (
                "End before it, or give the bodies dimensions without such a pose; a dynamic run passes it"
            )
            return Failure("change point", state.t, text, remedy)
        if pose.closed or self._closes_elsewhere(problem, state):
            text = (
                f"The branch ends {at}: {driver} is at a dead point, and behind it the mechanism closes on "
                "another branch only"
            )
            remedy = "Keep the motion within its reach, or start on the other branch"
            return Failure("branch", state.t, text, remedy)
        text = (
            f"The input cannot be reached: {driver} is at a dead point {at}, and no pose behind it was found "
            "to close"
        )
        remedy = "Keep the motion within its reach, or drive another joint"
        return Failure("unreachable", state.t, text, remedy)

    def _closes_elsewhere(self, problem: PositionProblem, state: Driven) -> bool:
        """Whether a closed pose is found from poses scattered about the last one."""
        random, column = np.random.default_rng(2), self.scales.column
        for k in range(KICKS):
            kick = KICK * (1.0 + k / 4.0) * random.normal(size=len(column)) * column
            guess = self.evaluator.retract(state.q, kick)
            pose = problem.solve(guess, state.angles, columns=column)
            if pose.closed and not problem.turned_over(pose.q, state.q):
                return True
        return False

    def _driver(self, state: Driven) -> str:
        """The motion with the largest part in the rows that become dependent, and its value."""
        self.evaluator.at(state.t, state.q, angles=state.angles)
        weakest = np.abs(state.rows.weakest)
        rows = [r for r, row in enumerate(self.mechanism.rows) if row.owner == "motion"]
        r = max(rows, key=lambda r: float(weakest[r]))
        row, value = self.mechanism.rows[r], float(self.evaluator.work.row[r, ROW_VALUE.F])
        return f"motion {row.name!r} ({value:.6g} {row.unit})"
