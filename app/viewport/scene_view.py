"""The view of a scene: VTK, no Qt. It makes a picture, says what lies where, and moves the viewer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from vtkmodules.vtkCommonCore import vtkUnsignedCharArray

from app.refs import Ref
from app.viewport.camera import Viewpoint
from app.viewport.cast import Cast
from app.viewport.highlight import Highlight
from app.viewport.offscreen import Picture, make_front, make_renderer, make_window, read_picture
from app.viewport.picking import Picker, inside
from app.viewport.reach import box_corners, known_box, reach_points
from app.viewport.redraw import redrawn
from app.viewport.stage import Mount, Pose, Poses, Stage
from app.viewport.style import Style, look, rgb
from app.viewport.surface import Array
from app.viewport.trace_lines import TraceLines
from app.viewport.visuals.arrows import Arrow, ArrowSet
from app.viewport.visuals.base import EDGE_WIDTH, Visual
from app.viewport.visuals.ghost import Ghost, GhostVisual
from app.viewport.visuals.grid import Grid
from engine.model.resolve import resolve_leniently
from engine.model.scene import Scene

EMPTY = Scene()
BUILT_BY_STYLE = (
    "dark",
    "accent",
    "arrow_scale",
    "frames",
    "com",
    "ellipsoids",
    "labels",
)  # the rest is shown or hidden
SOFTWARE = ("llvmpipe", "softpipe", "swrast", "swiftshader", "software")  # words in names of renderers
GRID_GAP = 0.12  # of the extent: how far below a hanging mechanism the grid lies


class SceneView:
    """A scene in an off-screen window of `size` device pixels; `scale` is device pixels per logical one.

    Pixels are device pixels from the top left corner. Nothing is drawn before `render`, and then only if
    `dirty`.
    """

    def __init__(self, size: tuple[int, int] = (800, 600), scale: float = 1.0) -> None:
        self._window = make_window(*size)
        self._renderer = make_renderer()
        self._window.AddRenderer(self._renderer)
        self._front = make_front(self._window)  # names, before everything else
        self._buffer = vtkUnsignedCharArray()
        self._viewpoint = Viewpoint()
        self._renderer.SetActiveCamera(self._viewpoint.camera)
        self._front.SetActiveCamera(self._viewpoint.camera)
        self._viewpoint.size = size
        self._scale = scale
        self._picker = Picker()
        self._grid = Grid()
        self._style = Style()
        self._given = EMPTY
        self._folder: Path | None = None
        self._cast = Cast(self._renderer, self._front)
        self._traces = TraceLines()
        self._arrows: ArrowSet | None = None
        self._ghosts: dict[int, GhostVisual] = {}  # by run
        self._highlight = Highlight()
        self._picture: Picture | None = None
        self._closed = False
        self._box: Array | None = None
        self._lowest = 0.0  # how far down the mechanism can go
        self._followed: tuple[str, Array] | None = None  # a body and where it was
        self._follow_up = False  # also up and down
        self.dirty = True
        self._stage = Stage(EMPTY, self._style)
        self.set_scene(EMPTY)

    # scene and motion

    @property
    def scene(self) -> Scene:
        return self._given

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

    def screen_axes(self) -> tuple[Array, Array]:
        """Right and up of the picture, in the world."""
        return self._viewpoint.axes()[:2]

    @property
    def per_pixel(self) -> float:
        """Metres per logical pixel at the focus."""
        return self._viewpoint.per_pixel * self._scale

    @property
    def up(self) -> Array:
        """The direction that is up in the scene."""
        return self._stage.up

    @property
    def extent(self) -> float:
        """Size of the mechanism [m]."""
        return self._stage.extent

    @property
    def size(self) -> tuple[int, int]:
        return self._viewpoint.size

    @property
    def style(self) -> Style:
        return self._style

    @property
    def gl_renderer(self) -> str:
        """What draws, for the diagnostics."""
        lines = self._window.ReportCapabilities().splitlines()
        found = [line for line in lines if "renderer string" in line.lower()]
        return found[0].partition(":")[2].strip() if found else "unknown"

    @property
    def software(self) -> bool:
        """Whether the processor draws, for want of a graphics card."""
        return any(word in self.gl_renderer.lower() for word in SOFTWARE)

    def set_scene(self, scene: Scene, folder: Path | None = None, *, keep_camera: bool = False) -> None:
        """Build everything anew. Mesh files are looked for in the folder. The bodies stay where they are if
        the camera does."""
        poses = dict(self._stage.poses) if keep_camera else {}
        self._given, self._folder = scene, folder
        self._box = None if keep_camera else known_box(scene.view)
        self._rebuild()
        if keep_camera:
            self.set_poses({name: pose for name, pose in poses.items() if name != "world"})
        else:
            self._traces.clear()
            self.follow(str(scene.view.get("follow", "")))
            self._viewpoint.up, self._viewpoint.planar = self._stage.up, self._stage.planar
            self._viewpoint.extent = self._stage.extent
            self._viewpoint.camera.SetParallelProjection(self._stage.planar)
            self.view("front" if self._stage.planar else "iso")

    def change_scene(self, scene: Scene, folder: Path | None = None) -> None:
        """The same scene after an edit: only what looks different is drawn again, the rest stays."""
        stage = self._stage
        resolved, problems = resolve_leniently(scene)
        refs = redrawn(stage.scene, resolved, mass=self._style.ellipsoids) if folder == self._folder else None
        if refs is None:
            self.set_scene(scene, folder, keep_camera=True)
            return
        poses, t = dict(stage.poses), stage.t
        stage.take(
            scene, resolved, problems, move=bool(refs)
        )  # symbols are built where the scene has the bodies
        anew = bool(refs) and (stage.outgrown or not self._cast.replace(stage, self._scale, refs))
        self._given = scene
        if refs:
            self._box = None
        if refs and not anew:
            self._highlight.forget(refs)
            self._picker.watch(self._cast.visuals.values())
            self._lay_grid()
        if refs:
            self.set_poses(poses, t)
            self._show_highlight()
        if anew:
            self.set_scene(scene, folder, keep_camera=True)
        self._show_by_style()

    @property
    def visuals(self) -> Mapping[Ref, Visual]:
        """What is drawn of each element."""
        return self._cast.visuals

    @property
    def visuals_built(self) -> int:
        """How many visuals were made so far: a measure of what an edit costs."""
        return self._cast.built

    def set_poses(self, poses: Poses, t: float | None = None) -> None:
        """Body name → (origin, rotation). Only matrices move, and the points of springs and arrows."""
        self._stage.move(poses)
        if t is not None:
            self._stage.t = t
        self._go_along()
        self._cast.update(self._stage)
        self.dirty = True

    def set_style(self, style: Style) -> None:
        if style == self._style:
            return
        anew = any(getattr(style, name) != getattr(self._style, name) for name in BUILT_BY_STYLE)
        self._style = style
        if anew:
            poses, t = dict(self._stage.poses), self._stage.t
            self._rebuild()
            self.set_poses(poses, t)
        else:
            self._stage.style = style
            self._show_by_style()
            self.set_poses({})

    def set_trace(self, ref: Any, points: ArrayLike) -> None:
        """The path of a trace so far, world points, shape (n, 3)."""
        self.dirty |= self._traces.set(ref, points)

    def set_arrows(self, arrows: Sequence[Arrow]) -> None:
        if self._arrows is not None:
            self._arrows.show(arrows)
            self.dirty = True

    def set_ghosts(self, ghosts: Mapping[int, Ghost]) -> None:
        """Which other runs are shown, by their id; what is there already only moves."""
        if {key: visual.ghost for key, visual in self._ghosts.items()} == dict(ghosts):
            return
        for visual in self._ghosts.values():
            for part in visual.parts:
                self._renderer.RemoveActor(part.actor)
        self._ghosts = {}
        for key, ghost in ghosts.items():
            self._ghosts[key] = visual = GhostVisual(ghost, self._style, self._folder)
            visual.show(self._style.ghosts or ghost.always)
            for part in visual.parts:
                part.actor.GetProperty().SetLineWidth(EDGE_WIDTH * self._scale)
                self._renderer.AddActor(part.actor)
        self.dirty = True

    def has_ghost(self, key: int) -> bool:
        return key in self._ghosts

    def move_ghost(self, key: int, poses: Poses) -> None:
        """Where the bodies of another run are."""
        self._ghosts[key].move(poses)
        self.dirty = True

    def set_selection(self, refs: Iterable[Any], hover: Any = None) -> None:
        """Selected elements get the accent colour, the one under the pointer is lighter."""
        if self._highlight.choose(refs, hover):
            self._show_highlight()
            self.dirty = True

    def _show_highlight(self) -> None:
        self._highlight.show(self._cast.visuals, self._style.accent, self._stage.extent)

    # picture

    def resize(self, size: tuple[int, int], scale: float | None = None) -> None:
        """Device pixels; a new scale gives new line widths and letters."""
        size = (max(1, size[0]), max(1, size[1]))
        if scale is not None and scale != self._scale:
            self._scale = scale
            poses, t = dict(self._stage.poses), self._stage.t
            self._rebuild()
            self.set_poses(poses, t)
        if size != self._viewpoint.size:
            self._window.SetSize(*size)
            self._viewpoint.size = size
            self._viewpoint.changed()
            self.dirty = True

    def set_background(self, grey: float | None) -> None:
        """One shade behind everything, 0 black to 1 white; None: that of the style."""
        if grey is None:
            self._show_by_style()
            return
        self._renderer.SetGradientBackground(False)
        self._renderer.SetBackground(grey, grey, grey)
        self.dirty = True

    def render(self) -> Picture:
        """The picture, top row first, shape (h, w, 4) uint8; drawn again only if something changed."""
        if self._closed:
            raise RuntimeError("the view is closed")
        if self.dirty or self._picture is None:
            self._prepare()
            self._window.Render()
            self._picture = read_picture(self._window, self._buffer)
            self.dirty = False
        return self._picture

    def _prepare(self) -> None:
        if self._style.grid and self._viewpoint.flat:
            corner, opposite = self.unproject(0, 0), self.unproject(*self.size)
            self._grid.fill_view(self._stage, corner, opposite, self._viewpoint.per_pixel * self._scale)
        self._clip()

    def _clip(self) -> None:
        """Near and far plane: wide around the mechanism, so that nothing is cut while it moves."""
        bounds = self._renderer.ComputeVisiblePropBounds()
        if bounds[0] > bounds[1]:
            return
        low, high = np.array(bounds[::2]), np.array(bounds[1::2])
        radius = 0.5 * float(np.linalg.norm(high - low)) + 0.2 * self._stage.extent
        depth = float(self._viewpoint.forward @ (0.5 * (low + high) - self._viewpoint.position))
        if self._viewpoint.camera.GetParallelProjection():
            near, far = depth - 2.0 * radius, depth + 2.0 * radius
        else:
            floor = 3.0 * radius if self._style.grid else 0.0
            far = max(depth + radius + floor, 1e-6 * self._stage.extent)
            near = max(depth - radius, 2e-3 * far)
        self._viewpoint.camera.SetClippingRange(near, far)

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

    def project(self, point: ArrayLike) -> tuple[float, float]:
        """Pixel of a world point [m]."""
        x, y = self._viewpoint.project(np.asarray(point, float))
        return float(x), float(y)

    def project_all(self, points: ArrayLike) -> Array:
        """Pixels of many world points, shape (n, 2); NaN behind the viewer."""
        return self._viewpoint.project(np.asarray(points, float))

    def frames_all(self, least: float = 0.0) -> bool:
        """Whether all bodies are in the picture and take at least this part of it."""
        clouds = [
            part.world_points()
            for ref, visual in self._cast.visuals.items()
            if ref.where == "bodies" and self._is_shown(ref)
            for part in visual.parts
        ]
        pixels = self._viewpoint.project(np.concatenate([np.zeros((0, 3)), *clouds]))
        if not len(pixels):
            return True
        low, high = pixels.min(axis=0), pixels.max(axis=0)
        inside = (low >= 0.0).all() and (high <= self.size).all()
        return bool(inside and ((high - low) / self.size).max() >= least)

    def unproject(self, x: float, y: float, through: ArrayLike | None = None) -> Array:
        """World point under a pixel, in the plane through the point (the focus) that faces the viewer."""
        return self._viewpoint.unproject(x, y, None if through is None else np.asarray(through, float))

    def ray(self, x: float, y: float) -> tuple[Array, Array]:
        """Origin and direction of the line of sight through a pixel."""
        return self._viewpoint.ray(x, y)

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

    # camera

    @property
    def flat(self) -> bool:
        """Whether a planar scene is seen straight on, so that dragging pans."""
        return self._viewpoint.flat

    @property
    def is_orthographic(self) -> bool:
        return bool(self._viewpoint.camera.GetParallelProjection())

    def orbit(self, dx: float, dy: float) -> None:
        self._viewpoint.orbit(dx / self._scale, dy / self._scale) if not self.flat else self.pan(dx, dy)
        self.dirty = True

    def pan(self, dx: float, dy: float) -> None:
        self._viewpoint.pan(dx, dy)
        self.dirty = True

    def zoom(self, factor: float, x: float | None = None, y: float | None = None) -> None:
        self._viewpoint.zoom(factor, x, y)
        self.dirty = True

    def view(self, name: str, *, fit: bool = True) -> None:
        """Standard view: iso, front, back, left, right, top, bottom."""
        self._viewpoint.view(name)
        self._lowest = float((self._reach() @ self._stage.up).min(initial=np.inf))
        self._lay_grid()
        if fit:
            self.fit()
        self.dirty = True

    def orthographic(self, on: bool) -> None:
        self._viewpoint.orthographic(on)
        self.dirty = True

    def fit(self, refs: Iterable[Any] | None = None, points: ArrayLike | None = None) -> None:
        """Show these elements, or all and where they can swing; and these points."""
        wanted = None if refs is None else {(ref.where, ref.name) for ref in refs}
        clouds = [np.zeros((0, 3))]
        for ref, visual in self._cast.visuals.items():
            if self._is_shown(ref) and (wanted is None or (ref.where, ref.name) in wanted):
                clouds += [part.world_points() for part in visual.parts if part.actor.GetVisibility()]
        if wanted is None:
            clouds.append(self._reach())
            if self._arrows is not None and self._arrows.part.actor.GetVisibility():
                clouds.append(self._arrows.part.surface.points)
            clouds += self._traces.paths() if self._style.traces else []
        if points is not None:
            clouds.append(np.asarray(points, float).reshape(-1, 3))
        cloud = np.concatenate(clouds)
        if self.flat:
            cloud = cloud * (1.0, 1.0, 0.0)
        self._viewpoint.fit(cloud)
        self.dirty = True

    @property
    def box(self) -> Array | None:
        """Where the mechanism is known to go, (low, high) [m]; None: wherever its joints let it."""
        return self._box

    @property
    def followed(self) -> str:
        """The body that the viewer goes along with."""
        return self._followed[0] if self._followed is not None else ""

    def follow(self, body: str, *, everywhere: bool = False) -> None:
        """Go along with a body, in space over the ground only unless `everywhere`; an empty name stays."""
        pose = self._stage.poses.get(body)
        self._follow_up = everywhere
        self._followed = (body, np.array(pose[0])) if pose is not None else None

    def _go_along(self) -> None:
        if self._followed is None or self._followed[0] not in self._stage.poses:
            return
        body, before = self._followed
        now = np.array(self._stage.poses[body][0])
        way = now - before
        if not (self._stage.planar or self._follow_up):
            way -= self._stage.up * (self._stage.up @ way)
        self._viewpoint.shift(way)
        self._grid.follow(self._stage, self._viewpoint.focus)
        self._followed = (body, now)

    def camera_state(self) -> dict[str, Any]:
        """Plain data that `restore_camera` takes."""
        return self._viewpoint.state()

    def restore_camera(self, state: dict[str, Any]) -> None:
        self._viewpoint.restore(state)
        self.dirty = True

    # end

    def close(self) -> None:
        """Let go of everything that VTK holds. Whoever owns a timer that renders stops it before."""
        if self._closed:
            return
        self._closed = True
        self._picker.forget()
        self._renderer.RemoveAllViewProps()
        self._renderer.RemoveAllLights()
        self._front.RemoveAllViewProps()
        self._window.RemoveRenderer(self._front)
        self._window.RemoveRenderer(self._renderer)
        self._window.Finalize()
        self._cast.forget()
        self._traces.forget()
        self._arrows, self._picture, self._ghosts = None, None, {}
        del self._window, self._renderer, self._front, self._buffer, self._viewpoint, self._picker
        del self._grid, self._highlight, self._stage, self._cast

    # building

    def _rebuild(self) -> None:
        self._renderer.RemoveAllViewProps()
        self._front.RemoveAllViewProps()
        stage = self._stage = Stage(self._given, self._style, self._folder)
        self._cast.build(stage, self._scale)
        self._traces.build(stage, self._renderer, self._scale)
        self._arrows = ArrowSet(stage)
        self._renderer.AddActor(self._arrows.part.actor)
        ghosts, self._ghosts = {key: visual.ghost for key, visual in self._ghosts.items()}, {}
        self.set_ghosts(ghosts)
        self._renderer.AddActor(self._grid.actor)
        self._highlight.attach(self._renderer)
        self._lay_grid()
        self._picker.watch(self._cast.visuals.values())
        self._show_by_style()
        self._show_highlight()
        self.dirty = True

    def _lay_grid(self) -> None:
        if self._stage.planar and self._viewpoint.flat:
            return
        heights = [
            float((part.world_points() @ self._stage.up).min())
            for ref, visual in self._cast.visuals.items()
            if ref.where == "bodies"
            for part in visual.parts
            if len(part.surface.points)
        ]
        lowest = min(heights, default=0.0)
        hanging = lowest < -0.03 * self._stage.extent
        lowest = min(lowest, self._lowest) if hanging else lowest
        self._grid.lay(self._stage, lowest - GRID_GAP * self._stage.extent if hanging else min(lowest, 0.0))

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

    def _show_by_style(self) -> None:
        self._cast.show(self._stage)
        self._traces.show(self._stage)
        if self._arrows is not None:
            self._arrows.part.actor.SetVisibility(self._style.arrows or self._style.velocities)
        for ghost in self._ghosts.values():
            ghost.show(self._style.ghosts or ghost.ghost.always)
        self._grid.actor.SetVisibility(self._style.grid)
        floor, sky = rgb(look(self._style).floor), rgb(look(self._style).sky)
        self._renderer.SetGradientBackground(self._style.gradient)
        self._renderer.SetBackground(*(floor if self._style.gradient else 0.5 * (floor + sky)))
        self._renderer.SetBackground2(*sky)
        self.dirty = True
