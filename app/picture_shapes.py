"""The shapes of a scene file as surfaces, each in its own frame."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
from vtkmodules.vtkCommonTransforms import vtkTransform
from vtkmodules.vtkFiltersCore import vtkTriangleFilter, vtkTubeFilter
from vtkmodules.vtkFiltersGeneral import vtkTransformFilter
from vtkmodules.vtkFiltersModeling import vtkLinearExtrusionFilter
from vtkmodules.vtkFiltersSources import vtkCubeSource, vtkCylinderSource, vtkLineSource, vtkSphereSource

Facts = dict[str, Any]
Array = NDArray[np.float64]

_SIDES = 32  # facets of round things
_STAND_IN_RADIUS = 0.02  # m; of a body that has no shape


def shape_surface(shape: Facts) -> vtkPolyData:
    # data and not a port: a port does not keep its source alive
    return _SURFACES.get(shape["kind"], _marker)(shape)


def stand_in(body: Facts) -> Facts:
    """What is drawn for a body without shapes."""
    return {"kind": "sphere", "radius": _STAND_IN_RADIUS, "position": body.get("com") or []}


def rotation(facts: Facts) -> Array:
    """Rotation matrix of a body or shape, shape (3, 3): its `orientation`, and in the plane its `angle`."""
    R_z = _about(np.array([0.0, 0.0, 1.0]), facts.get("angle", 0.0))
    orientation = facts.get("orientation", (1.0, 0.0, 0.0, 0.0))
    if isinstance(orientation, dict):
        return _about(_vector(orientation["axis"]), orientation["angle"]) @ R_z
    w, *xyz = orientation
    return _about(np.array(xyz), 2.0 * float(np.arctan2(np.linalg.norm(xyz), w))) @ R_z


def as_matrix(position: Sequence[float], turn: Array) -> Array:
    """Pose as a homogeneous matrix, shape (4, 4)."""
    X = np.eye(4)
    X[:3, :3] = turn
    X[:3, 3] = _vector(position)
    return X


def _about(axis: Array, angle: float) -> Array:
    # R = I + sin θ K + (1 - cos θ) K²,  K = axis as a cross product                              (Rodrigues)
    length = float(np.linalg.norm(axis))
    if length == 0.0:
        return np.eye(3)
    x, y, z = axis / length
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * K @ K)


def _vector(numbers: Sequence[float]) -> Array:
    """Planar vectors have two numbers, left-out ones none; the rest is zero."""
    return np.array([*numbers, 0.0, 0.0, 0.0][:3], dtype=float)


def _box(shape: Facts) -> vtkPolyData:
    source = vtkCubeSource()
    x, y, z = _vector(shape["size"])
    source.SetXLength(x)
    source.SetYLength(y)
    source.SetZLength(z)
    source.Update()
    return source.GetOutput()


def _sphere(shape: Facts) -> vtkPolyData:
    source = vtkSphereSource()
    source.SetRadius(shape["radius"])
    source.SetThetaResolution(_SIDES)
    source.SetPhiResolution(_SIDES)
    source.Update()
    return source.GetOutput()


def _cylinder(shape: Facts) -> vtkPolyData:
    source = vtkCylinderSource()
    source.SetRadius(shape["radius"])
    source.SetHeight(shape["length"])
    source.SetResolution(_SIDES)
    source.SetCapsuleCap(shape["kind"] == "capsule")
    # VTK's cylinder lies along y, ours along z
    upright = vtkTransform()
    upright.RotateX(90.0)
    turned = vtkTransformFilter()
    turned.SetTransform(upright)
    turned.SetInputConnection(source.GetOutputPort())
    turned.Update()
    return turned.GetPolyDataOutput()


def _rod(shape: Facts) -> vtkPolyData:
    line = vtkLineSource()
    line.SetPoint1(*_vector(shape["start"]))
    line.SetPoint2(*_vector(shape["end"]))
    tube = vtkTubeFilter()
    tube.SetInputConnection(line.GetOutputPort())
    tube.SetRadius(shape["radius"])
    tube.SetNumberOfSides(_SIDES)
    tube.CappingOn()
    tube.Update()
    return tube.GetOutput()


def _outline(shape: Facts) -> vtkPolyData:
    points, corners = vtkPoints(), vtkCellArray()
    for x, y in shape["points"]:
        points.InsertNextPoint(x, y, -0.5 * shape["thickness"])
    corners.InsertNextCell(len(shape["points"]), range(len(shape["points"])))
    flat = vtkPolyData()
    flat.SetPoints(points)
    flat.SetPolys(corners)
    extruded = vtkLinearExtrusionFilter()
    extruded.SetInputData(flat)
    extruded.SetExtrusionTypeToVectorExtrusion()
    extruded.SetVector(0.0, 0.0, 1.0)
    extruded.SetScaleFactor(shape["thickness"])
    # triangles: VTK draws concave polygons wrongly
    triangles = vtkTriangleFilter()
    triangles.SetInputConnection(extruded.GetOutputPort())
    triangles.Update()
    return triangles.GetOutput()


def _marker(shape: Facts) -> vtkPolyData:
    """A shape this picture cannot draw, such as a mesh, leaves at least a mark."""
    return _sphere({"radius": _STAND_IN_RADIUS})


_SURFACES: dict[str, Callable[[Facts], vtkPolyData]] = {
    "box": _box,
    "capsule": _cylinder,
    "cylinder": _cylinder,
    "outline": _outline,
    "rod": _rod,
    "sphere": _sphere,
}
