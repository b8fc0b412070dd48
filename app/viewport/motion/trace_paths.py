"""The paths of traced points, gathered frame by frame, and from the record where frames are far apart."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from app.document.element_ref import Ref
from app.viewport.canvas.stage import Poses
from app.viewport.canvas.surface import Array
from engine.model.resolve import resolve_leniently
from engine.model.scene import Scene
from engine.system.compiling.frames import named_point

MAX_POINTS = 4000  # points kept per trace
PER_JUMP = 1000  # samples asked for after a jump in time: ten turns stay round
JUMP = 4.0  # times as far as the points before and after it lie apart
FINEST = 2000  # points per duration of the scene that a path gets at least

# points of bodies, two instants, and how many samples between them → times and places
Track = Callable[[Sequence[tuple[str, Array | str]], float, float, int], tuple[Array, Array]]


class TraceHistory:
    """Points of all traces at increasing times."""

    def __init__(self, scene: Scene) -> None:
        self._run: Any = None
        self._count = 0
        self._starts: list[float] = []  # of the later segments of the run
        self._times: Array = np.zeros(2 * MAX_POINTS)
        self._points: dict[str, tuple[str, Array, float]] = {}  # trace → body, point, seconds that stay
        self._tracked: list[tuple[str, Array | str]] = []  # the same points, by name if they have one
        self._read(scene)
        self._clear()

    @property
    def tracked(self) -> list[tuple[str, Array | str]]:
        """The traced points: body, and point in its frame or by name."""
        return list(self._tracked)

    def __bool__(self) -> bool:
        return bool(self._points)

    def change_scene(self, scene: Scene) -> None:
        """After an edit; the paths stay as long as they are those of the same points."""
        before = self._points
        self._read(scene)
        if [(name, body, *point) for name, (body, point, _) in before.items()] != [
            (name, body, *point) for name, (body, point, _) in self._points.items()
        ]:
            self._clear()

    def follow(self, run: Any, t: float, poses: Poses, track: Track | None) -> bool:
        """Take in the pose at t; True if the paths changed."""
        if not self._points:
            return False
        if run is not self._run or (self._count and t < self._times[0]):
            self._run = run
            self._clear()
        self._starts = [float(start) for start in getattr(run, "segment_starts", ())[1:]]
        self._count = int(np.searchsorted(self._times[: self._count], t))  # what lies ahead of t is forgotten
        last = float(self._times[self._count - 1]) if self._count else 0.0
        missing = int(min((t - last) / self._step if self._step > 0.0 else 0.0, PER_JUMP))
        if track is not None and missing > 1:
            times, places = track(self._tracked, last, t, missing)
            between = (times < t) & ((times > last) | (self._count == 0))
            self._add(times[between], places[between])
        self._add(np.array([t]), self._here(poses)[None])
        return True

    def times(self) -> Array:
        """The instants of the points [s]."""
        return self._times[: self._count].copy()

    def paths(self) -> dict[Ref, Array]:
        """World points of every trace, no older than its length."""
        times, table = self._times[: self._count], self._table[: self._count]
        found = {}
        for i, (name, (_, _, length)) in enumerate(self._points.items()):
            first = int(np.searchsorted(times, times[-1] - length)) if length > 0.0 and self._count else 0
            path = table[first:, i]
            found[Ref("traces", name)] = path[np.isfinite(path).all(axis=1)]
        return found

    def lines(self) -> dict[Ref, Array]:
        """The same to be drawn: a row of NaN where a point jumped from one segment of the run to the next."""
        times, found = self._times[: self._count], {}
        for ref, path in self.paths().items():
            begins = [int(np.searchsorted(times, start)) - (len(times) - len(path)) for start in self._starts]
            cuts = [i for i in begins if 0 < i < len(path) and _jumps(path, i)]
            found[ref] = np.insert(path, cuts, np.nan, axis=0) if cuts else path
        return found

    def _read(self, scene: Scene) -> None:
        resolved, _ = resolve_leniently(scene)
        known = {body.name: body for body in resolved.bodies}
        self._points, self._tracked = {}, []
        for trace in resolved.traces:
            if trace.body in known:
                try:
                    point = named_point(known[trace.body], trace.point)
                except ValueError:
                    continue
                self._points[trace.name] = (trace.body, point, float(trace.length))
                self._tracked.append((trace.body, trace.point if isinstance(trace.point, str) else point))
        self._finest = float(resolved.simulation.duration) / FINEST

    def _clear(self) -> None:
        self._step = self._finest
        self._count = 0
        self._table = np.zeros((2 * MAX_POINTS, len(self._points), 3))

    def _here(self, poses: Poses) -> Array:
        row = np.full((len(self._points), 3), np.nan)
        for i, (body, point, _) in enumerate(self._points.values()):
            if body in poses:
                origin, R = poses[body]
                row[i] = origin + R @ point
        return row

    def _add(self, times: Array, places: Array) -> None:
        good = np.any(np.isfinite(places).all(axis=2), axis=1)  # a body may not have been there all the time
        begin, end = self._count, self._count + int(good.sum())
        self._times[begin:end], self._table[begin:end] = times[good], places[good]
        self._count = end
        if end > MAX_POINTS:  # twice as coarse from here on
            self._count = (end + 1) // 2
            self._times[: self._count] = self._times[:end:2].copy()
            self._table[: self._count] = self._table[:end:2].copy()
            self._step *= 2.0


def _jumps(path: Array, i: int) -> bool:
    """Whether point i lies much farther from the one before than its neighbours do from each other."""
    step = float(np.linalg.norm(path[i] - path[i - 1]))
    around = [path[k] - path[k - 1] for k in (i - 1, i + 1) if 0 < k < len(path)]
    return step > JUMP * max((float(np.linalg.norm(way)) for way in around), default=0.0)
