"""The runs of a session: the one that is watched, and earlier ones that stay until they are dismissed."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from PySide6.QtCore import QObject, Signal

from app.session.recorded.run import Run
from engine.model.scene import Scene
from engine.results.recorder import Budget
from engine.simulation.live.live_simulation import Record

# of runs, in plots, legends, ghosts, lists and files; other than those of channels, seen on light and dark
COLORS = ("#7B68C8", "#2A8C93", "#C2477F", "#8A8D1B", "#5B7FA6", "#B8860B", "#5F8F4E", "#A0522D")
KEPT_RUNS = 20  # earlier runs that stay unless pinned


class RunList(QObject):
    """Runs by age; `current` is the one that the views show."""

    changed = Signal()
    dropped = Signal(object)  # Run: the oldest one, of too many

    def __init__(self, parent: QObject | None, memory: int) -> None:
        super().__init__(parent)
        self.budget = Budget(memory)
        self._runs: list[Run] = []
        self._current: Run | None = None
        self._made = 0

    def __iter__(self) -> Iterator[Run]:
        return iter(self._runs)

    def __len__(self) -> int:
        return len(self._runs)

    def __getitem__(self, at: int) -> Run:
        return self._runs[at]

    @property
    def current(self) -> Run | None:
        return self._current

    # what is done with runs

    def remove(self, run: Run) -> None:
        """Dismiss an earlier run."""
        if run in self._runs and run is not self._current:
            self._runs.remove(run)
            self.changed.emit()

    def add(self, run: Run) -> None:
        """Show a run from elsewhere: a reference, a replay, the result of an analysis."""
        self._runs.append(run)
        self.changed.emit()

    def rename(self, run: Run, name: str) -> None:
        run.name = name.strip() or run.name
        self.changed.emit()

    def pin(self, run: Run, pinned: bool = True) -> None:
        run.pinned = pinned
        self.changed.emit()

    def set_ghost(self, run: Run, ghost: bool = True) -> None:
        """Show a run in the viewport as a ghost, or no longer."""
        if ghost != run.ghost:
            run.ghost = ghost
            self.changed.emit()

    def ghosts(self) -> list[Run]:
        """Other runs that are shown in the viewport."""
        return [
            run
            for run in self._runs
            if run.ghost and run.visible and run is not self._current and not run.empty
        ]

    # new runs

    def new_id(self) -> int:
        self._made += 1
        return self._made

    def new_run(self, scene: Scene) -> Run:
        """A run without anything recorded yet, not in the list."""
        number = self.new_id()
        record = Record(self.budget)
        return Run(number, scene, record=record, name=self._free_name(), color=self.free_color())

    def free_color(self) -> str:
        """A colour that no run has yet; the one that the fewest have, when all are taken."""
        used = [run.color for run in self._runs if run.moved]
        return min(COLORS, key=used.count)

    def _free_name(self) -> str:
        """Runs of a document count from 1; one that never moved leaves its name to the next."""
        kept = [run.name for run in self._runs if run.moved]
        names = (f"Run {number}" for number in itertools.count(len(kept) + 1))
        return next(name for name in names if name not in kept)

    # which one is watched; whoever changes it emits `changed` when all that belongs to it is in place

    def take(self, run: Run | None, *, listed: bool = True) -> None:
        """Watch another run, or none; the one before is over."""
        self._retire()
        if run is not None and listed and run not in self._runs:
            self._runs.append(run)
        self._current = run

    def clear(self) -> None:
        """Another document: runs belong to the old one."""
        self._runs.clear()
        self._current = None

    def _retire(self) -> None:
        """The present run is over; it stays among the runs when it has anything to show."""
        run = self._current
        if run is None:
            return
        if run.kind == "live":
            run.kind = "finished"
        if not run.moved and run in self._runs:
            self._runs.remove(run)
        old = [r for r in self._runs if r.kind == "finished" and not r.pinned]
        for surplus in old[:-KEPT_RUNS]:
            self._runs.remove(surplus)
            self.dropped.emit(surplus)
