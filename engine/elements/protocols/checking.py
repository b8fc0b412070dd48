"""What the check of a kind may ask about the scene around its element: a protocol, which the checks fulfil.

A check yields problems whose paths begin at the element: `b.axis`, not `joints[2].b.axis`. Numbers of the
element are resolved, and NaN where they could not be: such a fault is told already.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol

from engine.errors import Problem

if TYPE_CHECKING:
    from engine.elements.base import Anchor

TINY = 1e-12  # m: nothing
Place = tuple[float, ...]  # a point of the world [m]


class Around(Protocol):
    """The scene that an element under check stands in."""

    @property
    def planar(self) -> bool: ...

    def elements(self, where: str) -> tuple[Any, ...]:
        """Elements of one list of the scene: bodies, joints, motions …"""

    def is_ground(self, body: str) -> bool:
        """The world, or a body that is part of it."""

    def ends(self, a: Anchor, b: Anchor) -> tuple[Place, Place] | None:
        """Both points in the world, None while one is not known; what b leaves out is the point of a."""


def unchecked(spec: Any, around: Around) -> Iterator[Problem]:
    """Fields, references and geometry are checked for every kind; this one has nothing to add."""
    return iter(())


def known_vector(value: Any) -> bool:
    """Numbers that are all resolved and without fault."""
    return isinstance(value, tuple) and all(isinstance(v, float) and math.isfinite(v) for v in value)


def out_of_plane(path: str, z: Any) -> Iterator[Problem]:
    """A z component that a planar scene cannot have."""
    if isinstance(z, float) and math.isfinite(z) and z != 0.0:
        text = f"z = {z:g} leads out of the plane of a planar scene"
        yield Problem(path, z, text, 'write 0 or leave z out, or make the scene "spatial"')


def ends_apart(spec: Any, around: Around, noun: str, acts: str) -> Iterator[Problem]:
    """What acts along the line between two anchors needs both ends, apart from each other."""
    if spec.b.point is None:
        text = f"b.point is left out, so {noun} begins and ends at the point of a and {acts} nowhere"
        origin = [0, 0] if around.planar else [0, 0, 0]
        yield Problem("b.point", None, text, f'write where it ends on b, for instance "point": {origin}')
        return
    ends = around.ends(spec.a, spec.b)
    if ends is not None and math.dist(*ends) < TINY:
        text = f"{noun} begins and ends at one point, so that it has no direction"
        yield Problem("b.point", spec.b.point, text, "move one of its ends")


def rod_without_length(spec: Any, around: Around) -> Iterator[Problem]:
    """A rod between two anchors, with a `length` or with that of the given pose, which must not be zero."""
    if isinstance(spec.length, float | int) and 0.0 < spec.length < TINY:
        text = f"a length of {spec.length:g} m gives the rod no direction"
        yield Problem("length", spec.length, text, "use a ball joint, or make it longer")
    ends = around.ends(spec.a, spec.b) if spec.length is None else None
    if ends is not None and math.dist(*ends) < TINY:
        text = "the rod has no length: both of its ends lie at one point"
        if spec.b.point is None:
            text = "b.point is left out, so the rod begins and ends at the point of a and has no length"
        yield Problem("b.point", spec.b.point, text, 'write where it ends on b, or give its "length"')
