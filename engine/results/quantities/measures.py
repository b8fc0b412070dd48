"""Measures: distance of two points, angle of two directions, and expressions of other channels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from engine.compiled.layout import Array
from engine.elements.measures import AngleMeasure, DistanceMeasure, ExpressionMeasure
from engine.errors import Problem, SceneError
from engine.maths.expressions import Expression, parse
from engine.registry import did_you_mean
from engine.results.formula import evaluate
from engine.results.output_evaluation import Survey
from engine.results.quantities.base import Channel, Read
from engine.system.compiling.frames import Frames
from engine.system.compiling.mechanism import Mechanism

TIME = "t"


def channels(mechanism: Mechanism, others: Mapping[str, Channel]) -> Iterator[Channel]:
    """Measures of a mechanism; expressions may use the other channels, measures, parameters and t."""
    frames, known, problems = Frames(mechanism.scene), dict(others), []
    expressions: dict[str, Expression] = {}
    for i, measure in enumerate(mechanism.scene.measures):
        name = f"measure.{measure.name}"
        if isinstance(measure, DistanceMeasure):
            known[name] = Channel(name, "m", _distance(frames, measure))
        elif isinstance(measure, AngleMeasure):
            known[name] = Channel(name, "rad", _angle(frames, measure))
        elif isinstance(measure, ExpressionMeasure):
            expressions[name] = parse(measure.expression)
            known[name] = Channel(name, measure.unit, formula(expressions[name], known, mechanism))
        yield known[name]
        if name in expressions:
            path = f"measures[{i}].expression"
            problems += [Problem(path, measure.name, *text) for text in _ring(name, expressions)]
    for name, expression in expressions.items():
        index = [f"measure.{m.name}" for m in mechanism.scene.measures].index(name)
        problems += unknown_channels(f"measures[{index}].expression", expression, known, mechanism)
    if problems:
        raise SceneError(problems)


def formula(expression: Expression, known: Mapping[str, Channel], mechanism: Mechanism) -> Read:
    """Values of an expression of channels."""
    parameters = parameters_of(mechanism)

    def read(survey: Survey) -> Array:
        def value(name: str) -> Array:
            if name == TIME:
                return survey.t
            if name not in known:
                return np.array(parameters[name])
            if name not in survey.values:
                survey.values[name] = known[name].read(survey)
            return survey.values[name]

        return evaluate(expression, value, len(survey))

    return read


def parameters_of(mechanism: Mechanism) -> dict[str, float]:
    return {p.name: float(p.value) for p in mechanism.scene.parameters}


def unknown_channels(
    path: str, expression: Expression, known: Mapping[str, Any], mechanism: Mechanism
) -> list[Problem]:
    """A problem for every name that has no value."""
    names = (*known, *parameters_of(mechanism), TIME)
    return [
        Problem(
            path,
            name,
            f"there is no channel {name!r}{did_you_mean(name, names)}",
            "name a channel of this scene",
        )
        for name in sorted(expression.names)
        if name not in names
    ]


def _ring(name: str, expressions: Mapping[str, Expression]) -> list[tuple[str, str]]:
    """What to say when an expression leads back to itself; known are the expressions up to this one."""
    above = [name]

    def back(current: str) -> bool:
        for other in sorted(expressions[current].names & expressions.keys()):
            if other == name:
                return True
            if other not in above:
                above.append(other)
                if back(other):
                    return True
                above.pop()
        return False

    if not back(name):
        return []
    ring = " → ".join(part.removeprefix("measure.") for part in (*above, name))
    return [(f"the measure depends on itself: {ring}", "break the ring: use channels of bodies or joints")]


def _position(frames: Frames, place: Any) -> Read:
    frame, world = frames.point(place.body, place.point), frames.places["world"].index
    if frame.body == world:
        return lambda survey: np.broadcast_to(frame.point, (len(survey), 3))
    return lambda survey: survey.position(frame.body, frame.point)


def _distance(frames: Frames, measure: DistanceMeasure) -> Read:
    a, b = _position(frames, measure.a), _position(frames, measure.b)
    return lambda survey: np.asarray(np.linalg.norm(b(survey) - a(survey), axis=1))


def _direction(frames: Frames, place: Any) -> Read:
    frame, world = frames.point(place.body, None), frames.places["world"].index
    axis = np.array(place.axis, dtype=float)
    axis = frame.axes @ (axis / np.linalg.norm(axis))
    if frame.body == world:
        return lambda survey: np.broadcast_to(axis, (len(survey), 3))
    return lambda survey: survey.to_world(frame.body, axis)


def _angle(frames: Frames, measure: AngleMeasure) -> Read:
    """Between 0 and π; exact also for small angles."""
    a, b = _direction(frames, measure.a), _direction(frames, measure.b)

    def read(survey: Survey) -> Array:
        first, second = a(survey), b(survey)
        across = np.linalg.norm(np.cross(first, second), axis=1)
        return np.asarray(np.arctan2(across, np.einsum("ni,ni->n", first, second)))

    return read
