"""Kinematic analysis: where everything is, how fast, and how it accelerates, from the motions alone."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from msgspec import Struct

from engine.analyses.answers.result import Column, Mention, Motion, Result, Table
from engine.analyses.base import Analysis, Question
from engine.analyses.kinematics.driven import Path
from engine.analyses.kinematics.undriven import begin
from engine.compiled.layout import Array
from engine.elements.field_units import COORDINATE_UNITS
from engine.elements.fields import number
from engine.system.equations.evaluator import Evaluator

INSTANTS = 400  # unless a step is given
MAX_SAMPLES = 1_000_000


class DrivenOptions(Struct, frozen=True, kw_only=True):
    """For how long, and how often."""

    duration: Annotated[float, number("Duration", "s", "0: that of the scene", ge=0.0)] = 0.0
    step: Annotated[
        float, number("Step", "s", f"from instant to instant; 0: a {INSTANTS}th of the duration", ge=0.0)
    ] = 0.0


def run(question: Question) -> Result:
    """Follow the motion and tell the range of every joint coordinate."""
    follower, first = begin(question)
    if isinstance(first, Result):
        return first

    def following(share: float) -> None:
        question.stage(0.1 + 0.8 * share, "following the motion")

    path = follower.follow(first, instants(question), following)
    question.stage(0.9, "looking for extremes")
    t, q, v, a = (path.stack(name) for name in ("t", "q", "v", "a"))
    return Result(
        _summary(path),
        tables=_ranges(follower.evaluator, path),
        motions=(Motion("Kinematic analysis", question.mechanism, t, q, v, a),) if len(t) > 1 else (),
        notes=(*question.start.notes, _nearest(path)),
    )


def instants(question: Question) -> Array:
    """From the instant that is asked about on, the end included."""
    options, scene = question.options, question.mechanism.scene
    assert isinstance(options, DrivenOptions)
    duration = options.duration or float(scene.simulation.duration)
    steps = max(1, min(MAX_SAMPLES, round(duration / options.step))) if options.step else INSTANTS
    return question.t + np.linspace(0.0, duration, steps + 1)


def _summary(path: Path) -> str:
    begin, end = path.states[0].t, path.states[-1].t
    if path.failure is not None:
        return str(path.failure)
    return f"The motions determine the mechanism from {begin:g} s to {end:g} s, {len(path.states)} instants."


def _nearest(path: Path) -> str:
    worst = min(path.states, key=lambda state: state.reserve)
    return (
        f"nearest to a singular configuration at t = {worst.t:.6g} s (singular values of J: 1 to "
        f"{worst.reserve:.3g})"
    )


def _ranges(evaluator: Evaluator, path: Path) -> tuple[Table, ...]:
    """Extremes of the joint coordinates, angles and displacements apart."""
    mechanism = evaluator.mechanism
    coordinate_functions = list(mechanism.coordinates.values())
    values = np.zeros((len(path.states), len(coordinate_functions), 3))
    for k, state in enumerate(path.states):
        evaluator.at(state.t, state.q, state.v, state.angles)
        values[k] = evaluator.coordinate_functions[coordinate_functions]
        values[k, :, 2] = evaluator.coordinate_accelerations(state.a)[coordinate_functions]
    found = []
    for name, unit in COORDINATE_UNITS.items():
        rows = tuple(
            (Mention("joints", joint), *_extremes(values[:, i]))
            for i, (joint, coordinate) in enumerate(mechanism.coordinates)
            if coordinate == name
        )
        columns = (
            Column("Joint"),
            Column("Smallest", unit),
            Column("Largest", unit),
            Column("Largest speed", f"{unit}/s"),
            Column("Largest acceleration", f"{unit}/s²"),
        )
        if rows:
            found.append(Table(f"Range of {name}s", columns, rows))
    return tuple(found)


def _extremes(values: Array) -> tuple[float, float, float, float]:
    sizes = np.abs(values).max(axis=0)
    return float(values[:, 0].min()), float(values[:, 0].max()), float(sizes[1]), float(sizes[2])


KINEMATIC = Analysis(
    name="kinematic",
    title="Kinematic analysis",
    summary="Positions, velocities and accelerations of a mechanism whose every degree of freedom is driven.",
    options=DrivenOptions,
    run=run,
)
