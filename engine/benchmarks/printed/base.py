"""Tables of figures as a source prints them, and how each figure is computed here.

A figure is the measure of a run, or a number that needs none. Scenes are asked for by their names, so that
the engine need not know where the shipped ones lie.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.compiled.layout import StepStatus
from engine.errors import CompileError, SceneError
from engine.model.scene import Scene
from engine.progress import Cancel, Cancelled
from engine.results.trajectory import Trajectory
from engine.simulation.simulation import simulate

LoadScene = Callable[[str], Scene]
Compute = Callable[[LoadScene, Cancel | None], float]


class NotComputed(Exception):
    """A run that was refused or did not come to its end; the text says why."""


@dataclass(frozen=True)
class Figure:
    """One printed number."""

    label: str  # what was varied: method, step, options
    printed: float
    compute: Compute
    reason: str = ""  # why ours differs, where it does


@dataclass(frozen=True)
class PrintedTable:
    """Figures of one table or section."""

    name: str  # short, for the command line
    source: str  # key and place, as in docs/references.md
    title: str
    unit: str
    figures: tuple[Figure, ...]


@dataclass(frozen=True)
class Compared:
    """A printed figure with ours; NaN and a message where there is none."""

    table: PrintedTable
    figure: Figure
    ours: float
    message: str = ""

    @property
    def ratio(self) -> float:
        """Ours over the printed one."""
        return self.ours / self.figure.printed if self.figure.printed else math.nan

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON and tables."""
        return {
            "table": self.table.name,
            "source": self.table.source,
            "title": self.table.title,
            "figure": self.figure.label,
            "unit": self.table.unit,
            "printed": self.figure.printed,
            "ours": self.ours,
            "ratio": self.ratio,
            "reason": self.message or self.figure.reason,
        }


def compare_figures(table: PrintedTable, load: LoadScene, cancel: Cancel | None = None) -> Iterator[Compared]:
    """One figure after the other; a run that fails is a row with the reason."""
    for figure in table.figures:
        try:
            yield Compared(table, figure, figure.compute(load, cancel))
        except Cancelled:
            return
        except (CompileError, NotComputed, SceneError) as error:
            yield Compared(table, figure, math.nan, " ".join(str(error).split()))


def of_run(
    scene: str | Callable[[LoadScene], Scene],
    method: str,
    dt: float,
    measure: Callable[[Trajectory], float],
    *,
    options: Mapping[str, float] | None = None,
    duration: float | None = None,
) -> Compute:
    """The measure of a run of a shipped scene, or of one that is made from it; every step is recorded."""

    def compute(load: LoadScene, cancel: Cancel | None) -> float:
        made = load(scene) if isinstance(scene, str) else scene(load)
        run = simulate(
            made, method=method, dt=dt, duration=duration, options=options, sample_every=1, cancel=cancel
        )
        if run.status is StepStatus.CANCELLED:
            raise Cancelled
        if run.status is not StepStatus.FINISHED:
            raise NotComputed(run.message)
        return measure(run)

    return compute


def known(value: Callable[[], float]) -> Compute:
    """A number that needs no run."""
    return lambda _load, _cancel: value()
