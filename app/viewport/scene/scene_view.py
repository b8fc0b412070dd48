"""The view of a scene: VTK, no Qt. It draws the scene at an instant, with what is shown around it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from vtkmodules.vtkCommonCore import vtkUnsignedCharArray

from app.document.element_ref import Ref
from app.viewport.camera.camera_view import CameraView
from app.viewport.camera.reach import known_box
from app.viewport.canvas.offscreen import Picture, read_picture
from app.viewport.canvas.stage import Poses, Stage
from app.viewport.canvas.style import Style, look, rgb
from app.viewport.canvas.surface import Array
from app.viewport.scene.drawn_scene import EMPTY, DrawnScene
from app.viewport.scene.framing import Framing
from app.viewport.scene.highlight import Highlight
from app.viewport.scene.path_lines import ColoredPath, PathLines
from app.viewport.scene.queries import SceneQueries
from app.viewport.scene.redraw import redrawn
from app.viewport.visuals.base import EDGE_WIDTH, Visual
from app.viewport.visuals.bodies.ghost import Ghost, GhostVisual
from app.viewport.visuals.marks.arrows import Arrow, ArrowSet
from app.viewport.visuals.marks.ground_grid import Grid
from engine.model.poses import resolved_poses
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


class SceneView:
    """A scene in an off-screen window. Nothing is drawn before `render`, and then only if `dirty`.

    `camera` is the window and the viewer before it, `queries` tells what lies where, `framing` fits the
    camera to what must be seen.
    """

    def __init__(self, size: tuple[int, int] = (800, 600), scale: float = 1.0) -> None:
        self.camera = CameraView(size, scale)
        self._drawn = DrawnScene(self.camera)
        self.framing = Framing(self.camera, self._drawn)
        self.queries = SceneQueries(self.camera, self._drawn, self.framing)
        self._buffer = vtkUnsignedCharArray()
        self._grid = Grid()
        self._given = EMPTY
        self._folder: Path | None = None
        self._ghosts: dict[int, GhostVisual] = {}  # by run
        self._highlight = Highlight()
        self._picture: Picture | None = None
        self._closed = False
        self._paths = PathLines()
        self._travels: dict[str, tuple[float, float]] = {}
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
        poses = dict(self.stage.poses) if keep_camera else {}
        drawn = scene is self._given and folder == self._folder and bool(self._drawn.elements.visuals)
        self._given, self._folder = scene, folder
        self._drawn.box = None if keep_camera else known_box(scene.view)
        if drawn and not keep_camera:  # as an edit, before it was told to be another scene
            self.set_poses(resolved_poses(self.stage.scene), 0.0)
        else:
            self._rebuild()
        if keep_camera:
            self.set_poses({name: pose for name, pose in poses.items() if name != "world"})
        else:
            self._drawn.traces.clear()
            self.follow(str(scene.view.get("follow", "")))
            self.camera.viewpoint.up, self.camera.viewpoint.planar = self.stage.up, self.stage.planar
            self.camera.viewpoint.extent = self.stage.extent
            self.camera.viewpoint.camera.SetParallelProjection(self.stage.planar)
            reach = self.framing.reach()
            self._look_from("front" if self.stage.planar else "iso", reach)
            self.framing.fit(reach=reach)

    def change_scene(self, scene: Scene, folder: Path | None = None) -> None:
        """The same scene after an edit: only what looks different is drawn again, the rest stays."""
        stage = self.stage
        resolved, problems = resolve_leniently(scene)
        moved, refs = stage.scene.bodies != resolved.bodies, None
        if folder == self._folder:
            frames = _frames_of(stage, resolved) if moved else None
            refs = redrawn(stage.scene, resolved, mass=self.style.ellipsoids, frames=frames)
        if refs is None:
            self.set_scene(scene, folder, keep_camera=True)
            return
        poses, t = dict(stage.poses), stage.t
        # symbols are built where the scene has the bodies
        stage.take(scene, resolved, problems, move=bool(refs))
        elements = self._drawn.elements
        anew = bool(refs) and (stage.outgrown or not elements.replace(stage, self.camera.scale, refs))
        self._given = scene
        if refs or moved:
            self._drawn.box = None
        if refs and not anew:
            self._highlight.forget(refs)
            self.queries.watch(self._drawn.elements.visuals.values())
        if (refs or moved) and not anew:
            self._lay_grid()
        if refs:
            self.set_poses(poses, t)
            self._show_highlight()
        if anew:
            self.set_scene(scene, folder, keep_camera=True)
        self._show_by_style()

    @property
    def stage(self) -> Stage:
        """The scene with numbers in place of expressions, its sizes, and the poses that are shown."""
        return self._drawn.stage

    @property
    def style(self) -> Style:
        return self._drawn.style

    @property
    def dirty(self) -> bool:
        """Whether the picture is no longer that of what is to be seen."""
        return self.camera.dirty

    @property
    def visuals(self) -> Mapping[Ref, Visual]:
        """What is drawn of each element."""
        return self._drawn.elements.visuals

    @property
    def visuals_built(self) -> int:
        """How many visuals were made so far: a measure of what an edit costs."""
        return self._drawn.elements.built

    def set_poses(self, poses: Poses, t: float | None = None) -> None:
        """Body name → (origin, rotation). Only matrices move, and the points of springs and arrows."""
        self.stage.move(poses)
        if t is not None:
            self.stage.t = t
        self._go_along()
        self._drawn.elements.update(self.stage)
        self.camera.dirty = True

    def set_style(self, style: Style) -> None:
        if style == self.style:
            return
        anew = any(getattr(style, name) != getattr(self.style, name) for name in BUILT_BY_STYLE)
        self._drawn.style = style
        if anew:
            poses, t = dict(self.stage.poses), self.stage.t
            self._rebuild()
            self.set_poses(poses, t)
        else:
            self.stage.style = style
            self._show_by_style()
            self.set_poses({})

    def set_trace(self, ref: Any, points: ArrayLike) -> None:
        """The path of a trace so far, world points, shape (n, 3)."""
        self.camera.dirty |= self._drawn.traces.set(ref, points)

    def set_paths(self, paths: Sequence[ColoredPath]) -> None:
        """Lines that belong to no element: traces of other runs, families of curves."""
        if paths or self._paths.paths:
            self._paths.show(paths, self.stage, self.camera.renderer, self.camera.scale)
            self.camera.dirty = True

    def set_travels(self, travels: Mapping[str, tuple[float, float]]) -> None:
        """Between which displacements sliders go, by joint [m]: their guides are drawn that long."""
        before, self._travels = self._travels, dict(travels)
        self.stage.travels = self._travels
        refs = {
            Ref("joints", joint.name)
            for joint in self.stage.scene.joints
            if before.get(joint.name) != travels.get(joint.name)
        }
        if refs and self._drawn.elements.replace(self.stage, self.camera.scale, refs):
            self._highlight.forget(refs)
            self.queries.watch(self._drawn.elements.visuals.values())
            self._drawn.elements.update(self.stage)
            self._show_highlight()
            self._show_by_style()

    def set_arrows(self, arrows: Sequence[Arrow]) -> None:
        if self._drawn.arrows is not None:
            self._drawn.arrows.show(arrows)
            self.camera.dirty = True

    def set_ghosts(self, ghosts: Mapping[int, Ghost]) -> None:
        """Which other runs are shown, by their id; what is there already only moves."""
        if {key: visual.ghost for key, visual in self._ghosts.items()} == dict(ghosts):
            return
        for visual in self._ghosts.values():
            for part in visual.parts:
                self.camera.renderer.RemoveActor(part.actor)
        self._ghosts = {}
        for key, ghost in ghosts.items():
            self._ghosts[key] = visual = GhostVisual(ghost, self.style, self._folder)
            visual.show(self.style.ghosts or ghost.always)
            for part in visual.parts:
                part.actor.GetProperty().SetLineWidth(EDGE_WIDTH * self.camera.scale)
                self.camera.renderer.AddActor(part.actor)
        self.camera.dirty = True

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
        self.camera.dirty = True

    def set_selection(self, refs: Iterable[Any], hovers: Iterable[Any] = ()) -> None:
        """Selected elements get the accent colour, those that are pointed at are lighter."""
        if self._highlight.choose(refs, hovers):
            self._show_highlight()
            self.camera.dirty = True

    def set_state_colors(self, colors: Mapping[Ref, str]) -> None:
        """Colours of elements by what the run says of them at the instant that is shown."""
        if self._highlight.color(colors):
            self._show_highlight()
            self.camera.dirty = True

    def _show_highlight(self) -> None:
        tinted = self._highlight.show(self._drawn.elements.visuals, self.style.accent, self.stage.extent)
        self._drawn.elements.painted(tinted)

    # picture

    def resize(self, size: tuple[int, int], scale: float | None = None) -> None:
        """Device pixels; a new scale gives new line widths and letters."""
        size = (max(1, size[0]), max(1, size[1]))
        if scale is not None and scale != self.camera.scale:
            self.camera.scale = scale
            poses, t = dict(self.stage.poses), self.stage.t
            self._rebuild()
            self.set_poses(poses, t)
        self.camera.resize(size)

    def set_background(self, grey: float | None) -> None:
        """One shade behind everything, 0 black to 1 white; None: that of the style."""
        if grey is None:
            self._show_by_style()
            return
        self.camera.renderer.SetGradientBackground(False)
        self.camera.renderer.SetBackground(grey, grey, grey)
        self.camera.dirty = True

    def render(self) -> Picture:
        """The picture, top row first, shape (h, w, 4) uint8; drawn again only if something changed."""
        if self._closed:
            raise RuntimeError("the view is closed")
        if self.camera.dirty or self._picture is None:
            self._prepare()
            self.camera.window.Render()
            self._picture = read_picture(self.camera.window, self._buffer)
            self.camera.dirty = False
        return self._picture

    def _prepare(self) -> None:
        if self.style.grid and self.camera.flat:
            corner, opposite = self.camera.unproject(0, 0), self.camera.unproject(*self.camera.size)
            self._grid.fill_view(self.stage, corner, opposite, self.camera.per_pixel)
        self.framing.clip()

    # viewer

    def view(self, name: str, *, fit: bool = True) -> None:
        """Standard view: iso, front, back, left, right, top, bottom."""
        self._look_from(name, self.framing.reach())
        if fit:
            self.framing.fit()

    def _look_from(self, name: str, reach: Array) -> None:
        """Stand there, above a ground below these points."""
        self.camera.viewpoint.view(name)
        self._lowest = float((reach @ self.stage.up).min(initial=np.inf))
        self._lay_grid()
        self.camera.dirty = True

    @property
    def followed(self) -> str:
        """The body that the viewer goes along with."""
        return self._followed[0] if self._followed is not None else ""

    def follow(self, body: str, *, everywhere: bool = False) -> None:
        """Go along with a body, in space over the ground only unless `everywhere`; an empty name stays."""
        pose = self.stage.poses.get(body)
        self._follow_up = everywhere
        self._followed = (body, np.array(pose[0])) if pose is not None else None

    def _go_along(self) -> None:
        if self._followed is None or self._followed[0] not in self.stage.poses:
            return
        body, before = self._followed
        now = np.array(self.stage.poses[body][0])
        way = now - before
        if not (self.stage.planar or self._follow_up):
            way -= self.stage.up * (self.stage.up @ way)
        self.camera.viewpoint.shift(way)
        self._grid.follow(self.stage, self.camera.viewpoint.focus)
        self._followed = (body, now)

    # end

    def close(self) -> None:
        """Let go of everything that VTK holds. Whoever owns a timer that renders stops it before."""
        if self._closed:
            return
        self._closed = True
        self.queries.forget()
        self.camera.close()
        self._drawn.forget()
        self._picture, self._ghosts = None, {}
        del self._paths, self._buffer, self._grid, self._highlight, self._drawn, self.queries, self.framing

    # building

    def _rebuild(self) -> None:
        self.camera.renderer.RemoveAllViewProps()
        self.camera.front.RemoveAllViewProps()
        stage = self._drawn.stage = Stage(self._given, self.style, self._folder)
        stage.travels = self._travels
        self._drawn.elements.build(stage, self.camera.scale)
        self._drawn.traces.build(stage, self.camera.renderer, self.camera.scale)
        self._paths.build(stage, self.camera.renderer, self.camera.scale)
        self._drawn.arrows = ArrowSet(stage)
        self.camera.renderer.AddActor(self._drawn.arrows.part.actor)
        ghosts, self._ghosts = {key: visual.ghost for key, visual in self._ghosts.items()}, {}
        self.set_ghosts(ghosts)
        self.camera.renderer.AddActor(self._grid.actor)
        self._highlight.attach(self.camera.renderer)
        self._lay_grid()
        self.queries.watch(self._drawn.elements.visuals.values())
        self._show_by_style()
        self._show_highlight()
        self.camera.dirty = True

    def _lay_grid(self) -> None:
        if self.stage.planar and self.camera.flat:
            return
        heights = [
            float((part.world_points() @ self.stage.up).min())
            for ref, visual in self._drawn.elements.visuals.items()
            if ref.where == "bodies"
            for part in visual.parts
            if len(part.surface.points)
        ]
        lowest = min(heights, default=0.0)
        hanging = lowest < -0.03 * self.stage.extent
        lowest = min(lowest, self._lowest) if hanging else lowest
        self._grid.lay(self.stage, lowest - GRID_GAP * self.stage.extent if hanging else min(lowest, 0.0))

    def _show_by_style(self) -> None:
        self._drawn.elements.show(self.stage)
        self._drawn.traces.show(self.stage)
        if self._drawn.arrows is not None:
            self._drawn.arrows.part.show(self.style.any_arrows)
        for ghost in self._ghosts.values():
            ghost.show(self.style.ghosts or ghost.ghost.always)
        self._grid.actor.SetVisibility(self.style.grid)
        floor, sky = rgb(look(self.style).floor), rgb(look(self.style).sky)
        self.camera.renderer.SetGradientBackground(self.style.gradient)
        self.camera.renderer.SetBackground(*(floor if self.style.gradient else 0.5 * (floor + sky)))
        self.camera.renderer.SetBackground2(*sky)
        self.camera.dirty = True


def _frames_of(stage: Stage, after: Scene) -> tuple[Frames, Frames] | None:
    """Where joints sit on their bodies, before and after; None where a scene is too broken to say."""
    try:
        return stage.frames, Frames(after)
    except (ArithmeticError, KeyError, TypeError, ValueError):
        return None
