"""Consistent velocities: the least change of the given ones that the constraints allow.

    min |v − v₀|_M   subject to   J v = b,   and, where it can be met,   G v = s

Rows G are bodies with `hold` "velocity" or "both" and joint `start` speeds; when the constraints do not
allow them that is an error. The rest changes as little as possible in the metric of the mass, as if the
joints had been closed by a blow. Where a start speed is given, bodies whose velocity is exactly zero
count as not given.

What counts as dependent is decided by the dimensionless J, in which masses have no say: by singular values,
and in large mechanisms by the pivots of its sparse complement.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy

from engine.compiled.layout import Array
from engine.elements.field_units import coordinate_unit
from engine.errors import CompileError, Problem
from engine.system.assembly.position_problem import Pose
from engine.system.assembly.scaling import LARGE, RANK, Scales, subspaces
from engine.system.assembly.sparse_nearest import nearest
from engine.system.assembly.strategies import SHOWN, held
from engine.system.compiling.mechanism import Mechanism
from engine.system.equations.evaluator import Evaluator

MASSLESS = 1e-9  # share of the mass of its body that a coordinate without mass counts
CONSISTENT = 1e-12  # velocities that meet their rows this well are not touched
UNMET = 1e-6  # share of the largest velocity by which a wish may be missed
CONTRADICTION = 10 * RANK  # the same for constraint rows: those that count as repeated are off by RANK or so
UNSET = 1e-6  # share of its mass with which an unset velocity counts where a joint speed is wanted


@dataclass(frozen=True)
class Velocities:
    """The solution, and by how much rows stay unmet (over their sizes)."""

    v: Array
    constraint_miss: Array
    wish_miss: Array
    size: float  # the largest velocity about, without units per second: misses are judged by it


def consistent_velocities(
    evaluator: Evaluator, scales: Scales, at: tuple[float, Pose], given: Array, *, wishes: bool = True
) -> Array:
    """Velocities next to the given ones that satisfy all rows; raises CompileError."""
    mechanism, (t, pose) = evaluator.mechanism, at
    evaluator.at(t, pose.q, angles=pose.angles)
    b = -evaluator.phi_rate / scales.row
    J = scales.sparse_jacobian(evaluator.sparse_jacobian)
    wanted = _wishes(evaluator, scales, given) if wishes else []
    little = np.zeros(mechanism.nv, dtype=bool)
    if any(wish.path.startswith("joints") for wish in wanted):
        width = 3 if mechanism.planar else 6
        little = np.repeat(~given.reshape(-1, width).any(axis=1), width)
    G = _rows([wish.row for wish in wanted], mechanism.nv)
    s = np.array([wish.value for wish in wanted])
    found = solve_velocities(scales, (J, b), (G, s), given, evaluator.mass_blocks(), little)
    _judge_rows(mechanism, scales, found)
    _judge_wishes(wanted, found)
    return found.v


@dataclass(frozen=True)
class Wish:
    """A velocity row that is to be met if the constraints allow it; without units."""

    path: str
    what: str
    row: Any  # one sparse row
    value: float


def _wishes(evaluator: Evaluator, scales: Scales, given: Array) -> list[Wish]:
    mechanism = evaluator.mechanism
    found = []
    for joint in mechanism.scene.joints:
        for name, start in getattr(joint, "start", {}).items():
            if start.speed is not None:
                size = scales.coordinate(coordinate_unit(name))
                gradient = evaluator.coordinate_gradient(mechanism.coordinates[joint.name, name])
                row = scipy.sparse.csr_array((gradient / size * scales.column)[None])
                path, what = f"joints.{joint.name}.start.{name}", f"joint {joint.name!r}: the start speed"
                found.append(Wish(path, what, row, float(start.speed) / size))
    for i in np.flatnonzero(held(mechanism, "velocity")):
        body = mechanism.body_of_velocity(int(i))
        row = scipy.sparse.csr_array(([1.0], ([0], [i])), shape=(1, mechanism.nv))
        value = float(given[i] / scales.column[i])
        found.append(Wish(f"bodies.{body}", f"body {body!r}: the held velocity", row, value))
    return found


def _judge_rows(mechanism: Mechanism, scales: Scales, found: Velocities) -> None:
    misses = np.abs(found.constraint_miss)
    problems = []
    remedy = "let motions agree with the joints, or start at a pose where they can"
    names = [repr(motion.name) for motion in mechanism.scene.motions]
    if len(names) == 1:
        remedy = (
            f"motion {names[0]} drives what joints hold here: take away a joint that holds it, or the "
            "motion, or start at a pose where it can move"
        )
    for r in np.argsort(-misses)[:SHOWN]:
        if misses[r] > CONTRADICTION * found.size:
            row = mechanism.rows[r]
            text = (
                f"{row.owner} {row.name!r} ({row.label}) asks for a velocity that others do not allow "
                f"here; it stays off by {misses[r] * scales.row[r]:.3g} {row.unit.removesuffix('/s')}/s"
            )
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
    rows: tuple[Any, Array],
    wishes: tuple[Any, Array],
    given: Array,
    masses: Array,
    little: Array,
) -> Velocities:
    """Velocities for sparse rows (J, b) and wishes (G, s), both without units.

    `masses` are the blocks of M, `little` marks unset coordinates.
    """
    (J, b), (G, s) = rows, wishes
    column, wanted = scales.column, given / scales.column
    size = max(float(np.max(np.abs(x), initial=0.0)) for x in (wanted, b, s))
    miss = np.max(np.abs(J @ wanted - b), initial=0.0)
    if max(miss, np.max(np.abs(G @ wanted - s), initial=0.0)) <= CONSISTENT * max(size, 1e-300):
        return Velocities(given, J @ wanted - b, G @ wanted - s, size)
    x = None
    if len(given) > LARGE:
        weights = _weights(masses, column, little)
        x = nearest(
            scipy.sparse.vstack([J, G], format="csr"),
            np.concatenate([b, s]),
            wanted,
            weights,
            CONSISTENT * size,
        )
    if x is None:
        root = _root(masses, column, little)
        x = _by_singular_values(J.toarray(), b, G.toarray(), s, wanted, root)
    return Velocities(x * column, J @ x - b, G @ x - s, size)


def _by_singular_values(J: Array, b: Array, G: Array, s: Array, wanted: Array, root: Array) -> Array:
    """The solution for any rows, contradictory ones included: as near as it can be. RᵀR is the metric."""
    # constraints, then wishes inside their null space
    space = subspaces(J)
    x = space.solve(b)
    free = space.null
    if len(G):
        inner = subspaces(G @ free)
        x = x + free @ inner.solve(s - G @ x)
        free = free @ inner.null
    # what is still free: least change in the metric of the mass
    if free.shape[1]:
        y, *_ = np.linalg.lstsq(root @ free, root @ (wanted - x), rcond=None)
        x = x + free @ y
    return np.asarray(x)


def _root(masses: Array, column: Array, little: Array) -> Array:
    """R with RᵀR the metric: M, massless coordinates given a little, unset ones scaled down."""
    values, vectors, share = _metric(masses, column, little)
    blocks = (vectors * np.sqrt(values)[:, None, :]) @ vectors.transpose(0, 2, 1)
    return np.asarray(scipy.linalg.block_diag(*(blocks * share[:, None, :])))


def _weights(masses: Array, column: Array, little: Array) -> Array:
    """The metric in blocks, shape (bodies, n, n)."""
    values, vectors, share = _metric(masses, column, little)
    blocks = (vectors * values[:, None, :]) @ vectors.transpose(0, 2, 1)
    return np.asarray(blocks * share[:, :, None] * share[:, None, :])


def _metric(masses: Array, column: Array, little: Array) -> tuple[Array, Array, Array]:
    """Eigenvalues and eigenvectors of the blocks of M without units, and the share of each coordinate.

    What has no mass has a little of that of its body, and of the heaviest one where the body has none: a
    gramme beside a hundred tonnes keeps the metric of its own mass.
    """
    count, n = masses.shape[:2]
    units = column.reshape(count, n)
    values, vectors = np.linalg.eigh(masses * units[:, :, None] * units[:, None, :])
    own = values.max(axis=1, initial=0.0)
    heaviest = max(float(own.max(initial=0.0)), MASSLESS)
    values = np.maximum(values, MASSLESS * np.where(own > 0.0, own, heaviest)[:, None])
    return values, vectors, np.where(little, np.sqrt(UNSET), 1.0).reshape(count, n)


def _rows(rows: Sequence[Any], width: int) -> Any:
    return scipy.sparse.vstack(rows, format="csr") if rows else scipy.sparse.csr_array((0, width))
