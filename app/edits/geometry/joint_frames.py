"""Where the two sides of a joint or force sit on their bodies, with what the anchors leave out filled in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from app.document.document import Ref, find
from app.platform.round_numbers import exact
from engine.compiled.layout import Array
from engine.elements.base import WORLD, Anchor
from engine.errors import Problem, SceneError
from engine.model.resolve import resolve_leniently
from engine.model.scene import Scene, kind_of, list_of
from engine.system.compiling.frames import Frames, Place


@dataclass(frozen=True)
class Seat:
    """One side: its point [m] and axes (columns x, y, z) in the body's own frame, and the body's place."""

    point: Array
    axes: Array
    place: Place

    @property
    def p_W(self) -> Array:
        """Where it is in the world [m]."""
        return self.place.point(self.point)

    @property
    def axes_W(self) -> Array:
        return np.asarray(self.place.R_WB @ self.axes)


def anchored(scene: Scene, ref: Ref) -> Any:
    """The joint, force or motion with two anchors that a reference means; None when it is something else."""
    item = find(scene, ref.element) if ref.where in ("joints", "forces", "motions") else None
    return item if isinstance(getattr(item, "a", None), Anchor) else None


def axis_in_plane(scene: Scene, item: Any) -> bool:
    """Whether the axis lies in the plane of the scene and is the frame's x."""
    return scene.space == "planar" and getattr(kind_of(item), "planar_axis_is_x", False)


def seats(scene: Scene, item: Any) -> tuple[Seat, Seat]:
    """Both sides at the given pose; raises SceneError when the scene is too broken to say."""
    where = list_of(item)
    resolved, _ = resolve_leniently(scene)
    known = next(other for other in getattr(resolved, where) if other.name == item.name)
    try:
        frames = Frames(resolved)
        pair = frames.pair(known.a, known.b, axis_is_x=axis_in_plane(scene, item))
    except (KeyError, TypeError, ValueError) as error:
        text = f"{item.name!r} has no place as it is: {error}"
        raise SceneError([Problem(f"{where}.{item.name}", None, text, "mend it first")]) from None
    found = []
    for anchor, frame in zip((known.a, known.b), pair, strict=True):
        place = frames.places[anchor.body]
        if place.index == frames.places[WORLD].index:  # given in the world, on fixed bodies too
            found.append(Seat(place.local(frame.point), place.R_WB.T @ frame.axes, place))
        else:
            found.append(Seat(frame.point + place.com, frame.axes, place))
    if not all(np.isfinite(seat.point).all() and np.isfinite(seat.axes).all() for seat in found):
        text = f"{item.name!r} has a number that cannot be computed"
        raise SceneError([Problem(f"{where}.{item.name}", None, text, "mend it first")])
    return found[0], found[1]


def written(v: Array, planar: bool) -> tuple[float, ...]:
    """A computed vector as it is written into a scene."""
    size = float(np.abs(v).max(initial=0.0))
    return tuple(exact(float(x), size) for x in (v[:2] if planar else v))
