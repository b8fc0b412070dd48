"""Reverse Cuthill–McKee: neighbours get near numbers, so that the factor stays in a narrow band or envelope.

[Antón 2015, section 4.2.3] [Cuthill 1969] [George 1981]
"""

from engine.maths.sparse.graphs import components, pseudo_peripheral
from engine.maths.sparse.orderings.base import Hints, OrderingKind, Reordering, symmetric
from engine.maths.sparse.pattern import Pattern


def order(pattern: Pattern, hints: Hints) -> Reordering:
    """From a pseudo-peripheral root breadth first, neighbours by degree and then by number; then reversed."""
    graph = pattern.neighbours()
    found: list[int] = []
    for part in components(graph, range(len(graph))):
        start = min(part, key=lambda v: (len(graph[v]), v))
        root, _ = pseudo_peripheral(graph, start, part)
        numbered, seen = [root], {root}
        for v in numbered:  # grows while it is read
            new = sorted((u for u in graph[v] if u not in seen), key=lambda u: (len(graph[u]), u))
            seen.update(new)
            numbered += new
        found += numbered
    return symmetric(found[::-1])


KIND = OrderingKind("reverse_cuthill_mckee", "Reverse Cuthill–McKee", symmetric=True, order=order)
