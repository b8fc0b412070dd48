"""An off-screen window and the viewer before it: how the camera moves, and which pixel a point has."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from app.viewport.camera.camera import Viewpoint
from app.viewport.canvas.offscreen import make_front, make_renderer, make_window
from app.viewport.canvas.surface import Array

SOFTWARE = ("llvmpipe", "softpipe", "swrast", "swiftshader", "software")  # words in names of renderers


class CameraView:
    """A window of `size` device pixels; `scale` is device pixels per logical one.

    Pixels are device pixels from the top left corner.
    """

    def __init__(self, size: tuple[int, int], scale: float) -> None:
        self.window = make_window(*size)
        self.renderer = make_renderer()
        self.window.AddRenderer(self.renderer)
        self.front = make_front(self.window)  # names, before everything else
        self.viewpoint = Viewpoint()
        self.renderer.SetActiveCamera(self.viewpoint.camera)
        self.front.SetActiveCamera(self.viewpoint.camera)
        self.viewpoint.size = size
        self.scale = scale
        self.dirty = True  # the picture is no longer that of what is to be seen

    @property
    def size(self) -> tuple[int, int]:
        return self.viewpoint.size

    @property
    def gl_renderer(self) -> str:
        """What draws, for the diagnostics."""
        lines = self.window.ReportCapabilities().splitlines()
        found = [line for line in lines if "renderer string" in line.lower()]
        return found[0].partition(":")[2].strip() if found else "unknown"

    @property
    def software(self) -> bool:
        """Whether the processor draws, for want of a graphics card."""
        return any(word in self.gl_renderer.lower() for word in SOFTWARE)

    # pixels

    def screen_axes(self) -> tuple[Array, Array]:
        """Right and up of the picture, in the world."""
        return self.viewpoint.axes()[:2]

    @property
    def per_pixel(self) -> float:
        """Metres per logical pixel at the focus."""
        return self.viewpoint.per_pixel * self.scale

    def project(self, point: ArrayLike) -> tuple[float, float]:
        """Pixel of a world point [m]."""
        x, y = self.viewpoint.project(np.asarray(point, float))
        return float(x), float(y)

    def project_all(self, points: ArrayLike) -> Array:
        """Pixels of many world points, shape (n, 2); NaN behind the viewer."""
        return self.viewpoint.project(np.asarray(points, float))

    def unproject(self, x: float, y: float, through: ArrayLike | None = None) -> Array:
        """World point under a pixel, in the plane through the point (the focus) that faces the viewer."""
        return self.viewpoint.unproject(x, y, None if through is None else np.asarray(through, float))

    def ray(self, x: float, y: float) -> tuple[Array, Array]:
        """Origin and direction of the line of sight through a pixel."""
        return self.viewpoint.ray(x, y)

    # camera

    @property
    def flat(self) -> bool:
        """Whether a planar scene is seen straight on, so that dragging pans."""
        return self.viewpoint.flat

    @property
    def is_orthographic(self) -> bool:
        return bool(self.viewpoint.camera.GetParallelProjection())

    def orbit(self, dx: float, dy: float) -> None:
        self.viewpoint.orbit(dx / self.scale, dy / self.scale) if not self.flat else self.pan(dx, dy)
        self.dirty = True

    def pan(self, dx: float, dy: float) -> None:
        self.viewpoint.pan(dx, dy)
        self.dirty = True

    def zoom(self, factor: float, x: float | None = None, y: float | None = None) -> None:
        self.viewpoint.zoom(factor, x, y)
        self.dirty = True

    def orthographic(self, on: bool) -> None:
        self.viewpoint.orthographic(on)
        self.dirty = True

    def state(self) -> dict[str, Any]:
        """Plain data that `restore` takes."""
        return self.viewpoint.state()

    def restore(self, state: dict[str, Any]) -> None:
        self.viewpoint.restore(state)
        self.dirty = True

    # window

    def resize(self, size: tuple[int, int]) -> None:
        """Device pixels."""
        if size != self.size:
            self.window.SetSize(*size)
            self.viewpoint.size = size
            self.viewpoint.changed()
            self.dirty = True

    def close(self) -> None:
        """Let go of the window and of all that it shows."""
        self.renderer.RemoveAllViewProps()
        self.renderer.RemoveAllLights()
        self.front.RemoveAllViewProps()
        self.window.RemoveRenderer(self.front)
        self.window.RemoveRenderer(self.renderer)
        self.window.Finalize()
        del self.window, self.renderer, self.front, self.viewpoint
