"""Consistent velocities: the least change of the given ones that the constraints allow.

    min |v − v₀|_M   subject to   J v = b,   and, where it can be met,   G v = s

Rows G are bodies with `hold` "velocity" or "both" and joint `start` speeds; when the constraints do not
allow them that is an error. The rest changes as little as possible in the metric of the mass, as if the
joints had been closed by a blow. Where a start speed is given, bodies whose velocity is exactly zero
count as not given.

The general solution v = v_p + N y of the constraints comes from the dimensionless J, so that masses have
no say in what counts as dependent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.compiled.layout import Array
from engine.errors import CompileError, Problem
from engine.system.assembly.position_problem import Pose
from engine.system.assembly.scaling import Scales, Subspaces, subspaces
from engine.system.assembly.strategies import SHOWN, held
from engine.system.compiling.mechanism import Mechanism
from engine.system.equations.evaluator import Evaluator

MASSLESS = 1e-9  # share of the largest mass that a coordinate without mass counts
CONSISTENT = 1e-12  # velocities that meet their rows this well are not touched
UNMET = 1e-6  # share of the largest velocity by which a wish may be missed
CONTRADICTION = 1e-9  # the same for constraint rows
UNSET = 1e-6  # share of its mass with which an unset velocity counts where a joint speed is wanted


@dataclass(frozen=True)
class Velocities:
    """The solution, and by how much rows stay unmet (over their sizes)."""

    v: Array
    constraint_miss: Array
    wish_miss: Array
    size: float  # the largest velocity about, without units per second: misses are judged by it


def consistent_velocities(
    evaluator: Evaluator,
    scales: Scales,
    space: Subspaces,
    at: tuple[float, Pose],
    given: Array,
    *,
    wishes: bool = True,
) -> Array:
    """Velocities next to the given ones that satisfy all rows; raises CompileError."""
    mechanism, (t, pose) = evaluator.mechanism, at
    evaluator.at(t, pose.q, angles=pose.angles)
    b = -evaluator.phi_rate / scales.row
    J = scales.jacobian(evaluator.jacobian)
    wanted = _wishes(evaluator, scales, given) if wishes else []
    little = np.zeros(mechanism.nv, dtype=bool)
    if any(wish.path.startswith("joints") for wish in wanted):
        width = 3 if mechanism.planar else 6
        little = np.repeat(~given.reshape(-1, width).any(axis=1), width)
    G = np.array([wish.row for wish in wanted]).reshape(-1, mechanism.nv)
    s = np.array([wish.value for wish in wanted])
    found = solve_velocities(scales, space, (J, b), (G, s), given, evaluator.mass_matrix(), little)
    _judge_rows(mechanism, scales, found)
    _judge_wishes(wanted, found)
    return found.v


@dataclass(frozen=True)
class Wish:
    """A velocity row that is to be met if the constraints allow it; without units."""

    path: str
    what: str
    row: Array
    value: float


def _wishes(evaluator: Evaluator, scales: Scales, given: Array) -> list[Wish]:
    mechanism, gradients = evaluator.mechanism, evaluator.coordinate_gradients
    found = []
    for joint in mechanism.scene.joints:
        for name, start in getattr(joint, "start", {}).items():
            if start.speed is not None:
                size = 1.0 if name == "angle" else scales.length
                row = gradients[mechanism.coordinates[joint.name, name]] / size * scales.column
                path, what = f"joints.{joint.name}.start.{name}", f"joint {joint.name!r}: the start speed"
                found.append(Wish(path, what, row, float(start.speed) / size))
    for i in np.flatnonzero(held(mechanism, "velocity")):
        body = mechanism.body_of_velocity(int(i))
        row, value = np.eye(mechanism.nv)[i], float(given[i] / scales.column[i])
        found.append(Wish(f"bodies.{body}", f"body {body!r}: the held velocity", row, value))
    return found


def _judge_rows(mechanism: Mechanism, scales: Scales, found: Velocities) -> None:
    misses = np.abs(found.constraint_miss)
    problems = []
    for r in np.argsort(-misses)[:SHOWN]:
        if misses[r] > CONTRADICTION * found.size:
            row = mechanism.rows[r]
            text = (
                f"{row.owner} {row.name!r} ({row.label}) asks for a velocity that others do not allow "
                f"here; it stays off by {misses[r] * scales.row[r]:.3g} {row.unit.removesuffix('/s')}/s"
            )
            remedy = "let motions agree with the joints, or start at a pose where they can"
            problems.append(Problem(f"{row.owner}s.{row.name}", float(misses[r]), text, remedy))
    if problems:
        raise CompileError(problems)


def _judge_wishes(wishes: Sequence[Wish], found: Velocities) -> None:
    worst: dict[tuple[str, str], float] = {}
    for wish, miss in zip(wishes, np.abs(found.wish_miss), strict=True):
        if miss > UNMET * found.size:
            key = (wish.path, wish.what)
            worst[key] = max(worst.get(key, 0.0), float(miss))
    if worst:
        remedy = "give velocities that the joints allow, or do not ask for all of them"
        raise CompileError(
            Problem(path, miss, f"{what} contradicts the constraints", remedy)
            for (path, what), miss in sorted(worst.items(), key=lambda item: -item[1])[:SHOWN]
        )


def solve_velocities(
    scales: Scales,
    space: Subspaces,
    rows: tuple[Array, Array],
    wishes: tuple[Array, Array],
    given: Array,
    mass: Array,
    little: Array,
) -> Velocities:
    """Velocities for rows (J, b) and wishes (G, s), both without units; `little` marks unset coordinates."""
    (J, b), (G, s) = rows, wishes
    column = scales.column
    size = max(float(np.max(np.abs(x), initial=0.0)) for x in (given / column, b, s))
    miss = np.max(np.abs(J @ (given / column) - b), initial=0.0)
    if max(miss, np.max(np.abs(G @ (given / column) - s), initial=0.0)) <= CONSISTENT * max(size, 1e-300):
        return Velocities(given, J @ (given / column) - b, G @ (given / column) - s, size)

    # constraints, then wishes inside their null space
    x = space.solve(b)
    free = space.null
    if len(G):
        inner = subspaces(G @ free)
        x = x + free @ inner.solve(s - G @ x)
        free = free @ inner.null

    # what is still free: least change in the metric of the mass
    root = _root(mass * np.outer(column, column), little)
    if free.shape[1]:
        y, *_ = np.linalg.lstsq(root @ free, root @ (given / column - x), rcond=None)
        x = x + free @ y
    return Velocities(x * column, J @ x - b, G @ x - s, size)


def _root(mass: Array, little: Array) -> Array:
    """R with RᵀR = M, massless coordinates given a little, unset ones scaled down."""
    values, vectors = np.linalg.eigh(mass)
    values = np.maximum(values, MASSLESS * max(float(values[-1]), MASSLESS)) if len(values) else values
    root = vectors * np.sqrt(values) @ vectors.T
    return np.asarray(root * np.where(little, np.sqrt(UNSET), 1.0))
