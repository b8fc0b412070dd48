"""Nested dissection by METIS, whose separators are better than ours on nets [Karypis 1998].

METIS is optional (`pip install "trammel[orderings]"`); without it our own nested dissection takes its place.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import Any

from engine.maths.sparse.orderings import nested_dissection
from engine.maths.sparse.orderings.base import Hints, OrderingKind, Reordering, symmetric
from engine.maths.sparse.pattern import Pattern


@cache
def installed() -> bool:
    return find_spec("pymetis") is not None


def order(pattern: Pattern, hints: Hints) -> Reordering:
    if not installed():
        return nested_dissection.order(pattern, hints)
    import pymetis

    graph = [sorted(near) for near in pattern.neighbours()]
    if not any(graph):
        return symmetric(range(len(graph)))  # nothing to cut
    order_of: Any = pymetis.nested_dissection(adjacency=graph)[0]
    return symmetric([int(v) for v in order_of])


KIND = OrderingKind(
    "metis_dissection", "Nested dissection by METIS", symmetric=True, order=order, ready=installed
)
