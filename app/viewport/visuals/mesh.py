"""Surfaces from files: STL, OBJ, PLY, GLTF."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonDataModel import vtkPolyData
from vtkmodules.vtkFiltersCore import vtkAppendPolyData, vtkPolyDataNormals, vtkTriangleFilter
from vtkmodules.vtkFiltersGeometry import vtkCompositeDataGeometryFilter
from vtkmodules.vtkIOGeometry import vtkGLTFReader, vtkOBJReader, vtkSTLReader
from vtkmodules.vtkIOPLY import vtkPLYReader

from app.viewport.surface import Surface

SHARP = 35.0  # degrees; sharper edges stay sharp


def _read(reader: Any, file: Path) -> vtkPolyData:
    reader.SetFileName(str(file))
    reader.Update()
    return reader.GetOutput()


def _read_gltf(file: Path) -> vtkPolyData:
    reader = vtkGLTFReader()
    reader.SetFileName(str(file))
    flat = vtkCompositeDataGeometryFilter()
    flat.SetInputConnection(reader.GetOutputPort())
    flat.Update()
    joined = vtkAppendPolyData()
    joined.AddInputData(flat.GetOutput())
    joined.Update()
    return joined.GetOutput()


READERS: dict[str, Callable[[Path], vtkPolyData]] = {
    ".glb": _read_gltf,
    ".gltf": _read_gltf,
    ".obj": lambda file: _read(vtkOBJReader(), file),
    ".ply": lambda file: _read(vtkPLYReader(), file),
    ".stl": lambda file: _read(vtkSTLReader(), file),
}


def mesh_surface(name: str, scale: float, folder: Path | None) -> Surface:
    """Triangles of a file beside the scene; raises OSError or ValueError."""
    file = Path(name)
    if not file.is_absolute() and folder is not None:
        file = folder / file
    if not file.is_file():
        raise FileNotFoundError(f"mesh file {file} is missing; put it beside the scene")
    if file.suffix.lower() not in READERS:
        raise ValueError(f"mesh file {file}: unknown ending (known: {', '.join(sorted(READERS))})")
    triangles = vtkTriangleFilter()
    triangles.SetInputData(READERS[file.suffix.lower()](file))
    triangles.PassLinesOff()
    triangles.PassVertsOff()
    normals = vtkPolyDataNormals()
    normals.SetInputConnection(triangles.GetOutputPort())
    normals.SetFeatureAngle(SHARP)
    normals.Update()
    data = normals.GetOutput()
    if not data.GetNumberOfPolys():
        raise ValueError(f"mesh file {file} has no faces")
    return Surface(
        vtk_to_numpy(data.GetPoints().GetData()).astype(float) * scale,
        vtk_to_numpy(data.GetPointData().GetNormals()).astype(float),
        vtk_to_numpy(data.GetPolys().GetConnectivityArray()).astype(np.int64).reshape(-1, 3),
    )
