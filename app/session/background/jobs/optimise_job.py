"""An optimisation on a thread of its own, its runs in processes. No widgets."""

from __future__ import annotations

import time
from pathlib import Path

from app.session.background.jobs.job import Job
from engine.errors import SceneError
from engine.missing_extra import MissingExtra
from engine.model.meshes import refuse_broken_meshes
from engine.model.scene import Scene
from engine.model.set_value import set_value
from engine.results.trajectory import Trajectory
from engine.simulation.simulation import simulate
from engine.studies.optimisation.optimise import Optimum, optimise
from engine.studies.optimisation.trials import Standing, Trial
from engine.studies.study import Study

GHOST_EVERY = 1.0  # s between two runs of the best so far, for the picture


class OptimiseJob(Job):
    """Begins at once. `standing`: how far it is, `shown`: a run of the best so far; `result` at the end."""

    noun = "optimisation"

    def __init__(
        self,
        study: Study,
        search: str,
        budget: int,
        workers: int | None = None,
        folder: Path | None = None,
    ) -> None:
        """`folder`: of the scene's mesh files."""
        self.study, self._search, self._budget, self._workers = study, search, budget, workers
        self._folder = folder
        self.standing: Standing | None = None
        self.shown: Trajectory | None = None
        self.result: Optimum | None = None
        self._drawn: Trial | None = None
        self._last = 0.0
        super().__init__()
        self._start("optimisation")

    def _work(self) -> None:
        refuse_broken_meshes(self.study.scene, self._folder)
        self.result = optimise(
            self.study,
            self._search,
            budget=self._budget,
            workers=self._workers,
            watch=self._watch,
            cancel=self._cancelled.is_set,
        )
        self._draw(self.result.best)

    def _watch(self, standing: Standing) -> None:
        self.standing = standing
        if time.monotonic() - self._last > GHOST_EVERY:
            self._draw(standing.best)

    def _draw(self, best: Trial | None) -> None:
        """Run the best so far, to be watched as a ghost."""
        if best is None or best is self._drawn:
            return
        scene: Scene = self.study.scene
        for path, value in zip(self.study.columns, best.values, strict=True):
            scene = set_value(scene, path, value)
        self.shown = simulate(scene, cancel=self._cancelled.is_set)
        self._drawn, self._last = best, time.monotonic()

    def _explain(self, error: Exception) -> str | None:
        return str(error) if isinstance(error, SceneError | MissingExtra) else None
