"""What an analysis answers: a sentence, tables, charts, motions, mode shapes, notes. Plain data only."""

from __future__ import annotations

import csv
import html
import io
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from engine.analyses.answers.chart import Chart
from engine.analyses.answers.state_space import StateSpace
from engine.analyses.instant.row_arrows import RowArrow
from engine.compiled.layout import Array
from engine.errors import SceneEdit
from engine.html_table import html_table
from engine.maths.sparse.orderings.base import Reordering
from engine.maths.sparse.pattern import Ints, Pattern
from engine.system.compiling.mechanism import Mechanism

SHOWN = 20  # rows of a table in a notebook


@dataclass(frozen=True)
class Mention:
    """An element of the scene by list and name, with the words that stand for it."""

    where: str
    name: str
    words: str = ""
    arrow: RowArrow | None = field(default=None, compare=False)  # which way it acts, where it is a row

    def __str__(self) -> str:
        return self.words or self.name


Cell = str | float | Mention | tuple[Mention, ...]


@dataclass(frozen=True)
class Column:
    """`unit` is that of the numbers in it, an SI unit."""

    title: str
    unit: str = ""

    @property
    def heading(self) -> str:
        return f"{self.title} [{self.unit}]" if self.unit else self.title


@dataclass(frozen=True)
class Table:
    """Rows under titled columns; `empty` is said when there are none."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    empty: str = "none"

    def csv(self, separator: str = ",") -> str:
        """For spreadsheets: headings with SI units, numbers with all their digits."""
        text = io.StringIO()
        writer = csv.writer(text, delimiter=separator, lineterminator="\n")
        writer.writerow([column.heading for column in self.columns])
        writer.writerows([plain(cell, repr) for cell in row] for row in self.rows)
        return text.getvalue()

    def to_dict(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "columns": [{"title": column.title, "unit": column.unit} for column in self.columns],
            "rows": [[cell if isinstance(cell, float) else plain(cell) for cell in row] for row in self.rows],
        }


@dataclass(frozen=True)
class Motion:
    """The mechanism over time, one line per instant. It is shown as a finished run.

    What is None is unknown: accelerations and multipliers are then NaN, and whole turns are counted from the
    first instant on.
    """

    title: str
    mechanism: Mechanism
    t: Array  # (n,), increasing [s]
    q: Array  # (n, nq)
    v: Array  # (n, nv)
    a: Array | None = None  # (n, nv)
    multipliers: Array | None = None  # (n, rows)
    loop: bool = False  # its end joins its beginning: it is played again and again

    def to_dict(self) -> dict[str, Any]:
        return {"title": self.title, "samples": len(self.t), "begin": self.t[0], "end": self.t[-1]}


@dataclass(frozen=True)
class Mode:
    """A small motion about a pose: δq(t) = Re(shape e^{st}), s = −ζω ± iω√(1−ζ²) where it oscillates."""

    shape: Array  # (nv,), complex or real: velocity coordinates of the displacement, any scale
    frequency: float  # Hz, of the undamped motion: ω/2π; 0 where it does not oscillate
    damping: float = 0.0  # ζ; negative where it grows, 1 or more where it creeps
    title: str = ""


@dataclass(frozen=True)
class ModeShapes:
    """Modes about one pose; each can be watched."""

    mechanism: Mechanism
    t: float
    q: Array  # (nq,)
    modes: tuple[Mode, ...]

    def name(self, index: int) -> str:
        mode = self.modes[index]
        return mode.title or f"Mode {index + 1}: {mode.frequency:.4g} Hz"


@dataclass(frozen=True)
class OrderedForm:
    """A matrix in one ordering: where lines go, what form comes out, the entries that elimination adds."""

    name: str
    title: str
    reordering: Reordering
    fill_rows: Ints  # places in the new order
    fill_columns: Ints
    facts: Mapping[str, float]  # counts, and times [s]; NaN where there is none

    def to_dict(self) -> dict[str, Any]:
        return {
            "ordering": self.name,
            "rows": self.reordering.rows.tolist(),
            "columns": self.reordering.columns.tolist(),
            "blocks": list(self.reordering.blocks),
            "border": self.reordering.border,
            "bottom": self.reordering.bottom,
            **{name: None if math.isnan(value) else value for name, value in self.facts.items()},
        }


@dataclass(frozen=True)
class MatrixForms:
    """A matrix and its orderings; lines belong to elements of the scene."""

    name: str
    title: str
    pattern: Pattern
    rows: tuple[Mention, ...]
    columns: tuple[Mention, ...]
    forms: tuple[OrderedForm, ...]
    touched: Mapping[tuple[str, str], frozenset[str]] = field(default_factory=dict)  # (list, name) → bodies

    def between(self, row: Mention, column: Mention) -> tuple[Mention, ...]:
        """What couples two lines: the bodies that two joints share, or the joints of two bodies."""
        a, b = (row.where, row.name), (column.where, column.name)
        if a in self.touched and b in self.touched:
            shared = self.touched[a] & self.touched[b] if a != b else frozenset()
            return tuple(Mention("bodies", name) for name in sorted(shared))
        if row.where == column.where == "bodies" and row.name != column.name:
            both = {row.name, column.name}
            return tuple(Mention(*key) for key, bodies in self.touched.items() if both <= bodies)
        return ()

    def to_dict(self) -> dict[str, Any]:
        return {
            "matrix": self.name,
            "rows": [str(mention) for mention in self.rows],
            "columns": [str(mention) for mention in self.columns],
            "entries": self.pattern.entries,
            "orderings": [form.to_dict() for form in self.forms],
        }


@dataclass(frozen=True)
class Suggestion:
    """A change of the scene that the user may accept, as one step; what it does is said before.

    Elements in `replaced` stand in for those of the same name, those in `removed` go with all that refers to
    them, `poses` (origin and rotation of bodies) become the start, `edits` are single values.
    """

    title: str
    effect: str
    mark: str = ""  # a warning in a few words; empty: nothing speaks against it
    concerns: tuple[Mention, ...] = ()
    replaced: tuple[tuple[str, Any], ...] = ()  # (list of the scene, element)
    removed: tuple[Mention, ...] = ()
    poses: Mapping[str, tuple[Array, Array]] | None = None
    edits: tuple[SceneEdit, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "effect": self.effect,
            "mark": self.mark,
            "concerns": [f"{mention.where}.{mention.name}" for mention in self.concerns],
            "replaced": [{"list": where, **msgspec.to_builtins(item)} for where, item in self.replaced],
            "removed": [f"{mention.where}.{mention.name}" for mention in self.removed],
            "poses": {
                name: {"position": origin.tolist(), "rotation": R.tolist()}
                for name, (origin, R) in (self.poses or {}).items()
            },
            "edits": [edit.to_dict() for edit in self.edits],
        }


@dataclass(frozen=True)
class Result:
    """The answer. `summary` is one sentence or two; everything else may be missing."""

    summary: str
    tables: tuple[Table, ...] = ()
    motions: tuple[Motion, ...] = ()
    modes: ModeShapes | None = None
    notes: tuple[str, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    charts: tuple[Chart, ...] = ()
    matrices: tuple[MatrixForms, ...] = ()
    system: StateSpace | None = None  # a linear model
    paths: tuple[Array, ...] = ()  # (n, 3) each [m, world]: lines to be drawn in the viewport

    def text(self) -> str:
        """The answer as plain text, numbers in SI units."""
        lines = [self.summary]
        for table in self.tables:
            lines += ["", table.title]
            lines += ["\t".join(column.heading for column in table.columns)] if table.rows else [table.empty]
            lines += ["\t".join(plain(cell) for cell in row) for row in table.rows]
        if self.notes:
            lines += ["", *self.notes]
        return "\n".join(lines)

    __str__ = text

    def __repr__(self) -> str:
        return f"<Result: {self.summary}>"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        tables = [
            html_table(
                table.title,
                [column.heading for column in table.columns],
                [[plain(cell) for cell in row] for row in table.rows[:SHOWN]],
                _left_out(table),
            )
            for table in self.tables
        ]
        notes = [f"<p>{html.escape(note)}</p>" for note in self.notes]
        return "".join([f"<p>{html.escape(self.summary)}</p>", *tables, *notes])

    def csv(self) -> str:
        """All tables below each other, each under its title."""
        return "\n".join(f"{table.title}\n{table.csv()}" for table in self.tables)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; shapes of modes as real and imaginary parts."""
        modes = self.modes.modes if self.modes else ()
        return {
            "summary": self.summary,
            "tables": [table.to_dict() for table in self.tables],
            "motions": [motion.to_dict() for motion in self.motions],
            "modes": [
                {
                    "frequency": mode.frequency,
                    "damping": mode.damping,
                    "shape": [[float(x.real), float(x.imag)] for x in mode.shape],
                }
                for mode in modes
            ],
            "remarks": list(self.notes),
            "offers": [suggestion.to_dict() for suggestion in self.suggestions],
            "matrices": [matrix.to_dict() for matrix in self.matrices],
            "charts": [chart.to_dict() for chart in self.charts],
            **({} if self.system is None else {"system": self.system.to_dict()}),
        }


def _left_out(table: Table) -> str:
    if not table.rows:
        return table.empty
    return f"… {len(table.rows) - SHOWN} more rows" if len(table.rows) > SHOWN else ""


def _short(number: float) -> str:
    return f"{number:.6g}"


def plain(cell: Cell, number: Callable[[float], str] = _short) -> str:
    """A cell as words; numbers that do not exist are left empty."""
    if isinstance(cell, float):
        return number(cell) if math.isfinite(cell) else ""
    return ", ".join(map(str, cell)) if isinstance(cell, tuple) else str(cell)
