"""What the rows that laws switch do to a mechanism at one state: gaps, rates and the matrix between them.

With D the gradients of gaps and slips, and x = M_b⁻¹f short for the solution of M x = f + Jᵀμ, J x = 0 under
the rows of joints and motions, pushes λ change the accelerations of gaps and slips by G λ, G = D M_b⁻¹ Dᵀ,
and impulses their rates.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import diagonals as DIAGONAL
from engine.compiled.columns import forces as LAW
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import rows as ROW
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.kernel import compiled, kernel
from engine.compiled.layout import CONSTRAINTS, FACTOR, FORCES, PACKED, SOLVE, Array, Ints, Packed
from engine.elements.laws import held_friction
from engine.simulation.stepping.method_driver import Driver
from engine.solvers.linsolve import SOLVERS
from engine.system.compiling.work import new_work
from engine.system.equations import equations

REFINEMENTS = 2
REPEATED = 1e-12  # of the largest singular value: a combination of rates that is stopped already
INDEPENDENT = 1e-9  # of unit vectors: with a smaller singular value they depend on each other
NORMALS = types.float64(PACKED, types.int64)


@kernel
def normals(packed: Packed, line: int) -> float:
    system, work = open_system(packed), open_work(packed)
    return float(held_friction.normal(system, work, line))


class ContactProblem:
    """The mechanism of a driver with scratch of its own; it writes which rows are active, no more."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.work, ints, reals = new_work(driver.mechanism)
        self._own = ints, reals
        solver = SOLVERS[driver.mechanism.solver]
        self._constraints = compiled(equations.constraints, CONSTRAINTS)
        self._forces = compiled(equations.forces, FORCES)
        self._factor: Any = compiled(solver.factor, FACTOR)
        self._solve: Any = compiled(solver.solve, SOLVE)
        self._state = (0.0, np.zeros(0), np.zeros(0))

    @property
    def _packed(self) -> Packed:
        packed = self.driver.packed
        return packed._replace(work_ints=self._own[0], work_reals=self._own[1])

    def at(self, t: float, q: Array, v: Array, angles: Array, active: Ints) -> None:
        """Evaluate with these conditional rows active."""
        system = self.driver.system
        self.driver.activate(active)
        self.work.coordinate[system.tracked, COORDINATE_VALUE.REFERENCE] = angles
        self._state = (t, q, v)
        self._constraints(self._packed, t, np.ascontiguousarray(q), np.ascontiguousarray(v))

    def coordinate(self, row: int) -> tuple[float, float, float]:
        """Value, rate and bias of the coordinate function of a row."""
        g = self.driver.system.rows[row, ROW.COORDINATE]
        value, rate, bias = self.work.coordinate[
            g, [COORDINATE_VALUE.VALUE, COORDINATE_VALUE.RATE, COORDINATE_VALUE.BIAS]
        ]
        return float(value), float(rate), float(bias)

    def ask(self, function: Any, signature: Any, *given: Any) -> Any:
        """What a compiled function says of the state that was evaluated last."""
        return compiled(function, signature)(self._packed, *given)

    def seen(self, line: int) -> float:
        """The coordinate that the law of a line looks at, which may have parted from that of its row."""
        g = self.driver.system.forces[line, LAW.A]
        return float(self.work.coordinate[g, COORDINATE_VALUE.VALUE])

    def seen_by(self, lines: Ints) -> Array:
        """The same of several lines."""
        functions = self.driver.system.forces[lines, LAW.A]
        return np.asarray(self.work.coordinate[functions, COORDINATE_VALUE.VALUE])

    def gradient(self, row: int) -> Array:
        """Of an active row, shape (nv,)."""
        system = self.driver.system
        out = np.zeros(self.driver.mechanism.nv)
        begin, count = system.coordinate_functions[
            system.rows[row, ROW.COORDINATE], [COORDINATE.BLOCK, COORDINATE.BLOCKS]
        ]
        for block in range(begin, begin + count):
            at, width = system.bodies[system.block_bodies[block], [BODY.V, BODY.NV]]
            if at >= 0:
                out[at : at + width] += self.work.grad[block, :width]
        return out

    def factor(self) -> None:
        """For the rows that are active; which of them repeat others is found anew."""
        self.work.diagonal[[DIAGONAL.INFO, DIAGONAL.MASK]] = 0.0
        self._factor(self._packed)

    def solve(self, load: Array, right: Array | float) -> Array:
        """x of M x = load + Jᵀμ, J x = right; μ is left in ROW_VALUE.SOLVE. After `factor`."""
        self.work.vectors[VECTOR.FREE] = load
        self.work.row[:, ROW_VALUE.SOLVE] = right
        self._solve(self._packed, REFINEMENTS)
        return np.array(self.work.vectors[VECTOR.FREE])

    def acceleration(self) -> Array:
        """With the rows that are active and the forces of the present states; λ is left in the rows."""
        self._forces(self._packed, self._state[0])
        a = self.solve(self.work.vectors[VECTOR.Q].copy(), self.work.row[:, ROW_VALUE.GAMMA].copy())
        self.work.row[:, ROW_VALUE.LAMBDA] = self.work.row[:, ROW_VALUE.SOLVE]
        return a

    def normal(self, line: int) -> float:
        """N of a held friction, from the multipliers in the rows."""
        begin, end = self.driver.system.forces[line, held_friction.REACTION : held_friction.REACTION + 2]
        if end <= begin:
            return 1.0
        return float(self.ask(normals, NORMALS, line))

    def multiplier(self, row: int) -> float:
        """λ that was found last."""
        return float(self.work.row[row, ROW_VALUE.LAMBDA])

    def react(self, push: Array) -> Array:
        """Accelerations with these pushes on the velocities, added to the forces that were evaluated last.

        λ of the active rows is left in them.
        """
        load = self.work.vectors[VECTOR.Q] + push
        a = self.solve(load, self.work.row[:, ROW_VALUE.GAMMA].copy())
        self.work.row[:, ROW_VALUE.LAMBDA] = self.work.row[:, ROW_VALUE.SOLVE]
        return a

    def rank(self, rows: Ints) -> int:
        """Of these rows, as they were evaluated."""
        if not len(rows):
            return 0
        J = np.array([self.gradient(int(r)) for r in rows])
        lengths = np.linalg.norm(J, axis=1)
        return int(np.linalg.matrix_rank(J / np.where(lengths > 0.0, lengths, 1.0)[:, None], tol=INDEPENDENT))

    @property
    def permanent(self) -> Ints:
        return np.arange(len(self.driver.mechanism.rows))

    @property
    def rows(self) -> int:
        return int(self.driver.system.sizes[SIZE.ROWS])
