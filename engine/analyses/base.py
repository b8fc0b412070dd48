"""What an analysis is: a question about a scene, its options, and an answer in words and tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from msgspec import Struct

from engine.model.scene import Scene

Progress = Callable[[float, str], object]  # share done, from 0 to 1, and what is being done
Cancel = Callable[[], bool]  # True: stop


class Cancelled(Exception):
    """The user wants no answer any more."""


class NoOptions(Struct, frozen=True, kw_only=True):
    """For analyses that have none."""


@dataclass(frozen=True)
class Mention:
    """An element of the scene by list and name, with the words that stand for it."""

    where: str
    name: str
    words: str = ""

    def __str__(self) -> str:
        return self.words or self.name


Cell = str | float | Mention | tuple[Mention, ...]


@dataclass(frozen=True)
class Column:
    """`unit` is that of the numbers in it, an SI unit."""

    title: str
    unit: str = ""


@dataclass(frozen=True)
class Table:
    """Rows under titled columns; `empty` is said when there are none."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    empty: str = "none"


@dataclass(frozen=True)
class Result:
    """The answer: one sentence, tables, remarks."""

    summary: str
    tables: tuple[Table, ...] = ()
    remarks: tuple[str, ...] = ()

    def text(self) -> str:
        """The answer as plain text, numbers in SI units."""
        lines = [self.summary]
        for table in self.tables:
            lines += ["", table.title]
            titles = [f"{c.title} [{c.unit}]" if c.unit else c.title for c in table.columns]
            lines += ["\t".join(titles)] if table.rows else [table.empty]
            lines += ["\t".join(plain(cell) for cell in row) for row in table.rows]
        if self.remarks:
            lines += ["", *self.remarks]
        return "\n".join(lines)


def plain(cell: Cell) -> str:
    """A cell as words."""
    if isinstance(cell, float):
        return f"{cell:.6g}"
    return ", ".join(map(str, cell)) if isinstance(cell, tuple) else str(cell)


@dataclass(frozen=True)
class Analysis:
    """A kind of analysis. `options` is a struct whose fields carry their metadata.

    `run(scene, options, progress, cancel)` raises SceneError for a scene that cannot be used, and Cancelled.
    """

    name: str
    title: str
    summary: str  # what it answers, in a sentence
    options: type[Struct]
    run: Callable[[Scene, Struct, Progress, Cancel], Result]


def stage(progress: Progress, cancel: Cancel, share: float, words: str) -> None:
    """Tell what comes next, or stop."""
    if cancel():
        raise Cancelled
    progress(share, words)
