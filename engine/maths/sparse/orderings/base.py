"""What every ordering returns and takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.maths.sparse.pattern import Ints, Pattern


@dataclass(frozen=True)
class Hints:
    """What is known of a matrix beyond its pattern; orderings that have no use for it leave it alone."""

    values: NDArray[np.float64] | None = None  # at a typical configuration: pivot rows are chosen by them
    border: frozenset[int] = frozenset()  # columns that go to the border in any case
    bottom: frozenset[int] = frozenset()  # rows that go to the bottom in any case


@dataclass(frozen=True)
class Reordering:
    """Permutations, and the form that the permuted matrix has.

        ⎡ T  B ⎤   T lower block triangular with diagonal blocks of the given orders, B the border,
        ⎣ C  A ⎦   [C A] the bottom rows

    A symmetric ordering has `rows` equal to `columns` and no blocks: there is nothing but A.
    """

    rows: Ints  # the row that comes i-th
    columns: Ints
    blocks: tuple[int, ...] = ()
    torn: tuple[int, ...] = ()  # border columns that each irreducible part contributes
    spikes: tuple[int, ...] = field(default=())  # places of columns with entries above the diagonal, in T

    @property
    def triangular(self) -> int:
        """Order of T."""
        return sum(self.blocks)

    @property
    def border(self) -> int:
        """Columns of the border."""
        return len(self.columns) - self.triangular

    @property
    def bottom(self) -> int:
        """Rows at the bottom."""
        return len(self.rows) - self.triangular

    def sizes(self) -> dict[int, int]:
        """How many diagonal blocks there are of every order."""
        return {size: self.blocks.count(size) for size in sorted(set(self.blocks))}


@dataclass(frozen=True)
class OrderingKind:
    """One ordering; symmetric ones want a symmetric pattern and permute rows and columns alike."""

    name: str
    title: str
    symmetric: bool
    order: Callable[[Pattern, Hints], Reordering]
    ready: Callable[[], bool] = lambda: True  # False where a library that it needs is not installed


def symmetric(order: Sequence[int]) -> Reordering:
    """The result of an ordering that numbers the vertices of a graph."""
    places = np.array(order, np.int64)
    return Reordering(places, places)


def bordered(
    blocks: Sequence[tuple[Sequence[int], Sequence[int]]],
    border: Sequence[int],
    bottom: Sequence[int],
    *,
    torn: Sequence[int] | None = None,
    spikes: Sequence[int] = (),
) -> Reordering:
    """The result of an ordering that places blocks (rows, columns) one after the other."""
    rows = [r for block in blocks for r in block[0]] + list(bottom)
    columns = [c for block in blocks for c in block[1]] + list(border)
    return Reordering(
        np.array(rows, np.int64),
        np.array(columns, np.int64),
        tuple(len(block[0]) for block in blocks),
        (len(border),) if torn is None else tuple(torn),
        tuple(spikes),
    )
