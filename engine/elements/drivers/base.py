"""What motions have in common."""

from engine.elements.base import Element


class MotionSpec(Element, frozen=True, kw_only=True, tag_field="kind"):
    """Base of all motions: a coordinate, or its rate, follows a function of time."""
