"""Stability: which steps a method bears on this mechanism, and what it does to each of its motions."""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np
from msgspec import Struct

from engine.analyses.answers.chart import Axis, Chart, Series
from engine.analyses.answers.result import Cell, Column, Result, Suggestion, Table
from engine.analyses.base import Analysis, Question
from engine.analyses.dynamics.linearise import spectrum
from engine.analyses.dynamics.operating_point import About, operating_point
from engine.analyses.dynamics.step_limits import StepLimits, growth_per_step, step_limits
from engine.compiled.layout import Array
from engine.elements.fields import number, text
from engine.errors import Problem, SceneEdit, SceneError
from engine.maths.amplification import Growth
from engine.model.resolve import resolve
from engine.solvers.catalogue import Method, find_method
from engine.solvers.stabilisation import baumgarte
from engine.system.assembly.scaling import scales_of
from engine.system.equations.evaluator import Evaluator

CURVE = np.linspace(0.0, 4.0, 401)[1:]  # ωh of the curve of the spectral radius
GAINS = np.linspace(-0.5, 3.0, 141)  # αh of the map
FEEDBACKS = np.linspace(0.0, 8.0, 321)  # β²h² of the map
SHOWN_GROWTH = 2.0  # the curve is cut off there


class StabilityOptions(Struct, frozen=True, kw_only=True):
    """Which method and step are asked about."""

    method: Annotated[str, text("Method", "empty: that of the scene")] = ""
    step: Annotated[float, number("Step", "s", "0: that of the scene", ge=0.0)] = 0.0
    points: Annotated[int, number("Points per period", "", "of the shortest period, for accuracy", ge=2)] = 20
    about: About = "motion"


def run(question: Question) -> Result:
    """Linearise, and ask the method what one step does to every exponent."""
    options = question.options
    assert isinstance(options, StabilityOptions)
    method, numbers, h = _asked(question, options)
    evaluator, scales = Evaluator(question.mechanism, tangents=True), scales_of(question.mechanism)
    point = operating_point(question, evaluator, scales, options.about)
    if point.state is None:
        return Result(point.what, notes=point.notes)
    question.stage(0.8, "linearising")
    exponents = np.asarray(spectrum(evaluator, scales, point.state).exponents)
    exponents = exponents[exponents.imag >= 0.0]
    exponents = exponents[np.argsort(-np.abs(exponents))]
    question.stage(0.9, "stability of the method")
    limits = step_limits(method.growth, numbers, exponents, options.points)
    notes = list(point.notes)
    if method.growth is None:
        notes.append(f"{method.name} chooses order and step itself: only accuracy is told")
    elif method.adaptive:
        notes.append(f"{method.name} controls its steps: the limit is where it will begin to reject them")
    return Result(
        _summary(method, limits, h, options.points),
        tables=(_limits(limits, h, options.points), _motions(method.growth, numbers, exponents, h)),
        charts=_charts(method, numbers, exponents, h),
        notes=tuple(notes),
        suggestions=_suggestions(limits, h),
    )


def _suggestions(limits: StepLimits, h: float) -> tuple[Suggestion, ...]:
    """Where the step is too long: one that fits, rounded down to two digits."""
    if not 0.0 < limits.proposed < h:
        return ()
    digit = 10.0 ** (math.floor(math.log10(limits.proposed)) - 1)
    step = float(f"{math.floor(limits.proposed / digit) * digit:.2g}")
    return (
        Suggestion(
            f"Take a step of {step:g} s",
            f"instead of {h:g} s",
            edits=(SceneEdit("simulation.dt", step),),
        ),
    )


def _asked(question: Question, options: StabilityOptions) -> tuple[Method, Array, float]:
    simulation = resolve(question.scene).simulation
    try:
        method = find_method(options.method or simulation.method)
    except SceneError as error:
        (problem,) = error.problems
        if options.method:
            raise SceneError(
                [Problem("options.method", options.method, problem.message, problem.remedy)]
            ) from None
        raise
    h = options.step or float(simulation.dt)
    given = {} if options.method else {name: float(value) for name, value in simulation.options.items()}
    return method, method.numbers(given, h), h


