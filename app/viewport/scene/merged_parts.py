"""Parts of very many elements drawn as one: a picture of a thousand actors takes four times as long.

The points of all parts lie in one array, in the world, and are written anew when bodies move. Parts with the
same number of points lie beside each other, so that they are turned in one multiplication. A part that is
hidden shrinks to a point.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from vtkmodules.vtkRenderingCore import vtkActor, vtkRenderer

from app.viewport.canvas.single_precision import single
from app.viewport.canvas.stage import Stage
from app.viewport.canvas.surface import NO_POINTS, Array, Bytes, merged, paint
from app.viewport.visuals.base import EDGE_WIDTH, LivePart, Part
from engine.elements.base import WORLD

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class _Group:
    """Parts with the same number of points: local points and normals, shape (k, n, 3)."""

    parts: tuple[Part, ...]
    begin: int  # of their points among all
    points: Floats
    normals: Floats
    bodies: NDArray[np.int64]  # of each part


class MergedParts:
    """Draws parts that hang on bodies, opaque and painted, with one actor."""

    def __init__(self) -> None:
        self._groups: list[_Group] = []
        self._names: list[str] = []
        self._drawn: LivePart | None = None
        self._colors: Bytes = np.zeros((0, 3), np.uint8)

    @staticmethod
    def takes(part: Part) -> bool:
        return type(part) is Part and part.opacity >= 1.0 and part.surface.colors is not None

    @property
    def actor(self) -> vtkActor | None:
        return None if self._drawn is None else self._drawn.actor

    def build(self, stage: Stage, parts: Iterable[Part], renderer: vtkRenderer, scale: float) -> None:
        """Draw these parts and no others."""
        if self._drawn is not None:
            renderer.RemoveActor(self._drawn.actor)
        self._groups, self._drawn = [], None
        by_size: dict[int, list[Part]] = {}
        for part in parts:
            by_size.setdefault(len(part.surface.points), []).append(part)
        if not by_size:
            return
        self._names = list(stage.matrices)
        places = {id(matrix): k for k, matrix in enumerate(stage.matrices.values())}
        world, begin = self._names.index(WORLD), 0
        for size, alike in by_size.items():
            self._groups.append(
                _Group(
                    tuple(alike),
                    begin,
                    single([part.surface.points for part in alike]),
                    np.array([part.surface.normals for part in alike], np.float32),
                    np.array([places.get(id(part.matrix), world) for part in alike]),
                )
            )
            begin += size * len(alike)
        every = [part for group in self._groups for part in group.parts]
        self._drawn = LivePart(merged(replace(part.surface, colors=part.colors) for part in every))
        self._drawn.actor.GetProperty().SetLineWidth(EDGE_WIDTH * scale)
        self._drawn.actor.PickableOff()
        assert self._drawn.surface.colors is not None
        self._colors = self._drawn.surface.colors.copy()
        renderer.AddActor(self._drawn.actor)
        self.move(stage)

    def move(self, stage: Stage) -> None:
        """Write all points where the bodies are now."""
        if self._drawn is None:
            return
        poses = [stage.poses[name] for name in self._names]
        origins = np.array([origin for origin, _ in poses], np.float32)
        turns = np.array([R for _, R in poses], np.float32).transpose(0, 2, 1)
        points, normals = self._drawn.arrays
        for group in self._groups:
            k, n, _ = group.points.shape
            here = slice(group.begin, group.begin + k * n)
            shown = np.array([part.visible for part in group.parts], np.float32)
            R = turns[group.bodies]
            there = points[here].reshape(k, n, 3)
            np.matmul(group.points, R * shown[:, None, None], out=there)
            there += origins[group.bodies][:, None]
            np.matmul(group.normals, R, out=normals[here].reshape(k, n, 3))
        self._drawn.written()

    def points(self) -> Array:
        """World points of the parts that are visible, shape (n, 3)."""
        if self._drawn is None:
            return NO_POINTS
        points, _ = self._drawn.arrays
        clouds = []
        for group in self._groups:
            k, n, _ = group.points.shape
            there = points[group.begin : group.begin + k * n].reshape(k, n, 3)
            clouds.append(there[[part.visible for part in group.parts]].reshape(-1, 3))
        return np.concatenate(clouds).astype(float)

    def paint(self, parts: Sequence[Part]) -> None:
        """These parts have other colours now."""
        if self._drawn is None or not parts:
            return
        wanted = set(map(id, parts))
        for group in self._groups:
            n = group.points.shape[1]
            for k, part in enumerate(group.parts):
                if id(part) in wanted and part.colors is not None:
                    begin = group.begin + k * n
                    self._colors[begin : begin + n] = part.colors[:, :3]
        paint(self._drawn.data, self._colors)

    def forget(self) -> None:
        self._groups, self._drawn = [], None
