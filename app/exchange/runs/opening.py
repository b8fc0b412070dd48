"""Saved runs in the window: with states as replays, without as curves to compare with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from app.session.recorded.run import Run
from engine.compiled.layout import Array
from engine.model.poses import Poses
from engine.model.scene import Scene
from engine.results.files.formats import endings
from engine.results.files.formats.base import Curves
from engine.results.recorder import Budget
from engine.results.saved_runs import load_curves, load_trajectory
from engine.results.trajectory import Trajectory
from engine.simulation.live.live_simulation import Record, RecordedSegment, recorder_for


class ReferenceRun(Run):
    """Curves without a mechanism: they are plotted beside those of runs, and cannot be watched."""

    def __init__(self, run_id: int, curves: Curves, *, name: str, color: str = "") -> None:
        super().__init__(run_id, Scene(), kind="reference", name=name, color=color)
        self.curves = curves

    @property
    def method(self) -> str:
        return ""

    @property
    def methods(self) -> str:
        return ""

    @property
    def t_first(self) -> float:
        return float(self.curves.t[0])

    @property
    def t_last(self) -> float:
        return float(self.curves.t[-1])

    @property
    def count(self) -> int:
        return len(self.curves.t)

    @property
    def moved(self) -> bool:
        return True

    def differs(self, scene: Scene) -> str:
        return f"curves from a file: {len(self.curves.values)} channels"

    def names(self) -> tuple[str, ...]:
        return tuple(self.curves.values)

    def unit(self, name: str) -> str:
        return self.curves.units[name]

    def table(
        self, names: Sequence[str], begin: float | None = None, end: float | None = None
    ) -> tuple[Array, Array]:
        t = self.curves.t
        low = 0 if begin is None else int(np.searchsorted(t, begin, "left"))
        high = len(t) if end is None else int(np.searchsorted(t, end, "right"))
        columns = [np.asarray(self.curves.values[name], dtype=float)[low:high] for name in names]
        return t[low:high], np.column_stack(columns) if columns else np.zeros((high - low, 0))

    def times(self) -> Array:
        return np.unique(self.curves.t)

    def poses_at(self, t: float) -> Poses:
        return {}


def open_run(path: Path, run_id: int, *, budget: Budget | None = None, color: str = "") -> Run:
    """A saved run; raises ReadError or OSError."""
    if path.suffix.lower() in endings(states=True):
        return replay_of(
            load_trajectory(path), run_id, name=f"{path.name} (replay)", budget=budget, color=color
        )
    return ReferenceRun(run_id, load_curves(path), name=f"{path.name} (reference)", color=color)


def replay_of(
    trajectory: Trajectory, run_id: int, *, name: str, budget: Budget | None = None, color: str = ""
) -> Run:
    """A trajectory as a run that can be watched and scrubbed."""
    record = Record(budget or Budget())
    for segment in trajectory.segments:
        last = segment is trajectory.segments[-1]
        scene = trajectory.scene if last else segment.mechanism.scene
        recorder = recorder_for(segment.mechanism, record.budget)
        recorder.append(segment.samples)
        part: Any = RecordedSegment(
            scene,
            segment.mechanism,
            recorder,
            segment.method or trajectory.method.name,
            segment.dt or trajectory.dt,
            segment.edits,
            segment.channels.pulls,
        )
        record.segments.append(part)
    run = Run(run_id, trajectory.scene, record=record, kind="replay", name=name, color=color)
    run.repeats, run.status, run.position_error = False, trajectory.status, trajectory.position_error
    run.happened = list(trajectory.events)
    run.events = [(event.t, event.text) for event in trajectory.events]
    return run
