"""What lies where: elements under a pixel, points of elements, and what must be in the picture."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from app.document.element_ref import Ref
from app.viewport.camera.camera_view import Sight
from app.viewport.camera.reach import box_corners, reach_points
from app.viewport.canvas.stage import Mount, Pose, Stage
from app.viewport.canvas.style import Style
from app.viewport.canvas.surface import Array
from app.viewport.picking import Picker, inside
from app.viewport.scene.drawn_elements import Cast
from app.viewport.scene.trace_lines import TraceLines
from app.viewport.visuals.marks.arrows import ArrowSet
from engine.model.scene import Scene

EMPTY = Scene()
WIDEST = 3.0  # of what is there: a first picture does not go beyond, however far the joints reach


class Places(Sight):
    """The elements of a scene before the viewer, wherever they are drawn at the moment."""

    def __init__(self, size: tuple[int, int], scale: float) -> None:
        super().__init__(size, scale)
        self._style = Style()
        self._stage = Stage(EMPTY, self._style)
        self._cast = Cast(self._renderer, self._front)
        self._traces = TraceLines()
        self._arrows: ArrowSet | None = None
        self._picker = Picker()
        self._box: Array | None = None
        self.recorded: Callable[[], Array] = lambda: np.zeros((0, 3))  # where the bodies have been [m]

    @property
    def resolved(self) -> Scene:
        """The scene with numbers in place of expressions, as far as they can be told."""
        return self._stage.scene

    @property
    def planar(self) -> bool:
        return self._stage.planar

    def pose_of(self, body: str) -> Pose | None:
        """Where a body (or the world) is shown: origin and rotation."""
        return self._stage.poses.get(body)

    @property
    def up(self) -> Array:
        """The direction that is up in the scene."""
        return self._stage.up

    @property
    def stage(self) -> Stage:
        """What visuals are made with: sizes, colours, the folder of files."""
        return self._stage

    @property
    def extent(self) -> float:
        """Size of the mechanism [m]."""
        return self._stage.extent

    @property
    def style(self) -> Style:
        return self._style

    # picking

    def pick(self, x: float, y: float) -> list[Ref]:
        """Elements under a pixel, front to back."""
        return list(self.pick_places(x, y))

    def pick_places(self, x: float, y: float) -> dict[Ref, Array]:
        """Elements under a pixel, front to back, with the world points that were hit."""
        if self.dirty:  # else the clipping planes are those of the picture
            self._clip()
        return self._picker.places(self._renderer, x, self.size[1] - 1 - y)

    def pick_rect(self, x0: float, y0: float, x1: float, y1: float, *, touching: bool = False) -> list[Ref]:
        """Elements wholly inside the rectangle, or that touch it."""
        shown = {ref: visual for ref, visual in self._cast.visuals.items() if self._is_shown(ref)}
        return inside(shown, self._viewpoint, (x0, y0), (x1, y1), touching=touching)

    def _clip(self) -> None:
        """Near and far plane: wide around the mechanism, so that nothing is cut while it moves."""
        bounds = self._renderer.ComputeVisiblePropBounds()
        low, high = np.array(bounds[::2]), np.array(bounds[1::2])
        if bounds[0] > bounds[1]:  # an empty scene has a grid all the same
            low, high = self._viewpoint.focus - self._stage.extent, self._viewpoint.focus + self._stage.extent
        radius = 0.5 * float(np.linalg.norm(high - low)) + 0.2 * self._stage.extent
        depth = float(self._viewpoint.forward @ (0.5 * (low + high) - self._viewpoint.position))
        if self._viewpoint.camera.GetParallelProjection():
            near, far = depth - 2.0 * radius, depth + 2.0 * radius
        else:
            floor = 3.0 * radius if self._style.grid else 0.0
            far = max(depth + radius + floor, 1e-6 * self._stage.extent)
            near = max(depth - radius, 2e-3 * far)
        self._viewpoint.camera.SetClippingRange(near, far)

    # points of elements

    def position_of(self, ref: Any, point: str = "") -> Array:
        """World point that stands for an element: a named point of a body, its centre of mass, a joint."""
        return self._stage.world_point(self.mounts_of(ref, point)[0])

    def mounts_of(self, ref: Any, point: str = "") -> list[Mount]:
        """Points of bodies that belong to an element, that which stands for it first."""
        stage = self._stage
        item = next(i for i in getattr(stage.scene, ref.where) if i.name == ref.name)
        part = point or getattr(ref, "part", "")
        if ref.where == "bodies":
            if part:
                return [stage.mount(item.name, part)]
            others = [stage.mount(item.name, named.name) for named in item.points]
            return [stage.mount(item.name, stage.com(item)), *others]
        if hasattr(item, "joint"):
            item = stage.scene.joint(item.joint)
        if hasattr(item, "a") and hasattr(item, "b"):
            return list(stage.pair(item))
        return [stage.mount(item.body, getattr(item, "point", None))]

    def world_point(self, mount: Mount) -> Array:
        """Where a point of a body is now [m]."""
        return self._stage.world_point(mount)

    def joint_points(self) -> Array:
        """World points of all joints and of the points of all bodies, shape (n, 3)."""
        stage = self._stage
        mounts = [Mount(body.name, p) for body in stage.scene.bodies for p in stage.anchors(body.name)]
        return np.array([stage.world_point(mount) for mount in mounts]).reshape(-1, 3)

    # what must be in the picture

    def frames_all(self, least: float = 0.0) -> bool:
        """Whether all bodies are in the picture and take at least this part of it."""
        clouds = [
            part.world_points()
            for ref, visual in self._cast.visuals.items()
            if ref.where == "bodies" and self._is_shown(ref)
            for part in visual.parts
        ]
        return self.frames(np.concatenate([np.zeros((0, 3)), *clouds]), least)

    def frames(self, points: Array, least: float = 0.0) -> bool:
        """Whether all world points are in the picture and take at least this part of it."""
        pixels = self._viewpoint.project(points)
        if not len(pixels):
            return True
        low, high = pixels.min(axis=0), pixels.max(axis=0)
        inside = (low >= 0.0).all() and (high <= self.size).all()
        return bool(inside and ((high - low) / self.size).max() >= least)

    def fit(
        self, refs: Iterable[Any] | None = None, points: ArrayLike | None = None, *, ahead: bool = False
    ) -> None:
        """Show these elements, or all that is there and where it has been; and these points.

        With `ahead` also where joints let it go, for a first picture before anything has run. That bound can
        be far too wide, of long chains above all: then what is there counts alone.
        """
        wanted = None if refs is None else {(ref.where, ref.name) for ref in refs}
        clouds = [np.zeros((0, 3))]
        for ref, visual in self._cast.visuals.items():
            if self._is_shown(ref) and (wanted is None or (ref.where, ref.name) in wanted):
                clouds += [part.world_points() for part in visual.parts if part.actor.GetVisibility()]
        if wanted is None:
            clouds.append(self._known_motion())
            if self._arrows is not None and self._arrows.part.actor.GetVisibility():
                clouds.append(self._arrows.part.surface.points)
            clouds += self._traces.paths() if self._style.traces else []
        if points is not None:
            clouds.append(np.asarray(points, float).reshape(-1, 3))
        cloud = np.concatenate(clouds)
        if ahead and len(cloud):
            reach = self._reach()
            wide = np.ptp(np.concatenate([cloud, reach]), axis=0).max() if len(reach) else 0.0
            cloud = np.concatenate([cloud, reach]) if wide <= WIDEST * np.ptp(cloud, axis=0).max() else cloud
        if self.flat:
            cloud = cloud * (1.0, 1.0, 0.0)
        self._viewpoint.fit(cloud)
        self.dirty = True

    @property
    def box(self) -> Array | None:
        """Where the mechanism is known to go, (low, high) [m]; None: wherever its joints let it."""
        return self._box

    def body_corners(self) -> dict[str, Array]:
        """Corners of a box around each body that is shown, in its own axes, shape (8, 3)."""
        found = {}
        for ref, visual in self._cast.visuals.items():
            if ref.where == "bodies" and visual.parts and self._is_shown(ref):
                origin, R = self._stage.poses[ref.name]
                cloud = np.concatenate([part.world_points() for part in visual.parts])
                if len(cloud):
                    local = (cloud - origin) @ R
                    found[ref.name] = box_corners(np.array([local.min(axis=0), local.max(axis=0)]))
        return found

    def _known_motion(self) -> Array:
        """Where bodies have been, and where the scene says that they go."""
        been = self.recorded()
        return been if self._box is None else np.concatenate([been, box_corners(self._box)])

    def _reach(self) -> Array:
        """Where the bodies that are shown can go."""
        if self._box is not None:
            return box_corners(self._box)
        clouds = {
            ref.name: np.concatenate([part.world_points() for part in visual.parts])
            for ref, visual in self._cast.visuals.items()
            if ref.where == "bodies" and visual.parts and self._is_shown(ref)
        }
        return reach_points(self._stage, clouds)

    def _is_shown(self, ref: Ref) -> bool:
        return self._cast.is_shown(self._stage, ref)
