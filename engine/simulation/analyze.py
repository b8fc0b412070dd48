"""`analyze`: one question about a scene, asked in one call; what the command line and scripts use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.analyses.answers.result import Result
from engine.analyses.base import Analysis, Instant, Question
from engine.analyses.options import options_of
from engine.arguments import by_name, call, number
from engine.errors import Problem, SceneError
from engine.model.scene import Scene, refuse_other
from engine.progress import Cancel, Cancelled, Progress
from engine.results.sample_layout import SampleLayout
from engine.simulation.simulation import simulate
from engine.spelling import did_you_mean


def analyze(
    scene: Scene,
    name: str,
    options: Mapping[str, Any] | None = None,
    *,
    at: float = 0.0,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Result:
    """The answer to one of `ANALYSES` at the start of a scene, or where a run of it is `at` an instant [s].

    Options by name are those of the analysis, in SI units. Raises SceneError for a scene or options that
    cannot be used, and Cancelled when `cancel()` says so.
    """
    refuse_other("analyze", scene)
    call("progress", progress), call("cancel", cancel)
    at = number("at", at)
    kind = _kind(name, at)
    chosen = options_of(kind, by_name("options", {} if options is None else options))
    progress = progress or (lambda share, words: None)
    cancel = cancel or (lambda: False)
    instant = _reached(scene, at, progress, cancel) if at else None
    return kind.run(Question(scene, chosen, instant, progress, cancel, simulate))


def _kind(name: str, at: float) -> Analysis:
    from engine.analyses import ANALYSES  # when asked: more may have been registered since this was loaded

    if name not in ANALYSES:
        text = f"there is no analysis {name!r}{did_you_mean(name, ANALYSES.names)}"
        raise SceneError([Problem("analysis", name, text, f"use one of: {', '.join(ANALYSES.names)}")])
    kind = ANALYSES[name]
    if at and not kind.anywhere:
        text = f"the analysis {name!r} is made at the start"
        raise SceneError([Problem("at", at, text, "leave the instant out")])
    return kind


def _reached(scene: Scene, t: float, progress: Progress, cancel: Cancel) -> Instant:
    """The state of a run at an instant."""
    run = simulate(scene, duration=t, progress=progress, cancel=cancel, timed=False)
    if cancel():
        raise Cancelled
    if run.t[-1] < t:
        text = f"the run ended at t = {run.t[-1]:g} s: {run.message}"
        raise SceneError([Problem("at", t, text, "give an earlier instant")])
    reached, q, v, _, _ = SampleLayout(run.mechanism).state(run.samples[-1])
    return Instant(reached, q, v)
