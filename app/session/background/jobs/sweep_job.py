"""A study that is run in the background: rows come while it goes on, and one run of it can be had whole."""

from __future__ import annotations

import time
from pathlib import Path

from app.session.background.jobs.job import Job
from engine.errors import SceneError
from engine.model.meshes import refuse_broken_meshes
from engine.results.trajectory import Trajectory
from engine.simulation.simulation import simulate
from engine.studies.outcomes.row import Row
from engine.studies.outcomes.store import Store, StoreError
from engine.studies.outcomes.table import Table
from engine.studies.running.batch import OtherVersion
from engine.studies.running.run_key import run_keys
from engine.studies.running.single_run import varied
from engine.studies.study import Study

LOOK = 0.7  # s between two looks at the rows that have come
REPLACED = "the program was replaced while it was open; save the scene, close the window and start it again"


class SweepJob(Job):
    """Begins at once. `table` holds what is known so far, in the order of the design."""

    noun = "study"

    def __init__(
        self,
        study: Study,
        store: Path,
        *,
        retry: bool = False,
        known_only: bool = False,
        workers: int | None = None,
        folder: Path | None = None,
    ) -> None:
        """`known_only`: look up what is known, and run nothing; `folder`: of the scene's mesh files."""
        super().__init__()
        self.study = study
        self.progress: tuple[float, str] = (0.0, "")
        self.table: Table | None = None
        self._store, self._retry, self._workers = store, retry, workers
        self._known_only, self._folder = known_only, folder
        self._keys: list[str] = []
        self._known: dict[str, Row] = {}
        self._looked = 0.0
        self._start("study")

    def _work(self) -> None:
        study = self.study
        self._keys = run_keys(study, study.points())
        self._look()
        if self._known_only:
            return
        refuse_broken_meshes(study.scene, self._folder)
        self.table = study.run(
            self._store,
            workers=self._workers,
            retry=self._retry,
            progress=self._tell,
            cancel=self._cancelled.is_set,
        )

    def _tell(self, share: float, words: str) -> None:
        self.progress = (share, words)
        if share >= 1.0 or time.monotonic() - self._looked > LOOK:  # processes take a while to end
            self._look()

    def _look(self) -> None:
        """Take the rows over that are new in the store."""
        missing = [key for key in self._keys if key not in self._known]
        with Store(self._store) as rows:
            self._known.update(rows.known(missing))
        found = [self._known[key] for key in self._keys if key in self._known]
        names = [objective.name for objective in self.study.objectives]
        self.table = Table(self.study.title, self.study.columns, names, found, len(self._keys))
        self._looked = time.monotonic()

    def _explain(self, error: Exception) -> str | None:
        if isinstance(error, SceneError):
            return "\n".join(f"{p.path}: {p.message}; {p.remedy}" for p in error.problems)
        if isinstance(error, OtherVersion):  # processes begun now have another program than this one
            return REPLACED
        return str(error) if isinstance(error, StoreError | OSError) else None


class RowJob(Job):
    """One run of a study with all its samples."""

    noun = "run of the study"

    def __init__(self, study: Study, row: Row) -> None:
        super().__init__()
        self.study, self.row = study, row
        self.trajectory: Trajectory | None = None
        self._start("study-run")

    def _work(self) -> None:
        scene, method = varied(self.study, self.row.values)
        self.trajectory = simulate(scene, method=method, cancel=self._cancelled.is_set)

    def _explain(self, error: Exception) -> str | None:
        if isinstance(error, SceneError):
            return "\n".join(f"{p.path}: {p.message}; {p.remedy}" for p in error.problems)
        return str(error) if isinstance(error, ArithmeticError | ValueError) else None
