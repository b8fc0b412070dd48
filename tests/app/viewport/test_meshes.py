"""Shapes as large as they say, and surfaces from files."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from vtkmodules.vtkFiltersSources import vtkCubeSource
from vtkmodules.vtkIOGeometry import vtkSTLWriter
from vtkmodules.vtkIOPLY import vtkPLYWriter

from app.viewport.canvas.stage import Stage
from app.viewport.canvas.style import Style
from app.viewport.visuals.bodies.body import surfaces
from engine import Scene

# a shape and its extent along x, y, z [m]
SHAPES = [
    ({"kind": "box", "size": [0.3, 0.1, 0.2]}, (0.3, 0.1, 0.2)),
    ({"kind": "cylinder", "radius": 0.1, "length": 0.4}, (0.2, 0.2, 0.4)),
    ({"kind": "capsule", "radius": 0.1, "length": 0.4}, (0.2, 0.2, 0.6)),
    ({"kind": "sphere", "radius": 0.1}, (0.2, 0.2, 0.2)),
    ({"kind": "rod", "start": [0, 0, -0.3], "end": [0, 0, 0.3], "radius": 0.05}, (0.1, 0.1, 0.6)),
    (
        {"kind": "outline", "points": [[-0.2, -0.1], [0.2, -0.1], [0.0, 0.1]], "thickness": 0.1},
        (0.4, 0.2, 0.1),
    ),
]


def extent(shape: dict[str, Any], folder: Path | None = None) -> Any:
    scene = Scene().with_body("b", mass=1.0, inertia=[1.0, 1.0, 1.0], shapes=[shape])
    stage = Stage(scene, Style(), folder)
    (pieces,) = surfaces(stage.scene.bodies[0], stage).values()
    assert np.isfinite(pieces[0].normals).all()
    return np.ptp(pieces[0].points, axis=0)


@pytest.mark.parametrize(("shape", "size"), SHAPES, ids=[shape["kind"] for shape, _ in SHAPES])
def test_a_shape_is_as_large_as_it_says(shape: dict[str, Any], size: tuple[float, float, float]) -> None:
    assert extent(shape) == pytest.approx(size, rel=0.02)


@pytest.mark.parametrize("ending", [".stl", ".ply", ".obj", ".gltf"])
def test_a_mesh_file_is_read_and_scaled(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"cube{ending}"
    write_cube(file)
    shape = {"kind": "mesh", "file": file.name, "scale": 0.001}
    assert extent(shape, tmp_path) == pytest.approx((0.02, 0.03, 0.04), rel=1e-5)


def test_a_missing_mesh_leaves_a_mark_and_a_reason(tmp_path: Path) -> None:
    shape = {"kind": "mesh", "file": "nowhere.stl"}
    assert (extent(shape, tmp_path) > 0.0).all()
    scene = Scene().with_body("b", mass=1.0, inertia=[1.0, 1.0, 1.0], shapes=[shape])
    stage = Stage(scene, Style(), tmp_path)
    surfaces(stage.scene.bodies[0], stage)
    assert "is missing" in stage.unread["nowhere.stl"]


def write_cube(file: Path) -> None:
    """20 × 30 × 40."""
    corners = [[x, y, z] for x in (-10.0, 10.0) for y in (-15.0, 15.0) for z in (-20.0, 20.0)]
    faces = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1]]
    faces += [[2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]
    if file.suffix == ".obj":
        lines = [f"v {x} {y} {z}" for x, y, z in corners]
        file.write_text("\n".join([*lines, *(f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces)]) + "\n")
        return
    if file.suffix == ".gltf":
        write_gltf(file, np.array(corners, np.float32), np.array(faces, np.uint16))
        return
    cube = vtkCubeSource()
    cube.SetXLength(20.0)
    cube.SetYLength(30.0)
    cube.SetZLength(40.0)
    writer = vtkSTLWriter() if file.suffix == ".stl" else vtkPLYWriter()
    writer.SetInputConnection(cube.GetOutputPort())
    writer.SetFileName(str(file))
    writer.Write()


def write_gltf(file: Path, corners: Any, faces: Any) -> None:
    data = corners.tobytes() + faces.tobytes()
    file.with_suffix(".bin").write_bytes(data)
    scene = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "buffers": [{"uri": file.with_suffix(".bin").name, "byteLength": len(data)}],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": corners.nbytes},
            {"buffer": 0, "byteOffset": corners.nbytes, "byteLength": faces.nbytes},
        ],
        "accessors": [
            {
                "bufferView": 0,
                "componentType": 5126,
                "count": len(corners),
                "type": "VEC3",
                "min": corners.min(axis=0).tolist(),
                "max": corners.max(axis=0).tolist(),
            },
            {"bufferView": 1, "componentType": 5123, "count": int(faces.size), "type": "SCALAR"},
        ],
    }
    file.write_text(json.dumps(scene))
