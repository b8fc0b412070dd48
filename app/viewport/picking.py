"""What lies under a pixel, and inside a rectangle."""

from collections.abc import Iterable, Mapping

import numpy as np
from vtkmodules.vtkRenderingCore import vtkActor, vtkCellPicker, vtkRenderer

from app.document.element_ref import Ref
from app.viewport.camera.camera import Viewpoint
from app.viewport.canvas.surface import Array
from app.viewport.visuals.base import Visual

TOLERANCE = 0.004  # of the picture's diagonal
MAX_POINTS = 400  # of a part, looked at for a rectangle


class Picker:
    """A cell picker over the actors of the visuals."""

    def __init__(self) -> None:
        self._picker = vtkCellPicker()
        self._picker.SetTolerance(TOLERANCE)
        self._picker.PickFromListOn()
        self._refs: dict[vtkActor, Ref] = {}

    def watch(self, visuals: Iterable[Visual]) -> None:
        """Pick among these from now on."""
        self._picker.InitializePickList()
        self._refs = {part.actor: visual.ref for visual in visuals for part in visual.parts}
        for actor in self._refs:
            self._picker.AddPickList(actor)

    def at(self, renderer: vtkRenderer, x: float, y: float) -> list[Ref]:
        """From front to back, each element once; pixels from the bottom left corner."""
        return list(self.places(renderer, x, y))

    def places(self, renderer: vtkRenderer, x: float, y: float) -> dict[Ref, Array]:
        """The same with the world points that were hit."""
        self._picker.Pick(x, y, 0.0, renderer)
        props, places = self._picker.GetProp3Ds(), self._picker.GetPickedPositions()
        camera = renderer.GetActiveCamera()
        origin, forward = np.array(camera.GetPosition()), np.array(camera.GetDirectionOfProjection())
        hits: list[tuple[float, int, Ref]] = []
        for i in range(props.GetNumberOfItems()):
            actor = props.GetItemAsObject(i)
            if actor in self._refs and actor.GetVisibility():
                depth = float(forward @ (np.array(places.GetPoint(i)) - origin))
                hits.append((depth, i, self._refs[actor]))
        found: dict[Ref, Array] = {}
        for _, i, ref in sorted(hits, key=lambda hit: hit[:2]):
            found.setdefault(ref, np.array(places.GetPoint(i)))
        return found

    def forget(self) -> None:
        self._picker.InitializePickList()
        self._refs = {}


def inside(
    visuals: Mapping[Ref, Visual],
    viewpoint: Viewpoint,
    corner: tuple[float, float],
    opposite: tuple[float, float],
    *,
    touching: bool,
) -> list[Ref]:
    """Elements wholly in a rectangle of pixels, or that touch it."""
    low, high = np.minimum(corner, opposite), np.maximum(corner, opposite)
    found = []
    for ref, visual in visuals.items():
        clouds = [part.world_points() for part in visual.parts if part.actor.GetVisibility()]
        clouds = [cloud[:: max(1, len(cloud) // MAX_POINTS)] for cloud in clouds if len(cloud)]
        if not clouds:
            continue
        pixels = viewpoint.project(np.concatenate(clouds))
        within = ((pixels >= low) & (pixels <= high)).all(axis=1)
        if within.any() if touching else within.all():
            found.append(ref)
    return found
