"""The stroke of a linear actuator: how short it is with its rod in, and how far the rod goes out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.elements.protocols.checking import Around, ends_apart
from engine.errors import Problem

HALF_WAY = "null: as if it stood at half of its stroke at the given pose"
OUT = 0.8  # stroke of an actuator per closed length, where none is given


def limits(spec: Any, length: float) -> tuple[float, float]:
    """Shortest and longest length [m]; `length` is that at the given pose."""
    stroke, closed = spec.stroke, spec.closed_length
    if closed is None:
        closed = length / (1.0 + 0.5 * OUT) if stroke is None else max(length - 0.5 * stroke, 0.5 * length)
    return float(closed), float(closed) + float(OUT * closed if stroke is None else stroke)


def check_ends(spec: Any, around: Around) -> Iterator[Problem]:
    """Both ends must be given, apart from each other, and the rod must fit into the barrel."""
    yield from ends_apart(spec, around, "the actuator", "pushes")
    closed, stroke = spec.closed_length, spec.stroke
    if closed is not None and stroke is not None and closed < stroke:
        text = f"a stroke of {stroke:g} m does not fit into a closed length of {closed:g} m"
        yield Problem("stroke", stroke, text, f"give at most {closed:g} m, or a longer closed length")
