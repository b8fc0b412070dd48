"""The equations of a mechanism as NumPy arrays, one evaluation at a time: for analyses, channels and tests.

Runs never come here; they stay in compiled code.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import scipy
from numba import types

from engine.compiled.arenas import open_system
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import body_reals as BODY_REAL
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import tangents as TAN
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.columns import velocity_blocks as BLOCK
from engine.compiled.dispatch import new_table
from engine.compiled.kernel import compiled, kernel
from engine.compiled.layout import CONSTRAINTS, F1, F2, FORCES, I2, PACKED, Array, Ints, Packed
from engine.maths.sparse.symbolic import Symbolic, analyse
from engine.system.compiling.mechanism import Mechanism
from engine.system.compiling.patterns import complement_pattern
from engine.system.compiling.work import kind_functions, new_work
from engine.system.equations import equations, kinematics
from engine.system.equations.sparse_rows import SparseRows


@kernel
def spread(packed: Packed, table: Array, out: Array, by_row: bool) -> None:
    """Dense matrix of gradient blocks, one line per constraint row or per coordinate function."""
    system = open_system(packed)
    for i in range(out.shape[0]):
        g = system.rows[i, 0] if by_row else i
        begin = system.coordinate_functions[g, 0]
        for block in range(begin, begin + system.coordinate_functions[g, 1]):
            body = system.block_bodies[block]
            at = system.bodies[body, 2]
            if at >= 0:
                for c in range(system.bodies[body, 4]):
                    out[i, at + c] += table[block, c]


class Evaluator:
    """Evaluates at (t, q, v) and hands out copies of what was found."""

    def __init__(self, mechanism: Mechanism, *, tangents: bool = False) -> None:
        self.mechanism = mechanism
        self.system = mechanism.system
        self.work, ints, reals = new_work(mechanism, tangents=tangents)
        table = new_table({}, kind_functions(mechanism, tangents=tangents))
        self._packed = Packed(*mechanism.arenas, ints, reals, table)
        self._constraints = compiled(equations.constraints_and_coordinates, CONSTRAINTS)
        self._forces = compiled(equations.forces, FORCES)
        self._tangents = (
            compiled(equations.tangents, types.void(PACKED, types.float64, F1)) if tangents else None
        )
        self._energies = compiled(equations.energies, types.void(PACKED))
        self._spread = compiled(spread, types.void(PACKED, F2, F2, types.boolean))
        self._retract = compiled(kinematics.retract, types.void(I2, F1, F1, F1))
        self._difference = compiled(kinematics.difference, types.void(I2, F1, F1, F1))
        self._t = 0.0
        self._m = len(mechanism.rows)  # rows that laws switch are no business of analyses

    def at(self, t: float, q: Array, v: Array | None = None, angles: Array | None = None) -> Evaluator:
        """Evaluate coordinate functions and rows; angles are the references about which whole turns are
        counted."""
        if angles is not None:
            self.work.coordinate[self.system.tracked, COORDINATE_VALUE.REFERENCE] = angles
        v = np.zeros(self.mechanism.nv) if v is None else np.ascontiguousarray(v, dtype=float)
        self._constraints(self._packed, float(t), np.ascontiguousarray(q, dtype=float), v)
        self._t = float(t)
        return self

    # constraint rows

    @property
    def phi(self) -> Array:
        """Violation of position rows, shape (m,); zero for velocity rows."""
        return self.work.row[: self._m, ROW_VALUE.PHI].copy()

    @property
    def phi_rate(self) -> Array:
        return self.work.row[: self._m, ROW_VALUE.RATE].copy()

    @property
    def gamma(self) -> Array:
        return self.work.row[: self._m, ROW_VALUE.GAMMA].copy()

    @property
    def jacobian(self) -> Array:
        """J, shape (m, nv)."""
        return self._dense(self.work.grad, True)

    @property
    def sparse_jacobian(self) -> Any:
        """J in compressed rows, for mechanisms of any size."""
        return self._sparse_rows.matrix(self.work.grad)[: self._m]

    @cached_property
    def _sparse_rows(self) -> SparseRows:
        return SparseRows(self.system)

    @cached_property
    def row_structure(self) -> Symbolic:
        """Structure of a factor of J W⁻¹ Jᵀ, for any block diagonal W and whichever rows are left out."""
        return analyse(complement_pattern(self.system))

    # coordinate functions

    @property
    def coordinate_functions(self) -> Array:
        """Value, rate and bias of every coordinate function, shape (g, 3)."""
        return self.work.coordinate[
            :, [COORDINATE_VALUE.VALUE, COORDINATE_VALUE.RATE, COORDINATE_VALUE.BIAS]
        ].copy()

    @property
    def coordinate_gradients(self) -> Array:
        return self._dense(self.work.grad, False)

    def coordinate_gradient(self, number: int) -> Array:
        """∇s of one coordinate function, shape (nv,)."""
        out = np.zeros(self.mechanism.nv)
        columns, gradient = self.sparse_gradient(number)
        np.add.at(out, columns, gradient)
        return out

    def coordinate_accelerations(self, a: Array) -> Array:
        """s″ of every coordinate function for accelerations of the bodies, shape (g,)."""
        functions, work = self.system.coordinate_functions, self.work
        bodies = self.system.block_bodies
        width = 3 if self.mechanism.planar else 6
        of_body = np.zeros((len(self.system.bodies), width))  # the world, which is last, stands still
        of_body[: len(self.mechanism.bodies)] = a.reshape(-1, width)
        along = np.einsum("ij,ij->i", work.grad[: len(bodies), :width], of_body[bodies])
        starts, counts = functions[:, COORDINATE.BLOCK], functions[:, COORDINATE.BLOCKS]
        owners = np.repeat(np.arange(len(functions)), counts)
        blocks = np.arange(len(owners)) + np.repeat(starts - np.cumsum(counts) + counts, counts)
        sums = np.bincount(owners, along[blocks], minlength=len(functions))
        return np.asarray(work.coordinate[:, COORDINATE_VALUE.BIAS] + sums)

    def sparse_gradient(self, number: int) -> tuple[Ints, Array]:
        """Where ∇s of one coordinate function has entries, and these; a body that is met twice stands there
        twice."""
        begin, count = self.system.coordinate_functions[number, [COORDINATE.BLOCK, COORDINATE.BLOCKS]]
        columns: list[int] = []
        gradient: list[float] = []
        for block in range(begin, begin + count):
            at, width = self.system.bodies[self.system.block_bodies[block], [BODY.V, BODY.NV]]
            if at >= 0:
                columns += range(at, at + width)
                gradient += self.work.grad[block, :width].tolist()
        return np.array(columns, np.int64), np.array(gradient)

    def _dense(self, table: Array, by_row: bool) -> Array:
        lines = self._m if by_row else len(self.system.coordinate_functions)
        out = np.zeros((lines, self.mechanism.nv))
        self._spread(self._packed, table, out, by_row)
        return out

    # forces and inertia; after `at`

    def forces(self) -> Array:
        """Q, gravity and gyroscopic torques included, shape (nv,)."""
        self._forces(self._packed, self._t)
        return np.array(self.work.vectors[VECTOR.Q])

    @property
    def energy(self) -> Array:
        """Kinetic, gravitational and elastic energy; after `forces`."""
        self._energies(self._packed)
        return self.work.energy.copy()

    @property
    def power(self) -> Array:
        """Power per work integral, dissipation first; after `forces`."""
        return self.work.power.copy()

    def mass_blocks(self) -> Array:
        """The blocks of M, shape (bodies, n, n) with n velocities per body."""
        n, reals = 3 if self.mechanism.planar else 6, self.system.body_reals[:-1]
        inertia = reals[:, BODY_REAL.INERTIA : BODY_REAL.INERTIA + 9].reshape(-1, 3, 3)
        out = np.zeros((len(reals), n, n))
        translations = np.arange(n - 1 if n == 3 else 3)
        out[:, translations, translations] = reals[:, BODY_REAL.MASS, None]
        if n == 3:
            out[:, 2, 2] = inertia[:, 2, 2]
        else:
            out[:, 3:, 3:] = inertia
        return out

    def inertia(self, a: Array) -> Array:
        """M a, of accelerations or other velocities, shape (nv,)."""
        blocks = self.mass_blocks()
        return np.asarray((blocks @ a.reshape(*blocks.shape[:2], 1)).ravel())

    def sparse_mass(self) -> Any:
        """M in compressed rows."""
        blocks, bodies = self.mass_blocks(), np.arange(len(self.mechanism.bodies) + 1)
        nv = self.mechanism.nv
        return scipy.sparse.bsr_array((blocks, bodies[:-1], bodies), shape=(nv, nv)).tocsr()

    def mass_matrix(self) -> Array:
        """M, shape (nv, nv)."""
        blocks = self.mass_blocks()
        n = blocks.shape[1]
        out = np.zeros((self.mechanism.nv, self.mechanism.nv))
        for i, block in enumerate(blocks):
            out[i * n : i * n + n, i * n : i * n + n] = block
        return out

    # tangents; after `at` and `forces`

    def tangents(self, a: Array, multipliers: Array) -> tuple[Array, Array]:
        """∂(Q + Jᵀλ)/∂q and ∂Q/∂v, shape (nv, nv) each; `forces` must have been called at this state."""
        K, D = self.sparse_tangents(a, multipliers)
        return K.toarray(), D.toarray()

    def sparse_tangents(self, a: Array, multipliers: Array) -> tuple[Any, Any]:
        """The same in compressed rows, for mechanisms of any size."""
        assert self._tangents is not None, "make the evaluator with tangents=True"
        self.work.row[: self._m, ROW_VALUE.LAMBDA] = multipliers
        self._tangents(self._packed, self._t, np.ascontiguousarray(a, dtype=float))
        return self._over_velocities(self.work.stiffness), self._over_velocities(self.work.damping)

    def _over_velocities(self, values: Array) -> Any:
        """A matrix over the velocities, sparse."""
        blocks, n = self.system.velocity_blocks, np.arange(3 if self.mechanism.planar else 6)
        row, column = n[None, :, None], n[None, None, :]
        at = [blocks[:, k][:, None, None] for k in range(BLOCK.COLUMNS)]
        places = at[BLOCK.START] + row * at[BLOCK.ROW_STEP] + column * at[BLOCK.COLUMN_STEP]
        rows, columns = np.broadcast_arrays(at[BLOCK.ROW_VELOCITY] + row, at[BLOCK.COLUMN_VELOCITY] + column)
        nv = self.mechanism.nv
        return scipy.sparse.csr_array((values[places].ravel(), (rows.ravel(), columns.ravel())), (nv, nv))

    def row_tangents(self) -> tuple[Array, Array, Array]:
        """∂(J v)/∂q, ∂(J a − γ)/∂q and −∂γ/∂v, shape (m, nv) each; after `tangents`."""
        tables: Any = self.work.tangent
        return tuple(self._dense(tables[k], True) for k in (TAN.RATE_Q, TAN.ACC_Q, TAN.ACC_V))  # type: ignore[return-value]

    def sparse_rate_tangent(self) -> Any:
        """∂(J v)/∂q in compressed rows; after `tangents`."""
        tables: Any = self.work.tangent
        return self._sparse_rows.matrix(tables[TAN.RATE_Q])[: self._m]

    # configuration

    def retract(self, q: Array, step: Array) -> Array:
        """q ⊕ step."""
        out = np.zeros_like(q)
        self._retract(self.system.bodies, q, np.ascontiguousarray(step, dtype=float), out)
        return out

    def normalised(self, q: Array) -> Array:
        """q with unit quaternions."""
        if self.mechanism.planar:
            return q
        table = q.reshape(-1, 7).copy()
        table[:, 3:] /= np.linalg.norm(table[:, 3:], axis=1)[:, None]
        return table.ravel()

    def difference(self, q: Array, other: Array) -> Array:
        """other ⊖ q."""
        out = np.zeros(self.mechanism.nv)
        self._difference(self.system.bodies, q, other, out)
        return out
