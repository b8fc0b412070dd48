"""Orderings of sparse matrices by name: each one file and one line."""

from engine.maths.sparse.orderings import (
    approximate_minimum_degree,
    block_triangular,
    bordered,
    bordered_by_blocks,
    metis_dissection,
    minimum_degree,
    natural,
    nested_dissection,
    p3,
    p4,
    p5,
    reverse_cuthill_mckee,
)
from engine.maths.sparse.orderings.base import Hints, OrderingKind, Reordering
from engine.registry import Registry

__all__ = ["ORDERINGS", "Hints", "OrderingKind", "Reordering"]

ORDERINGS: Registry[OrderingKind] = Registry(
    "ordering",
    approximate_minimum_degree.KIND,  # keep sorted
    block_triangular.KIND,
    bordered.KIND,
    bordered_by_blocks.KIND,
    metis_dissection.KIND,
    minimum_degree.KIND,
    natural.KIND,
    nested_dissection.KIND,
    p3.KIND,
    p4.KIND,
    p5.KIND,
    reverse_cuthill_mckee.KIND,
)
