"""Surfaces from mesh files: triangles with normals that keep sharp edges sharp."""

from functools import lru_cache
from pathlib import Path

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
from vtkmodules.vtkFiltersCore import vtkPolyDataNormals, vtkTriangleFilter

from app.viewport.canvas.surface import Array, Ints, Surface
from engine.model.meshes import mesh_path, read_mesh
from engine.model.meshes.faces import MeshError, Polygons

SHARP = 35.0  # degrees; sharper edges stay sharp
KEPT = 32  # surfaces of files, so that an edit of the scene reads none of them again
# VTK looks through all faces at a point for each of them, and through all corners of a face: work in squares
MAX_FACE = 300  # corners; a face with more is cut into a fan
MAX_WORK = 100_000_000  # pairs of faces at one point; above it every face gets its own normal


def mesh_surface(name: str, scale: float, folder: Path | None) -> Surface:
    """Triangles of a file beside the scene; raises OSError or ValueError."""
    path = mesh_path(name, folder)
    try:
        status = path.stat()
    except FileNotFoundError:
        raise FileNotFoundError(f"mesh file {path} is missing; put it beside the scene") from None
    surface = _surface(path, status.st_mtime_ns, status.st_size)
    if isinstance(surface, MeshError):
        raise surface
    points = surface.points * scale
    if not np.isfinite(points.astype(np.float32)).all():
        raise MeshError(f"scaled by {scale:g} its coordinates are too large to draw").of(path)
    return Surface(points, surface.normals, surface.triangles)


@lru_cache(maxsize=KEPT)
def _surface(path: Path, modified: int, size: int) -> Surface | MeshError:
    """In the unit of the file, or why there is none; time and size tell whether it is still the same file."""
    try:
        mesh = read_mesh(path)
    except MeshError as error:
        return error
    triangles = _triangles(mesh)
    if not len(triangles):
        return MeshError("its faces have no area").of(path)
    pairs = np.bincount(triangles.ravel(), minlength=len(mesh.points)).astype(float)
    if float(pairs @ pairs) > MAX_WORK:
        return _flat(mesh.points, triangles)
    return _smooth(mesh.points, triangles)


def _triangles(mesh: Polygons) -> Ints:
    sizes = np.diff(mesh.starts)
    if (sizes == 3).all():
        return mesh.corners.reshape(-1, 3)
    large = sizes > MAX_FACE
    fans = [
        _fan(mesh.corners[begin:end])
        for begin, end in zip(mesh.starts[:-1][large], mesh.starts[1:][large], strict=True)
    ]
    ears = vtkTriangleFilter()
    ears.SetInputData(_poly_data(mesh.points, mesh.corners[np.repeat(~large, sizes)], sizes[~large]))
    ears.Update()
    cut = vtk_to_numpy(ears.GetOutput().GetPolys().GetConnectivityArray()).astype(np.int64).reshape(-1, 3)
    return np.concatenate([cut, *fans])


def _fan(corners: Ints) -> Ints:
    first = np.full(len(corners) - 2, corners[0])
    return np.column_stack([first, corners[1:-1], corners[2:]])


def _smooth(points: Array, triangles: Ints) -> Surface:
    """Normals are shared across edges that are not sharp."""
    normals = vtkPolyDataNormals()
    normals.SetInputData(_poly_data(points, triangles.ravel(), np.full(len(triangles), 3)))
    normals.SetFeatureAngle(SHARP)
    normals.Update()
    data = normals.GetOutput()
    return Surface(
        vtk_to_numpy(data.GetPoints().GetData()).astype(float),
        vtk_to_numpy(data.GetPointData().GetNormals()).astype(float),
        vtk_to_numpy(data.GetPolys().GetConnectivityArray()).astype(np.int64).reshape(-1, 3),
    )


def _flat(points: Array, triangles: Ints) -> Surface:
    """Every triangle has points and a normal of its own."""
    apart = points[triangles.ravel()]
    a, b, c = apart[0::3], apart[1::3], apart[2::3]
    normals = np.cross(b - a, c - a)
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    normals = np.divide(normals, lengths, out=np.zeros_like(normals), where=lengths > 0.0)
    return Surface(apart, np.repeat(normals, 3, axis=0), np.arange(len(apart)).reshape(-1, 3))


def _poly_data(points: Array, corners: Ints, sizes: Ints) -> vtkPolyData:
    """Faces whose corners are known to exist: VTK does not look."""
    where = vtkPoints()
    where.SetData(numpy_to_vtk(np.ascontiguousarray(points), deep=True))
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
    faces = vtkCellArray()
    faces.SetData(
        numpy_to_vtkIdTypeArray(starts, deep=True),
        numpy_to_vtkIdTypeArray(np.ascontiguousarray(corners), deep=True),
    )
    data = vtkPolyData()
    data.SetPoints(where)
    data.SetPolys(faces)
    return data
