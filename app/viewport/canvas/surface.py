"""Triangles and lines in arrays, with colours; what VTK draws is made from them at the end."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import accumulate

import numpy as np
from numpy.typing import ArrayLike, NDArray
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData

from app.viewport.canvas.single_precision import single
from app.viewport.canvas.style import rgb

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]


NO_POINTS: Array = np.zeros((0, 3))
NO_TRIANGLES: Ints = np.zeros((0, 3), np.int64)
NO_LINES: Ints = np.zeros((0, 2), np.int64)


@dataclass(frozen=True)
class Surface:
    """Points and normals, shape (n, 3); triangles (m, 3) and lines (k, 2) by index; colours (n, 3)."""

    points: Array
    normals: Array
    triangles: Ints = field(default_factory=lambda: NO_TRIANGLES)
    lines: Ints = field(default_factory=lambda: NO_LINES)
    colors: Bytes | None = None

    def moved(self, p: ArrayLike = (0.0, 0.0, 0.0), R: ArrayLike | None = None) -> Surface:
        """Turned by R, then shifted by p."""
        points, normals = self.points, self.normals
        if R is not None:
            back = np.asarray(R, dtype=float).T
            points, normals = points @ back, normals @ back
        return Surface(points + np.asarray(p, float), normals, self.triangles, self.lines, self.colors)

    def scaled(self, x: float, y: float, z: float) -> Surface:
        factors = np.array([x, y, z])
        normals = self.normals / factors
        size = np.linalg.norm(normals, axis=1, keepdims=True)
        return replace(self, points=self.points * factors, normals=normals / np.maximum(size, 1e-300))

    def painted(self, color: str, edge: float = 0.62) -> Surface:
        """One colour for the faces, the darker `edge` of it for the lines."""
        face = np.round(255 * rgb(color))
        colors = np.empty((len(self.points), 3), np.uint8)
        colors[:] = face
        if len(self.lines):
            colors[self.lines.ravel()] = np.round(edge * face)
        return Surface(self.points, self.normals, self.triangles, self.lines, colors)

    @property
    def half_height(self) -> float:
        """Largest |z|."""
        return float(np.abs(self.points[:, 2]).max(initial=0.0))


def merged(surfaces: Iterable[Surface]) -> Surface:
    """Several surfaces as one; all of them are painted, or none."""
    parts = list(surfaces)
    if len(parts) == 1:
        return parts[0]
    starts = list(accumulate((len(part.points) for part in parts), initial=0))
    painted = bool(parts) and all(part.colors is not None for part in parts)
    return Surface(
        np.concatenate([NO_POINTS, *(part.points for part in parts)]),
        np.concatenate([NO_POINTS, *(part.normals for part in parts)]),
        np.concatenate([NO_TRIANGLES, *(p.triangles + s for p, s in zip(parts, starts, strict=False))]),
        np.concatenate([NO_LINES, *(p.lines + s for p, s in zip(parts, starts, strict=False))]),
        np.concatenate([p.colors for p in parts if p.colors is not None]) if painted else None,
    )


def poly_data(surface: Surface) -> vtkPolyData:
    data = vtkPolyData()
    points = vtkPoints()
    points.SetData(numpy_to_vtk(single(surface.points), deep=True))
    data.SetPoints(points)
    if len(surface.triangles):
        data.SetPolys(cells(surface.triangles))
    if len(surface.lines):
        data.SetLines(cells(surface.lines))
    normals = numpy_to_vtk(np.ascontiguousarray(surface.normals, np.float32), deep=True)
    normals.SetName("Normals")
    data.GetPointData().SetNormals(normals)
    if surface.colors is not None:
        paint(data, surface.colors)
    return data


def paint(data: vtkPolyData, colors: Bytes) -> None:
    """One colour per point, shape (n, 3) or with opacity (n, 4)."""
    scalars = numpy_to_vtk(np.ascontiguousarray(colors), deep=True)
    scalars.SetName("Colors")
    data.GetPointData().SetScalars(scalars)


def cells(corners: Ints) -> vtkCellArray:
    """Cells that all have the same number of corners."""
    count, size = corners.shape
    found = vtkCellArray()
    offsets = numpy_to_vtkIdTypeArray(np.arange(0, (count + 1) * size, size, dtype=np.int64), deep=True)
    found.SetData(
        offsets, numpy_to_vtkIdTypeArray(np.ascontiguousarray(corners.ravel(), np.int64), deep=True)
    )
    return found
