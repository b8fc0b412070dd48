"""Traces: the path that a point draws."""

from typing import Annotated

from engine.elements.base import ZERO, Element, Number, Vec
from engine.elements.fields import number, reference, vec


class Trace(Element, frozen=True, kw_only=True):
    """The path of a body point."""

    body: Annotated[str, reference("Body", "bodies")]
    point: Annotated[
        Vec | str, vec("Point", "m", "in the body frame, or the name of a point", frame="plane")
    ] = ZERO
    length: Annotated[Number, number("Length", "s", "0: the whole path", ge=0.0)] = 0.0
