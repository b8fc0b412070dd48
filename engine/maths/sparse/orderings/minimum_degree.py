"""Minimum degree: eliminate next the vertex with the fewest neighbours, with exact degrees.

[Antón 2015, section 4.2.2] [Tinney 1967]
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable

from engine.maths.sparse.graphs import Graph
from engine.maths.sparse.orderings.base import Hints, OrderingKind, Reordering, symmetric
from engine.maths.sparse.pattern import Pattern


def order(pattern: Pattern, hints: Hints) -> Reordering:
    return symmetric(eliminated(pattern.neighbours(), range(pattern.shape[0])))


def eliminated(graph: Graph, vertices: Iterable[int]) -> list[int]:
    """The order of elimination of these vertices; equal degrees go by number.

    The neighbours of an eliminated vertex become neighbours of each other.
    """
    inside = set(vertices)
    near = {v: graph[v] & inside for v in inside}
    queue = [(len(near[v]), v) for v in inside]
    heapq.heapify(queue)
    found: list[int] = []
    while queue:
        degree, v = heapq.heappop(queue)
        if v not in near or degree != len(near[v]):
            continue  # an older entry of a vertex whose degree has changed
        clique = near.pop(v)
        found.append(v)
        for u in clique:
            around = near[u]
            around |= clique
            around.discard(u)
            around.discard(v)
            heapq.heappush(queue, (len(around), u))
    return found


KIND = OrderingKind("minimum_degree", "Minimum degree", symmetric=True, order=order)
