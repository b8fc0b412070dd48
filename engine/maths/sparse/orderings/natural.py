"""The order in which rows and columns are given."""

import numpy as np

from engine.maths.sparse.orderings.base import Hints, OrderingKind, Reordering
from engine.maths.sparse.pattern import Pattern


def order(pattern: Pattern, hints: Hints) -> Reordering:
    """As given; a rectangular matrix stays rectangular."""
    return Reordering(np.arange(pattern.shape[0]), np.arange(pattern.shape[1]))


KIND = OrderingKind("natural", "As given", symmetric=True, order=order)
