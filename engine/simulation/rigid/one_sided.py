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


def one_sided(
    driver: Driver, problem: ContactProblem, t: float, q: Array, v: Array, angles: Array
) -> list[OneSided]:
    """All of them at a state, in the order of their lines; leaves the problem evaluated with all rows."""
    lines = [int(line) for line in driver.with_rows]
    rows = [row for line in lines for row in driver.law_kind(line).rows_of(driver.system.forces[line])]
    problem.at(t, q, v, angles, np.array(rows, np.int64))
    return gaps_of(driver, problem)


def gaps_of(driver: Driver, problem: ContactProblem) -> list[OneSided]:
    """The same from a problem that is evaluated with all rows."""
    system, found = driver.system, []
    cones = {
        int(system.forces[line, cone.NORMAL_ROW]): int(line)
        for line in driver.with_rows
        if driver.law_kind(int(line)) is cone.KIND
    }
    for line in (int(i) for i in driver.with_rows):
        if driver.law_kind(line) is not limit.KIND:
            continue
        law, row = system.force_reals[line], int(system.forces[line, limit.ROW])
        side = float(law[limit.SIDE])
        _, _, bias = problem.coordinate(row)
        value = problem.seen(line)
        friction = cones.get(row)
        own = OneSided(
            line,
            row,
            side * (float(law[limit.LIMIT]) - value),
            -side * problem.gradient(row),
            -side * bias,
            float(law[limit.RESTITUTION]),
            float(system.row_reals[row, ROW_REAL.SCALE]),
        )
        found.append(own if friction is None else _with_friction(driver, problem, own, friction))
    return found


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
