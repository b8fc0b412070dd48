"""A visual draws one element; its parts are actors that hang on bodies and only move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import vtkFloatArray
from vtkmodules.vtkCommonDataModel import vtkPolyData
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper

from app.document.element_ref import Ref
from app.viewport.canvas.single_precision import single
from app.viewport.canvas.stage import Stage
from app.viewport.canvas.style import rgb
from app.viewport.canvas.surface import Array, Surface, merged, paint, poly_data
from engine.elements.coordinates.frames import Frame

AMBIENT, DIFFUSE, SPECULAR, SHININESS = 0.24, 0.80, 0.22, 28.0
HOVER, SELECTED = 0.38, 0.45  # share of white, and of the accent colour
EDGE_WIDTH = 1.3  # px


class Part:
    """One actor. `matrix` is shared by all parts of a body, so a body moves by one assignment.

    What VTK needs is made when somebody asks for it: parts that are drawn merged with others never do, unless
    the pointer comes near. `rank` keeps faces that fall together apart.
    """

    def __init__(
        self,
        surface: Surface,
        matrix: vtkMatrix4x4 | None = None,
        *,
        opacity: float = 1.0,
        rank: int | None = None,
    ) -> None:
        self.surface, self.matrix, self.opacity = surface, matrix, opacity
        self.edge_width = EDGE_WIDTH  # px
        self.colors = surface.colors  # as they are shown
        self._rank = rank
        self._shown, self._present = True, True
        self._tinted: tuple[str | None, float] = (None, 0.0)
        self._warning: str | None = None

    @cached_property
    def data(self) -> vtkPolyData:
        return poly_data(replace(self.surface, colors=self.colors))

    @cached_property
    def mapper(self) -> vtkPolyDataMapper:
        mapper = vtkPolyDataMapper()
        mapper.SetInputData(self.data)
        mapper.SetResolveCoincidentTopologyToPolygonOffset()
        if self._rank is not None:
            mapper.SetRelativeCoincidentTopologyPolygonOffsetParameters(0.0, 2.0 * self._rank)
            mapper.SetRelativeCoincidentTopologyLineOffsetParameters(-1.0, 2.0 * self._rank - 4.0)
        return mapper

    @cached_property
    def actor(self) -> vtkActor:
        actor = vtkActor()
        actor.SetMapper(self.mapper)
        if self.matrix is not None:
            actor.SetUserMatrix(self.matrix)
        look = actor.GetProperty()
        look.SetAmbient(AMBIENT)
        look.SetDiffuse(DIFFUSE)
        look.SetSpecular(SPECULAR)
        look.SetSpecularPower(SHININESS)
        look.SetOpacity(self.opacity)
        look.SetLineWidth(self.edge_width)
        if self.opacity < 1.0:
            actor.ForceTranslucentOn()
        else:
            actor.ForceOpaqueOn()
        actor.SetVisibility(self.visible)
        return actor

    @property
    def made(self) -> bool:
        """Whether it has an actor of its own."""
        return "actor" in self.__dict__

    @property
    def visible(self) -> bool:
        return self._shown and self._present

    def show(self, on: bool) -> None:
        """What the user chose."""
        self._shown = on
        self._tell()

    def present(self, on: bool) -> None:
        """Whether there is anything to show, such as a force that acts."""
        self._present = on
        self._tell()

    def _tell(self) -> None:
        if self.made:
            self.actor.SetVisibility(self.visible)

    def tint(self, color: str | None, share: float = 0.0) -> None:
        """Mix a colour into the part's own, as what is selected has it; None gives back its own."""
        self._tinted = (color, share)
        self._paint()

    def warn(self, color: str | None) -> None:
        """Have this colour instead of the part's own, selected or not; None gives back its own."""
        self._warning = color
        self._paint()

    def _paint(self) -> None:
        colors = self.surface.colors
        if colors is None:
            return
        for color, share in ((self._warning, 1.0), self._tinted):
            if color is not None:
                mixed = (1.0 - share) * colors[:, :3] + share * 255.0 * rgb(color)
                colors = np.round(mixed).astype(np.uint8)
        self.colors = colors
        if "data" in self.__dict__:
            paint(self.data, colors)

    def world_points(self) -> Array:
        """Its points in the world, shape (n, 3)."""
        matrix = self.actor.GetMatrix() if self.made else self.matrix
        if matrix is None:
            return self.surface.points
        X = np.array(matrix.GetData()).reshape(4, 4)
        return np.asarray(self.surface.points @ X[:3, :3].T + X[:3, 3])


class LivePart(Part):
    """A part whose points are written anew every frame, in the world."""

    def __init__(self, surface: Surface, *, opacity: float = 1.0) -> None:
        super().__init__(surface, opacity=opacity)
        self._points = single(surface.points)
        self._normals = np.ascontiguousarray(surface.normals, np.float32)
        # VTK reads these arrays, it does not copy them
        self._vtk_points: vtkFloatArray = numpy_to_vtk(self._points)
        self._vtk_normals: vtkFloatArray = numpy_to_vtk(self._normals)
        self.data.GetPoints().SetData(self._vtk_points)
        self.data.GetPointData().SetNormals(self._vtk_normals)

    def write(self, points: Array, normals: Array) -> None:
        self._points[:], self._normals[:] = points, normals
        self.written()

    @property
    def arrays(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Points and normals as VTK reads them, to be written in place; `written` tells it."""
        return self._points, self._normals

    def written(self) -> None:
        self._vtk_points.Modified()
        self._vtk_normals.Modified()
        self.data.GetPoints().Modified()
        self.data.Modified()

    def world_points(self) -> Array:
        return self._points.astype(float)


class Visual:
    """What one element looks like."""

    def __init__(self, ref: Ref, parts: Sequence[Part] = ()) -> None:
        self.ref = ref
        self.parts = list(parts)

    def update(self, stage: Stage) -> None:
        """Follow the bodies, where the shared matrices do not do it by themselves."""


def fixed_part(stage: Stage, frame: Frame, surfaces: Sequence[Surface], *, lift: float = 0.0) -> Part:
    """A symbol drawn in a joint frame, as a part that hangs on its body; lift is along the world's z."""
    shape = merged(surfaces).moved(frame.p_B + np.array([0.0, 0.0, lift]), frame.axes_B)
    return Part(shape, stage.matrices[frame.name])
