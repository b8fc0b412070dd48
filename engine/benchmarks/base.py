"""A benchmark problem: a shipped scene, its official measure, the limit, and results of others."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.compiled.columns import counters as COUNT
from engine.compiled.layout import StepStatus
from engine.errors import CompileError, SceneError
from engine.model.scene import Scene
from engine.progress import Cancel, Progress
from engine.results.trajectory import Trajectory
from engine.simulation.simulation import simulate
from engine.solvers.catalogue import Method, find_method


@dataclass(frozen=True)
class Published:
    """A result of others, as printed; times were measured on the machine named."""

    code: str
    step: str  # s, as printed; some vary
    error: float
    time: float | None  # s
    machine: str = ""
    below: bool = False  # only known to be below `error`


@dataclass(frozen=True)
class Benchmark:
    """One problem of the library [IFToMM 2015], or one in its manner."""

    name: str
    title: str
    summary: str  # what is measured
    scene: str  # name of the shipped scene
    measure: Callable[[Trajectory], float]
    unit: str
    limit: float
    published: tuple[Published, ...]


@dataclass(frozen=True)
class Outcome:
    """How one method did on one problem."""

    benchmark: Benchmark
    method: Method
    dt: float
    status: str
    message: str
    error: float  # NaN where the run did not come to its end
    time: float  # s, without compiling
    steps: int
    iterations: float  # per step; 0 for methods that do not iterate
    evaluations: int
    factorisations: int

    @property
    def passed(self) -> bool:
        return self.error < self.benchmark.limit

    @property
    def judgement(self) -> str:
        """pass; refused at the start; told: it broke off or is not to be trusted, and says so; else fail."""
        if self.passed or self.status == "refused":
            return "pass" if self.passed else "refused"
        return "told" if math.isnan(self.error) or "do not trust" in self.message else "fail"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "benchmark": self.benchmark.name,
            "scene": self.benchmark.scene,
            "method": self.method.name,
            "order": self.method.order,
            "dt": self.dt,
            "status": self.status,
            "message": self.message,
            "measure": self.benchmark.summary,
            "unit": self.benchmark.unit,
            "limit": self.benchmark.limit,
            "error": self.error,
            "passed": self.passed,
            "verdict": self.judgement,
            "wall_time": self.time,
            "steps": self.steps,
            "iterations_per_step": self.iterations,
            "evaluations": self.evaluations,
            "factorisations": self.factorisations,
        }


def run_benchmark(
    benchmark: Benchmark,
    scene: Scene,
    *,
    method: str | None = None,
    dt: float | None = None,
    options: Mapping[str, float] | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Outcome:
    """Run the scene to its end, every step recorded, and measure it; raises for an unknown method only.

    A method that refuses the mechanism is an outcome, too.
    """
    base = find_method(scene.simulation.method if method is None else method)
    chosen = base.with_options(options or {})
    try:
        run = simulate(
            scene,
            method=base.name,
            dt=dt,
            options=options,
            sample_every=1,
            progress=progress,
            cancel=cancel,
        )
    except (CompileError, SceneError) as error:
        step = math.nan if dt is None else dt
        return Outcome(benchmark, chosen, step, "refused", str(error), math.nan, 0.0, 0, 0.0, 0, 0)
    finished = run.status is StepStatus.FINISHED
    return Outcome(
        benchmark,
        chosen,
        run.dt,
        run.status.name.lower(),
        run.message,
        benchmark.measure(run) if finished else math.nan,
        run.wall_time,
        int(run.counters[COUNT.STEPS]),
        run.iterations / max(1, int(run.counters[COUNT.STEPS])),
        int(run.counters[COUNT.EVALUATIONS]),
        run.factorisations,
    )
