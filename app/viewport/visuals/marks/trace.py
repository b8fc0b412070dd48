"""Traces: polylines of any length, replaced when they grow, and a dot where they are being drawn."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper

from app.document.element_ref import Ref
from app.viewport.canvas.single_precision import single
from app.viewport.canvas.style import rgb
from app.viewport.canvas.surface import Array, cells

WIDTH, DOT = 2.0, 7.0  # px, of the line and of the dot
NEARER = -1e5  # units of depth by which the dot is drawn before the body that it is on


class TraceLine:
    """The path of one point; `dot` marks where the point is, also before it has moved.

    `depth` puts the line behind the bodies of a plane, `top` the dot in front of them.
    """

    def __init__(self, ref: Ref, color: str, depth: float, scale: float, top: float = 0.0) -> None:
        self.ref = ref
        self._depth, self._top = depth, top
        self._data, self._end = vtkPolyData(), vtkPolyData()
        self.actor, self.dot = _actor(self._data, color), _actor(self._end, color)
        self.actor.GetProperty().SetLineWidth(WIDTH * scale)
        self.dot.GetProperty().SetPointSize(DOT * scale)
        self.dot.GetProperty().RenderPointsAsSpheresOn()
        self.dot.GetMapper().SetRelativeCoincidentTopologyPointOffsetParameter(NEARER)

    def show(self, on: bool) -> None:
        self.actor.SetVisibility(on)
        self.dot.SetVisibility(on)

    def set_color(self, color: str) -> None:
        for actor in (self.actor, self.dot):
            actor.GetProperty().SetColor(*rgb(color))

    def set_points(self, points: Array) -> None:
        """World points, shape (n, 3); a row of NaN begins another line."""
        ends: Sequence[int] = ()
        if not np.isfinite(points).all():
            gaps = np.flatnonzero(~np.isfinite(points).all(axis=1))
            points = np.delete(points, gaps, axis=0)
            ends = [int(gap) - i for i, gap in enumerate(gaps)]
        path = single(points).reshape(-1, 3)
        _put(self._data, path + single([0.0, 0.0, self._depth]))
        self._data.SetLines(_polylines([0, *ends, len(path)]))
        _put(self._end, path[-1:] + single([0.0, 0.0, self._top]))
        self._end.SetVerts(cells(np.arange(min(len(path), 1), dtype=np.int64)[:, None]))


def _actor(data: vtkPolyData, color: str) -> vtkActor:
    mapper = vtkPolyDataMapper()
    mapper.SetInputData(data)
    mapper.SetResolveCoincidentTopologyToPolygonOffset()
    actor = vtkActor()
    actor.SetMapper(mapper)
    actor.PickableOff()
    actor.ForceOpaqueOn()
    actor.GetProperty().LightingOff()
    actor.GetProperty().SetColor(*rgb(color))
    return actor


def _put(data: vtkPolyData, points: NDArray[np.floating]) -> None:
    found = vtkPoints()
    found.SetData(numpy_to_vtk(points, deep=True))
    data.SetPoints(found)
    data.Modified()


def _polylines(ends: Sequence[int]) -> vtkCellArray:
    """A line through the points between each of these places and the next."""
    pieces = [np.arange(a, b, dtype=np.int64) for a, b in pairwise(ends) if b - a > 1]
    if len(pieces) == 1:
        return cells(pieces[0][None])
    lines = vtkCellArray()
    for piece in pieces:
        lines.Append(cells(piece[None]), 0)
    return lines
