"""Measures: the channels that their kinds read from points, directions and other channels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from engine.compiled.layout import Array
from engine.elements.base import WORLD
from engine.elements.coordinates.frames import Frame
from engine.errors import Problem, SceneError, shorten
from engine.maths.expressions import Expression, parse
from engine.maths.rings import in_order, rings
from engine.model.scene import kind_of
from engine.results.formula import evaluate
from engine.results.output_evaluation import OutputEvaluation
from engine.results.quantities.base import Channel, Read
from engine.spelling import Spelling
from engine.system.compiling.frames import Frames
from engine.system.compiling.mechanism import Mechanism

TIME = "t"
MAX_RING = 400  # characters of a ring that is told


def channels(mechanism: Mechanism, others: Mapping[str, Channel]) -> Iterator[Channel]:
    """Measures of a mechanism; expressions may use the other channels, measures, parameters and t."""
    build = _Builder(mechanism, dict(others))
    for i, measure in enumerate(mechanism.scene.measures):
        kind, name = kind_of(measure), f"measure.{measure.name}"
        build.begin(name, f"measures[{i}].expression")
        meaning = f"measure of the scene: {kind.summary[:1].lower()}{kind.summary[1:]}"
        build.known[name] = Channel(name, kind.unit(measure), kind.read(measure, build), meaning)
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
        self._paths: dict[str, str] = {}  # of expressions, by the name of their channel
        self._expressions: dict[str, Expression] = {}
        self._reads: dict[str, Read] = {}

    def begin(self, name: str, path: str) -> None:
        self._name, self._path = name, path

    def position(self, body: str, point: Any) -> Read:
        frame = self._frame(body, point)
        if frame.body == self._world:
            return lambda evaluation: np.broadcast_to(frame.point, (len(evaluation), 3))
        return lambda evaluation: evaluation.position(frame.body, frame.point)

    def _frame(self, body: str, point: Any) -> Frame:
        """Where a point is; raises SceneError when the body has another name in what was recorded."""
        if body not in self._frames.places:
            message = f"{self._name}: there was no body {body!r}"
            raise SceneError([Problem(self._path, body, message, "run again with the bodies as they are")])
        return self._frames.point(body, point)

    def direction(self, body: str, axis: Any) -> Read:
        frame = self._frame(body, None)
        given = np.array(axis, dtype=float)
        unit = frame.axes @ (given / np.linalg.norm(given))
        if frame.body == self._world:
            return lambda evaluation: np.broadcast_to(unit, (len(evaluation), 3))
        return lambda evaluation: evaluation.to_world(frame.body, unit)

    def expression(self, text: str) -> Read:
        name, parsed = self._name, parse(text)
        self._paths[name], self._expressions[name] = self._path, parsed
        read = self._reads[name] = formula(parsed, self.known, self._mechanism)

        def in_turn(evaluation: OutputEvaluation) -> Array:
            # one after the other: thousands may stand in a row, more than calls may be nested
            for other in in_order(name, _Uses(self._expressions), known=evaluation.values):
                evaluation.values[other] = self._reads[other](evaluation)
            return read(evaluation)

        return in_turn

    def problems(self) -> list[Problem]:
        """Measures that lead back to themselves, each ring told once; names without a value."""
        found: list[Problem] = []
        order = {name: i for i, name in enumerate(self._expressions)}
        for ring in rings(_Uses(self._expressions)):
            last = max(ring, key=order.__getitem__)  # whoever wrote it closed the ring
            names = [name.removeprefix("measure.") for name in _from(last, ring)]
            text = f"the measure depends on itself: {shorten(' → '.join((*names, names[0])), MAX_RING)}"
            remedy = "break the ring: use channels of bodies or joints"
            found.append(Problem(self._paths[last], names[0], text, remedy))
        known = ChannelNames(self.known, self._mechanism)
        for name, parsed in self._expressions.items():
            found += known.unknown(self._paths[name], parsed)
        return found


class _Uses(Mapping[str, Sequence[str]]):
    """Measures that each measure names, of all expressions so far."""

    def __init__(self, expressions: Mapping[str, Expression]) -> None:
        self._expressions = expressions

    def __getitem__(self, name: str) -> list[str]:
        return sorted(self._expressions[name].names & self._expressions.keys())

    def __iter__(self) -> Iterator[str]:
        return iter(self._expressions)

    def __len__(self) -> int:
        return len(self._expressions)


def _from(first: str, ring: Sequence[str]) -> list[str]:
    at = ring.index(first)
    return [*ring[at:], *ring[:at]]


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


class ChannelNames:
    """What expressions of a mechanism may name: channels, parameters and t."""

    def __init__(self, known: Mapping[str, Any], mechanism: Mechanism) -> None:
        self._names = {*known, *parameters_of(mechanism), TIME}
        self._spelling = Spelling(self._names)

    def unknown(self, path: str, expression: Expression) -> list[Problem]:
        """A problem for every name that has no value."""
        return [
            Problem(
                path,
                name,
                f"there is no channel {shorten(name)!r}{self._spelling.hint(name)}",
                "name a channel of this scene",
            )
            for name in sorted(expression.names)
            if name not in self._names
        ]
