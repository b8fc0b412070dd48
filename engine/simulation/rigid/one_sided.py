"""The one-sided constraints of a mechanism at one state, as numbers: what impacts, resting contacts and time
stepping are computed from.

Every rigid limit, of a stop, a rope or a contact between bodies, is a gap g(q) ≥ 0 with a gradient D over the
velocities (g' = D v, g″ = D a + bias). A contact with friction has slips u = T v beside it, one in the plane
and two in space, with Coulomb's coefficients; they count at the place of contact.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.compiled.columns import row_reals as ROW_REAL
from engine.compiled.layout import Array
from engine.elements.laws import cone, limit
from engine.simulation.rigid.contact_problem import ContactProblem
from engine.simulation.stepping.method_driver import Driver


@dataclass(frozen=True)
class OneSided:
    """One gap. Lines are those of the table of forces, rows those that hold it while it is closed."""

    line: int
    row: int
    gap: float  # m or rad
    gradient: Array  # D, shape (nv,)
    bias: float
    restitution: float
    size: float  # that small gaps are compared with
    friction: int | None = None  # line of its cone
    slip_rows: tuple[int, ...] = ()
    slips: Array | None = None  # T, shape (1 or 2, nv)
    slip_bias: Array | None = None
    kinetic: float = 0.0
    static: float = 0.0


class OneSidedTable:
    """All of them, whatever is far away: what is asked of every one is asked of columns at once."""

    def __init__(self, driver: Driver, problem: ContactProblem) -> None:
        self.driver = driver
        self.problem = problem
        forces, kinds = driver.system.forces, {int(i): driver.law_kind(int(i)) for i in driver.with_rows}
        self.limits = np.array([i for i, kind in kinds.items() if kind is limit.KIND], np.int64)
        self.cones = np.array([i for i, kind in kinds.items() if kind is cone.KIND], np.int64)
        self.row = dict(zip(map(int, self.limits), map(int, forces[self.limits, limit.ROW]), strict=True))
        owner = {row: line for line, row in self.row.items()}
        self._cone = {owner[int(forces[i, cone.NORMAL_ROW])]: int(i) for i in self.cones}
        others = [i for i in driver.with_rows if kinds[int(i)] not in (limit.KIND, cone.KIND)]
        # rows of friction in joints
        self._other_rows = [row for i in others for row in kinds[int(i)].rows_of(forces[i])]

    @property
    def sizes(self) -> Array:
        """That small gaps are compared with, in the order of the limits."""
        system = self.driver.system
        return np.asarray(system.row_reals[system.forces[self.limits, limit.ROW], ROW_REAL.SCALE])

    @property
    def gaps(self) -> Array:
        """In the order of the limits, where the problem is."""
        laws = self.driver.system.force_reals[self.limits]
        return np.asarray(laws[:, limit.SIDE] * (laws[:, limit.LIMIT] - self.problem.seen_by(self.limits)))

    def near(
        self, t: float, q: Array, v: Array, angles: Array, touching: float, fired: set[int]
    ) -> list[OneSided]:
        """Those that are closed, have just changed or have a gap below this share of their size, in the order
        of their lines; leaves the problem evaluated with their rows, and those of friction in joints."""
        self.problem.at(t, q, v, angles, np.zeros(0, np.int64))
        closed = self.driver.system.forces[self.limits, limit.STATE] == limit.CLOSED
        chosen = closed | (self.gaps <= touching * self.sizes) | np.isin(self.limits, list(fired))
        lines = [int(line) for line in self.limits[chosen]]
        cones = [self._cone[line] for line in lines if line in self._cone]
        slips = [row for i in cones for row in cone.KIND.rows_of(self.driver.system.forces[i])]
        rows = [*(self.row[line] for line in lines), *slips, *self._other_rows]
        self.problem.at(t, q, v, angles, np.array(rows, np.int64))
        return [self._at(line) for line in lines]

    def _at(self, line: int) -> OneSided:
        problem, law, row = self.problem, self.driver.system.force_reals[line], self.row[line]
        side = float(law[limit.SIDE])
        _, _, bias = problem.coordinate(row)
        own = OneSided(
            line,
            row,
            side * (float(law[limit.LIMIT]) - problem.seen(line)),
            -side * problem.gradient(row),
            -side * bias,
            float(law[limit.RESTITUTION]),
            float(self.driver.system.row_reals[row, ROW_REAL.SCALE]),
        )
        friction = self._cone.get(line)
        return own if friction is None else _with_friction(self.driver, problem, own, friction)


def _with_friction(driver: Driver, problem: ContactProblem, own: OneSided, line: int) -> OneSided:
    rows = tuple(cone.KIND.rows_of(driver.system.forces[line]))
    kinetic, static = (float(driver.system.force_reals[line, c]) for c in (cone.KINETIC, cone.STATIC))
    return OneSided(
        own.line,
        own.row,
        own.gap,
        own.gradient,
        own.bias,
        own.restitution,
        own.size,
        line,
        rows,
        np.array([problem.gradient(row) for row in rows]),
        np.array([problem.coordinate(row)[2] for row in rows]),
        kinetic,
        static,
    )
