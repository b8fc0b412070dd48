"""What an analysis is: a question about a scene, with options, asked at its start or at another instant."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from msgspec import Struct

from engine.analyses.answers.result import Result
from engine.compiled.layout import Array
from engine.errors import Problem, SceneError
from engine.model.scene import Scene
from engine.progress import Cancel, Cancelled, Progress
from engine.registry import shown_by_name
from engine.results.trajectory import Trajectory
from engine.system.assembly.assemble import Start, assemble
from engine.system.compiling.mechanism import Mechanism
from engine.system.equations.evaluator import Evaluator
from engine.system.prepared import prepare


class Simulate(Protocol):
    """Runs a scene to its end, as `simulate` of the engine does."""

    def __call__(self, scene: Scene, /, *, cancel: Cancel) -> Trajectory: ...


class NoOptions(Struct, frozen=True, kw_only=True):
    """For analyses that have none."""


@dataclass(frozen=True)
class Instant:
    """A state of the mechanism that is not its start: what was at the playhead."""

    t: float
    q: Array
    v: Array


@dataclass(frozen=True)
class Question:
    """What an analysis is given. Whatever raises SceneError here is told to the user as it is."""

    scene: Scene
    options: Struct
    instant: Instant | None = None  # None: the start
    progress: Progress = lambda share, words: None
    cancel: Cancel = lambda: False
    simulate: Simulate | None = None  # how runs are made, for analyses that need some

    @property
    def t(self) -> float:
        return 0.0 if self.instant is None else self.instant.t

    @cached_property
    def mechanism(self) -> Mechanism:
        return prepare(self.scene).mechanism

    @cached_property
    def evaluator(self) -> Evaluator:
        return Evaluator(self.mechanism)

    @cached_property
    def start(self) -> Start:
        """The assembled pose that is asked about, with consistent velocities."""
        if self.instant is None:
            return assemble(self.mechanism, evaluator=self.evaluator)
        at = self.instant
        return assemble(self.mechanism, t=at.t, q=at.q, v=at.v, evaluator=self.evaluator)

    def simulated(self, scene: Scene) -> Trajectory:
        """A run of a scene to its end; raises SceneError and Cancelled."""
        if self.simulate is None:
            raise SceneError(
                [Problem("", None, "no runs can be made here", "ask the question of a program that can")]
            )
        run = self.simulate(scene, cancel=self.cancel)
        if self.cancel():
            raise Cancelled
        return run

    def stage(self, share: float, words: str) -> None:
        """Tell what comes next, or stop by raising Cancelled."""
        if self.cancel():
            raise Cancelled
        self.progress(share, words)


@dataclass(frozen=True)
class Analysis:
    """A kind of analysis. `options` is a struct whose fields carry their metadata.

    `run` raises SceneError for a scene that cannot be used, and Cancelled.
    """

    name: str
    title: str
    summary: str  # what it answers, in a sentence
    options: type[Struct]
    run: Callable[[Question], Result]
    anywhere: bool = False  # can be asked at another instant than the start

    __repr__ = shown_by_name
