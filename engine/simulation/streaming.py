"""Runs that are written while they run: memory stays flat, and a kill costs at most the last second."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from engine.compiled.columns import counters as COUNT
from engine.compiled.layout import Array
from engine.errors import Problem, SceneError
from engine.model.scene import Scene
from engine.progress import Cancel, Progress
from engine.results.assessment.assess import Assessment
from engine.results.assessment.trust import judge_watched
from engine.results.files.extract import ExtractedSegment
from engine.results.files.stream_file import StreamFile
from engine.simulation.simulation import OpenSegment, Simulation

SPARE = 64  # rows beyond the grid: stops, the end


class StreamedSimulation(Simulation):
    """A simulation that keeps no samples: rows go to the file, with the chosen channels."""

    def __init__(
        self, scene: Scene, path: Path, channels: Sequence[str] | None = None, **settings: Any
    ) -> None:
        self.path = path
        self._wanted = channels
        self._file: StreamFile | None = None
        super().__init__(scene, **settings)

    def new_segment(self, edits: float) -> OpenSegment:
        opened = super().new_segment(edits)
        if self._file is not None:
            raise SceneError([Problem("", None, "a streamed run cannot be edited", "run without a stream")])
        names = opened.channels.names() if self._wanted is None else tuple(self._wanted)
        rows = math.ceil(self.duration / (self.dt * self.sample_every)) + SPARE
        segment = ExtractedSegment(
            self.scene,
            opened.channels,
            np.zeros((0, self.driver.width)),
            self.method.name,
            self.dt,
            self.options,
        )
        self._assessment = Assessment(self.mechanism)
        self._file = StreamFile(self.path, self.scene, names, self._assessment.look)
        self._file.begin(segment, rows)
        return opened

    def store(self, rows: Array) -> None:
        assert self._file is not None
        self._file.append(rows)

    def facts(self) -> dict[str, Any]:
        """How it went, in plain numbers; the judgement is that of what is written."""
        assert self._file is not None
        found = self._assessment
        simulated, words = float(self.sample[0]), self.account
        return {
            "method": self.method.name,
            "dt": self.dt,
            "duration": simulated,
            "steps": int(self.driver.work.counters[COUNT.STEPS]),
            "iterations": int(self.driver.work.counters[COUNT.ALL_ITERATIONS]),
            "samples": self._file.count,
            "happened": [event.as_row() for event in self.events],
            "status": self.status.name.lower(),
            "wall_time": self.wall_time,
            "real_time_factor": simulated / self.wall_time if self.wall_time > 0.0 else 0.0,
            "energy_error_max": found.error,
            "trust": judge_watched(found).to_dict(),
            "message": "; ".join(filter(None, (words.removesuffix("."), *found.accuracy_warnings()))),
        }

    def close(self) -> None:
        """Write what is left, and the file anew without empty room."""
        if self._file is not None:
            self._file.finish(self.facts)


def stream(
    scene: Scene,
    path: str | os.PathLike[str],
    *,
    channels: Sequence[str] | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    **settings: Any,
) -> dict[str, Any]:
    """Run a scene to its end into an HDF5 file, which `load_trajectory` reads; facts about the run.

    `settings` are those of `simulate`. What was written stays, whatever happens.
    """
    run = StreamedSimulation(scene, Path(path), channels, **settings)
    try:
        while not run.done:
            if cancel is not None and cancel():
                run.cancel()
                break
            run.advance()
            if progress is not None:
                run.tell(progress)
    finally:
        run.close()
    return run.facts()
