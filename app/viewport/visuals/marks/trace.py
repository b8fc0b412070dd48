"""Traces: polylines of any length, replaced when they grow."""

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper

from app.document.element_ref import Ref
from app.viewport.canvas.style import rgb
from app.viewport.canvas.surface import Array, cells

WIDTH = 2.0  # px


FARTHEST = 1e9  # m


class TraceLine:
    """The path of one point."""

    def __init__(self, ref: Ref, color: str, depth: float, scale: float) -> None:
        self.ref = ref
        self._depth = depth
        self._data = vtkPolyData()
        mapper = vtkPolyDataMapper()
        mapper.SetInputData(self._data)
        mapper.SetResolveCoincidentTopologyToPolygonOffset()
        self.actor = vtkActor()
        self.actor.SetMapper(mapper)
        self.actor.PickableOff()
        self.actor.ForceOpaqueOn()
        look = self.actor.GetProperty()
        look.LightingOff()
        look.SetColor(*rgb(color))
        look.SetLineWidth(WIDTH * scale)

    def set_color(self, color: str) -> None:
        self.actor.GetProperty().SetColor(*rgb(color))

    def set_points(self, points: Array) -> None:
        """World points, shape (n, 3); a row of NaN begins another line."""
        gaps = np.flatnonzero(~np.isfinite(points).all(axis=1))
        points = np.delete(points, gaps, axis=0)
        begins = gaps - np.arange(len(gaps))
        # a run that explodes leaves numbers that single precision does not hold
        path = np.ascontiguousarray(np.clip(points, -FARTHEST, FARTHEST), np.float32).reshape(-1, 3)
        if self._depth:
            path = path + np.array([0.0, 0.0, self._depth], np.float32)
        found = vtkPoints()
        found.SetData(numpy_to_vtk(path, deep=True))
        self._data.SetPoints(found)
        pieces = np.split(np.arange(len(path), dtype=np.int64), begins)
        lines = vtkCellArray()
        for piece in (piece for piece in pieces if len(piece) > 1):
            lines.Append(cells(piece[None]), 0)
        self._data.SetLines(lines)
        self._data.Modified()
