"""Which matrices of a mechanism can be looked at: pattern, values at the pose, and whose every line is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy

from engine.analyses.answers.result import Mention
from engine.analyses.base import Question
from engine.analyses.matrices.independent import independent_rows
from engine.compiled.columns import velocity_blocks as BLOCK
from engine.compiled.layout import Array
from engine.maths.sparse.pattern import Ints, Pattern
from engine.natural.equations import NaturalEquations
from engine.natural.hinge_chain import hinge_chain
from engine.registry import Registry
from engine.system.compiling.mechanism import Mechanism
from engine.system.compiling.patterns import (
    complement_pattern,
    jacobian_pattern,
    joints_and_bodies,
    penalised_pattern,
    saddle_pattern,
)
from engine.system.equations.evaluator import Evaluator

PENALTY = 1e6  # ρ of a row over what it moves
VELOCITIES = {3: ("x′", "y′", "angle′"), 6: ("x′", "y′", "z′", "ω x", "ω y", "ω z")}


@dataclass(frozen=True)
class Matrix:
    """Where entries may be, and what they are at one pose, row by row."""

    pattern: Pattern
    values: Array
    rows: tuple[Mention, ...]  # the element that each row belongs to
    columns: tuple[Mention, ...]
    notes: tuple[str, ...] = ()

    def sparse(self) -> Any:
        """In compressed rows."""
        return scipy.sparse.csr_array(
            (self.values, self.pattern.columns, self.pattern.starts), shape=self.pattern.shape
        )


@dataclass(frozen=True)
class MatrixKind:
    """One matrix. `symmetric` says that its pattern is, `definite` that its values are, too."""

    name: str
    title: str
    summary: str
    symmetric: bool
    definite: bool
    make: Callable[[Question], Matrix]


def aligned(pattern: Pattern, matrix: Any) -> Array:
    """The numbers of a sparse matrix at the entries of a pattern; zeros where it has none."""
    given = scipy.sparse.coo_array(matrix)
    width = max(1, pattern.shape[1])
    keys = rows_of_entries(pattern) * width + pattern.columns
    wanted = given.row.astype(np.int64) * width + given.col
    at = np.minimum(np.searchsorted(keys, wanted), max(0, len(keys) - 1))
    inside = keys[at] == wanted if len(keys) else np.zeros(len(wanted), bool)
    if np.any(given.data[~inside] != 0.0):
        raise ValueError("the matrix has an entry outside its pattern")
    return np.bincount(at[inside], given.data[inside], minlength=len(keys)).astype(float)


def rows_of_entries(pattern: Pattern) -> Ints:
    """The row of every entry."""
    return np.repeat(np.arange(pattern.shape[0]), np.diff(pattern.starts))


def velocity_lines(mechanism: Mechanism) -> tuple[Mention, ...]:
    words = VELOCITIES[3 if mechanism.planar else 6]
    return tuple(Mention("bodies", name, f"{name} {word}") for name in mechanism.bodies for word in words)


def row_lines(mechanism: Mechanism) -> tuple[Mention, ...]:
    return tuple(Mention(f"{row.owner}s", row.name, str(row)) for row in mechanism.rows)


def touched_bodies(mechanism: Mechanism) -> dict[tuple[str, str], frozenset[str]]:
    """The moving bodies that the rows of each joint and motion touch, by list and name."""
    names, blocks = joints_and_bodies(mechanism)
    found = {}
    for i, full in enumerate(names):
        where, _, name = full.partition(".")
        found[where, name] = frozenset(mechanism.bodies[b] for b in blocks.row(i).tolist())
    return found


def _parts(question: Question) -> tuple[Any, Any, Any]:
    """J, M and M⁻¹ at the pose that is asked about; a body without mass has a zero in the inverse."""
    start = question.start
    evaluator = question.evaluator.at(question.t, start.q, start.v)
    blocks = evaluator.mass_blocks()
    if not len(blocks):
        empty = scipy.sparse.csr_array((0, 0))
        return evaluator.sparse_jacobian, empty, empty
    inverse = np.linalg.pinv(blocks, hermitian=True)
    return (
        evaluator.sparse_jacobian,
        scipy.sparse.csr_array(scipy.sparse.block_diag(list(blocks))),
        scipy.sparse.csr_array(scipy.sparse.block_diag(list(inverse))),
    )


def _penalties(J: Any, M: Any) -> Any:
    """ρ of every row: `PENALTY` times the mean mass that it moves, over its size."""
    squares = J.multiply(J)
    size, moved = np.asarray(squares.sum(axis=1)).ravel(), squares @ M.diagonal()
    largest = float(M.diagonal().max(initial=1.0))
    mean = np.where(moved > 0.0, moved, largest * size) / np.where(size > 0.0, size, 1.0)
    return scipy.sparse.diags_array(PENALTY * mean / np.where(size > 0.0, size, 1.0))


def _jacobian(question: Question) -> Matrix:
    mechanism = question.mechanism
    J, _, _ = _parts(question)
    pattern = jacobian_pattern(mechanism.system)
    return Matrix(pattern, aligned(pattern, J), row_lines(mechanism), velocity_lines(mechanism))


def _complement(question: Question) -> Matrix:
    mechanism = question.mechanism
    J, _, inverse = _parts(question)
    pattern, lines = complement_pattern(mechanism.system), row_lines(mechanism)
    massless = [
        name
        for name, block in zip(mechanism.bodies, question.evaluator.mass_blocks(), strict=True)
        if not np.diag(block).all()
    ]
    words = f"a mass or an inertia is zero and its inverse was taken as zero: {', '.join(massless)}"
    return Matrix(pattern, aligned(pattern, J @ inverse @ J.T), lines, lines, (words,) if massless else ())


def _penalised(question: Question) -> Matrix:
    mechanism = question.mechanism
    J, M, _ = _parts(question)
    pattern, lines = penalised_pattern(mechanism.system), velocity_lines(mechanism)
    return Matrix(pattern, aligned(pattern, M + J.T @ _penalties(J, M) @ J), lines, lines)


def _saddle(question: Question) -> Matrix:
    mechanism = question.mechanism
    J, M, _ = _parts(question)
    pattern = saddle_pattern(mechanism.system)
    lines = (*velocity_lines(mechanism), *row_lines(mechanism))
    whole = scipy.sparse.block_array([[M, J.T], [J, None]]) if J.shape[0] else M
    return Matrix(pattern, aligned(pattern, whole), lines, lines)


def _iteration(question: Question) -> Matrix:
    """S = M − h/2 D − h²/4 K + Jᵀ ρ J: the trapezoidal rule with constraints as the methods keep them."""
    mechanism, start = question.mechanism, question.start
    J, M, _ = _parts(question)
    evaluator = Evaluator(mechanism, tangents=True).at(question.t, start.q, start.v)
    evaluator.forces()
    K, D = evaluator.sparse_tangents(np.zeros(mechanism.nv), np.zeros(len(mechanism.rows)))
    h = float(mechanism.scene.simulation.dt)
    S = M - 0.5 * h * D - 0.25 * h * h * K + J.T @ _penalties(J, M) @ J
    lines = velocity_lines(mechanism)
    pattern = _coupled_pattern(mechanism)
    return Matrix(pattern, aligned(pattern, S), lines, lines)


def _coupled_pattern(mechanism: Mechanism) -> Pattern:
    """Full blocks of all bodies that a row or a force couples."""
    width = 3 if mechanism.planar else 6
    blocks = mechanism.system.velocity_blocks
    near: list[list[int]] = [[] for _ in mechanism.bodies]
    for row, column in blocks[:, [BLOCK.ROW_VELOCITY, BLOCK.COLUMN_VELOCITY]].tolist():
        near[row // width].append(column // width)
    rows = []
    for others in near:
        columns = [c for b in others for c in range(b * width, (b + 1) * width)]
        rows += [columns] * width
    return Pattern.of_rows(rows, mechanism.nv)


def _independent(question: Question) -> Matrix:
    """[J; B] with one row of B per independent velocity."""
    mechanism = question.mechanism
    J, _, _ = _parts(question)
    chosen = independent_rows(question, J)
    own = jacobian_pattern(mechanism.system)
    width, B = 3 if mechanism.planar else 6, Pattern.of_matrix(chosen.rows)
    lists = [own.row(r).tolist() for r in range(own.shape[0])]
    for r in range(B.shape[0]):  # a gradient counts as full for each of its bodies
        bodies = {c // width for c in B.row(r).tolist()}
        lists.append([c for b in bodies for c in range(b * width, (b + 1) * width)])
    pattern = Pattern.of_rows(lists, mechanism.nv)
    whole = scipy.sparse.vstack([J, chosen.rows]) if mechanism.nv else J
    lines = (*row_lines(mechanism), *chosen.lines)
    return Matrix(pattern, aligned(pattern, whole), lines, velocity_lines(mechanism), chosen.notes)


def _natural(question: Question) -> Matrix:
    """Points, hinge axes and angles [Antón 2015, chapter 5]; as many angles are independent as can move."""
    chain = hinge_chain(question.mechanism, question.evaluator, question.start.q)
    equations = NaturalEquations(chain.model)
    equations.at(equations.q, np.zeros_like(equations.q))
    full = equations.matrix().toarray()
    free = full.shape[1] - int(np.linalg.matrix_rank(full))
    independent = _independent_angles(equations, chain.angles, free)
    pattern, entries, columns = equations.dependent(independent)
    names = [equations.free_names[int(c)] for c in columns]
    lines = tuple(Mention("joints", chain.joints[name.partition(".")[0]], name) for name in names)
    rows = tuple(
        Mention("bodies", body, f"{body}: {row.label}")
        for body, row in zip(chain.row_bodies, chain.model.rows, strict=True)
    )
    words = f"independent: {', '.join(independent) or 'none'}; {full.shape[0] - len(columns)} redundant rows"
    return Matrix(pattern, equations.jacobian[entries].copy(), rows, lines, (words,))


def _independent_angles(equations: NaturalEquations, angles: tuple[str, ...], free: int) -> tuple[str, ...]:
    """The last angles that fix all other coordinates, by pivoted QR of the directions of motion."""
    space = scipy.linalg.null_space(equations.matrix().toarray())
    rows = [equations.free_names.index(name) for name in reversed(angles)]
    _, pivots = scipy.linalg.qr(np.round(space[rows], 9).T, mode="r", pivoting=True)
    chosen = {tuple(reversed(angles))[int(k)] for k in pivots[:free]}
    return tuple(name for name in angles if name in chosen)


MATRICES: Registry[MatrixKind] = Registry(
    "matrix",
    MatrixKind(
        "complement",
        "J M⁻¹ Jᵀ",
        "complement of the constraint rows: the default method factors it",
        True,
        True,
        _complement,
    ),
    MatrixKind(
        "penalised",
        "M + Jᵀ ρ J",
        "penalised mass matrix: penalty and augmented methods factor it",
        True,
        True,
        _penalised,
    ),
    MatrixKind(
        "saddle",
        "[M Jᵀ; J 0]",
        "saddle-point matrix of accelerations and multipliers",
        True,
        False,
        _saddle,
    ),
    MatrixKind(
        "iteration",
        "M − h/2 D − h²/4 K + Jᵀ ρ J",
        "iteration matrix of implicit methods, at the step of the scene",
        True,
        False,
        _iteration,
    ),
    MatrixKind(
        "independent",
        "[J; B]",
        "constraint rows over those of independent joint coordinates",
        False,
        False,
        _independent,
    ),
    MatrixKind(
        "natural",
        "Φ_q^d",
        "dependent part of the Jacobian in natural coordinates, for hinged bodies in a row",
        False,
        False,
        _natural,
    ),
    MatrixKind("jacobian", "J", "constraint Jacobian: rows over velocities", False, False, _jacobian),
)
