"""The view of a scene: VTK, no Qt. It draws the scene at an instant, with what is shown around it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from vtkmodules.vtkCommonCore import vtkUnsignedCharArray

from app.document.element_ref import Ref
from app.viewport.camera.reach import known_box
from app.viewport.canvas.offscreen import Picture, read_picture
from app.viewport.canvas.stage import Poses, Stage
from app.viewport.canvas.style import Style, look, rgb
from app.viewport.canvas.surface import Array
from app.viewport.scene.highlight import Highlight
from app.viewport.scene.queries import EMPTY, Places
from app.viewport.scene.redraw import redrawn
from app.viewport.visuals.base import EDGE_WIDTH, Visual
from app.viewport.visuals.bodies.ghost import Ghost, GhostVisual
from app.viewport.visuals.marks.arrows import Arrow, ArrowSet
from app.viewport.visuals.marks.grid import Grid
from engine.model.resolve import resolve_leniently
from engine.model.scene import Scene
from engine.system.compiling.frames import Frames

BUILT_BY_STYLE = (
    "dark",
    "accent",
    "arrow_scale",
    "frames",
    "com",
    "ellipsoids",
    "labels",
)  # the rest is shown or hidden
GRID_GAP = 0.12  # of the extent: how far below a hanging mechanism the grid lies


class SceneView(Places):
    """A scene in an off-screen window. Nothing is drawn before `render`, and then only if `dirty`."""

    def __init__(self, size: tuple[int, int] = (800, 600), scale: float = 1.0) -> None:
        super().__init__(size, scale)
        self._buffer = vtkUnsignedCharArray()
        self._grid = Grid()
        self._given = EMPTY
        self._folder: Path | None = None
        self._ghosts: dict[int, GhostVisual] = {}  # by run
        self._highlight = Highlight()
        self._picture: Picture | None = None
        self._closed = False
        self._lowest = 0.0  # how far down the mechanism can go
        self._followed: tuple[str, Array] | None = None  # a body and where it was
        self._follow_up = False  # also up and down
        self.set_scene(EMPTY)

    # scene and motion

    @property
    def scene(self) -> Scene:
        return self._given

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
            self.view("front" if self._stage.planar else "iso", fit=False)
            self.fit(ahead=True)

    def change_scene(self, scene: Scene, folder: Path | None = None) -> None:
        """The same scene after an edit: only what looks different is drawn again, the rest stays."""
        stage = self._stage
        resolved, problems = resolve_leniently(scene)
        moved, refs = stage.scene.bodies != resolved.bodies, None
        if folder == self._folder:
            frames = _frames_of(stage, resolved) if moved else None
            refs = redrawn(stage.scene, resolved, mass=self._style.ellipsoids, frames=frames)
        if refs is None:
            self.set_scene(scene, folder, keep_camera=True)
            return
        poses, t = dict(stage.poses), stage.t
        # symbols are built where the scene has the bodies
        stage.take(scene, resolved, problems, move=bool(refs))
        anew = bool(refs) and (stage.outgrown or not self._cast.replace(stage, self._scale, refs))
        self._given = scene
        if refs or moved:
            self._box = None
        if refs and not anew:
            self._highlight.forget(refs)
            self._picker.watch(self._cast.visuals.values())
        if (refs or moved) and not anew:
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

    def ghost_points(self, key: int) -> Array:
        """World points of a ghost where it is now, shape (n, 3)."""
        parts = self._ghosts[key].parts if key in self._ghosts else []
        points = np.concatenate([np.zeros((0, 3)), *(part.world_points() for part in parts)])
        return np.asarray(points[np.isfinite(points).all(axis=1)])

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

    # viewer

    def view(self, name: str, *, fit: bool = True) -> None:
        """Standard view: iso, front, back, left, right, top, bottom."""
        self._viewpoint.view(name)
        self._lowest = float((self._reach() @ self._stage.up).min(initial=np.inf))
        self._lay_grid()
        if fit:
            self.fit()
        self.dirty = True

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

    def _show_by_style(self) -> None:
        self._cast.show(self._stage)
        self._traces.show(self._stage)
        if self._arrows is not None:
            self._arrows.part.actor.SetVisibility(self._style.any_arrows)
        for ghost in self._ghosts.values():
            ghost.show(self._style.ghosts or ghost.ghost.always)
        self._grid.actor.SetVisibility(self._style.grid)
        floor, sky = rgb(look(self._style).floor), rgb(look(self._style).sky)
        self._renderer.SetGradientBackground(self._style.gradient)
        self._renderer.SetBackground(*(floor if self._style.gradient else 0.5 * (floor + sky)))
        self._renderer.SetBackground2(*sky)
        self.dirty = True


def _frames_of(stage: Stage, after: Scene) -> tuple[Frames, Frames] | None:
    """Where joints sit on their bodies, before and after; None where a scene is too broken to say."""
    try:
        return stage.frames, Frames(after)
    except (ArithmeticError, KeyError, TypeError, ValueError):
        return None
