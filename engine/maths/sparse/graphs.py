"""Graphs of symmetric patterns: level structures, vertices at the edge [Antón 2015, section 4.1.1]."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Graph = Sequence[set[int]]


def level_structure(graph: Graph, root: int, inside: set[int]) -> list[list[int]]:
    """Vertices by their distance from the root, over vertices of `inside` only; each level ascending."""
    seen, levels = {root}, [[root]]
    while True:
        reached = {u for v in levels[-1] for u in graph[v] if u in inside and u not in seen}
        if not reached:
            return levels
        seen |= reached
        levels.append(sorted(reached))


def pseudo_peripheral(graph: Graph, start: int, inside: set[int]) -> tuple[int, list[list[int]]]:
    """A vertex of large eccentricity with its levels: from the far end of one to that of the next."""
    levels = level_structure(graph, start, inside)
    while True:
        far = min(levels[-1], key=lambda v: (degree(graph, v, inside), v))
        further = level_structure(graph, far, inside)
        if len(further) <= len(levels):
            return levels[0][0], levels
        levels = further


def degree(graph: Graph, vertex: int, inside: set[int]) -> int:
    return sum(u in inside for u in graph[vertex])


def components(graph: Graph, vertices: Iterable[int]) -> list[set[int]]:
    """Connected parts of the graph over these vertices, by their lowest vertex."""
    left, found = set(vertices), []
    for v in sorted(left):
        if v in left:
            part = {u for level in level_structure(graph, v, left) for u in level}
            left -= part
            found.append(part)
    return found
