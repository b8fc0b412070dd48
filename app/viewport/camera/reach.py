"""Where a mechanism can go, so that a fitted picture still holds it when it moves.

Every attached point gets a box. Boxes of two points of one body differ by the distance of the points at
most, a joint that keeps two points together gives both the smaller box, and a guide on the world leaves a
line. Repeated until nothing shrinks, that bounds every motion the joints allow, without running any. Forces
and speeds are not asked, so the true motion may use less of it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from app.viewport.canvas.stage import Stage
from app.viewport.canvas.surface import Array
from engine.elements.coordinates.frames import Frame
from engine.elements.joints import JOINTS
from engine.elements.joints.base import PARALLEL_AXES, PLANAR_POINT_ON_POINT, POINT_ON_POINT, AnchoredSpec

ROUNDS = 50  # a chain needs as many as it has links
FREE = 4.0  # of the extent: what can go farther counts as free, and is fitted where it is
MAX_BODIES = 40  # bodies: beyond it the bound takes longer than it is worth, and long chains reach anywhere
ALIGNED = 1.0 - 1e-9  # cosine from which on two axes are parallel
BOX_TOLERANCE = 1e-9  # of the extent: boxes that shrink by less are done

Link = tuple[str, Frame, Frame]  # hinge, ball or guide, and its two frames


@dataclass
class _Limb:
    """A moving body: attached points as they are now [m, world], and their boxes (low, high)."""

    points: list[Array] = field(default_factory=list)
    boxes: list[Array] = field(default_factory=list)
    # points that stay on a line of this direction
    lines: list[tuple[int, Array]] = field(default_factory=list)
    normal: Array | None = None  # it moves in planes across this direction
    turns: bool = True

    def add(self, p: Array) -> int:
        self.points.append(p)
        self.boxes.append(np.array([[-np.inf] * 3, [np.inf] * 3]))
        return len(self.points) - 1

    def box(self, cloud: Array) -> Array:
        """Where points of the body, shape (n, 3), can be, as far as all attached points tell."""
        found = np.array([self._seen_from(i, cloud) for i in range(len(self.points))])  # (attached, 2, n, 3)
        return np.array([found[:, 0].max(axis=0).min(axis=0), found[:, 1].min(axis=0).max(axis=0)])

    def _seen_from(self, i: int, cloud: Array) -> Array:
        away = cloud - self.points[i]
        low, high = self.boxes[i]
        if not self.turns:
            return np.array([low + away, high + away])
        along, share = np.zeros_like(away), np.ones(3)
        if self.normal is not None:  # a circle about the normal, or an arc of one
            along = np.outer(away @ self.normal, self.normal)
            share = np.sqrt(np.maximum(0.0, 1.0 - self.normal**2))
        radius = np.linalg.norm(away - along, axis=1)[:, None] * share
        return np.array([low + along - radius, high + along + radius])

    def shrink(self, i: int, box: Array, least: float) -> bool:
        """Cut a point's box; whether that made a difference."""
        low, high = np.maximum(self.boxes[i][0], box[0]), np.minimum(self.boxes[i][1], box[1])
        changed = np.any(low > self.boxes[i][0] + least) or np.any(high < self.boxes[i][1] - least)
        self.boxes[i] = np.array([low, np.maximum(low, high)])
        return bool(changed)

    def on_line(self, i: int, u: Array) -> Array:
        """The part of a line, through a point along u, that lies in the point's box."""
        p, moving = self.points[i], np.abs(u) > 1e-9
        ends = np.sort((self.boxes[i][:, moving] - p[moving]) / u[moving], axis=0)
        begin, end = ends[0].max(), ends[1].min()
        with np.errstate(invalid="ignore"):
            found = np.sort(np.array([p + begin * u, p + end * u]), axis=0)
        return np.where(moving, found, p)


def reach_points(stage: Stage, clouds: Mapping[str, Array]) -> Array:
    """Corners of the boxes in which these points of moving bodies [m, world] can go, shape (n, 3).

    Those of very large mechanisms stay where they are.
    """
    if len(clouds) > MAX_BODIES:
        return np.concatenate([np.zeros((0, 3)), *clouds.values()])
    limbs = _limbs(stage)
    found = [np.zeros((0, 3))]
    for body, cloud in clouds.items():
        limb = limbs.get(body)
        if limb is None or not limb.points or not len(cloud):
            continue
        now = np.array([cloud.min(axis=0), cloud.max(axis=0)])
        box = limb.box(cloud)
        bounded = np.ptp(box, axis=0) < FREE * stage.extent
        found.append(box_corners(np.where(bounded, box, now)))
    return np.concatenate(found)


