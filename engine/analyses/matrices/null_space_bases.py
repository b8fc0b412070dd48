"""Bases of the null space of the constraints side by side along the motion: their condition and smoothness.

Every N with J N = 0 gives the same accelerations, v̇ = a_p + N u with NᵀM N u = Nᵀ(Q − M a_p): the equations
of Maggi. What differs is the condition of NᵀM N, and whether the columns of N go on from pose to pose, so
that u may be integrated and N differentiated by steps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import scipy
from msgspec import Struct

from engine.analyses.answers.chart import Axis, Chart, Series
from engine.analyses.answers.result import Column, Result, Table
from engine.analyses.base import Analysis, Question
from engine.compiled.layout import Array
from engine.elements.fields import number
from engine.errors import Problem, SceneError
from engine.results.sample_layout import SampleLayout
from engine.system.assembly.scaling import RANK, scales_of
from engine.system.equations.evaluator import Evaluator

MAX_VELOCITIES = 300  # velocities
JUMP = 0.5  # change of a basis between neighbours, over its size, that counts as a jump


class BasesOptions(Struct, frozen=True, kw_only=True):
    """How finely the motion is looked at."""

    samples: Annotated[
        int, number("Samples", "", "poses of the run at which bases are made", ge=2, le=100_000)
    ] = 1000


@dataclass(frozen=True)
class Basis:
    """A way to make N of J and M, given the N of the pose before (None at first)."""

    title: str
    used_by: str
    make: Callable[[Array, Array, Array | None], Array]


def by_qr(J: Array, M: Array, before: Array | None) -> Array:
    """The last columns of the orthogonal factor of Jᵀ: orthonormal."""
    return np.asarray(np.linalg.qr(J.T, mode="complete")[0][:, len(J) :])


def by_svd(J: Array, M: Array, before: Array | None) -> Array:
    """Right singular vectors of the singular values that vanish: orthonormal, turned at will."""
    return np.asarray(np.linalg.svd(J)[2][len(J) :].T)


def by_lu(J: Array, M: Array, before: Array | None) -> Array:
    """Jᵀ = P L U with L = [L1; L2]: N = P [−L1⁻ᵀ L2ᵀ; 1], rows chosen anew by pivoting at every pose."""
    m = len(J)
    P, L, _ = scipy.linalg.lu(J.T) if m else (np.eye(J.shape[1]), J.T, None)
    dependent = -scipy.linalg.solve_triangular(L[:m], L[m:].T, trans="T", lower=True, unit_diagonal=True)
    return np.asarray(P @ np.vstack([dependent, np.eye(J.shape[1] - m)]))


class ByPartition:
    """N = [−J_d⁻¹ J_i; 1] with the independent velocities that were chosen at the first pose."""

    def __init__(self) -> None:
        self._dependent: Array | None = None

    def __call__(self, J: Array, M: Array, before: Array | None) -> Array:
        m, n = J.shape
        if self._dependent is None:
            self._dependent = np.sort(scipy.linalg.qr(J, mode="r", pivoting=True)[1][:m])
        free = np.setdiff1d(np.arange(n), self._dependent)
        N = np.zeros((n, n - m))
        N[free] = np.eye(n - m)
        N[self._dependent] = -np.linalg.solve(J[:, self._dependent], J[:, free])
        return N


def by_mass(J: Array, M: Array, before: Array | None) -> Array:
    """Orthonormal in the metric of the mass: NᵀM N = 1."""
    N = by_qr(J, M, before)
    return np.asarray(scipy.linalg.solve_triangular(np.linalg.cholesky(N.T @ M @ N), N.T, lower=True).T)


def carried(J: Array, M: Array, before: Array | None) -> Array:
    """The basis of the pose before, projected on the null space here and made orthonormal by the polar
    factor: no turn that the null space does not make itself."""
    N = by_qr(J, M, before)
    if before is None:
        return N
    left, _, right = np.linalg.svd(N.T @ before)
    return np.asarray(N @ (left @ right))


def bases() -> tuple[Basis, ...]:
    return (
        Basis("QR", "null_space, newmark_nullspace", by_qr),
        Basis("SVD", "assembly and drag", by_svd),
        Basis("LU", "", by_lu),
        Basis("partition, kept", "partitioning, independent_*", ByPartition()),
        Basis("mass metric", "udwadia_kalaba", by_mass),
        Basis("carried along", "", carried),
    )


def run(question: Question) -> Result:
    options = question.options
    assert isinstance(options, BasesOptions)
    question.stage(0.0, "running the scene")
    mechanism = question.mechanism
    if mechanism.nv > MAX_VELOCITIES:
        reason = f"bases of {mechanism.nv} velocities are full matrices and take too long here"
        raise SceneError(
            [Problem("scene", "", reason, f"ask a mechanism with at most {MAX_VELOCITIES} velocities")]
        )
    trajectory = question.simulated(question.scene)
    layout = SampleLayout(mechanism)
    picks = np.unique(np.linspace(0, len(trajectory) - 1, options.samples).round().astype(int))
    rows, evaluator = trajectory.samples[picks], Evaluator(mechanism)
    scales = scales_of(mechanism)

    def at(row: Array) -> Array:
        evaluator.at(float(row[layout.t]), row[layout.q], row[layout.v], row[layout.angles])
        return scales.jacobian(evaluator.jacobian)

    chosen = _independent(at(rows[0]))
    kinds = bases()
    n, free = mechanism.nv, mechanism.nv - len(chosen)
    if free == 0:
        return Result("Nothing is free to move: the null space is empty.")
    conditions = np.full((len(kinds), len(rows)), np.nan)
    changes, spread = np.zeros((len(kinds), len(rows))), np.zeros(len(kinds))
    before: list[Array | None] = [None] * len(kinds)
    for i, row in enumerate(rows):
        question.stage(0.3 + 0.7 * i / len(rows), "bases")
        J, M = at(row)[chosen], _scaled(evaluator.mass_matrix(), scales.column)
        force = evaluator.forces() * scales.column
        particular = (
            np.linalg.lstsq(J, (evaluator.gamma / scales.row)[chosen], rcond=None)[0]
            if len(J)
            else np.zeros(n)
        )
        wanted: Array | None = None
        for k, kind in enumerate(kinds):
            try:
                N = kind.make(J, M, before[k])
            except np.linalg.LinAlgError:
                before[k] = None
                continue
            reduced = N.T @ M @ N
            conditions[k, i] = np.linalg.cond(reduced)
            last = before[k]
            if last is not None:
                changes[k, i] = np.linalg.norm(N - last) / np.linalg.norm(N)
            found = particular + N @ np.linalg.lstsq(reduced, N.T @ (force - M @ particular), rcond=None)[0]
            wanted = found if wanted is None else wanted
            size = max(float(np.abs(wanted).max()), np.finfo(float).tiny)
            spread[k] = max(spread[k], float(np.abs(found - wanted).max()) / size)
            before[k] = N
    table = tuple(
        (
            kind.title,
            float(np.nanmin(conditions[k])),
            float(np.nanmax(conditions[k])),
            float(changes[k].max()),
            float((changes[k] > JUMP).sum()),
            float(spread[k]),
            kind.used_by,
        )
        for k, kind in enumerate(kinds)
    )
    t = rows[:, layout.t]
    columns = (
        "Basis",
        "Smallest condition",
        "Largest condition",
        "Largest change",
        "Jumps",
        "Accelerations differ by",
    )
    calm = min(table, key=lambda line: float(line[3]))
    round_ = min(table, key=lambda line: float(line[2]))
    return Result(
        f"{free} of {n} velocities are free; the basis that changes least is {calm[0]}, the best conditioned "
        f"is {round_[0]}.",
        tables=(Table("Bases of the null space", (*map(Column, columns), Column("Used by")), table),),
        charts=(
            _chart("Condition of NᵀM N", t, conditions, kinds),
            _chart(
                "Change between neighbours", t[1:], np.maximum(changes[:, 1:], np.finfo(float).eps), kinds
            ),
        ),
        notes=(
            "Accelerations are the same in every basis: these are the equations of Maggi, and of Kane where "
            "the free velocities are taken as generalised speeds.",
        ),
    )


def _independent(J: Array) -> Array:
    """Rows that the others can be made of, kept for all poses."""
    if not len(J):
        return np.zeros(0, int)
    _, R, order = scipy.linalg.qr(J.T, mode="economic", pivoting=True)
    sizes = np.abs(np.diag(R))
    return np.sort(order[: int((sizes > RANK * sizes[0]).sum())])


def _scaled(M: Array, column: Array) -> Array:
    return np.asarray(M * column * column[:, None])


def _chart(title: str, t: Array, values: Array, kinds: tuple[Basis, ...]) -> Chart:
    series = tuple(
        Series(kind.title, t, line, group=k) for k, (kind, line) in enumerate(zip(kinds, values, strict=True))
    )
    return Chart(title, Axis("time", "s"), Axis(title, logarithmic=True), series)


NULL_SPACE_BASES = Analysis(
    "null_space",
    "Bases of the null space",
    "Bases of the velocities that the constraints leave, by QR, SVD, LU, partition, in the metric of the "
    "mass and carried along: condition and smoothness along the motion.",
    BasesOptions,
    run,
)
