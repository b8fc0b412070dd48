"""A contact between two bodies, by their shapes, or between a body and a level floor. No Qt."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.document.document import Edit
from app.edits.building.connect import add_force
from engine.compiled.layout import Array
from engine.elements.base import WORLD, Anchor
from engine.maths.round_numbers import tidy
from engine.model.scene import Scene

# of dry solids: it bounces, slides and rolls, and no stiffness must be known
LAW: dict[str, Any] = {"law": "rigid", "restitution": 0.5, "friction": 0.3}


def add_contact(scene: Scene, a: str, b: str) -> Edit:
    """Two bodies keep out of each other."""
    sides = {"a": Anchor(body=a), "b": Anchor(body=b)}
    return add_force(scene, "contact", **sides, shape_a="shapes", shape_b="shapes", **LAW)


def add_floor(scene: Scene, body: str, place: Array, up: Array) -> Edit:
    """A body stays above the level plane of the ground through a place in the world."""
    planar = scene.space == "planar"
    point, normal = ([tidy(x) for x in np.asarray(p)[: 2 if planar else 3]] for p in (place, up))
    # in the plane the normal of a frame is its x axis
    along = {"reference" if planar else "axis": tuple(normal)}
    floor = Anchor(body=WORLD, point=tuple(point), **along)
    return add_force(scene, "contact", a=floor, b=Anchor(body=body), shape_a="plane", shape_b="shapes", **LAW)