def known_box(view: Mapping[str, Any]) -> Array | None:
    """Where the motion goes, as a scene's `view` tells it (low, high) [m]; None where it does not."""
    try:
        box = np.array(view["box"], float).reshape(2, 3)
    except (KeyError, TypeError, ValueError):
        return None
    return box if np.isfinite(box).all() and (box[0] <= box[1]).all() else None


def box_corners(box: Array) -> Array:
    """The eight corners of a box (low, high), shape (8, 3)."""
    x, y, z = box.T
    return np.array([[a, b, c] for a in x for b in y for c in z])


def _limbs(stage: Stage) -> dict[str, _Limb]:
    """The moving bodies with their boxes."""
    limbs = {body.name: _Limb() for body in stage.scene.bodies if not body.fixed}
    # a body whose place cannot be computed is nowhere
    links = [link for link in _links(stage) if all(frame.name in stage.poses for frame in link[1:])]
    _find_planes(stage, limbs, links)
    ties = []
    for kind, *frames in links:
        ends = [(m, limbs[m.name].add(stage.world_point(m))) for m in frames if m.name in limbs]
        if len(ends) == 2 and kind != "guide":
            ties.append([(limbs[m.name], i) for m, i in ends])
        elif len(ends) == 1:
            (frame, i), other = ends[0], next(m for m in frames if m.name not in limbs)
            _hang(stage, limbs[frame.name], i, kind, other)
    least = BOX_TOLERANCE * stage.extent
    for _ in range(ROUNDS):
        shrunk = [
            limb.shrink(i, limb.box(p[None]), least)
            for limb in limbs.values()
            for i, p in enumerate(limb.points)
        ]
        for limb in limbs.values():
            shrunk += [limb.shrink(i, limb.on_line(i, u), least) for i, u in limb.lines]
        for (one, i), (two, j) in ties:
            shrunk += [one.shrink(i, two.boxes[j], least), two.shrink(j, one.boxes[i], least)]
        if not any(shrunk):
            break
    return limbs


def _links(stage: Stage) -> Iterator[Link]:
    """The joints that bound something."""
    together = PLANAR_POINT_ON_POINT if stage.planar else POINT_ON_POINT
    for joint in stage.scene.joints:
        if not isinstance(joint, AnchoredSpec):
            continue
        kind = JOINTS[str(joint.__struct_config__.tag)]
        try:
            a, b = stage.pair(joint)
            rows = kind.rows_in(stage.scene.space, joint)
        except (KeyError, ValueError):
            continue
        if set(together) <= set(rows):
            yield ("hinge" if stage.planar or set(PARALLEL_AXES) <= set(rows) else "ball"), a, b
        elif kind.symbol == "slider":
            yield "guide", a, b


def _find_planes(stage: Stage, limbs: dict[str, _Limb], links: list[Link]) -> None:
    """Bodies that move in parallel planes: hinged to the world, or to such a body, about one direction."""
    if stage.planar:
        for limb in limbs.values():
            limb.normal = np.array([0.0, 0.0, 1.0])
        return
    for _ in limbs:
        for kind, a, b in links:
            if kind != "hinge":
                continue
            axis = stage.world_axes(a)[:, 2]
            for one, other in ((a.name, b.name), (b.name, a.name)):
                if one not in limbs or limbs[one].normal is not None:
                    continue
                normal = limbs[other].normal if other in limbs else axis
                if normal is not None and abs(normal @ axis) > ALIGNED:
                    limbs[one].normal = axis


def _hang(stage: Stage, limb: _Limb, i: int, kind: str, place: Frame) -> None:
    """Attach a point to the world."""
    if kind == "guide":
        limb.turns = False
        limb.lines.append((i, stage.world_axes(place)[:, 0 if stage.planar else 2]))
    else:
        p = stage.world_point(place)
        limb.boxes[i] = np.array([p, p])
