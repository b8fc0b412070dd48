"""Nested dissection: a separator that cuts the graph in two is numbered last, then each part likewise.

[Antón 2015, section 4.2.4] [George 1973] The separator is taken from the middle level of a pseudo-peripheral
vertex: those of its vertices that have a neighbour beyond. Parts below a small size go by minimum degree.
"""

from __future__ import annotations

from engine.maths.sparse.graphs import Graph, components, degree, pseudo_peripheral
from engine.maths.sparse.orderings.base import Hints, OrderingKind, Reordering, symmetric
from engine.maths.sparse.orderings.minimum_degree import eliminated
from engine.maths.sparse.pattern import Pattern

MIN_VERTICES = 8  # vertices; fewer are not cut any more


def order(pattern: Pattern, hints: Hints) -> Reordering:
    graph = pattern.neighbours()
    found: list[int] = []
    # parts still to be numbered, the last ones first; a separator is numbered as it stands
    todo: list[tuple[set[int], list[int]]] = [(set(range(len(graph))), [])]
    while todo:
        inside, separator = todo.pop()
        found += separator[::-1]
        parts = components(graph, inside)
        if len(parts) > 1:
            todo += [(part, []) for part in parts]
        elif inside:
            cut = _separator(graph, inside)
            if cut:
                todo.append((inside - set(cut), cut))
            else:
                found += eliminated(graph, inside)[::-1]
    return symmetric(found[::-1])


def _separator(graph: Graph, inside: set[int]) -> list[int]:
    """The middle level; none where the part is small or has no middle."""
    if len(inside) < MIN_VERTICES:
        return []
    start = min(inside, key=lambda v: (degree(graph, v, inside), v))
    _, levels = pseudo_peripheral(graph, start, inside)
    if len(levels) < 3:
        return []
    middle = (len(levels) - 1) // 2
    beyond = set(levels[middle + 1])
    return [v for v in levels[middle] if graph[v] & beyond]


KIND = OrderingKind("nested_dissection", "Nested dissection", symmetric=True, order=order)
