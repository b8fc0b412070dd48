"""Measures: the channels that their kinds read from points, directions and other channels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from engine.compiled.layout import Array
from engine.elements.base import WORLD
from engine.errors import Problem, SceneError
from engine.maths.expressions import Expression, parse
from engine.model.scene import kind_of
from engine.registry import did_you_mean
from engine.results.formula import evaluate
from engine.results.output_evaluation import OutputEvaluation
from engine.results.quantities.base import Channel, Read
from engine.system.compiling.frames import Frames
from engine.system.compiling.mechanism import Mechanism

TIME = "t"


def channels(mechanism: Mechanism, others: Mapping[str, Channel]) -> Iterator[Channel]:
    """Measures of a mechanism; expressions may use the other channels, measures, parameters and t."""
    build = _Builder(mechanism, dict(others))
    for i, measure in enumerate(mechanism.scene.measures):
        kind, name = kind_of(measure), f"measure.{measure.name}"
        build.begin(name, f"measures[{i}].expression")
        build.known[name] = Channel(name, kind.unit(measure), kind.read(measure, build))
        yield build.known[name]
    problems = build.problems()
    if problems:
        raise SceneError(problems)


class _Builder:
    """Gives measures what they are read from (`MeasureBuilder`), and keeps the expressions for a check."""

    def __init__(self, mechanism: Mechanism, known: dict[str, Channel]) -> None:
        self.known = known
        self._mechanism = mechanism
        self._frames = Frames(mechanism.scene)
        self._world = self._frames.places[WORLD].index
        self._name = self._path = ""  # of the measure that is being made
        self._expressions: dict[str, tuple[str, Expression]] = {}  # name → path and what stands there

    def begin(self, name: str, path: str) -> None:
        self._name, self._path = name, path

    def position(self, body: str, point: Any) -> Read:
        frame = self._frames.point(body, point)
        if frame.body == self._world:
            return lambda evaluation: np.broadcast_to(frame.point, (len(evaluation), 3))
        return lambda evaluation: evaluation.position(frame.body, frame.point)

    def direction(self, body: str, axis: Any) -> Read:
        frame = self._frames.point(body, None)
        given = np.array(axis, dtype=float)
        unit = frame.axes @ (given / np.linalg.norm(given))
        if frame.body == self._world:
            return lambda evaluation: np.broadcast_to(unit, (len(evaluation), 3))
        return lambda evaluation: evaluation.to_world(frame.body, unit)

    def expression(self, text: str) -> Read:
        parsed = parse(text)
        self._expressions[self._name] = (self._path, parsed)
        return formula(parsed, self.known, self._mechanism)

    def problems(self) -> list[Problem]:
        """Measures that lead back to themselves, each ring told at its last one; names without a value."""
        found: list[Problem] = []
        so_far: dict[str, Expression] = {}
        for name, (path, parsed) in self._expressions.items():
            so_far[name] = parsed
            short = name.removeprefix("measure.")
            found += [Problem(path, short, *text) for text in _ring(name, so_far)]
        for path, parsed in self._expressions.values():
            found += unknown_channels(path, parsed, self.known, self._mechanism)
        return found


def formula(expression: Expression, known: Mapping[str, Channel], mechanism: Mechanism) -> Read:
    """Values of an expression of channels."""
    parameters = parameters_of(mechanism)

    def read(evaluation: OutputEvaluation) -> Array:
        def value(name: str) -> Array:
            if name == TIME:
                return evaluation.t
            if name not in known:
                return np.array(parameters[name])
            if name not in evaluation.values:
                evaluation.values[name] = known[name].read(evaluation)
            return evaluation.values[name]

        return evaluate(expression, value, len(evaluation))

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
