"""Where the two sides of a joint or force sit on their bodies, with what the anchors leave out filled in."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.document.document import Ref, find
from engine.compiled.layout import Array
from engine.elements.base import Anchor
from engine.elements.coordinates.frames import Frame
from engine.errors import Problem, SceneError
from engine.maths.round_numbers import exact
from engine.model.resolve import resolve_leniently
from engine.model.scene import Scene, kind_of, list_of
from engine.system.compiling.frames import Frames


def anchored(scene: Scene, ref: Ref) -> Any:
    """The joint, force or motion with two anchors that a reference means; None when it is something else."""
    item = find(scene, ref.element) if ref.where in ("joints", "forces", "motions") else None
    return item if isinstance(getattr(item, "a", None), Anchor) else None


def axis_in_plane(scene: Scene, item: Any) -> bool:
    """Whether the axis lies in the plane of the scene and is the frame's x."""
    return scene.space == "planar" and getattr(kind_of(item), "planar_axis_is_x", False)


def frames_of(scene: Scene, item: Any) -> tuple[Frame, Frame]:
    """Both sides at the given pose; raises SceneError when the scene is too broken to say."""
    where = list_of(item)
    resolved, _ = resolve_leniently(scene)
    known = next(other for other in getattr(resolved, where) if other.name == item.name)
    try:
        pair = Frames(resolved).pair(known.a, known.b, axis_is_x=axis_in_plane(scene, item))
    except (KeyError, TypeError, ValueError) as error:
        text = f"{item.name!r} has no place as it is: {error}"
        raise SceneError([Problem(f"{where}.{item.name}", None, text, "mend it first")]) from None
    if not all(np.isfinite(frame.p_B).all() and np.isfinite(frame.axes_B).all() for frame in pair):
        text = f"{item.name!r} has a number that cannot be computed"
        raise SceneError([Problem(f"{where}.{item.name}", None, text, "mend it first")])
    return pair


def written(v: Array, planar: bool) -> tuple[float, ...]:
    """A computed vector as it is written into a scene."""
    size = float(np.abs(v).max(initial=0.0))
    return tuple(exact(float(x), size) for x in (v[:2] if planar else v))
