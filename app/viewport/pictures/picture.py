"""Pictures of a scene without a screen, for files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import imageio.v3 as imageio
import numpy as np
from PIL.PngImagePlugin import PngInfo

from app.viewport.canvas.offscreen import Picture
from app.viewport.canvas.stage import Poses
from app.viewport.canvas.style import Style
from app.viewport.motion.reaction_arrows import ReactionArrows, channel_names
from app.viewport.motion.trace_paths import TraceHistory, Track
from app.viewport.scene.scene_view import SceneView
from engine.analyses.kinematics.travels import travels
from engine.model.mass import rotation
from engine.model.resolve import resolve_leniently
from engine.model.scene import Scene
from engine.results.body_states import body_states
from engine.results.files.whole_file import whole
from engine.system.compiling.frames import named_point

if TYPE_CHECKING:
    from engine import Trajectory

FINER = 2  # times as many pixels are drawn, and averaged, against steps at edges
EVEN, HALVES = np.uint32(0x00FF00FF), np.uint32(0x00020002)  # every other byte; what rounds a quarter
SAVED = "saved"  # the view that the scene keeps
POSES = 400  # along a motion, at most
TRACED = 8000  # samples that traces are laid through, about


def smooth_picture(view: SceneView) -> Picture:
    """The picture of a view that is `FINER` times too large, averaged; without opacity."""
    return averaged(view.render())


def averaged(fine: Picture) -> Picture:
    """Means of blocks of 2 × 2 pixels, rounded; shape (h, w, 4) to (h/2, w/2, 3).

    Two numbers of a pixel are added at once, each with a byte of room above it: four times faster than sums
    of bytes in wider numbers.
    """
    h, w = fine.shape[0] // FINER * FINER, fine.shape[1] // FINER * FINER
    pixels = np.ascontiguousarray(fine[:h, :w]).view(np.uint32)[..., 0]
    upper, lower = pixels[0::2], pixels[1::2]
    byte, quarter = np.uint32(8), np.uint32(2)
    even = (upper & EVEN) + (lower & EVEN)
    odd = ((upper >> byte) & EVEN) + ((lower >> byte) & EVEN)
    even = ((even[:, 0::2] + even[:, 1::2] + HALVES) >> quarter) & EVEN
    odd = ((odd[:, 0::2] + odd[:, 1::2] + HALVES) >> quarter) & EVEN
    mean = np.ascontiguousarray(even | (odd << byte))
    return mean.view(np.uint8).reshape(h // FINER, w // FINER, 4)[..., :3]


def transparent_picture(view: SceneView) -> Picture:
    """As `smooth_picture`, with opacity, shape (h, w, 4): found from pictures before black and white."""
    shades = []
    for grey in (0.0, 1.0):
        view.set_background(grey)
        shades.append(smooth_picture(view).astype(np.int16))
    view.set_background(None)
    black, white = shades
    opacity = np.clip(255 - (white - black).mean(axis=2, keepdims=True), 0, 255)
    color = np.where(opacity > 0, black * 255.0 / np.maximum(opacity, 1), 0.0)
    return np.concatenate([np.clip(color, 0, 255), opacity], axis=2).round().astype(np.uint8)


def draw(
    scene: Scene,
    *,
    size: tuple[int, int] = (1280, 720),
    style: Style | None = None,
    view: str = "",
    orthographic: bool | None = None,
    trajectory: Trajectory | None = None,
    folder: Path | None = None,
    whole_motion: bool = False,
    transparent: bool = False,
) -> Picture:
    """A picture of the start, or of the end of a trajectory with the paths of its traces.

    `view` is a standard view, "saved" for the one in the scene, empty for the usual one.
    """
    window = SceneView((size[0] * FINER, size[1] * FINER), scale=float(FINER))
    try:
        window.set_style(style or Style())
        window.set_scene(scene, folder)
        window.set_travels(travels(scene))
        if orthographic is not None:
            window.camera.orthographic(orthographic)
        cloud = np.zeros((0, 3))
        if trajectory is not None:
            cloud = _replay(window, scene, trajectory)
        if view not in ("", SAVED):
            window.view(view, fit=False)
        if whole_motion:
            window.framing.fit(points=cloud)
        else:
            window.framing.fit(reach=window.framing.reach())
        if view == SAVED:
            restore_saved(window, scene)
        return transparent_picture(window) if transparent else smooth_picture(window)
    finally:
        window.close()


def restore_saved(window: SceneView, scene: Scene) -> None:
    """Look at it from where the scene says; a scene that says nothing usable is looked at as before."""
    before = window.camera.state()
    try:
        window.camera.restore(scene.view["camera"])
    except (KeyError, TypeError, ValueError):
        window.camera.restore(before)


def save(picture: Picture, file: Path, comment: str = "") -> None:
    """Write it, whole or not at all; the ending chooses the format, which may have room for a comment."""
    ending = file.suffix.lower()
    about: dict[str, Any] = {}
    if comment and ending == ".png":
        about = {"pnginfo": PngInfo()}
        about["pnginfo"].add_itxt("Comment", comment)
    elif comment and ending in (".jpg", ".jpeg"):
        about = {"comment": comment.encode()}
    elif comment and ending in (".tif", ".tiff"):
        about = {"description": comment}
    with whole(file) as temporary:
        # by Pillow, which knows the comments; for TIFF others come first where they are installed
        temporary.write_bytes(imageio.imwrite("<bytes>", picture, extension=ending, plugin="pillow", **about))


def save_picture(scene: Scene, trajectory: Trajectory, file: Path) -> None:
    """The last pose of a run as a file."""
    save(draw(scene, size=(1000, 700), trajectory=trajectory), file)


def poses_of(trajectory: Trajectory, scene: Scene, rows: list[int]) -> list[Poses]:
    """Where the bodies that move are, at these samples."""
    known = set(trajectory.names())
    found: list[dict[str, tuple[np.ndarray, np.ndarray]]] = [{} for _ in rows]
    for body in scene.bodies:
        prefix = f"body.{body.name}"
        if f"{prefix}.angle" in known:
            names = ["pos.x", "pos.y", "angle"]
        elif f"{prefix}.quat.w" in known:
            names = ["pos.x", "pos.y", "pos.z", "quat.w", "quat.x", "quat.y", "quat.z"]
        else:
            continue
        table = np.column_stack([np.asarray(trajectory.channel(f"{prefix}.{n}"))[rows] for n in names])
        for pose, row in zip(found, table, strict=True):
            if len(row) == 3:
                turn = rotation((1.0, 0.0, 0.0, 0.0), float(row[2]))
                pose[body.name] = (np.array([row[0], row[1], 0.0]), turn)
            else:
                w, x, y, z = (float(value) for value in row[3:])
                pose[body.name] = (row[:3], rotation((w, x, y, z)))
    return [*found]


def _track(scene: Scene, trajectory: Trajectory) -> Track:
    """Where traced points were between two instants: a path of many turns is round, too."""
    mechanism = trajectory.mechanism
    every = max(1, len(trajectory.samples) // TRACED)
    samples = trajectory.samples[::every]
    centres, R = body_states(mechanism, samples)
    bodies = {body.name: body for body in resolve_leniently(scene)[0].bodies}

    def track(
        points: Sequence[tuple[str, np.ndarray | str]], begin: float, end: float, most: int
    ) -> tuple[np.ndarray, np.ndarray]:
        here = np.flatnonzero((samples[:, 0] > begin) & (samples[:, 0] < end))
        here = here[:: max(1, len(here) // max(most, 1))]
        found = np.full((len(here), len(points), 3), np.nan)
        for i, (body, point) in enumerate(points):
            if body not in mechanism.bodies:
                continue
            b = mechanism.bodies.index(body)
            p_B = named_point(bodies[body], point) if isinstance(point, str) else point
            found[:, i] = centres[here, b] + R[here, b] @ (p_B - mechanism.com[b])
        return samples[here, 0], found

    return track


def _replay(window: SceneView, scene: Scene, trajectory: Trajectory) -> np.ndarray:
    """Lay the traces, put the bodies where they end; points that the joints pass on the way."""
    times = np.asarray(trajectory.t)
    rows = sorted({int(i) for i in np.linspace(0, len(times) - 1, min(POSES, len(times)))})
    history = TraceHistory(scene)
    track = _track(scene, trajectory) if history else None
    passed = []
    for row, poses in zip(rows, poses_of(trajectory, scene, rows), strict=True):
        history.follow(trajectory, float(times[row]), poses, track)
        window.set_poses(poses, float(times[row]))
        passed.append(window.queries.joint_points())
    for ref, path in history.paths().items():
        window.set_trace(ref, path)
    if window.style.arrows:
        names = channel_names(scene, set(trajectory.names()))
        values = {name: float(trajectory.channel(name)[-1]) for name in names}
        window.set_arrows(ReactionArrows().arrows(window, values))
    return np.concatenate(passed) if passed else np.zeros((0, 3))
