"""Counts of a factorisation from a pattern and an order alone; the program counts factors that it has."""

from engine.maths.sparse.counts import Counts, counts_of
from engine.maths.sparse.elimination import general_elimination, symmetric_elimination
from engine.maths.sparse.orderings import Reordering
from engine.maths.sparse.pattern import Ints, Pattern


def symmetric_counts(pattern: Pattern, order: Ints) -> Counts:
    """Of a symmetric factor, eliminated in this order."""
    return counts_of(symmetric_elimination(pattern, order, entries=False), pattern, symmetric=True)


def general_counts(pattern: Pattern, reordering: Reordering) -> Counts:
    """Of a general factor of a square matrix, eliminated in this order."""
    factor = general_elimination(pattern, reordering)
    assert factor.pivots == len(reordering.rows) == len(reordering.columns)
    return counts_of(factor, pattern, symmetric=False)
