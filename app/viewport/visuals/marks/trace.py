"""Traces: polylines of any length, replaced when they grow."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper

from app.document.element_ref import Ref
from app.viewport.canvas.single_precision import single
from app.viewport.canvas.style import rgb
from app.viewport.canvas.surface import Array, cells

WIDTH = 2.0  # px


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
        ends: Sequence[int] = ()
        if not np.isfinite(points).all():
            gaps = np.flatnonzero(~np.isfinite(points).all(axis=1))
            points = np.delete(points, gaps, axis=0)
            ends = [int(gap) - i for i, gap in enumerate(gaps)]
        path = single(points).reshape(-1, 3)
        if self._depth:
            path = path + single([0.0, 0.0, self._depth])
        found = vtkPoints()
        found.SetData(numpy_to_vtk(path, deep=True))
        self._data.SetPoints(found)
        self._data.SetLines(_polylines([0, *ends, len(path)]))
        self._data.Modified()


def _polylines(ends: Sequence[int]) -> vtkCellArray:
    """A line through the points between each of these places and the next."""
    pieces = [np.arange(a, b, dtype=np.int64) for a, b in pairwise(ends) if b - a > 1]
    if len(pieces) == 1:
        return cells(pieces[0][None])
    lines = vtkCellArray()
    for piece in pieces:
        lines.Append(cells(piece[None]), 0)
    return lines
