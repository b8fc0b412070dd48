"""Root locus: the poles of a mechanism while one of its numbers goes from one value to another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from msgspec import Struct

from engine.analyses.answers.chart import Axis, Chart, Series
from engine.analyses.answers.result import Cell, Column, Result, Table
from engine.analyses.base import Analysis, Question
from engine.analyses.dynamics.operating_point import About, operating_point
from engine.compiled.layout import Array
from engine.elements.fields import number, text
from engine.errors import Problem, SceneError
from engine.model.resolve import resolve
from engine.model.scene import Scene
from engine.model.set_value import set_value
from engine.system.assembly.scaling import scales_of
from engine.system.equations.evaluator import Evaluator
from engine.system.small_motions.linearise import spectrum

NEUTRAL = 1e-8  # of the size of the poles: growth below is rounding
LIMIT = 1e-10  # of the range: how closely limits of stability are located


class RootLocusOptions(Struct, frozen=True, kw_only=True):
    """What varies."""

    path: Annotated[
        str, text("Varies", "a number of the scene, such as parameters.v0; empty: the first parameter")
    ] = ""
    low: Annotated[float, number("From", "", "SI units")] = 0.0
    high: Annotated[float, number("To", "", "the same as From: the range of the parameter")] = 0.0
    count: Annotated[int, number("Values", "", ge=2, le=2000)] = 41
    about: About = "automatic"


@dataclass(frozen=True)
class Locus:
    """Poles at each value; what belongs together is in one column, NaN where there is no such pole."""

    path: str
    unit: str
    values: Array  # (n,)
    poles: Array  # complex, (n, branches)
    limits: tuple[float, ...]  # values at which the growth changes its sign


def run(question: Question) -> Result:
    """Poles at every value, joined to branches, and where the motion becomes unstable."""
    from scipy.optimize import brentq  # here, as a run loads all analyses and need not load this

    options = question.options
    assert isinstance(options, RootLocusOptions)
    question.stage(0.0, "assembling")
    path, unit, low, high = _range(question.scene, options)
    missing: list[tuple[float, str]] = []

    def poles_at(value: float) -> Array:
        try:
            found = poles_of(_about(question, set_value(question.scene, path, float(value))), options.about)
        except SceneError as error:
            missing.append((value, error.problems[0].message))
            return np.zeros(0, complex)
        if isinstance(found, str):
            missing.append((value, found))
            return np.zeros(0, complex)
        return found

    values = np.linspace(low, high, options.count)
    found = []
    for i, value in enumerate(values):
        question.stage(0.9 * i / len(values), f"{path} = {value:.4g}")
        found.append(poles_at(float(value)))
    question.stage(0.9, "locating limits of stability")
    limits = tuple(
        float(brentq(lambda x: _growth(poles_at(x)), values[i], values[i + 1], xtol=LIMIT * abs(high - low)))
        for i in range(len(values) - 1)
        if _growth(found[i]) * _growth(found[i + 1]) < 0.0
    )
    locus = Locus(path, unit, values, joined(found), limits)
    notes = [f"{path} = {value:.4g}: {why}" for value, why in missing[:3]]
    if len(missing) > len(notes):
        notes.append(f"and {len(missing) - len(notes)} more values without poles")
    return Result(
        _summary(locus, found),
        tables=(_limits(locus), _table(locus)),
        charts=_charts(locus),
        notes=tuple(notes),
    )


def _about(question: Question, scene: Scene) -> Question:
    """The same question about another scene, silently."""
    return Question(scene, question.options, None, lambda share, words: None, question.cancel)


def poles_of(question: Question, about: About) -> Array | str:
    """Poles about the operating point of a scene, zero ones left out; words where there is no such point."""
    mechanism = question.mechanism
    evaluator, scales = Evaluator(mechanism, tangents=True), scales_of(mechanism)
    point = operating_point(question, evaluator, scales, about)
    if point.state is None:
        return point.what
    return spectrum(evaluator, scales, point.state).exponents


def joined(found: list[Array]) -> Array:
    """Poles as branches: from one value to the next each goes to the nearest, all taken together.

    The guess for the next is the line through the last two, so that branches that cross go on.
    """
    from scipy.optimize import linear_sum_assignment

    width = max((len(poles) for poles in found), default=0)
    out = np.full((len(found), width), np.nan, dtype=complex)
    for i, poles in enumerate(found):
        if not len(poles):
            continue
        guess = _guess(out[:i])
        if guess is None:
            order = np.lexsort((poles.imag, poles.real))
            out[i, : len(poles)] = poles[order]
            continue
        cost = np.abs(guess[:, None] - poles[None, :])
        cost = np.where(np.isnan(cost), 1e6 * (1.0 + np.nanmax(np.abs(poles))), cost)
        rows, columns = linear_sum_assignment(cost)
        out[i, rows] = poles[columns]
    return out


def _guess(before: Array) -> Array | None:
    seen = [line for line in before[-2:] if not np.isnan(line).all()]
    if not seen:
        return None
    last = seen[-1]
    line = 2.0 * last - seen[0]
    return np.asarray(np.where(np.isnan(line), last, line))


def _growth(poles: Array) -> float:
    """The largest real part, zero where that is rounding."""
    if not len(poles):
        return 0.0
    largest = float(np.max(poles.real))
    return largest if abs(largest) > NEUTRAL * float(np.max(np.abs(poles))) else 0.0


def _range(scene: Scene, options: RootLocusOptions) -> tuple[str, str, float, float]:
    """Path, unit and limits of what varies; raises SceneError."""
    path, low, high = options.path, options.low, options.high
    known = {f"parameters.{p.name}": p for p in resolve(scene).parameters}
    if not path and not known:
        remedy = "name a number of the scene, such as bodies.crank.mass"
        raise SceneError([Problem("options.path", "", "the scene has no parameter that could vary", remedy)])
    path = path or next(iter(known))
    parameter = known.get(path)
    if low == high:
        if parameter is None:
            remedy = "give from where to where it goes"
            raise SceneError([Problem("options.high", high, f"{path} has no range of its own", remedy)])
        value = float(parameter.value)
        ends = (parameter.min, parameter.max)
        low, high = (
            float(end) if end is not None else factor * value if value else shift
            for end, factor, shift in zip(ends, (0.5, 1.5), (-1.0, 1.0), strict=True)
        )
    set_value(scene, path, low)  # raises where there is no such number
    return path, parameter.unit if parameter is not None else "", low, high


def _summary(locus: Locus, found: list[Array]) -> str:
    words = f"Poles at {len(locus.values)} values of {locus.path}"
    if not any(len(poles) for poles in found):
        return f"{words}: there are none that move."
    if locus.limits:
        listed = ", ".join(f"{x:.6g}" for x in locus.limits)
        return f"{words}; stability changes at {listed}{' ' + locus.unit if locus.unit else ''}."
    growths = [_growth(poles) for poles in found if len(poles)]
    if min(growths) > 0.0:
        return f"{words}; all unstable."
    return f"{words}; {'all stable' if max(growths) < 0.0 else 'none grows'}."


def _limits(locus: Locus) -> Table:
    return Table(
        "Limits of stability",
        (Column(locus.path, locus.unit),),
        tuple((value,) for value in locus.limits),
        empty="The growth of the fastest pole does not change its sign.",
    )


def _table(locus: Locus) -> Table:
    columns = [Column(locus.path, locus.unit)]
    for k in range(locus.poles.shape[1]):
        columns += [Column(f"Re {k + 1}", "1/s"), Column(f"Im {k + 1}", "rad/s")]
    rows: list[tuple[Cell, ...]] = []
    for value, poles in zip(locus.values, locus.poles, strict=True):
        cells: list[Cell] = [float(value)]
        for s in poles:
            cells += [float(s.real), float(s.imag)]
        rows.append(tuple(cells))
    return Table("Poles", tuple(columns), tuple(rows))


def _charts(locus: Locus) -> tuple[Chart, ...]:
    along = Axis(locus.path, locus.unit)
    real, imaginary = Axis("Real part", "1/s"), Axis("Imaginary part", "rad/s")
    branches = range(locus.poles.shape[1])
    growth = [Series(f"Re {k + 1}", locus.values, locus.poles[:, k].real, group=k) for k in branches]
    swing = [
        Series(f"Im {k + 1}", locus.values, locus.poles[:, k].imag, group=k)
        for k in branches
        if np.nanmax(locus.poles[:, k].imag, initial=0.0) > 0.0
    ]
    plane = [Series("", locus.poles[:, k].real, locus.poles[:, k].imag, group=k) for k in branches]
    ends = [
        Series(name, line.real, line.imag, "points", group=len(branches) + i)
        for i, (name, line) in enumerate(
            (("begin", locus.poles[0]), ("end", locus.poles[-1])) if len(locus.poles) else ()
        )
    ]
    return (
        Chart("Growth over " + locus.path, along, real, tuple(growth)),
        Chart("Swing over " + locus.path, along, imaginary, tuple(swing)),
        Chart("Root locus", real, imaginary, (*plane, *ends)),
    )


ROOT_LOCUS = Analysis(
    name="root_locus",
    title="Root locus",
    summary="Poles while a number of the scene varies, and where the motion becomes unstable.",
    options=RootLocusOptions,
    run=run,
)
