"""The ground grid: in space a faded disc below the mechanism, in the plane lines that fill the view."""

import numpy as np
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper

from app.viewport.canvas.primitive_surfaces import along
from app.viewport.canvas.stage import Stage
from app.viewport.canvas.style import rgb
from app.viewport.canvas.surface import Array, Surface, paint, poly_data
from engine.maths.round_numbers import nice

CELLS = 20  # from the middle to the rim
MAJOR = 5  # every so many lines is stronger
PIECES = 6  # of a line, so that it can fade
WANTED = 28.0  # px between lines in the plane, at least


class Grid:
    """One actor with all lines."""

    def __init__(self) -> None:
        self._mapper = vtkPolyDataMapper()
        self.actor = vtkActor()
        self.actor.SetMapper(self._mapper)
        self.actor.PickableOff()
        self.actor.UseBoundsOff()
        self.actor.GetProperty().LightingOff()
        self.actor.ForceTranslucentOn()
        self._shown: tuple[float, ...] = ()
        self._middle, self._period = np.zeros(3), 0.0

    def lay(self, stage: Stage, low: float) -> None:
        """In space: a disc at this height, against the up direction."""
        step = nice(0.08 * stage.extent)
        radius = step * CELLS
        lines = np.arange(-CELLS, CELLS + 1)
        pieces = np.linspace(-1.0, 1.0, 2 * PIECES + 1)
        points, strong = [], []
        for i in lines:
            half = np.sqrt(max(radius**2 - (i * step) ** 2, 0.0))
            for swap in (False, True):
                x, y = np.full(len(pieces), i * step), half * pieces
                flat = np.column_stack([y, x] if swap else [x, y])
                points.append(np.column_stack([flat, np.zeros(len(pieces))]))
                strong.append(i % MAJOR == 0)
        cloud = np.array(points)
        fade = np.clip(1.0 - np.linalg.norm(cloud, axis=2) / radius, 0.0, 1.0) ** 1.3
        centre = np.array([origin for origin, _ in stage.poses.values()])
        middle = 0.5 * (centre.max(axis=0) + centre.min(axis=0))
        middle -= stage.up * (stage.up @ middle)
        middle = np.round(middle / (step * MAJOR)) * step * MAJOR
        R = along(stage.up)
        self._fill(stage, cloud @ R.T + middle + low * stage.up, np.array(strong), fade)
        self._middle, self._period = middle, step * MAJOR
        self.actor.SetPosition(0.0, 0.0, 0.0)
        self._shown = ()

    def follow(self, stage: Stage, focus: Array) -> None:
        """Keep the disc below the viewer's focus, by whole cells, so that its lines seem to stay."""
        if self._shown or not self._period:
            return
        way = focus - self._middle
        way = way - stage.up * (stage.up @ way)
        self.actor.SetPosition(*(np.round(way / self._period) * self._period))

    def fill_view(self, stage: Stage, corner: Array, opposite: Array, per_pixel: float) -> None:
        """In the plane: lines over the visible rectangle, as fine as the zoom allows."""
        step = nice(WANTED * per_pixel)
        low, high = np.minimum(corner, opposite)[:2], np.maximum(corner, opposite)[:2]
        first = np.floor(low / step / MAJOR) * MAJOR
        last = np.ceil(high / step / MAJOR) * MAJOR
        key = (step, *first, *last, float(stage.style.dark))
        if key == self._shown:
            return
        points, strong = [], []
        for axis in (0, 1):
            other = 1 - axis
            for i in np.arange(first[axis], last[axis] + 1):
                ends = np.zeros((2, 3))
                ends[:, axis] = i * step
                ends[:, other] = first[other] * step, last[other] * step
                points.append(ends)
                strong.append(i % MAJOR == 0)
        cloud = np.array(points)
        cloud[:, :, 2] = 2.0 * stage.behind
        self._fill(stage, cloud, np.array(strong), np.full(cloud.shape[:2], 0.55))
        self._shown = key

    def _fill(self, stage: Stage, points: Array, strong: Array, opacity: Array) -> None:
        count, size = points.shape[:2]
        start = np.arange(count)[:, None] * size + np.arange(size - 1)
        lines = np.column_stack([start.ravel(), start.ravel() + 1])
        look = stage.look
        colors = np.where(strong[:, None, None], rgb(look.grid_major), rgb(look.grid)) * np.ones((1, size, 1))
        table = np.concatenate([colors, opacity[:, :, None]], axis=2).reshape(-1, 4)
        cloud = points.reshape(-1, 3)
        data = poly_data(Surface(cloud, np.zeros_like(cloud), lines=lines))
        data.GetPointData().SetNormals(None)
        paint(data, np.round(255 * table).astype(np.uint8))
        self._mapper.SetInputData(data)
