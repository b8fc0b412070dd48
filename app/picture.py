"""A still picture of the mechanism at its last recorded pose, drawn by VTK without a screen."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np
import vtkmodules.vtkRenderingOpenGL2  # noqa: F401 - registers the renderer
from numpy.typing import NDArray
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkIOImage import vtkPNGWriter
from vtkmodules.vtkRenderingCore import (
    vtkActor,
    vtkPolyDataMapper,
    vtkRenderer,
    vtkRenderWindow,
    vtkWindowToImageFilter,
)

from app.picture_shapes import Facts, as_matrix, rotation, shape_surface, stand_in
from engine import resolve

if TYPE_CHECKING:
    from engine import Scene, Trajectory

_SIZE = (1000, 700)  # px
_PALETTE = ("#4c78a8", "#f58518", "#54a24b", "#e45756", "#b279a2", "#eeca3b")
_AMBIENT = 0.3  # light on faces turned away
_FRONT = (0.0, 0.0, 1.0)
# up axis → its direction, where the camera stands
_VIEWS = {
    "x": ((1.0, 0.0, 0.0), (0.8, 1.0, 1.5)),
    "y": ((0.0, 1.0, 0.0), (0.7, 0.6, 1.5)),
    "z": ((0.0, 0.0, 1.0), (1.0, -1.5, 0.8)),
}
_WORLD_COLOR = "#9d9d9d"


def save_picture(scene: "Scene", trajectory: "Trajectory", file: Path) -> None:
    # plain data instead of structs: a picture cares for fields, not for classes
    facts: Facts = msgspec.to_builtins(resolve(scene))
    renderer = vtkRenderer()
    renderer.SetBackground(1.0, 1.0, 1.0)
    for number, body in enumerate(facts.get("bodies", [])):
        default = _WORLD_COLOR if body.get("fixed") else _PALETTE[number % len(_PALETTE)]
        X_WB = _last_pose(trajectory, body)
        for shape in body.get("shapes") or [stand_in(body)]:
            color = shape.get("color") or body.get("color") or default
            renderer.AddActor(_actor(shape, X_WB, color))
    _aim(renderer, up=facts["up"], planar=facts["space"] == "planar")
    _write(renderer, file)


def _last_pose(trajectory: "Trajectory", body: Facts) -> NDArray[np.float64]:
    """Body frame in the world, shape (4, 4); a fixed body has no channels and stays where it was put."""
    prefix, known = f"body.{body['name']}", trajectory.names()

    def last(*names: str) -> list[float]:
        return [float(trajectory.channel(f"{prefix}.{name}")[-1]) for name in names]

    if f"{prefix}.angle" in known:
        return as_matrix(last("pos.x", "pos.y"), rotation({"angle": last("angle")[0]}))
    if f"{prefix}.quat.w" in known:
        turn = rotation({"orientation": last("quat.w", "quat.x", "quat.y", "quat.z")})
        return as_matrix(last("pos.x", "pos.y", "pos.z"), turn)
    return as_matrix(body.get("position", []), rotation(body))


def _actor(shape: Facts, X_WB: NDArray[np.float64], color: str) -> vtkActor:
    mapper = vtkPolyDataMapper()
    mapper.SetInputData(shape_surface(shape))
    actor = vtkActor()
    actor.SetMapper(mapper)
    X_WS = X_WB @ as_matrix(shape.get("position", []), rotation(shape))
    actor.SetUserMatrix(_vtk_matrix(X_WS))
    actor.GetProperty().SetAmbient(_AMBIENT)
    actor.GetProperty().SetDiffuse(1.0 - _AMBIENT)
    actor.GetProperty().SetColor(*(int(color[i : i + 2], 16) / 255.0 for i in (1, 3, 5)))
    return actor


def _vtk_matrix(X: NDArray[np.float64]) -> vtkMatrix4x4:
    matrix = vtkMatrix4x4()
    matrix.DeepCopy(X.ravel().tolist())
    return matrix


def _aim(renderer: vtkRenderer, *, up: str, planar: bool) -> None:
    """Look straight at a planar mechanism, and at a spatial one from a corner above; `up` is an axis."""
    sign = -1.0 if up.startswith("-") else 1.0
    upward, corner = _VIEWS[up.removeprefix("-") or "z"]
    camera = renderer.GetActiveCamera()
    camera.SetFocalPoint(0.0, 0.0, 0.0)
    camera.SetPosition(*(_FRONT if planar else (sign * x for x in corner)))
    camera.SetViewUp(*(sign * x for x in upward))
    camera.SetParallelProjection(planar)
    renderer.ResetCamera()


def _write(renderer: vtkRenderer, file: Path) -> None:
    if sys.platform.startswith("linux"):
        # without it VTK asks for an X server first, and complains
        os.environ.setdefault("VTK_DEFAULT_OPENGL_WINDOW", "vtkEGLRenderWindow")
    window = vtkRenderWindow()
    window.SetOffScreenRendering(True)
    window.SetMultiSamples(0)
    window.SetSize(*_SIZE)
    window.AddRenderer(renderer)
    window.Render()
    image = vtkWindowToImageFilter()
    image.SetInput(window)
    image.ReadFrontBufferOff()
    writer = vtkPNGWriter()
    writer.SetInputConnection(image.GetOutputPort())
    writer.SetFileName(str(file))
    writer.Write()
    window.Finalize()
    if writer.GetErrorCode() or not file.is_file():
        raise OSError(f"{file} could not be written")
