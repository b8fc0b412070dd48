"""What must be in the picture: all elements or some, where they have been and where they can go."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from app.viewport.camera.camera_view import CameraView
from app.viewport.camera.reach import box_corners, reach_points
from app.viewport.canvas.surface import Array
from app.viewport.scene.drawn_scene import DrawnScene

WIDEST = 3.0  # of what is there: a first picture does not go beyond, however far the joints reach


class Framing:
    """Fits the camera to the scene that is drawn."""

    def __init__(self, camera: CameraView, drawn: DrawnScene) -> None:
        self._camera, self._drawn = camera, drawn
        self.recorded: Callable[[], Array] = lambda: np.zeros((0, 3))  # where the bodies have been [m]

    def frames_all(self, least: float = 0.0) -> bool:
        """Whether all bodies are in the picture and take at least this part of it."""
        shown = self._drawn.shown()
        clouds = [
            part.world_points()
            for ref, visual in self._drawn.elements.visuals.items()
            if ref.where == "bodies" and ref in shown
            for part in visual.parts
        ]
        return self.frames(np.concatenate([np.zeros((0, 3)), *clouds]), least)

    def frames(self, points: Array, least: float = 0.0) -> bool:
        """Whether all world points are in the picture and take at least this part of it."""
        pixels = self._camera.viewpoint.project(points)
        if not len(pixels):
            return True
        low, high = pixels.min(axis=0), pixels.max(axis=0)
        inside = (low >= 0.0).all() and (high <= self._camera.size).all()
        return bool(inside and ((high - low) / self._camera.size).max() >= least)

    def fit(
        self,
        refs: Iterable[Any] | None = None,
        points: ArrayLike | None = None,
        *,
        reach: Array | None = None,
    ) -> None:
        """Show these elements, or all that is there and where it has been; and these points.

        With `reach` also where joints let it go, for a first picture before anything has run. That bound can
        be far too wide, of long chains above all: then what is there counts alone.
        """
        wanted = None if refs is None else {(ref.where, ref.name) for ref in refs}
        clouds = [np.zeros((0, 3)), *(self._drawn.elements.clouds() if wanted is None else ())]
        for ref, visual in self._drawn.elements.visuals.items() if wanted else ():
            if wanted and (ref.where, ref.name) in wanted:
                clouds += [part.world_points() for part in visual.parts if part.visible]
        if wanted is None:
            clouds.append(self._known_motion())
            if self._drawn.arrows is not None and self._drawn.arrows.part.visible:
                clouds.append(self._drawn.arrows.part.surface.points)
            clouds += self._drawn.traces.paths() if self._drawn.style.traces else []
        if points is not None:
            clouds.append(np.asarray(points, float).reshape(-1, 3))
        cloud = np.concatenate(clouds)
        if reach is not None and len(cloud):
            both = np.concatenate([cloud, reach])
            cloud = both if np.ptp(both, axis=0).max() <= WIDEST * np.ptp(cloud, axis=0).max() else cloud
        if self._camera.flat:
            cloud = cloud * (1.0, 1.0, 0.0)
        self._camera.viewpoint.fit(cloud)
        self._camera.dirty = True

    @property
    def box(self) -> Array | None:
        """Where the mechanism is known to go, (low, high) [m]; None: wherever its joints let it."""
        return self._drawn.box

    def clip(self) -> None:
        """Near and far plane: wide around the mechanism, so that nothing is cut while it moves."""
        viewpoint, extent = self._camera.viewpoint, self._drawn.stage.extent
        bounds = self._camera.renderer.ComputeVisiblePropBounds()
        low, high = np.array(bounds[::2]), np.array(bounds[1::2])
        if bounds[0] > bounds[1]:  # an empty scene has a grid all the same
            low, high = viewpoint.focus - extent, viewpoint.focus + extent
        radius = 0.5 * float(np.linalg.norm(high - low)) + 0.2 * extent
        depth = float(viewpoint.forward @ (0.5 * (low + high) - viewpoint.position))
        if viewpoint.camera.GetParallelProjection():
            near, far = depth - 2.0 * radius, depth + 2.0 * radius
        else:
            floor = 3.0 * radius if self._drawn.style.grid else 0.0
            far = max(depth + radius + floor, 1e-6 * extent)
            near = max(depth - radius, 2e-3 * far)
        viewpoint.camera.SetClippingRange(near, far)

    def _known_motion(self) -> Array:
        """Where bodies have been, and where the scene says that they go."""
        been = self.recorded()
        return been if self._drawn.box is None else np.concatenate([been, box_corners(self._drawn.box)])

    def reach(self) -> Array:
        """Where the bodies that are shown can go."""
        if self._drawn.box is not None:
            return box_corners(self._drawn.box)
        shown = self._drawn.shown()
        clouds = {
            ref.name: np.concatenate([part.world_points() for part in visual.parts])
            for ref, visual in self._drawn.elements.visuals.items()
            if ref.where == "bodies" and visual.parts and ref in shown
        }
        return reach_points(self._drawn.stage, clouds)