def _summary(method: Method, limits: StepLimits, h: float, points: int) -> str:
    if limits.stable < h:
        share = "no step is stable" if limits.stable == 0.0 else f"the limit is {limits.stable:.3g} s"
        return (
            f"A step of {h:.3g} s is unstable with {method.name}: {share}. "
            f"{_proposal(limits, points, 'Take')}"
        )
    if limits.accurate < h:
        return (
            f"A step of {h:.3g} s is stable with {method.name}, but coarse for the shortest period of "
            f"{limits.shortest_period:.3g} s. {_proposal(limits, points, 'For accuracy take')}"
        )
    proposal = _proposal(limits, points, "Possible are up to")
    return f"A step of {h:.3g} s is stable with {method.name} and fine enough. {proposal}"


def _proposal(limits: StepLimits, points: int, begin: str) -> str:
    if not 0.0 < limits.proposed < math.inf:
        return "Nothing in this state asks for a smaller one." if limits.proposed else "Take another method."
    reason = (
        f"{points} points in the shortest period"
        if limits.accurate <= limits.proposed
        else "nine tenths of the limit of stability"
    )
    return f"{begin} {limits.proposed:.3g} s: {reason}."


def _limits(limits: StepLimits, h: float, points: int) -> Table:
    rows: list[tuple[Cell, ...]] = [
        ("step that is asked about", h),
        ("limit of stability", limits.stable),
        (f"{points} points in the shortest period", limits.accurate),
        ("proposed", limits.proposed),
    ]
    return Table("Steps", (Column("Step"), Column("Size", "s")), tuple(rows))


def _motions(growth: Growth | None, numbers: Array, exponents: Array, h: float) -> Table:
    factors = (
        np.full(len(exponents), math.nan)
        if growth is None
        else growth_per_step(growth, numbers, exponents, h)
    )
    rows: list[tuple[Cell, ...]] = []
    for k, (s, factor) in enumerate(zip(exponents, factors, strict=True)):
        period = 2.0 * math.pi / s.imag if s.imag > 0.0 else math.inf
        true = math.exp(min(float(s.real) * h, 50.0))
        rows.append((str(k + 1), float(abs(s)), float(s.real), period, period / h, true, float(factor)))
    return Table(
        "Small motions, the fastest first",
        (
            Column("Motion"),
            Column("Size of the exponent", "1/s"),
            Column("Growth rate", "1/s"),
            Column("Period", "s"),
            Column("Steps per period"),
            Column("Growth in a step, true"),
            Column("Growth in a step, method"),
        ),
        tuple(rows),
        empty="The mechanism cannot move.",
    )


def _charts(method: Method, numbers: Array, exponents: Array, h: float) -> tuple[Chart, ...]:
    if method.growth is None:
        return ()
    radius = np.minimum(method.growth(np.zeros_like(CURVE), CURVE**2, numbers), SHOWN_GROWTH)
    places = np.array([abs(s.imag) * h for s in exponents if 0.0 < abs(s.imag) * h <= CURVE[-1]])
    own = np.minimum(np.interp(places, CURVE, radius), SHOWN_GROWTH) if len(places) else places
    found = [
        Chart(
            "Spectral radius of the method",
            Axis("Frequency times step, ωh"),
            Axis("Growth in a step"),
            (
                Series(method.name, CURVE, radius),
                Series("motions of this scene", places, own, "points", group=1),
            ),
        )
    ]
    if method.pieces and method.pieces[2].startswith("baumgarte"):
        found.append(_map(method.growth, numbers, h))
    return tuple(found)


def _map(growth: Growth, numbers: Array, h: float) -> Chart:
    """The stable gains of Baumgarte's feedback, and those of the run."""
    columns, rows = np.meshgrid(GAINS, FEEDBACKS)
    stable = growth(columns, rows, numbers) <= 1.0 + 1e-9
    inside = stable.any(axis=0)
    lower = FEEDBACKS[np.argmax(stable[:, inside], axis=0)]
    upper = FEEDBACKS[len(FEEDBACKS) - 1 - np.argmax(stable[::-1, inside], axis=0)]
    alpha, beta = (float(numbers[slot]) * h for slot in (baumgarte.ALPHA, baumgarte.BETA))
    return Chart(
        "Stable gains of Baumgarte's feedback",
        Axis("αh"),
        Axis("β²h²"),
        (
            Series("stable", GAINS[inside], lower, "band", upper=upper),
            Series("gains of this scene", np.array([alpha]), np.array([beta**2]), "points", group=1),
        ),
    )


STABILITY = Analysis(
    name="stability",
    title="Stability and step",
    summary="Largest stable step of a method on this mechanism, a step that fits, and stable gains.",
    options=StabilityOptions,
    run=run,
    anywhere=True,
)
