"""Tolerance band: how far a traced curve and a channel may stray when dimensions are made within tolerances.

Dimensions are drawn from normal distributions (the tolerance is three sigma) or uniform ones by a Latin
hypercube, and the mechanism is followed with each set. The band of a curve is its widest deviation along its
normal, to both sides, at every instant; that of a channel its smallest and largest value. Beside it stands
the estimate from single dimensions, worst case Σ |Δ| and statistical √Σ Δ², from one run more per dimension
and side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from msgspec import Struct

from engine.analyses.answers.chart import Axis, Chart, Series
from engine.analyses.answers.result import Cell, Column, Result, Table
from engine.analyses.base import Analysis, Question
from engine.analyses.machines.followed import Followed, follow
from engine.compiled.layout import Array
from engine.elements.fields import number, text
from engine.errors import Problem, SceneError
from engine.model.resolve import resolve
from engine.model.scene import Scene
from engine.model.set_value import set_value
from engine.model.value_at import number_at
from engine.system.compiling.frames import named_point

EDGE = 1e-12  # of the draws: none is at infinity
STEEP = 1e-12  # of the longest step: what the curve goes across where it goes straight up
SIGMAS = 3.0  # standard deviations in a tolerance
INSTANTS = 181
RELATIVE = 1e-3  # of a parameter: its tolerance where none is given


class BandOptions(Struct, frozen=True, kw_only=True):
    """Which dimensions, how well made, and what is looked at."""

    tolerances: Annotated[
        str,
        text(
            "Tolerances",
            "half widths in SI units: parameters.r = 0.0002 ; parameters.l = 0.0005; empty: 0.1 % of all",
        ),
    ] = ""
    shape: Annotated[
        Literal["normal", "uniform"], text("Distribution", "normal: the tolerance is three sigma")
    ] = "normal"
    trace: Annotated[str, text("Trace", "whose curve is looked at; empty: the first of the scene")] = ""
    channel: Annotated[str, text("Channel", "such as joint.J1.reaction.fx; empty: none")] = ""
    count: Annotated[int, number("Mechanisms", "", "that are drawn", ge=4, le=5000)] = 60
    duration: Annotated[float, number("Duration", "s", "0: that of the scene", ge=0.0)] = 0.0


@dataclass(frozen=True)
class Seen:
    """What one mechanism shows."""

    t: Array
    curve: Array | None  # (n, 3)
    channel: Array | None


def run(question: Question) -> Result:
    """Follow the nominal mechanism, one with each dimension off, and all that are drawn."""
    options = question.options
    assert isinstance(options, BandOptions)
    question.stage(0.0, "following the nominal mechanism")
    dimensions = _tolerances(question.scene, options.tolerances)
    trace = traced_point(question.scene, options.trace)
    nominal = _seen(question, question.scene, options, trace)
    if nominal.curve is None and nominal.channel is None:
        return Result("There is nothing to look at: add a trace to the scene, or name a channel.")
    found: list[Seen] = []
    failed: list[str] = []
    draws = _draws(len(dimensions), options)
    for i, shares in enumerate(draws):
        question.stage(0.1 + 0.7 * i / len(draws), f"mechanism {i + 1} of {len(draws)}")
        seen = _varied(question, options, trace, dimensions, shares, failed)
        if seen is not None:
            found.append(seen)
    question.stage(0.8, "first-order estimate")
    singles = []
    for k in range(len(dimensions)):
        question.stage(0.8 + 0.2 * k / len(dimensions), "first-order estimate")
        sides = [
            _varied(question, options, trace, dimensions, side * np.eye(len(dimensions))[k], failed)
            for side in (-1.0, 1.0)
        ]
        singles.append(sides)
    if not found:
        return Result("No mechanism within these tolerances could be followed.", notes=tuple(failed[:3]))
    tables, charts, paths = [], [], []
    words = []
    if nominal.curve is not None:
        table, more, drawn, said = _curve_band(nominal, found, singles, dimensions)
        tables.append(table)
        charts += more
        paths += drawn
        words.append(said)
    if nominal.channel is not None:
        table, chart, said = _channel_band(options.channel, nominal, found, singles, dimensions)
        tables.append(table)
        charts.append(chart)
        words.append(said)
    notes = [f"{len(failed)} mechanisms could not be followed: {failed[0]}"] if failed else []
    return Result(
        f"{len(found)} mechanisms within tolerances of {_many(len(dimensions))}: " + "; ".join(words) + ".",
        tables=tuple(tables),
        charts=tuple(charts),
        notes=tuple(notes),
        paths=tuple(paths),
    )


def _many(dimensions: int) -> str:
    return f"{dimensions} dimension{'' if dimensions == 1 else 's'}"


def _tolerances(scene: Scene, words: str) -> dict[str, float]:
    """Half widths by path; raises SceneError."""
    found: dict[str, float] = {}
    for part in filter(None, (part.strip() for part in words.split(";"))):
        path, equals, value = part.partition("=")
        try:
            width = float(value)
        except ValueError:
            width = 0.0
        if not (equals and width > 0.0):
            remedy = "write for instance parameters.r = 0.0002"
            raise SceneError([Problem("options.tolerances", part, f"{part!r} is no tolerance", remedy)])
        number_at(scene, path.strip())  # raises where there is no such number
        found[path.strip()] = width
    if not found:
        for parameter in resolve(scene).parameters:
            given = next(p for p in scene.parameters if p.name == parameter.name)
            if not isinstance(given.value, str) and parameter.value and parameter.unit == "m":
                found[f"parameters.{parameter.name}"] = RELATIVE * abs(float(parameter.value))
    if not found:
        remedy = "name numbers of the scene: bodies.crank.com.0 = 0.001"
        raise SceneError(
            [Problem("options.tolerances", "", "the scene has no lengths as parameters", remedy)]
        )
    return found


def traced_point(scene: Scene, name: str) -> tuple[str, Array] | None:
    """Body and point of a trace; raises SceneError for one that is not there."""
    resolved = resolve(scene)
    traces = [trace for trace in resolved.traces if not name or trace.name == name]
    if name and not traces:
        known = ", ".join(trace.name for trace in resolved.traces) or "none"
        raise SceneError([Problem("options.trace", name, f"there is no trace {name!r}", f"known: {known}")])
    if not traces:
        return None
    body = next((body for body in resolved.bodies if body.name == traces[0].body), None)
    return None if body is None or body.fixed else (body.name, named_point(body, traces[0].point))


def _seen(question: Question, scene: Scene, options: BandOptions, trace: tuple[str, Array] | None) -> Seen:
    followed = follow(question, scene, options.duration, INSTANTS)
    curve = None
    if trace is not None:
        body, _ = trace
        # the point may be made of parameters
        here = traced_point(scene, options.trace)
        point = here[1] if here is not None else trace[1]
        curve = path_of(followed, body, point)
    if options.channel and options.channel not in followed.channels:
        remedy = "see `trammel list channels`"
        text = f"there is no channel {options.channel!r}"
        raise SceneError([Problem("options.channel", options.channel, text, remedy)])
    channel = None
    if options.channel:
        if followed.exact and (
            "reaction" in options.channel or options.channel.endswith(("effort", "power"))
        ):
            followed = _with_forces(question, scene, options)
        channel = followed.channel(options.channel)
    return Seen(followed.t, curve, channel)


def _with_forces(question: Question, scene: Scene, options: BandOptions) -> Followed:
    """Forces need inverse dynamics, which gives multipliers too."""
    from engine.analyses.dynamics.inverse import INVERSE
    from engine.analyses.kinematics.kinematic import DrivenOptions
    from engine.results.channels import Channels
    from engine.results.sample_layout import SampleLayout

    length = options.duration or float(resolve(scene).simulation.duration)
    driven = DrivenOptions(duration=length, step=length / (INSTANTS - 1))
    motion = INVERSE.run(Question(scene, driven, None, lambda share, words: None, question.cancel)).motions[0]
    layout = SampleLayout(motion.mechanism)
    samples = np.zeros((len(motion.t), layout.width))
    samples[:, layout.t], samples[:, layout.q], samples[:, layout.v] = motion.t, motion.q, motion.v
    samples[:, layout.a], samples[:, layout.multipliers] = motion.a, motion.multipliers
    return Followed(motion.mechanism, Channels(motion.mechanism), samples, True)


def path_of(followed: Followed, body: str, point: Array) -> Array:
    """Where a point of a body goes, shape (n, 3)."""
    place = followed.vector(f"body.{body}.pos")
    return np.asarray(place + np.einsum("nij,j->ni", followed.rotation(body), np.asarray(point)))


def _draws(dimensions: int, options: BandOptions) -> Array:
    """Deviations in half widths, shape (count, dimensions)."""
    from scipy.special import ndtri
    from scipy.stats.qmc import LatinHypercube

    shares = np.clip(LatinHypercube(dimensions, rng=0).random(options.count), EDGE, 1.0 - EDGE)
    return np.asarray(ndtri(shares) / SIGMAS if options.shape == "normal" else 2.0 * shares - 1.0)


def _varied(
    question: Question,
    options: BandOptions,
    trace: tuple[str, Array] | None,
    dimensions: dict[str, float],
    shares: Array,
    failed: list[str],
) -> Seen | None:
    scene = question.scene
    try:
        for (path, width), share in zip(dimensions.items(), shares, strict=True):
            if share:
                scene = set_value(scene, path, number_at(question.scene, path) + width * float(share))
        return _seen(question, scene, options, trace)
    except SceneError as error:
        failed.append(str(error.problems[0].message))
        return None


def _curve_band(
    nominal: Seen, found: list[Seen], singles: list[list[Seen | None]], dimensions: dict[str, float]
) -> tuple[Table, list[Chart], list[Array], str]:
    curve = nominal.curve
    assert curve is not None
    normal = _normals(curve)
    off = np.array(_across([seen.curve for seen in found], curve, normal))
    low, high = off.min(axis=0), off.max(axis=0)
    sigma = off.std(axis=0)
    inner, outer = curve + low[:, None] * normal, curve + high[:, None] * normal
    width = float(np.max(high - low))
    rows: list[tuple[Cell, ...]] = []
    parts = []
    for (path, tolerance), sides in zip(dimensions.items(), singles, strict=True):
        both = _across([side.curve for side in sides if side is not None], curve, normal)
        effect = np.max(np.abs(both), axis=0) if both else np.full(len(curve), np.nan)
        parts.append(effect)
        rows.append((path, tolerance, float(np.max(effect))))
    worst, statistical = np.sum(parts, axis=0), np.sqrt(np.sum(np.square(parts), axis=0))
    rows.append(("all, worst case", float("nan"), float(np.max(worst))))
    rows.append(("all, statistical (3σ)", float("nan"), float(np.max(statistical))))
    rows.append(("all, drawn (3σ)", float("nan"), float(SIGMAS * np.max(sigma))))
    plane = Chart(
        "Band of the curve",
        Axis("x", "m"),
        Axis("y", "m"),
        (
            Series("nominal", curve[:, 0], curve[:, 1], group=0),
            Series("edges", inner[:, 0], inner[:, 1], group=1),
            Series("", outer[:, 0], outer[:, 1], group=1),
        ),
        equal=True,
    )
    along = Chart(
        "Deviation along the curve",
        Axis("Time", "s"),
        Axis("Deviation", "m"),
        (
            Series("drawn", nominal.t, low, "band", high, group=1),
            Series("worst case", nominal.t, worst, group=2),
            Series("", nominal.t, -worst, group=2),
            Series("statistical (3σ)", nominal.t, statistical, group=0),
            Series("", nominal.t, -statistical, group=0),
        ),
    )
    table = Table(
        "Deviation of the curve",
        (Column("Dimension"), Column("Tolerance"), Column("Largest", "m")),
        tuple(rows),
    )
    return table, [plane, along], [inner, outer], f"the curve strays over at most {width:.4g} m"


def _across(paths: Sequence[Array | None], curve: Array, normal: Array) -> list[Array]:
    """Deviations from a curve along its normal, of paths that are as long as it."""
    return [
        np.einsum("ni,ni->n", path - curve, normal)
        for path in paths
        if path is not None and path.shape == curve.shape
    ]


def _normals(curve: Array) -> Array:
    """Across the curve in the x–y plane, or across it and z where it has a height."""
    tangent = np.gradient(curve, axis=0)
    across = np.cross(np.array([0.0, 0.0, 1.0]), tangent)
    size = np.linalg.norm(across, axis=1)
    steep = size < STEEP * max(1e-300, float(np.max(size)))
    across[steep] = (1.0, 0.0, 0.0)
    return np.asarray(across / np.linalg.norm(across, axis=1)[:, None])


def _channel_band(
    name: str,
    nominal: Seen,
    found: list[Seen],
    singles: list[list[Seen | None]],
    dimensions: dict[str, float],
) -> tuple[Table, Chart, str]:
    line = nominal.channel
    assert line is not None
    lines = np.array(
        [seen.channel for seen in found if seen.channel is not None and len(seen.channel) == len(line)]
    )
    low, high = lines.min(axis=0), lines.max(axis=0)
    rows: list[tuple[Cell, ...]] = []
    for (path, tolerance), sides in zip(dimensions.items(), singles, strict=True):
        both = [
            np.abs(side.channel - line) for side in sides if side is not None and side.channel is not None
        ]
        rows.append((path, tolerance, float(np.max(both)) if both else float("nan")))
    width = float(np.max(high - low))
    rows.append(("all, drawn", float("nan"), float(max(np.max(high - line), np.max(line - low)))))
    chart = Chart(
        f"Band of {name}",
        Axis("Time", "s"),
        Axis(name),
        (Series("drawn", nominal.t, low, "band", high, group=1), Series("nominal", nominal.t, line, group=0)),
    )
    table = Table(
        f"Deviation of {name}", (Column("Dimension"), Column("Tolerance"), Column("Largest")), tuple(rows)
    )
    return table, chart, f"{name} varies over at most {width:.4g}"


TOLERANCE_BAND = Analysis(
    name="tolerance_band",
    title="Tolerance band",
    summary="How far a traced curve and a channel stray when dimensions are made within tolerances.",
    options=BandOptions,
    run=run,
)
