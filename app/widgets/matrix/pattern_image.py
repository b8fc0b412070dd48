"""The pattern of a matrix as an image: one number per pixel, whatever the number of entries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.analyses.answers.result import MatrixForms, Mention, OrderedForm
from engine.maths.sparse.pattern import Ints

# what a pixel shows; where several entries fall on it, the highest wins
NOTHING, FILL, ENTRY, CHOSEN = range(4)
GAP = 5.0  # px of a cell from which on cells are told apart by a line of background

Image = NDArray[np.uint8]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Drawn:
    """Entries of a matrix in one ordering, by place, and the line that comes at each place."""

    matrix: MatrixForms
    form: OrderedForm
    fill: bool = True
    _selected: dict[frozenset[tuple[str, str]], Image] = field(default_factory=dict, compare=False)

    @cached_property
    def entries(self) -> tuple[Ints, Ints]:
        """Rows and columns of all entries, fill-in behind them."""
        pattern, found = self.matrix.pattern, self.form.reordering
        row_place, column_place = (np.empty(n, np.int64) for n in pattern.shape)
        row_place[found.rows] = np.arange(pattern.shape[0])
        column_place[found.columns] = np.arange(pattern.shape[1])
        rows = row_place[np.repeat(np.arange(pattern.shape[0]), np.diff(pattern.starts))]
        columns = column_place[pattern.columns]
        if not self.fill:
            return rows, columns
        return np.append(rows, self.form.fill_rows), np.append(columns, self.form.fill_columns)

    @cached_property
    def _kinds(self) -> Image:
        kinds = np.full(len(self.entries[0]), FILL, np.uint8)
        kinds[: self.matrix.pattern.entries] = ENTRY
        return kinds

    @property
    def shape(self) -> tuple[int, int]:
        return self.matrix.pattern.shape

    def kinds(self, chosen: frozenset[tuple[str, str]]) -> Image:
        """What each entry is; those in a line of a chosen element, or that it couples, stand out."""
        if not chosen:
            return self._kinds
        if chosen not in self._selected:
            self._selected.clear()
            rows, columns = self.entries
            down, across = self._lines(self.matrix.rows), self._lines(self.matrix.columns)
            kinds, lit = self._kinds.copy(), np.zeros(len(rows), bool)
            for element in chosen:
                own_rows, near_rows = down(element)
                own_columns, near_columns = across(element)
                of_row = self.form.reordering.rows[rows]
                of_column = self.form.reordering.columns[columns]
                lit |= (
                    own_rows[of_row] | own_columns[of_column] | (near_rows[of_row] & near_columns[of_column])
                )
            kinds[lit & (kinds == ENTRY)] = CHOSEN
            self._selected[chosen] = kinds
        return self._selected[chosen]

    def _lines(self, mentions: tuple[Mention, ...]) -> Callable[[tuple[str, str]], tuple[Mask, Mask]]:
        """For an element: which lines are its own, and which belong to what it touches."""
        keys = [(mention.where, mention.name) for mention in mentions]
        touched = self.matrix.touched

        def of(element: tuple[str, str]) -> tuple[Mask, Mask]:
            where, name = element
            own = np.array([key == element for key in keys], bool)
            if where == "bodies":
                near = np.array([name in touched.get(key, ()) for key in keys], bool)
            else:
                bodies = touched.get(element, frozenset())
                near = np.array([key[0] == "bodies" and key[1] in bodies for key in keys], bool)
            return own, near

        return of


def raster(
    drawn: Drawn,
    origin: tuple[float, float],
    scale: float,
    size: tuple[int, int],
    chosen: frozenset[tuple[str, str]] = frozenset(),
) -> Image:
    """Pixels (height, width); `origin` is the (column, row) at the upper left corner, `scale` px per line."""
    width, height = size
    out = np.zeros((max(1, height), max(1, width)), np.uint8)
    (x0, y0), (lines, across) = origin, drawn.shape
    first_row, last_row = max(0, int(np.floor(y0))), min(lines, int(np.ceil(y0 + height / scale)) + 1)
    first, last = max(0, int(np.floor(x0))), min(across, int(np.ceil(x0 + width / scale)) + 1)
    if first_row >= last_row or first >= last:
        return out
    rows, columns = drawn.entries
    kinds = drawn.kinds(chosen)
    if first_row > 0 or last_row < lines or first > 0 or last < across:
        seen = (rows >= first_row) & (rows < last_row) & (columns >= first) & (columns < last)
        rows, columns, kinds = rows[seen], columns[seen], kinds[seen]
    if scale < 1.0:
        y = np.clip(((rows + 0.5 - y0) * scale).astype(np.int64), 0, height - 1)
        x = np.clip(((columns + 0.5 - x0) * scale).astype(np.int64), 0, width - 1)
        for kind in (FILL, ENTRY, CHOSEN):
            of_kind = kinds == kind
            out[y[of_kind], x[of_kind]] = kind
        return out
    cells = np.zeros((last_row - first_row + 1, last - first + 1), np.uint8)  # one more: outside
    cells[rows - first_row, columns - first] = kinds
    cells[-1, :] = cells[:, -1] = NOTHING
    r, gap_r = _cells(y0, scale, height, first_row, last_row)
    c, gap_c = _cells(x0, scale, width, first, last)
    out[:] = cells[r[:, None], c[None, :]]
    if scale >= GAP:
        out[gap_r, :] = NOTHING
        out[:, gap_c] = NOTHING
    return out


def _cells(start: float, scale: float, pixels: int, first: int, last: int) -> tuple[Ints, Mask]:
    """The cell of every pixel, the one after the last for pixels outside; where a new cell begins."""
    at = start + (np.arange(pixels) + 0.5) / scale
    cell = np.floor(at).astype(np.int64)
    begins = np.append(True, np.diff(cell) > 0)
    return np.where((cell >= first) & (cell < last), cell - first, last - first), begins
