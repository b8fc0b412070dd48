"""What lies where: elements under a pixel, points of elements."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from app.document.element_ref import Ref, find
from app.viewport.camera.camera_view import CameraView
from app.viewport.camera.reach import box_corners
from app.viewport.canvas.surface import Array
from app.viewport.picking import Picker, inside
from app.viewport.scene.drawn_scene import DrawnScene
from app.viewport.scene.framing import Framing
from app.viewport.visuals.base import Visual
from engine.elements.coordinates.frames import Frame
from engine.errors import SceneError
from engine.model.scene import LISTS


class SceneQueries:
    """Asks the scene that is drawn; pixels are device pixels from the top left corner."""

    def __init__(self, camera: CameraView, drawn: DrawnScene, framing: Framing) -> None:
        self._camera, self._drawn, self._framing = camera, drawn, framing
        self._picker = Picker()

    def watch(self, visuals: Iterable[Visual]) -> None:
        """What can be picked from now on."""
        self._picker.watch(visuals)

    def forget(self) -> None:
        self._picker.forget()

    # picking

    def pick(self, x: float, y: float) -> list[Ref]:
        """Elements under a pixel, front to back."""
        return list(self.pick_places(x, y))

    def pick_places(self, x: float, y: float) -> dict[Ref, Array]:
        """Elements under a pixel, front to back, with the world points that were hit."""
        if self._camera.dirty:  # else the clipping planes are those of the picture
            self._framing.clip()
        return self._picker.places(self._camera.renderer, x, self._camera.size[1] - 1 - y)

    def pick_rect(self, x0: float, y0: float, x1: float, y1: float, *, touching: bool = False) -> list[Ref]:
        """Elements wholly inside the rectangle, or that touch it."""
        visible = self._drawn.shown()
        shown = {ref: visual for ref, visual in self._drawn.elements.visuals.items() if ref in visible}
        return inside(shown, self._camera.viewpoint, (x0, y0), (x1, y1), touching=touching)

    # points of elements

    def position_of(self, ref: Any, point: str = "") -> Array:
        """World point that stands for an element: a named point of a body, its centre of mass, a joint."""
        frames = self.frames_of(ref, point)
        if not frames:
            raise KeyError(f"{ref.name} has no place of its own")
        return self._drawn.stage.world_point(frames[0])

    def frames_of(self, ref: Any, point: str = "") -> list[Frame]:
        """Points of bodies that belong to an element, that which stands for it first.

        None for couplings, for what is not drawn, and for elements whose ends do not exist.
        """
        item = find(self._drawn.stage.scene, ref) if ref.where in LISTS else None
        try:
            return self._frames(ref, item, point or getattr(ref, "part", "")) if item is not None else []
        except (SceneError, KeyError):
            return []

    def _frames(self, ref: Any, item: Any, part: str) -> list[Frame]:
        stage = self._drawn.stage
        if ref.where == "bodies":
            if part:
                return [stage.frame(item.name, part)]
            others = [stage.frame(item.name, named.name) for named in item.points]
            return [stage.frame(item.name, stage.com(item)), *others]
        if hasattr(item, "joint"):
            item = stage.scene.joint(item.joint)
        if hasattr(item, "a") and hasattr(item, "b"):
            return list(stage.pair(item))
        return [stage.frame(item.body, getattr(item, "point", None))] if hasattr(item, "body") else []

    def joint_points(self) -> Array:
        """World points of all joints and of the points of all bodies, shape (n, 3)."""
        stage = self._drawn.stage
        frames = [stage.frame(body.name, p) for body in stage.scene.bodies for p in stage.anchors(body.name)]
        return np.array([stage.world_point(frame) for frame in frames]).reshape(-1, 3)

    def body_corners(self) -> dict[str, Array]:
        """Corners of a box around each body that is shown, in its own axes, shape (8, 3)."""
        found, shown = {}, self._drawn.shown()
        for ref, visual in self._drawn.elements.visuals.items():
            if ref.where == "bodies" and visual.parts and ref in shown:
                origin, R = self._drawn.stage.poses[ref.name]
                cloud = np.concatenate([part.world_points() for part in visual.parts])
                if len(cloud):
                    local = (cloud - origin) @ R
                    found[ref.name] = box_corners(np.array([local.min(axis=0), local.max(axis=0)]))
        return found
