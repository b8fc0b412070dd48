"""The runs of a session: the one that is watched, and earlier ones that stay until they are dismissed."""

from __future__ import annotations

import itertools

from PySide6.QtCore import QObject, Signal

from app.session.run import Run
from engine.model.scene import Scene
from engine.results.recorder import Budget
from engine.simulation.live.live_simulation import Record

# of runs, in plots, legends, ghosts, lists and files; other than those of channels, seen on light and dark
COLORS = ("#7B68C8", "#2A8C93", "#C2477F", "#8A8D1B", "#5B7FA6", "#B8860B", "#5F8F4E", "#A0522D")
KEPT_RUNS = 20  # earlier runs that stay unless pinned


class RunList(QObject):
    """Runs by age; `current` is the one that the views show."""

    runs_changed = Signal()
    dropped = Signal(object)  # Run: the oldest one, of too many

    def __init__(self, parent: QObject | None, memory: int) -> None:
        super().__init__(parent)
        self.runs: list[Run] = []
        self.current: Run | None = None
        self.budget = Budget(memory)
        self._runs_made = 0

    def remove_run(self, run: Run) -> None:
        """Dismiss an earlier run."""
        if run in self.runs and run is not self.current:
            self.runs.remove(run)
            self.runs_changed.emit()

    def add_run(self, run: Run) -> None:
        """Show a run from elsewhere: a reference, a replay, the result of an analysis."""
        self.runs.append(run)
        self.runs_changed.emit()

    def new_run_id(self) -> int:
        self._runs_made += 1
        return self._runs_made

    def new_run(self, scene: Scene) -> Run:
        """A run without anything recorded yet, not in the list."""
        number = self.new_run_id()
        record = Record(self.budget)
        return Run(number, scene, record=record, name=self._free_name(), color=self.free_color())

    def free_color(self) -> str:
        """A colour that no run has yet; the one that the fewest have, when all are taken."""
        used = [run.color for run in self.runs if run.moved]
        return min(COLORS, key=used.count)

    def _free_name(self) -> str:
        """Runs of a document count from 1; one that never moved leaves its name to the next."""
        kept = [run.name for run in self.runs if run.moved]
        names = (f"Run {number}" for number in itertools.count(len(kept) + 1))
        return next(name for name in names if name not in kept)

    def rename_run(self, run: Run, name: str) -> None:
        run.name = name.strip() or run.name
        self.runs_changed.emit()

    def pin_run(self, run: Run, pinned: bool = True) -> None:
        run.pinned = pinned
        self.runs_changed.emit()

    def ghost_run(self, run: Run, ghost: bool = True) -> None:
        """Show a run in the viewport as a ghost, or no longer."""
        if ghost != run.ghost:
            run.ghost = ghost
            self.runs_changed.emit()

    def ghosts(self) -> list[Run]:
        """Other runs that are shown in the viewport."""
        return [
            run
            for run in self.runs
            if run.ghost and run.visible and run is not self.current and not run.empty
        ]

    def _retire_current(self) -> None:
        """The present run is over; it stays among the runs when it has anything to show."""
        run = self.current
        if run is None:
            return
        if run.kind == "live":
            run.kind = "finished"
        if not run.moved and run in self.runs:
            self.runs.remove(run)
        old = [r for r in self.runs if r.kind == "finished" and not r.pinned]
        for surplus in old[:-KEPT_RUNS]:
            self.runs.remove(surplus)
            self.dropped.emit(surplus)
