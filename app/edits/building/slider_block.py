"""A block in a guide: what a slider-crank needs at the end of its connecting rod."""

from __future__ import annotations

import numpy as np

from app.document.document import Edit
from app.edits.building.draw import DENSITY, Drawn, Meeting, Placement, bar_radius, draw
from engine.compiled.layout import Array
from engine.elements.bodies.body import Point
from engine.elements.bodies.shapes import Box
from engine.maths.round_numbers import tidy
from engine.model.scene import Scene

LONG, WIDE, DEEP = 12.0, 7.0, 4.0  # sizes of the block, in radii of the bars
CENTRE = "P"


def slider_block(
    scene: Scene,
    place: Array,
    axes: Array,
    guide: Meeting,
    pin: Meeting | None,
    *,
    length: float,
) -> Edit:
    """A block at a place, guided along x of `axes` (columns, in the world) and pinned to a body.

    `guide` and `pin` say where, on other bodies; `length` is that of a bar that would suit the picture [m],
    for scenes that have none to take the size from.
    """
    radius = bar_radius(scene, length)
    size = tuple(tidy(share * radius) for share in (LONG, WIDE, DEEP))
    box = Box(size=size, density=DENSITY)  # type: ignore[arg-type]
    points = (Point(name=CENTRE, position=(0.0, 0.0, 0.0)),)
    meetings = tuple(meeting for meeting in (pin, guide) if meeting is not None)
    drawn = Drawn("block", Placement(np.asarray(place, float), axes), (box,), points, meetings)
    edit = draw(scene, drawn)
    what = "a block in a guide" if pin is None else f"a block in a guide, pinned to {pin.body}"
    return Edit(f"Add {what}", edit.after)
