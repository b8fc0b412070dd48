"""The motion of a natural model by velocity projection onto independent coordinates, as its source has it.

[Antón 2015, sections 3.3 and 3.4], with q = (q_d, z), ż the independent velocities:

    Φ_q^d R* = −Φ_q^i,   R = (R*; 1),   q̇ = R ż
    Φ_q^d (S c)_d = c,   Rᵀ M R z̈ = Rᵀ (Q − M S c)

State of *index two*: (ż, q), positions brought back to Φ = 0 when they leave it by more than a tolerance; of
*index three*: (ż, z), the dependent positions found by Newton's method at every evaluation.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import scipy

from engine.compiled.layout import Array
from engine.natural.dependent_solver import DependentSolver, Full, Reordered
from engine.natural.equations import NaturalEquations
from engine.natural.mechanisms.base import NaturalMechanism

State = Literal["index two", "index three"]
Scheme = Literal["dopri5", "adams"]
CLOSED = 1e-10  # of Φ: Newton on positions ends
IMPROVE = 1e-6  # of Φ: beyond, positions are brought back [Antón 2015, section 3.3]
NEWTON = 12  # iterations at most
FULL = "full"  # in place of an ordering: the matrix is treated as full


@dataclass(frozen=True)
class NaturalRun:
    """Positions and velocities over all coordinates at instants, and what it took."""

    t: Array
    q: Array  # (instants, coordinates)
    v: Array
    energy: Array
    violation: Array  # largest |Φ|
    steps: int
    evaluations: int
    improvements: int  # of positions, in the state of index two
    solve_seconds: float
    integration_seconds: float


class NotClosed(ArithmeticError):
    """Newton's method on the positions does not converge: independent coordinates do not fix them here."""


