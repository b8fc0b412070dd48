"""Which rows of a law hold in which of its states."""

from __future__ import annotations

from engine.compiled.layout import Ints
from engine.elements.laws import cone
from engine.elements.laws.base import LawKind


def rows_held(kind: LawKind, force: Ints, state: int) -> range:
    """Of a line of `System.forces`: all that it has in the states that its kind names, one of two where a
    contact with friction holds the other direction by a force."""
    rows = kind.rows_of(force)
    if kind is cone.KIND and state in cone.HOLDS_ONE:
        only = cone.HOLDS_ONE.index(state)
        return rows[only : only + 1]
    return rows if state in kind.holds else rows[:0]


def states_with_rows(kind: LawKind) -> frozenset[int]:
    """Those in which any of its rows holds."""
    return kind.holds | frozenset(cone.HOLDS_ONE) if kind is cone.KIND else kind.holds
