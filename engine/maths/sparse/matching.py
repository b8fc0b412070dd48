"""Transversal and strong components, the stages of the block triangular form [Antón 2015, section 4.3]."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy

from engine.maths.sparse.pattern import Pattern


def transversal(pattern: Pattern) -> list[tuple[int, int]]:
    """As many pairs (row, column) as possible, at an entry each, no row and no column twice."""
    if 0 in pattern.shape:
        return []
    rows = np.asarray(scipy.sparse.csgraph.maximum_bipartite_matching(pattern.matrix(), perm_type="row"))
    return [(int(r), c) for c, r in enumerate(rows) if r >= 0]


def strong_components(successors: Sequence[Sequence[int]]) -> list[list[int]]:
    """Strong components of a directed graph, each after all those that it leads to [Tarjan 1972].

    With an edge i → j for every entry a_ij this is the order of a lower block triangular matrix.
    """
    n = len(successors)
    number, low, on_stack = [-1] * n, [0] * n, [False] * n
    stack: list[int] = []
    found: list[list[int]] = []
    count = 0
    for root in range(n):
        if number[root] >= 0:
            continue
        path = [(root, 0)]
        while path:
            v, k = path.pop()
            if k == 0:
                number[v] = low[v] = count
                count += 1
                stack.append(v)
                on_stack[v] = True
            descended = False
            for i in range(k, len(successors[v])):
                u = successors[v][i]
                if number[u] < 0:
                    path += [(v, i + 1), (u, 0)]
                    descended = True
                    break
                if on_stack[u]:
                    low[v] = min(low[v], number[u])
            if descended:
                continue
            if low[v] == number[v]:
                component: list[int] = []
                while not component or component[-1] != v:
                    component.append(stack.pop())
                    on_stack[component[-1]] = False
                found.append(sorted(component))
            if path:
                above = path[-1][0]
                low[above] = min(low[above], low[v])
    return found
