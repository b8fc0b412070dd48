"""Approximate minimum degree: as minimum degree, with a bound in place of the degree [Amestoy 1996].

Eliminated vertices stay as elements whose vertices are all neighbours of each other, so that no fill is ever
written down: the store never exceeds the pattern. The degree of a vertex is bounded by its own neighbours
plus what each of its elements adds to the newest one.
"""

from __future__ import annotations

import heapq

from engine.maths.sparse.orderings.base import Hints, OrderingKind, Reordering, symmetric
from engine.maths.sparse.pattern import Pattern


def order(pattern: Pattern, hints: Hints) -> Reordering:
    variables = pattern.neighbours()  # neighbours by entries that no element has swallowed
    n = len(variables)
    elements: list[set[int]] = [set() for _ in range(n)]  # of each vertex
    members: dict[int, set[int]] = {}  # of each element, without eliminated vertices
    degree = [len(near) for near in variables]
    queue = [(degree[v], v) for v in range(n)]
    heapq.heapify(queue)
    done = [False] * n
    found: list[int] = []
    while queue:
        bound, v = heapq.heappop(queue)
        if done[v] or bound != degree[v]:
            continue  # an older entry of a vertex whose bound has changed
        done[v] = True
        found.append(v)
        # the new element takes in all elements of the vertex
        joined = set(variables[v])
        for e in elements[v]:
            joined |= members.pop(e)
        joined.discard(v)
        swallowed = elements[v]
        outside: dict[int, int] = {}  # of each element that is met: its members outside the new one
        for u in joined:
            elements[u] -= swallowed
            for e in elements[u]:
                outside[e] = outside.get(e, len(members[e])) - 1
        for u in joined:
            variables[u] -= joined
            variables[u].discard(v)
            for e in [e for e in elements[u] if outside[e] == 0]:
                elements[u].discard(e)  # it adds nothing to the new element
            rest = len(joined) - 1
            own = len(variables[u]) + rest + sum(outside[e] for e in elements[u])
            degree[u] = min(n - len(found) - 1, degree[u] + rest, own)
            elements[u].add(v)
            heapq.heappush(queue, (degree[u], u))
        for e, left in outside.items():
            if left == 0:
                del members[e]
        members[v] = joined
        variables[v], elements[v] = set(), set()
    return symmetric(found)


KIND = OrderingKind("approximate_minimum_degree", "Approximate minimum degree", symmetric=True, order=order)
