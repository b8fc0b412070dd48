"""Where the viewer stands: turning about the scene's up direction, panning, zooming, standard views."""

from __future__ import annotations

from typing import Any

import numpy as np
from vtkmodules.vtkRenderingCore import vtkCamera

from app.viewport.canvas.surface import Array
from engine.maths.rotations import about_axis

ANGLE = 26.0  # degrees, of the perspective view
DEGREES_PER_PIXEL = 0.4  # degrees per pixel
STEEPEST = 89.0  # degrees above or below the ground
MARGIN = 1.12  # of the fitted size
VIEWS = ("iso", "front", "back", "left", "right", "top", "bottom")
NEAREST, FARTHEST = 1e-3, 1e3  # zoom limits in scene extents


class Viewpoint:
    """A VTK camera with the operations of the viewport. Pixels count from the top left corner."""

    def __init__(self) -> None:
        self.camera = vtkCamera()
        self.camera.SetViewAngle(ANGLE)
        self.up = np.array([0.0, 0.0, 1.0])
        self.planar = False
        self.extent = 1.0
        self.size = (640, 480)
        self._matrix: Array | None = None

    # what is seen

    @property
    def flat(self) -> bool:
        """Whether a planar scene is looked at straight on: then only panning and zooming make sense."""
        return self.planar and abs(self.forward[2]) > 1.0 - 1e-9

    @property
    def focus(self) -> Array:
        return np.array(self.camera.GetFocalPoint())

    @property
    def position(self) -> Array:
        return np.array(self.camera.GetPosition())

    @property
    def forward(self) -> Array:
        return np.array(self.camera.GetDirectionOfProjection())

    def axes(self) -> tuple[Array, Array, Array]:
        """Right, up and forward of the picture, in the world."""
        forward = self.forward
        right = np.cross(forward, np.array(self.camera.GetViewUp()))
        right = right / np.linalg.norm(right)
        return right, np.cross(right, forward), forward

    @property
    def per_pixel(self) -> float:
        """Metres per pixel at the focal point."""
        if self.camera.GetParallelProjection():
            return 2.0 * float(self.camera.GetParallelScale()) / self.size[1]
        distance = float(np.linalg.norm(self.focus - self.position))
        return 2.0 * distance * float(np.tan(np.radians(ANGLE) / 2.0)) / self.size[1]

    def project(self, point: Array) -> Array:
        """Pixels (x, y) of a world point, or of many, shape (..., 2); NaN behind the viewer."""
        if self._matrix is None:
            aspect = self.size[0] / self.size[1]
            found = self.camera.GetCompositeProjectionTransformMatrix(aspect, -1.0, 1.0)
            self._matrix = np.array(found.GetData()).reshape(4, 4)
        p = np.asarray(point, float)
        h = p @ self._matrix[:, :3].T + self._matrix[:, 3]
        w = np.where(h[..., 3:] > 0.0, h[..., 3:], np.nan)
        ndc = h[..., :2] / w
        return np.asarray(0.5 * (ndc * (1.0, -1.0) + 1.0) * self.size)

    def ray(self, x: float, y: float) -> tuple[Array, Array]:
        """Origin and unit direction of the line of sight through a pixel."""
        right, up, forward = self.axes()
        across = (x - 0.5 * self.size[0]) * self.per_pixel * right
        across = across + (0.5 * self.size[1] - y) * self.per_pixel * up
        if self.camera.GetParallelProjection():
            return self.position + across, forward
        direction = self.focus + across - self.position
        return self.position, direction / np.linalg.norm(direction)

    def unproject(self, x: float, y: float, through: Array | None = None) -> Array:
        """World point under a pixel, in the plane through this point (the focus) that faces the viewer."""
        origin, direction = self.ray(x, y)
        forward = self.forward
        target = self.focus if through is None else np.asarray(through, float)
        return np.asarray(origin + direction * (forward @ (target - origin)) / (forward @ direction))

    # moving

    def orbit(self, dx: float, dy: float) -> None:
        """Turn by a drag of so many pixels; a planar scene seen straight on is panned."""
        if self.flat:
            self.pan(dx, dy)
            return
        turn = about_axis(self.up, -np.radians(DEGREES_PER_PIXEL * dx))
        offset = turn @ (self.position - self.focus)
        distance = float(np.linalg.norm(offset))
        height = float(np.degrees(np.arcsin(np.clip(self.up @ offset / distance, -1.0, 1.0))))
        wanted = float(np.clip(height + DEGREES_PER_PIXEL * dy, -STEEPEST, STEEPEST))
        level = offset - self.up * (self.up @ offset)
        if np.linalg.norm(level) < 1e-9 * distance:  # from straight above: turn on with the picture's up
            level = turn @ (-np.sign(height) * self.axes()[1])
        level = level / np.linalg.norm(level)
        angle = np.radians(wanted)
        self.place(self.focus, np.cos(angle) * level + np.sin(angle) * self.up, self.up, distance)

    def pan(self, dx: float, dy: float) -> None:
        """Move what is seen by so many pixels."""
        right, up, _ = self.axes()
        self.shift(self.per_pixel * (dy * up - dx * right))

    def zoom(self, factor: float, x: float | None = None, y: float | None = None) -> None:
        """Enlarge; what is under the pixel (the middle) stays there."""
        span = self.per_pixel * self.size[1]
        factor = float(np.clip(factor, span / (FARTHEST * self.extent), span / (NEAREST * self.extent)))
        px = 0.5 * self.size[0] if x is None else x
        py = 0.5 * self.size[1] if y is None else y
        fixed = self.unproject(px, py)
        focus = fixed + (self.focus - fixed) / factor
        offset = (self.position - self.focus) / factor
        self.camera.SetParallelScale(self.camera.GetParallelScale() / factor)
        if self.camera.GetParallelProjection():  # stay clear of the scene: only the scale counts
            offset = offset * factor
        self.camera.SetFocalPoint(*focus)
        self.camera.SetPosition(*(focus + offset))
        self.changed()

    def view(self, name: str) -> None:
        """Look from a standard side; the scene's up direction is up."""
        if name not in VIEWS:
            raise ValueError(f"unknown view {name!r} (known: {', '.join(VIEWS)})")
        right, front = self._sides()
        toward, up = {
            "front": (front, self.up),
            "back": (-front, self.up),
            "right": (right, self.up),
            "left": (-right, self.up),
            "top": (self.up, -front),
            "bottom": (-self.up, front),
            "iso": (0.62 * right + 1.0 * front + 0.52 * self.up, self.up),
        }[name]
        self.place(self.focus, toward, up, float(np.linalg.norm(self.position - self.focus)) or 1.0)

    def orthographic(self, on: bool) -> None:
        """Switch the projection; what is in the focal plane keeps its size."""
        if on == bool(self.camera.GetParallelProjection()):
            return
        scale = 0.5 * self.per_pixel * self.size[1]
        offset = self.position - self.focus
        self.camera.SetParallelProjection(on)
        self.camera.SetParallelScale(scale)
        if not on:
            distance = scale / float(np.tan(np.radians(ANGLE) / 2.0))
            self.camera.SetPosition(*(self.focus + offset / np.linalg.norm(offset) * distance))
        self.changed()

    def fit(self, points: Array, *, margin: float = MARGIN) -> None:
        """Show all of these points, shape (n, 3), from the present direction."""
        cloud = np.asarray(points, float).reshape(-1, 3)
        cloud = cloud[np.isfinite(cloud).all(axis=1)]
        if not len(cloud):
            cloud = np.array([[-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]]) * self.extent
        right, up, forward = self.axes()
        x, y, z = cloud @ right, cloud @ up, cloud @ forward
        smallest = 0.05 * self.extent
        middle = [0.5 * (v.max() + v.min()) for v in (x, y, z)]
        x, y, z = x - middle[0], y - middle[1], z - middle[2]
        aspect = self.size[0] / self.size[1]
        half = margin * max(y.max(), x.max() / aspect, smallest)
        distance = half / np.tan(np.radians(ANGLE) / 2.0)
        if not self.camera.GetParallelProjection():
            tangent = np.tan(np.radians(ANGLE) / 2.0) / margin
            for _ in range(3):  # the middle of the picture is not that of the box: nearer things are larger
                reach = np.maximum(np.abs(x) / (tangent * aspect), np.abs(y) / tangent) - z
                distance = max(float(reach.max()), smallest / tangent)
                sx, sy = x / (distance + z), y / (distance + z)
                shift = 0.5 * (sx.max() + sx.min()) * distance, 0.5 * (sy.max() + sy.min()) * distance
                middle[0], middle[1] = middle[0] + shift[0], middle[1] + shift[1]
                x, y = x - shift[0], y - shift[1]
        focus = middle[0] * right + middle[1] * up + middle[2] * forward
        self.camera.SetParallelScale(half)
        self.place(focus, -forward, np.array(self.camera.GetViewUp()), float(distance))

    def place(self, focus: Array, toward: Array, up: Array, distance: float) -> None:
        """Look at the focus from the direction `toward`."""
        direction = np.asarray(toward, float) / np.linalg.norm(toward)
        self.camera.SetFocalPoint(*focus)
        self.camera.SetPosition(*(np.asarray(focus) + distance * direction))
        self.camera.SetViewUp(*up)
        self.changed()

    def changed(self) -> None:
        self._matrix = None

    # keeping

    def state(self) -> dict[str, Any]:
        """Plain data, for the scene's `view`."""
        return {
            "focus": list(self.camera.GetFocalPoint()),
            "position": list(self.camera.GetPosition()),
            "up": list(self.camera.GetViewUp()),
            "scale": self.camera.GetParallelScale(),
            "orthographic": bool(self.camera.GetParallelProjection()),
        }

    def restore(self, state: dict[str, Any]) -> None:
        self.camera.SetFocalPoint(*state["focus"])
        self.camera.SetPosition(*state["position"])
        self.camera.SetViewUp(*state["up"])
        self.camera.SetParallelScale(state["scale"])
        self.camera.SetParallelProjection(state["orthographic"])
        self.changed()

    def _sides(self) -> tuple[Array, Array]:
        """Right and front (towards the viewer) of the standard front view."""
        front = np.array([0.0, -1.0, 0.0]) if abs(self.up[2]) > 0.5 else np.array([0.0, 0.0, 1.0])
        return np.cross(self.up, front), front

    def shift(self, by: Array) -> None:
        """Move the viewer, and what is looked at, by this vector [m]."""
        self.camera.SetFocalPoint(*(self.focus + by))
        self.camera.SetPosition(*(self.position + by))
        self.changed()
