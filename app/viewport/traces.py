"""The paths of traced points, gathered frame by frame, and from the run where frames are far apart."""

from collections.abc import Callable
from typing import Any

import numpy as np

from app.refs import Ref
from app.viewport.stage import Poses
from app.viewport.surface import Array
from engine.model.resolve import resolve_leniently
from engine.model.scene import Scene
from engine.system.frames import named_point

MOST = 4000  # points kept per trace
PER_JUMP = 300  # poses asked for after a jump in time
FINEST = 2000  # points per duration of the scene that a path gets at least


class TraceHistory:
    """Points of all traces at increasing times."""

    def __init__(self, scene: Scene) -> None:
        resolved, _ = resolve_leniently(scene)
        known = {body.name: body for body in resolved.bodies}
        self._points: dict[str, tuple[str, Array, float]] = {}
        for trace in resolved.traces:
            if trace.body in known:
                try:
                    point = named_point(known[trace.body], trace.point)
                except ValueError:
                    continue
                self._points[trace.name] = (trace.body, point, float(trace.length))
        self._step = float(resolved.simulation.duration) / FINEST
        self._times: list[float] = []
        self._rows: list[Array] = []
        self._run: Any = None

    def __bool__(self) -> bool:
        return bool(self._points)

    def follow(self, run: Any, t: float, poses: Poses, poses_at: Callable[[float], Poses] | None) -> bool:
        """Take in the pose at t; True if the paths changed."""
        if not self._points:
            return False
        if run is not self._run or (self._times and t < self._times[0]):
            self._run, self._times, self._rows = run, [], []
        while self._times and self._times[-1] >= t:
            self._times.pop()
            self._rows.pop()
        last = self._times[-1] if self._times else 0.0
        missing = int(min((t - last) / self._step if self._step > 0.0 else 0.0, PER_JUMP))
        if poses_at is not None and missing > 1:
            for between in np.linspace(last, t, missing + 1)[:-1]:
                if not self._times or between > self._times[-1]:
                    self._add(float(between), poses_at(float(between)))
        self._add(t, poses)
        if len(self._times) > MOST:
            self._times, self._rows = self._times[::2], self._rows[::2]
            self._step *= 2.0
        return True

    def paths(self) -> dict[Ref, Array]:
        """World points of every trace, no older than its length."""
        if not self._rows:
            return {Ref("traces", name): np.zeros((0, 3)) for name in self._points}
        table = np.array(self._rows)
        times = np.array(self._times)
        found = {}
        for i, (name, (_, _, length)) in enumerate(self._points.items()):
            young = times >= times[-1] - length if length > 0.0 else np.ones(len(times), bool)
            found[Ref("traces", name)] = table[young, i]
        return found

    def _add(self, t: float, poses: Poses) -> None:
        row = np.full((len(self._points), 3), np.nan)
        for i, (body, point, _) in enumerate(self._points.values()):
            if body in poses:
                origin, R = poses[body]
                row[i] = origin + R @ point
        if np.isfinite(row).all():
            self._times.append(t)
            self._rows.append(row)
