"""The pattern of a matrix in one ordering after another, what elimination costs there, how long it takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import numpy as np
from msgspec import Struct

from engine.analyses.answers.result import Column, MatrixForms, OrderedForm, Result, Table
from engine.analyses.base import Analysis, Question
from engine.analyses.matrices.matrix_kinds import (
    MATRICES,
    Matrix,
    MatrixKind,
    rows_of_entries,
    touched_bodies,
)
from engine.analyses.matrices.timed import Timing, dense, superlu, timed
from engine.elements.fields import text
from engine.errors import Problem, SceneError
from engine.maths.sparse.counts import bordered_multiplications, counts_of, dense_multiplications
from engine.maths.sparse.elimination import Eliminated, general_elimination, symmetric_elimination
from engine.maths.sparse.orderings import ORDERINGS, Hints, OrderingKind, Reordering
from engine.maths.sparse.pattern import Ints, Pattern

FITTING = ""  # all orderings that fit the matrix
MAX_LINES = 1500  # lines above which orderings of rows and columns are left out unless they are named
SHOWN_FILL = 4_000_000  # entries of fill that are kept for the picture
WITHOUT_METIS = 'without pymetis, our own dissection takes its place; pip install "trammel[orderings]"'
VALUES_LIMIT = 2000  # lines up to which orderings are given values


class MatrixOptions(Struct, frozen=True, kw_only=True):
    """Which matrix, in which orderings."""

    matrix: Annotated[
        Literal["complement", "penalised", "saddle", "iteration", "independent", "jacobian", "natural"],
        text("Matrix", "; ".join(f"{kind.name}: {kind.title}, {kind.summary}" for kind in MATRICES)),
    ] = "complement"
    orderings: Annotated[
        str,
        text("Orderings", f"names with commas between; empty: all that fit. {', '.join(ORDERINGS.names)}"),
    ] = FITTING


def run(question: Question) -> Result:
    """Order, count, factor and solve."""
    options = question.options
    assert isinstance(options, MatrixOptions)
    kind = MATRICES[options.matrix]
    question.stage(0.0, "compiling")
    question.mechanism  # noqa: B018 (made now, so that the stages are told apart)
    question.stage(0.1, "assembling")
    matrix = kind.make(question)
    chosen, notes = _chosen(kind, matrix, options.orderings)
    forms, rows = [], []
    for i, ordering in enumerate(chosen):
        question.stage(0.2 + 0.7 * i / len(chosen), ordering.title)
        form, row, note = _ordered(kind, matrix, ordering)
        forms.append(form)
        rows.append(row)
        notes += [note] if note and note not in notes else []
    question.stage(0.95, "LAPACK and SuperLU")
    for title, timing in (("full matrix, LAPACK", dense(matrix)), ("SuperLU with COLAMD", superlu(matrix))):
        if np.isfinite(timing.factor):
            rows.append((title, "", *_numbers(np.nan, 7), timing.factor, timing.solve, timing.error))
        elif timing.note and timing.note not in notes:
            notes.append(timing.note)
    columns = (
        *(Column(title) for title in ("Ordering", "Blocks", "Border", "Bottom", "Fill-in", "Stored")),
        Column("Multiplications"),
        Column("Additions"),
        Column("Bordered solution"),
        Column("Factor", "s"),
        Column("Solve", "s"),
        Column("Residual"),
    )
    return Result(
        summary=_summary(kind, matrix, forms),
        tables=(
            Table(
                "Orderings",
                columns,
                tuple(rows),
                empty="The matrix is empty: nothing holds or nothing moves.",
            ),
            _facts(matrix),
        ),
        matrices=(
            MatrixForms(
                kind.name,
                kind.title,
                matrix.pattern,
                matrix.rows,
                matrix.columns,
                tuple(forms),
                touched_bodies(question.mechanism),
            ),
        ),
        notes=(*matrix.notes, *notes),
    )


def _chosen(kind: MatrixKind, matrix: Matrix, names: str) -> tuple[list[OrderingKind], list[str]]:
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    for name in wanted:
        if name not in ORDERINGS:
            reason = f"there is no ordering {name!r}"
            raise SceneError(
                [Problem("options.orderings", name, reason, f"use {', '.join(ORDERINGS.names)}")]
            )
        if ORDERINGS[name].symmetric and not kind.symmetric and name != "natural":
            reason = f"{ORDERINGS[name].title} orders symmetric matrices, and {kind.title} is none"
            fitting = ", ".join(o.name for o in ORDERINGS if not o.symmetric)
            raise SceneError([Problem("options.orderings", name, reason, f"use natural, {fitting}")])
    if not all(matrix.pattern.shape):
        return [], []
    if wanted:
        found = [ORDERINGS[name] for name in dict.fromkeys(wanted)]
        absent = [o.title for o in found if not o.ready()]  # METIS is the only one that needs a library
        return found, [f"{title}: {WITHOUT_METIS}" for title in absent]
    chosen = [ORDERINGS["natural"]]
    chosen += [o for o in ORDERINGS if o.name != "natural" and o.symmetric == kind.symmetric and o.ready()]
    if not kind.symmetric and max(matrix.pattern.shape) > MAX_LINES:
        left = [o for o in chosen if o.name in ("natural", "block_triangular")]
        out = ", ".join(o.name for o in chosen if o not in left)
        return left, [
            f"left out, because they take long on more than {MAX_LINES} lines: {out}; name them to see them"
        ]
    return chosen, []


def _ordered(
    kind: MatrixKind, matrix: Matrix, ordering: OrderingKind
) -> tuple[OrderedForm, tuple[str | float, ...], str]:
    pattern = matrix.pattern
    small = max(pattern.shape) <= VALUES_LIMIT
    hints = Hints(matrix.sparse().toarray()) if small and not ordering.symmetric else Hints()
    found = ordering.order(pattern, hints)
    symmetric = ordering.symmetric and kind.symmetric
    eliminated = (
        symmetric_elimination(
            pattern,
            found.rows,
            entries=int(symmetric_elimination(pattern, found.rows, entries=False).right.sum()) <= SHOWN_FILL,
        )
        if symmetric
        else general_elimination(pattern, found)
    )
    counts = counts_of(eliminated, pattern, symmetric=symmetric)
    timing: Timing = timed(kind, matrix, ordering, found)
    one = not symmetric and pattern.shape[0] >= pattern.shape[1]  # solution
    bordered = float(bordered_multiplications(pattern, found)) if one else np.nan
    facts = {
        "fill": float(counts.fill),
        "stored": float(counts.stored),
        "multiplications": float(counts.multiplications),
        "additions": float(counts.additions),
        "bordered_multiplications": bordered,
        "factor_seconds": timing.factor,
        "solve_seconds": timing.solve,
        "residual": timing.error,
    }
    fill = fill_of(pattern, found, eliminated, symmetric=symmetric)
    form = OrderedForm(ordering.name, ordering.title, found, *fill, facts)
    row: tuple[str | float, ...] = (
        ordering.title,
        blocks_in_words(found),
        *((np.nan, np.nan) if symmetric else (float(found.border), float(found.bottom))),
        *facts.values(),
    )
    return form, row, timing.note


def fill_of(
    pattern: Pattern, found: Reordering, eliminated: Eliminated, *, symmetric: bool
) -> tuple[Ints, Ints]:
    """Places that the factor has and the permuted matrix has not."""
    rows, columns = pattern.shape
    row_place, column_place = np.empty(rows, np.int64), np.empty(columns, np.int64)
    row_place[found.rows], column_place[found.columns] = np.arange(rows), np.arange(columns)
    own = row_place[rows_of_entries(pattern)] * columns + column_place[pattern.columns]
    i, j = eliminated.rows, eliminated.columns
    if symmetric:
        i, j = np.concatenate([i, j]), np.concatenate([j, i])
    new = np.setdiff1d(i * columns + j, own)
    return new // max(1, columns), new % max(1, columns)


def blocks_in_words(found: Reordering) -> str:
    """As 85 × 1, 1 × 2: how many diagonal blocks of which order."""
    return ", ".join(f"{count} × {size}" for size, count in found.sizes().items())


def _numbers(value: float, count: int) -> tuple[float, ...]:
    return (value,) * count


def _summary(kind: MatrixKind, matrix: Matrix, forms: Sequence[OrderedForm]) -> str:
    rows, columns = matrix.pattern.shape
    words = f"{kind.title} has {rows} × {columns} places and {matrix.pattern.entries} entries"
    if not forms:
        return f"{words}."
    best = min(forms, key=lambda form: form.facts["multiplications"])
    work = f"{best.facts['multiplications']:.0f} multiplications"
    return f"{words}; {best.title} eliminates it with the fewest operations, {work}."


def _facts(matrix: Matrix) -> Table:
    rows, columns = matrix.pattern.shape
    places = rows * columns
    return Table(
        "Matrix",
        (Column("Count"), Column("Value")),
        (
            ("Rows", float(rows)),
            ("Columns", float(columns)),
            ("Entries", float(matrix.pattern.entries)),
            ("Share of places with entries", matrix.pattern.entries / places if places else 0.0),
            ("Multiplications of a full solution", float(dense_multiplications(min(rows, columns)))),
        ),
    )


MATRIX = Analysis(
    name="matrix",
    title="Matrices and orderings",
    summary="Where a matrix of the mechanism has entries, how orderings change it, what they cost and save.",
    options=MatrixOptions,
    run=run,
    anywhere=True,
)
