"""What lies under a pixel, and inside a rectangle."""

from collections.abc import Iterable, Mapping
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from vtkmodules.vtkRenderingCore import vtkActor, vtkCellPicker, vtkRenderer

from app.document.element_ref import Ref
from app.viewport.camera.camera import Viewpoint
from app.viewport.canvas.surface import Array
from app.viewport.visuals.base import Part, Visual

TOLERANCE = 0.004  # of the picture's diagonal
MAX_PARTS_AT_ONCE = 300  # parts from which on those near the line of sight are looked for first
MAX_POINTS = 400  # of a part, looked at for a rectangle


class Picker:
    """A cell picker over the actors of the visuals.

    Where there are very many, only those whose sphere the line of sight meets are asked: they alone need
    actors.
    """

    def __init__(self) -> None:
        self._picker = vtkCellPicker()
        self._picker.SetTolerance(TOLERANCE)
        self._picker.PickFromListOn()
        self._refs: dict[vtkActor, Ref] = {}
        self._many: ManyParts | None = None

    def watch(self, visuals: Iterable[Visual]) -> None:
        """Pick among these from now on."""
        parts = [(part, visual.ref) for visual in visuals for part in visual.parts]
        self._many = ManyParts(parts) if len(parts) > MAX_PARTS_AT_ONCE else None
        self._ask(parts if self._many is None else [])

    def _ask(self, parts: Iterable[tuple[Part, Ref]]) -> None:
        self._picker.InitializePickList()
        self._refs = {part.actor: ref for part, ref in parts}
        for actor in self._refs:
            self._picker.AddPickList(actor)

    def at(self, renderer: vtkRenderer, x: float, y: float) -> list[Ref]:
        """From front to back, each element once; pixels from the bottom left corner."""
        return list(self.places(renderer, x, y))

    def places(self, renderer: vtkRenderer, x: float, y: float) -> dict[Ref, Array]:
        """The same with the world points that were hit."""
        if self._many is not None:
            self._ask(self._many.near(renderer, x, y))
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
        self._refs, self._many = {}, None


class ManyParts:
    """Parts with spheres around them."""

    def __init__(self, parts: list[tuple[Part, Ref]]) -> None:
        self._parts = parts

    @cached_property
    def _spheres(self) -> tuple[Array, Array, NDArray[np.bool_]]:
        """Middles, radii, and who is asked every time; worked out when the pointer first moves."""
        parts = self._parts
        clouds = [part.surface.points if len(part.surface.points) else np.zeros((1, 3)) for part, _ in parts]
        middles = [0.5 * (cloud.min(axis=0) + cloud.max(axis=0)) for cloud in clouds]
        radii = [float(np.linalg.norm(c - m, axis=1).max()) for c, m in zip(clouds, middles, strict=True)]
        # what writes its points anew, or is moved by its actor, is asked every time
        always = [type(part) is not Part or part.made for part, _ in parts]
        return np.array(middles).reshape(-1, 3), np.array(radii), np.array(always, dtype=bool)

    def near(self, renderer: vtkRenderer, x: float, y: float) -> list[tuple[Part, Ref]]:
        """Those that the line of sight through a pixel meets, or nearly."""
        world = np.array([_matrix(part) for part, _ in self._parts])
        local, radii, always = self._spheres
        middles = np.einsum("nij,nj->ni", world[:, :3, :3], local) + world[:, :3, 3]
        width, height = renderer.GetSize()
        begin, end = _line(renderer, x, y)
        begin_beside, end_beside = _line(renderer, x + TOLERANCE * np.hypot(width, height), y)
        along = end - begin
        s = ((middles - begin) @ along / (along @ along))[:, None]
        on_line = begin + s * along
        margin = np.linalg.norm(begin_beside + s * (end_beside - begin_beside) - on_line, axis=1)
        met = np.linalg.norm(middles - on_line, axis=1) <= radii + 2.0 * margin
        return [self._parts[i] for i in np.flatnonzero(met | always)]


def _matrix(part: Part) -> Array:
    return np.eye(4) if part.matrix is None else np.array(part.matrix.GetData()).reshape(4, 4)


def _line(renderer: vtkRenderer, x: float, y: float) -> tuple[Array, Array]:
    """World points of a pixel on the planes between which is drawn."""
    ends = []
    for depth in (0.0, 1.0):
        renderer.SetDisplayPoint(x, y, depth)
        renderer.DisplayToWorld()
        point = np.array(renderer.GetWorldPoint())
        ends.append(point[:3] / point[3])
    return ends[0], ends[1]


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
        clouds = [part.world_points() for part in visual.parts if part.visible]
        clouds = [cloud[:: max(1, len(cloud) // MAX_POINTS)] for cloud in clouds if len(cloud)]
        if not clouds:
            continue
        pixels = viewpoint.project(np.concatenate(clouds))
        within = ((pixels >= low) & (pixels <= high)).all(axis=1)
        if within.any() if touching else within.all():
            found.append(ref)
    return found
