"""The outline of what is selected: the surface a little larger, seen from inside."""

from collections.abc import Sequence

from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer

from app.viewport.canvas.style import rgb
from app.viewport.canvas.surface import Surface, poly_data
from app.viewport.visuals.base import LivePart, Part


class Halo:
    """Outlines that share the matrices of the parts they surround."""

    def __init__(self) -> None:
        self._actors: list[vtkActor] = []
        self._renderer: vtkRenderer | None = None

    def attach(self, renderer: vtkRenderer) -> None:
        self._renderer = renderer
        self._actors = []

    def show(self, parts: Sequence[Part], color: str, width: float) -> None:
        """Surround these parts and no others; parts that are see-through or change their points get none."""
        if self._renderer is None:
            return
        for actor in self._actors:
            self._renderer.RemoveActor(actor)
        self._actors = []
        for part in parts:
            see_through = part.opacity < 1.0
            if isinstance(part, LivePart) or see_through or not len(part.surface.triangles):
                continue
            actor = _outline(part, color, width)
            self._actors.append(actor)
            self._renderer.AddActor(actor)


def _outline(part: Part, color: str, width: float) -> vtkActor:
    own = part.surface
    larger = Surface(own.points + width * own.normals, own.normals, own.triangles)
    mapper = vtkPolyDataMapper()
    mapper.SetInputData(poly_data(larger))
    actor = vtkActor()
    actor.SetMapper(mapper)
    if part.actor.GetUserMatrix() is not None:
        actor.SetUserMatrix(part.actor.GetUserMatrix())
    actor.SetPosition(*part.actor.GetPosition())
    actor.PickableOff()
    actor.UseBoundsOff()
    actor.ForceOpaqueOn()
    actor.GetProperty().SetColor(*rgb(color))
    actor.GetProperty().LightingOff()
    actor.GetProperty().FrontfaceCullingOn()
    return actor
