"""Arrays of a natural model: Φ, Φ_q on its pattern, c, the constant mass matrix, applied forces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy

from engine.compiled.layout import Array
from engine.maths.sparse.pattern import Ints, Pattern
from engine.natural.model import NaturalModel
from engine.natural.terms import (
    ALWAYS,
    ANGLE_ROW,
    AT_I,
    AT_THETA,
    COSINE,
    FORM,
    ROW,
    SINE,
    TERM_COLUMNS,
    THETA,
    I,
    choose_forms,
    evaluate,
)


class NaturalEquations:
    """Evaluates at (q, q̇) over all coordinates; Jacobians are over the free ones."""

    def __init__(self, model: NaturalModel) -> None:
        self.model = model
        self.names = model.coordinates()
        self.number = {name: k for k, name in enumerate(self.names)}
        self.free_names = model.free()
        self.free = np.array([self.number[name] for name in self.free_names], np.int64)
        self.q = np.concatenate([model.values[name] for name in model.values])
        self._column = {int(k): c for c, k in enumerate(self.free)}
        self.pattern = self._make_pattern()
        self._make_terms()
        self.mass = self._mass_matrix()
        self.weight = self._weight()
        m = len(model.rows)
        self.forms = np.zeros(m, np.int64)
        self.phi, self.c, self.jacobian = np.zeros(m), np.zeros(m), np.zeros(self.pattern.entries)
        self._keep_constants()
        springs = model.springs
        self._spring = np.array([self.number[s.coordinate] for s in springs], np.int64)
        self._stiffness = np.array([s.stiffness for s in springs])
        self._damping = np.array([s.damping for s in springs])
        self._rest = np.array([s.rest for s in springs])

    # structure

    def _make_pattern(self) -> Pattern:
        """Where Φ_q may have entries in either form of every angle."""
        rows = []
        for row in self.model.rows:
            numbers = {self.number[name] for _, _, names in row.terms for name in names}
            if row.angle:
                numbers.add(self.number[row.angle])
            rows.append([self._column[k] for k in numbers if k in self._column])
        return Pattern.of_rows(rows, len(self.free))

    def _entry(self, row: int, coordinate: int) -> int:
        if coordinate not in self._column:
            return -1
        begin = int(self.pattern.starts[row])
        return begin + int(np.searchsorted(self.pattern.row(row), self._column[coordinate]))

    def _make_terms(self) -> None:
        table: list[list[int]] = []
        factors: list[float] = []
        angles: list[list[int]] = []
        self.amplitudes = np.array([row.amplitude for row in self.model.rows if row.angle])
        fixed = []
        for r, row in enumerate(self.model.rows):
            for form, factor, names in row.terms:
                numbers = [self.number[name] for name in names]
                padded = numbers + [-1] * (3 - len(numbers))
                places = [self._entry(r, k) if k >= 0 else -1 for k in padded]
                table.append([r, form, *padded, *places])
                factors.append(factor)
            if row.angle:
                theta = self.number[row.angle]
                angles.append([r, theta, self._entry(r, theta)])
                fixed.append(row.form)
        self.terms = np.array(table, np.int64).reshape(-1, TERM_COLUMNS)
        self.coefficients = np.array(factors)
        self.angles = np.array(angles, np.int64).reshape(-1, 3)
        self._fixed = np.array(fixed, np.int64)
        assert (ROW, FORM, I, AT_I, ANGLE_ROW, THETA, AT_THETA) == (0, 1, 2, 5, 0, 1, 2)

    def _keep_constants(self) -> None:
        """Constraints keep the values that they have at the start, in each of their forms."""
        m = len(self.model.rows)
        self.constants = np.zeros((m, 3))
        rest, kept = np.zeros_like(self.q), np.zeros((m, 3))
        for form in (SINE, COSINE):
            self.forms[:] = ALWAYS
            self.forms[self.angles[:, ANGLE_ROW]] = form
            self._evaluate(self.q, rest)
            kept[self.angles[:, ANGLE_ROW], form] = -self.phi[self.angles[:, ANGLE_ROW]]
            plain = self.forms == ALWAYS
            kept[plain, ALWAYS] = -self.phi[plain]
        self.constants = kept

    def _mass_matrix(self) -> Any:
        """M = Σ Γ_kl N_kᵀ N_l over the bodies, sparse, over all coordinates."""
        n = len(self.names)
        total = scipy.sparse.csr_array((n, n))
        for body in self.model.bodies:
            parts = [self._map(part) for part in body.parts]
            for k, left in enumerate(parts):
                for j, right in enumerate(parts):
                    if body.moments[k, j] != 0.0:
                        total = total + body.moments[k, j] * (left.T @ right)
        return scipy.sparse.csr_array(total)

    def _map(self, part: Sequence[tuple[str, Array]]) -> Any:
        """N with d = N q."""
        out = np.zeros((3, len(self.names)))
        for name, matrix in part:
            first = self.number[self.model.place(name, 0)]
            out[:, first : first + 3] += matrix
        return scipy.sparse.csr_array(out)

    def _weight(self) -> Array:
        """Generalised gravity, constant."""
        out = np.zeros(len(self.names))
        for body in self.model.bodies:
            for k, part in enumerate(body.parts):
                out += body.moments[0, k] * (self._map(part).T @ self.model.gravity)
        return out

    # at one state

    def at(self, q: Array, v: Array) -> None:
        """Φ into `phi`, the entries of Φ_q into `jacobian`, −Φ̇_q q̇ into `c`."""
        choose_forms(q, self.angles, self._fixed, self.forms)
        self._evaluate(q, v)

    def _evaluate(self, q: Array, v: Array) -> None:
        evaluate(
            q,
            v,
            self.terms,
            self.coefficients,
            self.angles,
            self.amplitudes,
            self.constants,
            self.forms,
            self.phi,
            self.jacobian,
            self.c,
        )

    def matrix(self) -> Any:
        """Φ_q of the last evaluation, sparse."""
        return scipy.sparse.csr_array(
            (self.jacobian.copy(), self.pattern.columns, self.pattern.starts), shape=self.pattern.shape
        )

    def forces(self, q: Array, v: Array) -> Array:
        """Gravity and springs, over all coordinates."""
        out = self.weight.copy()
        if len(self._spring):
            pull = -self._stiffness * (q[self._spring] - self._rest) - self._damping * v[self._spring]
            np.add.at(out, self._spring, pull)
        return out

    def energy(self, q: Array, v: Array) -> float:
        """Kinetic, gravitational and elastic [J]."""
        springs = 0.5 * self._stiffness * (q[self._spring] - self._rest) ** 2
        return float(0.5 * v @ (self.mass @ v) - self.weight @ q + springs.sum())

    # parts of the Jacobian

    def dependent(self, independent: Sequence[str]) -> tuple[Pattern, Ints, Ints]:
        """Pattern of Φ_q^d, the entries of Φ_q that stand in it, and its columns among the free ones."""
        out = set(independent)
        unknown = out - set(self.free_names)
        if unknown:
            raise ValueError(f"not free coordinates: {', '.join(sorted(unknown))}")
        columns = np.array([c for c, name in enumerate(self.free_names) if name not in out], np.int64)
        place = np.full(len(self.free), -1, np.int64)
        place[columns] = np.arange(len(columns))
        inside = np.flatnonzero(place[self.pattern.columns] >= 0)
        rows = np.repeat(np.arange(self.pattern.shape[0]), np.diff(self.pattern.starts))[inside]
        starts = np.searchsorted(rows, np.arange(self.pattern.shape[0] + 1)).astype(np.int64)
        pattern = Pattern((self.pattern.shape[0], len(columns)), starts, place[self.pattern.columns[inside]])
        return pattern, inside.astype(np.int64), columns

    def closures(self) -> frozenset[int]:
        """Rows that close loops."""
        return frozenset(r for r, row in enumerate(self.model.rows) if row.closure)
