"""What a browser needs to draw a run: surfaces once, and how they move from frame to frame."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation
from vtkmodules.vtkCommonMath import vtkMatrix4x4

from app.session.recorded.run import Run
from app.viewport.canvas.style import Style
from app.viewport.canvas.surface import Array, Bytes, Surface, merged
from app.viewport.scene.scene_view import SceneView
from app.viewport.visuals.base import LivePart, Part
from engine.model.scene import Scene
from engine.progress import Cancel, Cancelled, Progress

Floats: TypeAlias = NDArray[np.float32]

RATE = 60.0  # frames per simulated second
MIN_FRAMES, MAX_FRAMES = 300, 3600  # a short run is looked at slowly, a long one in steps
MAX_NUMBERS = 2_000_000  # of all frames together: some 10 MB of the page, beside the surfaces
RIGID = 1e-6  # how far a rotation may be from one
LOOKED = 60  # frames at which the room of the motion is measured
STILL = -1  # track of what does not move


@dataclass(frozen=True)
class Solid:
    """A surface that moves as a whole. `visible`: per frame, None for always."""

    surface: Surface
    opacity: float
    track: int
    visible: Bytes | None


@dataclass(frozen=True)
class Flexible:
    """A surface whose points are given per frame, shape (frames, n, 3)."""

    surface: Surface
    opacity: float
    points: Floats
    visible: Bytes | None


@dataclass(frozen=True)
class Section:
    """Frames of one scene. A track has a position and a quaternion (x, y, z, w) per frame, shape (frames, 7),
    or the upper three lines of a matrix, shape (frames, 12)."""

    first: int
    last: int  # the frame behind its last
    tracks: tuple[Floats, ...]
    solids: tuple[Solid, ...]
    flexibles: tuple[Flexible, ...]


@dataclass(frozen=True)
class FilmedMotion:
    """`box`: low and high corner of all that is seen."""

    instants: Array
    sections: tuple[Section, ...]
    box: tuple[Array, Array]
    up: Array
    planar: bool


def filmed(
    run: Run,
    begin: float,
    end: float,
    *,
    style: Style,
    folder: Path | None = None,
    progress: Progress = lambda share, words: None,
    cancel: Cancel = lambda: False,
) -> FilmedMotion:
    """Put the mechanism where it was at each instant and note how its parts lie; raises Cancelled."""
    view = SceneView((64, 64))
    try:
        view.set_style(style)
        view.set_scene(run.scene_at(begin), folder)
        instants = _instants(begin, end, _numbers(view))
        sections = []
        room = _Room()
        for scene, first, last in _scenes(run, instants):
            view.set_scene(scene, folder)
            noted = _Notes(view)
            for i in range(first, last):
                if cancel():
                    raise Cancelled
                view.set_poses(run.poses_at(float(instants[i])), float(instants[i]))
                noted.take()
                if (i - first) % max((last - first) // LOOKED, 1) == 0:
                    room.take(view)
                progress((i + 1) / len(instants), "filming")
            sections.append(noted.section(first, last))
        return FilmedMotion(instants, tuple(sections), room.box, view.stage.up, view.stage.planar)
    finally:
        view.close()


def _instants(begin: float, end: float, numbers: int) -> Array:
    """As many as the motion needs and the page can bear, evenly spaced."""
    wanted = min(max(round(RATE * (end - begin)), MIN_FRAMES), MAX_FRAMES)
    bearable = max(MAX_NUMBERS // max(numbers, 1), 2)
    return np.linspace(begin, end, min(wanted, bearable) + 1 if end > begin else 1)


def _numbers(view: SceneView) -> int:
    """How many a frame has."""
    parts = _parts(view)
    rigid = {id(part.matrix) for part in parts if not isinstance(part, LivePart)}
    return 7 * len(rigid) + sum(part.surface.points.size for part in parts if isinstance(part, LivePart))


def _scenes(run: Run, instants: Array) -> Iterator[tuple[Scene, int, int]]:
    """Frames that follow each other with the same scene: the first, and the one behind the last."""
    scenes = [run.scene_at(float(t)) for t in instants]
    starts = [i for i, scene in enumerate(scenes) if i == 0 or scene is not scenes[i - 1]]
    for first, last in zip(starts, [*starts[1:], len(instants)], strict=True):
        yield scenes[first], first, last


def _parts(view: SceneView) -> list[Part]:
    return [
        part
        for visual in view.visuals.values()
        for part in visual.parts
        if len(part.surface.points) and part.surface.colors is not None
    ]


class _Room:
    """Low and high corner of what was visible."""

    def __init__(self) -> None:
        self._low, self._high = np.full(3, np.inf), np.full(3, -np.inf)

    def take(self, view: SceneView) -> None:
        for part in _parts(view):
            if part.visible:
                cloud = part.world_points()
                self._low = np.minimum(self._low, cloud.min(axis=0))
                self._high = np.maximum(self._high, cloud.max(axis=0))

    @property
    def box(self) -> tuple[Array, Array]:
        if (self._low <= self._high).all():
            return self._low, self._high
        return np.full(3, -0.5), np.full(3, 0.5)  # nothing was drawn


@dataclass
class _Noted:
    """What one part did in the frames so far."""

    part: Part
    points: list[Floats] = field(default_factory=list)
    visible: list[bool] = field(default_factory=list)

    def visibility(self) -> Bytes | None:
        return None if all(self.visible) else np.array(self.visible, np.uint8)


class _Notes:
    """How parts and matrices of a scene lie, frame by frame."""

    def __init__(self, view: SceneView) -> None:
        self._parts = [_Noted(part) for part in _parts(view)]
        matrices = {id(noted.part.matrix): noted.part.matrix for noted in self._parts}
        self._matrices: list[vtkMatrix4x4] = [matrix for matrix in matrices.values() if matrix is not None]
        self._frames: list[Array] = []

    def take(self) -> None:
        self._frames.append(np.array([matrix.GetData() for matrix in self._matrices]).reshape(-1, 16))
        for noted in self._parts:
            noted.visible.append(noted.part.visible)
            if isinstance(noted.part, LivePart):
                noted.points.append(noted.part.arrays[0].copy())

    def section(self, first: int, last: int) -> Section:
        tracks: list[Floats] = []
        places: dict[int, int] = {}
        table = np.array(self._frames)  # frame, matrix, number
        for i, matrix in enumerate(self._matrices):
            moved = table[:, i, :12]
            if (moved == np.eye(4).ravel()[:12]).all():
                continue
            places[id(matrix)] = len(tracks)
            tracks.append(_track(moved))
        return Section(first, last, tuple(tracks), tuple(self._solids(places)), tuple(self._flexibles()))

    def _solids(self, places: dict[int, int]) -> Iterator[Solid]:
        """What moves alike, looks through alike and is always there is one surface."""
        alike: dict[tuple[int, float], list[Surface]] = {}
        for noted in self._parts:
            part, visible = noted.part, noted.visibility()
            if isinstance(part, LivePart) or not any(noted.visible):
                continue
            track = places.get(id(part.matrix), STILL)
            if visible is None:
                alike.setdefault((track, part.opacity), []).append(part.surface)
            else:
                yield Solid(part.surface, part.opacity, track, visible)
        for (track, opacity), surfaces in alike.items():
            yield Solid(merged(surfaces), opacity, track, None)

    def _flexibles(self) -> Iterator[Flexible]:
        for noted in self._parts:
            if noted.points and any(noted.visible):
                points = np.array(noted.points)
                yield Flexible(noted.part.surface, noted.part.opacity, points, noted.visibility())


def _track(moved: Array) -> Floats:
    """Upper three lines of a matrix per frame, shape (frames, 12), as numbers of a track."""
    lines = moved.reshape(-1, 3, 4)
    R, p = lines[:, :, :3], lines[:, :, 3]
    rigid = np.abs(R @ R.transpose(0, 2, 1) - np.eye(3)).max() < RIGID and np.linalg.det(R).min() > 0.0
    if not rigid:
        return moved.astype(np.float32)
    return np.hstack([p, Rotation.from_matrix(R).as_quat()]).astype(np.float32)
