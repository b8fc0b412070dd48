"""What templates have in common: parameters with ranges, the scene they make, and what follows from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import msgspec

from engine.arguments import number
from engine.errors import Problem, SceneError
from engine.model.scene import Scene
from engine.registry import shown_by_name
from engine.spelling import did_you_mean
from engine.templates.numbers import with_meant_numbers

Values = Mapping[str, float]
SAMPLES = 24  # of a range, when looking for the values that a parameter may have
TRIED = 4  # parameters whose range is looked for, the last given first
HALVINGS = 20  # of a sample interval, to find where the values end


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """A number that the user chooses, in SI. `choices` names whole numbers from 0 on."""

    name: str
    title: str
    unit: str = ""
    default: float
    low: float
    high: float
    help: str = ""
    whole: bool = False
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Fact:
    """Something that follows from the parameters: words, or a number in SI."""

    title: str
    value: str | float
    unit: str = ""

    def __str__(self) -> str:
        value = self.value if isinstance(self.value, str) else f"{self.value:.5g}"
        return f"{self.title}: {value} {self.unit}".rstrip()


@dataclass(frozen=True)
class Made:
    """A scene and what is known of it.

    `mobility`: degrees of freedom without its motions, at a general pose. `box`: where it moves, low and
    high [m]. `paths`: what its traces will draw, where that is known before it runs; points [m], in order.
    """

    scene: Scene
    mobility: int
    facts: tuple[Fact, ...] = ()
    box: tuple[list[float], list[float]] | None = None
    paths: tuple[list[list[float]], ...] = ()


class Unreachable(Exception):
    """The parts of a mechanism do not meet; the text says which."""


class TemplateError(SceneError):
    """Parameters of which no mechanism can be made. `span`: what `parameter` may be, if known."""

    def __init__(
        self,
        problem: Problem,
        parameter: Parameter | None = None,
        span: tuple[float, float] | None = None,
        reason: str = "",
    ) -> None:
        super().__init__([problem])
        self.parameter, self.span, self.reason = parameter, span, reason

    def __str__(self) -> str:
        return f"{self.problems[0].message}; {self.problems[0].remedy}"


def _nothing(values: Values) -> None:
    """No check beyond the ranges."""


@dataclass(frozen=True, kw_only=True)
class Template:
    """A mechanism with parameters.

    `build` gets values inside their ranges. `check` raises Unreachable where they fit together in no pose; it
    is quick, since it also finds the range that is left for a parameter.
    """

    name: str
    title: str
    group: str
    summary: str
    source: str = ""
    notes: str = ""
    parameters: tuple[Parameter, ...]
    build: Callable[[Values], Made]
    check: Callable[[Values], None] = _nothing
    picture_time: float = 1.0  # s, at which a picture says most
    step: float = field(default=1e-3)  # s
    duration: float = field(default=10.0)  # s

    __repr__ = shown_by_name

    @property
    def defaults(self) -> dict[str, float]:
        return {parameter.name: parameter.default for parameter in self.parameters}

    def parameter(self, name: str) -> Parameter:
        for parameter in self.parameters:
            if parameter.name == name:
                return parameter
        known = tuple(p.name for p in self.parameters)
        hint = did_you_mean(name, known)
        raise KeyError(f"{self.name} has no parameter {name!r}{hint} (known: {', '.join(known)})")

    def make(self, **values: float) -> Made:
        """The mechanism with these values, the rest as by default; raises TemplateError."""
        chosen = self.complete(values)
        made = self.build(chosen)
        scene = msgspec.structs.replace(
            with_meant_numbers(made.scene).with_simulation(dt=self.step, duration=self.duration),
            title=self.title,
            description=self.summary,
            source=self.source,
            notes=self.notes,
            view={} if made.box is None else {"box": [*made.box]},
        )
        return replace(made, scene=scene)

    def complete(self, values: Values) -> dict[str, float]:
        """All values, checked; raises TemplateError or KeyError."""
        for name in values:
            self.parameter(name)
        chosen = {**self.defaults, **{name: number(name, value) for name, value in values.items()}}
        for parameter in self.parameters:
            _check_range(parameter, chosen[parameter.name])
        try:
            self.check(chosen)
        except Unreachable as error:
            raise self._explained(chosen, str(error), tuple(values)) from None
        return chosen

    def admissible(self, values: Values, name: str) -> tuple[float, float] | None:
        """What one parameter may be while the others stay: the interval next to its value, or None."""
        parameter = self.parameter(name)
        low, high = parameter.low, parameter.high
        count = int(high - low) if parameter.whole else SAMPLES
        samples = [low + (high - low) * i / max(count, 1) for i in range(count + 1)]
        good = [self._fits({**values, name: sample}) for sample in samples]
        found = [i for i, fits in enumerate(good) if fits]
        if not found:
            return None
        nearest = min(found, key=lambda i: abs(samples[i] - values[name]))
        first = last = nearest
        while first > 0 and good[first - 1]:
            first -= 1
        while last < count and good[last + 1]:
            last += 1
        ends = []
        for inside, outside in ((first, first - 1), (last, last + 1)):
            if parameter.whole or not 0 <= outside <= count:
                ends.append(samples[inside])
            else:
                ends.append(self._border(values, name, samples[inside], samples[outside]))
        return ends[0], ends[1]

    def _border(self, values: Values, name: str, inside: float, outside: float) -> float:
        for _ in range(HALVINGS):
            middle = (inside + outside) / 2.0
            if self._fits({**values, name: middle}):
                inside = middle
            else:
                outside = middle
        return inside

    def _fits(self, values: Values) -> bool:
        try:
            self.check(values)
        except Unreachable:
            return False
        return True

    def _explained(self, values: Values, reason: str, given: tuple[str, ...]) -> TemplateError:
        """The error, with the range of the parameter that was given last and can mend it."""
        rest = [p.name for p in self.parameters if p.name not in given]
        for name in (*reversed(given), *rest)[:TRIED]:
            span = self.admissible(values, name)
            if span is not None:
                parameter = self.parameter(name)
                remedy = f"with the other values {_range(parameter, span)}"
                message = f"{parameter.title} {_shown(parameter, values[name])}: {reason}"
                return TemplateError(Problem(name, values[name], message, remedy), parameter, span, reason)
        remedy = "change several values, or begin again with the defaults"
        return TemplateError(Problem("", dict(values), f"{self.title}: {reason}", remedy), None, None, reason)


def _check_range(parameter: Parameter, value: float) -> None:
    reason = ""
    if not parameter.low <= value <= parameter.high:  # also refuses NaN
        reason = "out of range"
    elif (parameter.whole or parameter.choices) and value != int(value):
        reason = "not a whole number"
    if reason:
        span = parameter.low, parameter.high
        message = f"{parameter.title} {_shown(parameter, value)} is {reason}"
        remedy = _range(parameter, span)
        raise TemplateError(Problem(parameter.name, value, message, remedy), parameter, span, reason)


def _shown(parameter: Parameter, value: float) -> str:
    if parameter.choices and value in range(len(parameter.choices)):
        return parameter.choices[int(value)]
    return f"{value:.4g} {parameter.unit}".rstrip()


def _range(parameter: Parameter, span: tuple[float, float]) -> str:
    if parameter.choices:
        return f"choose {' or '.join(parameter.choices[int(span[0]) : int(span[1]) + 1])}"
    return f"it lies between {_shown(parameter, span[0])} and {_shown(parameter, span[1])}"


def length(
    name: str, title: str, default: float, help: str = "", low: float = 0.01, high: float = 2.0
) -> Parameter:
    return Parameter(name=name, title=title, unit="m", default=default, low=low, high=high, help=help)


def angle(name: str, title: str, default: float, low: float, high: float, help: str = "") -> Parameter:
    return Parameter(name=name, title=title, unit="rad", default=default, low=low, high=high, help=help)


def pace(default: float) -> Parameter:
    return Parameter(
        name="pace",
        title="Pace of the drive",
        unit="rad/s",
        default=default,
        low=0.01,
        high=50.0,
        help="of the motion that swings to and fro",
    )


def speed(
    default: float, title: str = "Motor speed", help: str = "held by a motion of the first joint"
) -> Parameter:
    return Parameter(
        name="speed", title=title, unit="rad/s", default=default, low=-100.0, high=100.0, help=help
    )