class NaturalMotion:
    """Evaluates the right-hand side; `ordering` is a name of `ORDERINGS`, or `FULL`."""

    def __init__(self, mechanism: NaturalMechanism, ordering: str = "bordered") -> None:
        self.equations = e = NaturalEquations(mechanism.make())
        self.independent = mechanism.independent
        self._zi = np.array([e.number[name] for name in self.independent], np.int64)
        pattern, self._entries, columns = e.dependent(self.independent)
        self._di = e.free[columns]
        self.q, self.v = e.q.copy(), np.zeros_like(e.q)
        e.at(self.q, self.v)
        rows = np.repeat(np.arange(e.pattern.shape[0]), np.diff(e.pattern.starts))
        place = {int(e.free[c]): c for c in range(len(e.free))}
        number = {place[int(k)]: j for j, k in enumerate(self._zi)}
        inside = [k for k, c in enumerate(e.pattern.columns.tolist()) if c in number]
        self._right = np.array(inside, np.int64)
        self._right_at = (
            rows[inside],
            np.array([number[int(e.pattern.columns[k])] for k in inside], np.int64),
        )
        self._sides = np.zeros((pattern.shape[0], len(self._zi) + 1))
        start = e.jacobian[self._entries]
        self.solver: DependentSolver = (
            Full(pattern) if ordering == FULL else Reordered(pattern, start, ordering)
        )
        self._mass = scipy.sparse.csr_array(e.mass)
        self._last = self.q.copy()  # the newest positions, from which Newton begins
        self.evaluations = self.improvements = 0

    # kinematics

    def close(self, q: Array, tolerance: float = CLOSED) -> None:
        """The dependent coordinates follow from the independent ones, by Newton's method."""
        e = self.equations
        for _ in range(NEWTON):
            e.at(q, self.v)
            if np.abs(e.phi).max(initial=0.0) < tolerance:
                return
            self.solver.factor(e.jacobian[self._entries])
            q[self._di] -= self.solver.solve(np.ascontiguousarray(e.phi[:, None]))[:, 0]
        raise NotClosed(f"Φ stays at {np.abs(e.phi).max():.1e}")

    def velocities(self, q: Array, rates: Array) -> Array:
        """q̇ of the independent velocities."""
        e = self.equations
        e.at(q, np.zeros_like(q))
        R = self._directions()
        v = np.zeros_like(q)
        v[self._di], v[self._zi] = R @ rates, rates
        return v

    def _directions(self) -> Array:
        """R* at the last evaluation; the factor stays."""
        e, f = self.equations, len(self._zi)
        self.solver.factor(e.jacobian[self._entries])
        self._sides[:, :f] = 0.0
        self._sides[self._right_at] = -e.jacobian[self._right]
        return self.solver.solve(np.ascontiguousarray(self._sides[:, :f]))

    def accelerations(self, q: Array, rates: Array) -> tuple[Array, Array]:
        """q̇ and z̈; q must satisfy the constraints."""
        e = self.equations
        self.evaluations += 1
        e.at(q, np.zeros_like(q))
        R = self._directions()
        v = self.v
        v[:] = 0.0
        v[self._di], v[self._zi] = R @ rates, rates
        e.at(q, v)  # for c
        bias = np.zeros_like(q)
        bias[self._di] = self.solver.solve(np.ascontiguousarray(e.c[:, None]))[:, 0]
        whole = np.zeros((len(q), len(rates)))
        whole[self._di], whole[self._zi, np.arange(len(rates))] = R, 1.0
        reduced = whole.T @ (self._mass @ whole)
        load = whole.T @ (e.forces(q, v) - self._mass @ bias)
        return v, np.asarray(scipy.linalg.solve(reduced, load, assume_a="pos", check_finite=False))

    # integration

    def run(
        self,
        duration: float,
        *,
        state: State = "index two",
        scheme: Scheme = "dopri5",
        tolerance: float = 1e-6,
        rates: Sequence[float] | None = None,
        instants: int = 101,
    ) -> NaturalRun:
        """From the present pose with these independent velocities; the tolerance is relative and absolute."""
        begin = time.thread_time()
        self.solver.seconds, self.evaluations, self.improvements = 0.0, 0, 0
        f = len(self._zi)
        start = np.zeros(f) if rates is None else np.asarray(rates, float)
        self.close(self.q)
        held = self.q.copy()

        def unpacked(y: Array) -> Array:
            q = held.copy()
            if state == "index two":
                q[self.equations.free] = y[f:]
            else:
                q[self._di] = self._last[self._di]
                q[self._zi] = y[f:]
                self.close(q)
                self._last = q
            return q

        def rate(t: float, y: Array) -> Array:
            q = unpacked(y)
            v, acceleration = self.accelerations(q, y[:f])
            return np.concatenate([acceleration, v[self.equations.free] if state == "index two" else y[:f]])

        self._last = held.copy()
        y = np.concatenate([start, held[self.equations.free] if state == "index two" else held[self._zi]])
        solver = scipy.integrate.RK45 if scheme == "dopri5" else scipy.integrate.LSODA
        wanted = np.linspace(0.0, duration, instants)
        marched = solver(rate, 0.0, y, duration, rtol=tolerance, atol=tolerance)
        rows, steps, at = [(y, held)], 0, 1  # positions are found at once, next to those of the last step
        while marched.status == "running":
            marched.step()
            if marched.status == "failed":
                raise NotClosed("the step of the integrator became too small")
            steps += 1
            dense = marched.dense_output()
            while at < len(wanted) and wanted[at] <= marched.t:
                wanted_y = dense(wanted[at])
                rows.append((wanted_y, unpacked(wanted_y)))
                at += 1
            if state == "index two":
                self._improve(marched.y, f, unpacked(marched.y))
        seconds = time.thread_time() - begin
        return self._recorded(wanted[: len(rows)], rows, f, steps, seconds)

    def _improve(self, y: Array, f: int, q: Array) -> None:
        """Bring the positions of an accepted state back when they have left the constraints."""
        self.equations.at(q, self.v)
        if np.abs(self.equations.phi).max(initial=0.0) > IMPROVE:
            self.close(q)
            y[f:] = q[self.equations.free]
            self.improvements += 1

    def _recorded(
        self, t: Array, rows: list[tuple[Array, Array]], f: int, steps: int, seconds: float
    ) -> NaturalRun:
        evaluations, solves = self.evaluations, self.solver.seconds
        positions, rates, energy, violation = [], [], [], []
        for y, q in rows:
            v = self.velocities(q, y[:f])
            positions.append(q)
            rates.append(v)
            energy.append(self.equations.energy(q, v))
            violation.append(float(np.abs(self.equations.phi).max(initial=0.0)))
        return NaturalRun(
            t,
            np.array(positions),
            np.array(rates),
            np.array(energy),
            np.array(violation),
            steps,
            evaluations,
            self.improvements,
            solves,
            seconds,
        )
