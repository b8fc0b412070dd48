"""Stability: which steps a method bears on this mechanism, and what it does to each of its motions."""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np
from msgspec import Struct

from engine.analyses.answers.chart import Axis, Chart, Field, Series
from engine.analyses.answers.result import Cell, Column, Result, Suggestion, Table
from engine.analyses.base import Analysis, Question
from engine.analyses.dynamics.operating_point import About, operating_point
from engine.analyses.dynamics.step_limits import (
    StepLimits,
    fastest_turn,
    growth_per_step,
    rounded_down,
    step_limits,
)
from engine.compiled.layout import Array
from engine.elements.fields import number, text
from engine.errors import Problem, SceneEdit, SceneError
from engine.maths.amplification import STABLE, Growth
from engine.model.resolve import resolve
from engine.solvers.catalogue import Method, find_method
from engine.solvers.stabilisation import baumgarte
from engine.system.assembly.scaling import scales_of
from engine.system.equations.evaluator import Evaluator
from engine.system.small_motions.linearise import spectrum

CURVE = np.linspace(0.0, 4.0, 401)[1:]  # ωh of the curves of the spectral radius and the phase
GAINS = np.linspace(-1.0, 3.0, 81)  # αh of the map
FEEDBACKS = np.linspace(0.0, 8.0, 81)  # β²h² of the map
WIDER = 1.25  # times the gains that are asked about: a map always shows them
SHOWN_GROWTH = 2.0  # curves and map are cut off there


class StabilityOptions(Struct, frozen=True, kw_only=True):
    """Which method and step are asked about."""

    method: Annotated[str, text("Method", "empty: that of the scene")] = ""
    step: Annotated[float, number("Step", "s", "0: that of the scene", ge=0.0)] = 0.0
    points: Annotated[int, number("Points per period", "", "of the shortest period, for accuracy", ge=2)] = 20
    alpha: Annotated[
        float | None, number("Gain α", "1/s", "of Baumgarte's feedback, any sign; empty: that of the scene")
    ] = None
    beta: Annotated[
        float | None, number("Gain β", "1/s", "of Baumgarte's feedback, any sign; empty: that of the scene")
    ] = None
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
    turning = fastest_turn(question.mechanism, point.state.v)
    limits = step_limits(method.growth, numbers, exponents, turning, options.points)
    gains = _gains_asked(method, numbers, options)
    notes = list(point.notes)
    if method.growth is None:
        notes.append(f"{method.name} chooses order and step itself: only accuracy is told")
    elif method.adaptive:
        notes.append(f"{method.name} controls its steps: the limit is where it will begin to reject them")
    return Result(
        _summary(method, limits, h, options.points),
        tables=(
            _limits(limits, h, options.points),
            _motions(method.growth, numbers, exponents, h),
            *_gains(method, numbers, gains, h),
        ),
        charts=_charts(method, numbers, exponents, gains, h),
        notes=tuple(notes),
        suggestions=_suggestions(limits, h),
    )


def _suggestions(limits: StepLimits, h: float) -> tuple[Suggestion, ...]:
    """Where the step is too long: one that fits, rounded down to two digits."""
    if not 0.0 < limits.proposed < h:
        return ()
    step = rounded_down(limits.proposed)
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


# Baumgarte's feedback Φ″ + 2αΦ′ + β²Φ = 0

Gains = tuple[float, float]  # α and β [1/s]


def _gains_asked(method: Method, numbers: Array, options: StabilityOptions) -> Gains | None:
    """Those of the question, else those of the scene, if its method has any."""
    own: Gains | None = None
    if method.pieces and method.pieces[2].startswith("baumgarte"):
        own = float(numbers[baumgarte.ALPHA]), float(numbers[baumgarte.BETA])
    if options.alpha is None and options.beta is None:
        return own
    alpha, beta = own or (0.0, 0.0)
    return alpha if options.alpha is None else options.alpha, beta if options.beta is None else options.beta


def _gains(method: Method, numbers: Array, gains: Gains | None, h: float) -> tuple[Table, ...]:
    """What a step makes of a violation under this feedback [Flores 2012, table 1]."""
    if gains is None or method.growth is None:
        return ()
    alpha, beta = gains
    found = float(method.growth(np.array([alpha * h]), np.array([(beta * h) ** 2]), numbers)[0])
    row: tuple[Cell, ...] = (alpha, beta, found, "stable" if found <= 1.0 + STABLE else "unstable")
    columns = (Column("α", "1/s"), Column("β", "1/s"), Column("Growth of a violation"), Column("Verdict"))
    return (Table("Baumgarte's feedback", columns, (row,)),)


# pictures


def _charts(
    method: Method, numbers: Array, exponents: Array, gains: Gains | None, h: float
) -> tuple[Chart, ...]:
    if method.growth is None:
        return ()
    places = np.unique([abs(s.imag) * h for s in exponents if 0.0 < abs(s.imag) * h <= CURVE[-1]])
    step = Axis("Frequency times step, ωh")
    radius = np.minimum(method.growth(np.zeros_like(CURVE), CURVE**2, numbers), SHOWN_GROWTH)
    advance = np.abs(np.angle(method.growth.principal(CURVE, numbers)))
    return (
        _marked("Spectral radius of the method", step, Axis("Growth in a step"), method.name, radius, places),
        _marked(
            "Phase of the method over the true one",
            step,
            Axis("Phase in a step over ωh"),
            method.name,
            np.where(math.pi > CURVE, advance / CURVE, math.nan),
            places[places < math.pi],
        ),
        _map(method.growth, numbers, gains, h),
    )


def _marked(title: str, x: Axis, y: Axis, name: str, curve: Array, places: Array) -> Chart:
    """A curve over ωh with the frequencies of the scene on it."""
    known = np.isfinite(curve)
    own = np.interp(places, CURVE[known], curve[known])
    series = (
        Series(name, CURVE[known], curve[known]),
        Series("frequencies of this scene", places, own, "points", group=1),
    )
    return Chart(title, x, y, series)


def _map(growth: Growth, numbers: Array, gains: Gains | None, h: float) -> Chart:
    """Growth of a violation over the gains of Baumgarte's feedback, with those that are asked about."""
    alphas, betas = GAINS, FEEDBACKS
    series: tuple[Series, ...] = ()
    if gains is not None:
        alpha, beta2 = gains[0] * h, (gains[1] * h) ** 2
        alphas = np.linspace(min(alphas[0], WIDER * alpha), max(alphas[-1], WIDER * alpha), len(alphas))
        betas = np.linspace(0.0, max(betas[-1], WIDER * beta2), len(betas))
        series = (Series("these gains", np.array([alpha]), np.array([beta2]), "points", group=1),)
    columns, rows = np.meshgrid(alphas, betas, indexing="ij")
    found = np.minimum(growth(columns, rows, numbers), SHOWN_GROWTH)
    field = Field(alphas, betas, found, Axis("Growth in a step"), marked=1.0)
    title = "Growth of a violation over the gains of Baumgarte's feedback"
    return Chart(title, Axis("αh"), Axis("β²h²"), series, field=field)


STABILITY = Analysis(
    name="stability",
    title="Stability and step",
    summary="Largest stable step of a method on this mechanism, a step that fits, and stable gains.",
    options=StabilityOptions,
    run=run,
    anywhere=True,
)
