"""Which point or shape of a body is under the pointer. No Qt but the pixel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QPointF

from app.document.element_ref import Piece
from app.viewport.scene.scene_view import SceneView
from app.viewport.visuals.bodies.shapes import shape_surface
from engine.compiled.layout import Array
from engine.model.mass import rotation

if TYPE_CHECKING:
    from app.tools.interactive_viewport import ViewportWidget

REACH = 9.0  # px within which a point is meant


def piece_at(viewport: ViewportWidget, body: str, position: QPointF) -> Piece | None:
    """A point of the body near the pointer, else the shape in front; None where a body has but one."""
    view = viewport.view
    places = point_places(view, body)
    if places:
        pixels = view.camera.project_all(np.array(list(places.values()))) / viewport.devicePixelRatioF()
        off = np.linalg.norm(pixels - (position.x(), position.y()), axis=1)
        if np.nanmin(off, initial=np.inf) <= REACH:
            return Piece("points", list(places)[int(np.nanargmin(off))])
    known = next((other for other in view.stage.scene.bodies if other.name == body), None)
    if known is None or len(known.shapes) < 2:
        return None
    origin, direction = view.camera.ray(*viewport.device(position))
    hits = [(_depth(view, known, i, origin, direction), i) for i in range(len(known.shapes))]
    depth, index = min(hits)
    return Piece("shapes", index) if np.isfinite(depth) else None


def point_places(view: SceneView, body: str) -> dict[int, Array]:
    """Named points of a body in the world, by place in its list."""
    known = next((other for other in view.stage.scene.bodies if other.name == body), None)
    pose = view.stage.poses.get(body)
    if known is None or pose is None:
        return {}
    found = {}
    for i, point in enumerate(known.points):
        try:
            place = pose[0] + pose[1] @ np.array([*point.position, 0.0][:3], float)
        except (TypeError, ValueError):
            continue
        if np.isfinite(place).all():
            found[i] = place
    return found


def _depth(view: SceneView, body: Any, index: int, origin: Array, direction: Array) -> float:
    """How far away along a line of sight a shape is met; infinite where it is not."""
    shape, pose = body.shapes[index], view.stage.poses.get(body.name)
    try:
        own = rotation(shape.orientation, float(shape.angle))
        surface = shape_surface(shape, view.stage).moved(np.array([*shape.position, 0.0][:3], float), own)
    except (TypeError, ValueError):
        return np.inf
    corners = surface.moved(*pose).points[surface.triangles] if pose is not None else np.zeros((0, 3, 3))
    return first_hit(corners, origin, direction)


def first_hit(triangles: Array, origin: Array, direction: Array) -> float:
    """The nearest meeting of a ray with triangles, shape (n, 3, 3), in lengths of `direction`.

    Solves origin + s·direction = a + u·(b − a) + v·(c − a) with u, v ≥ 0 and u + v ≤ 1   (Möller, Trumbore).
    """
    a, ab, ac = triangles[:, 0], triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    across = np.cross(direction, ac)
    size = np.einsum("ij,ij->i", ab, across)
    with np.errstate(divide="ignore", invalid="ignore"):
        to = origin - a
        u = np.einsum("ij,ij->i", to, across) / size
        q = np.cross(to, ab)
        v = (q @ direction) / size
        s = np.einsum("ij,ij->i", ac, q) / size
        met = (u >= 0.0) & (v >= 0.0) & (u + v <= 1.0) & (s > 0.0)
    return float(s[met].min(initial=np.inf))
