"""Numbers of a scene: expressions of parameters become floats, vectors get three components.

Functions of t, x or v stay text; the compiler reads them with `parameter_values`.
"""

import dataclasses
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from engine.elements.base import Table
from engine.elements.field_units import EITHER, VARIABLE_UNITS, unit_in
from engine.elements.fields import Field, fields_of
from engine.errors import Problem, SceneError, shorten
from engine.maths.dimensions import DimensionError, check_dimension
from engine.maths.expressions import ExpressionError, Name, parse, unknown_name
from engine.model.decode import join, label
from engine.model.scene import DOWN, Parameter, Scene, refuse_other
from engine.spelling import SHORT_LIKENESS, Spelling

VARIABLES = ("t", "x", "v")
ANY = "*"  # among the names of elements that could not be read: some have no name
NAN = math.nan  # stands for a number whose fault has been reported
KEPT = 4  # answers: after an edit the checks, the compiler and the views all ask about the same scene
NUMERIC = ("number", "vec", "function")
PLAIN = (str, bool, float, int, type(None))  # nothing to resolve, where the role is not that of a number
SIGNS = {"gt": ">", "ge": "≥", "lt": "<", "le": "≤"}
_KEEPS = {
    "gt": lambda value, limit: value > limit,
    "ge": lambda value, limit: value >= limit,
    "lt": lambda value, limit: value < limit,
    "le": lambda value, limit: value <= limit,
}


@dataclasses.dataclass(frozen=True)
class _Answer:
    """A resolved scene. `elements`: id of each element without faults → itself and how it was resolved."""

    scene: Scene
    resolved: Scene
    problems: tuple[Problem, ...]
    elements: "Elements"


Elements: TypeAlias = dict[int, tuple[Any, Any]]

# newest first; scenes, and their tuples of parameters, are told apart by identity. Rebinding is atomic, so
# any thread may ask
_recent: tuple[_Answer, ...] = ()
_recent_parameters: tuple[tuple[tuple[Parameter, ...], dict[str, float], tuple[Problem, ...]], ...] = ()


def resolve(scene: Scene) -> Scene:
    """The scene with every number a float, gravity and up filled in; raises SceneError with all problems."""
    resolved, problems = resolve_leniently(refuse_other("resolve", scene))
    if problems:
        raise SceneError(problems)
    return resolved


def parameter_values(scene: Scene) -> dict[str, float]:
    """Parameter name → value; raises SceneError."""
    resolver = Resolver(refuse_other("parameter_values", scene))
    if resolver.problems:
        raise SceneError(resolver.problems)
    return resolver.values


def resolve_leniently(
    scene: Scene,
    positions: Mapping[str, list[int]] | None = None,
    unknown: Iterable[str] = (),
) -> tuple[Scene, list[Problem]]:
    """The resolved scene, with NaN where a number has a fault, and the faults.

    `positions` are the places in the file of elements whose list has gaps; `unknown` names parameters that
    exist but could not be read.
    """
    global _recent
    known = not positions and not unknown
    if known:
        for answer in _recent:
            if answer.scene is scene:
                return answer.resolved, list(answer.problems)
    resolver = Resolver(scene, positions or {}, unknown, _resolved_with(scene) if known else {})
    resolved = resolver.rebuild(scene, "")
    gravity = resolved.gravity or DOWN[resolved.space]
    resolved = msgspec.structs.replace(
        resolved, gravity=gravity, up=resolved.up or _against(gravity, resolved.space)
    )
    if known:
        answer = _Answer(scene, resolved, tuple(resolver.problems), resolver.elements)
        _recent = (answer, *_recent[: KEPT - 1])
    return resolved, resolver.problems


def _resolved_with(scene: Scene) -> Elements:
    """Elements that were resolved with the same parameters: an edit leaves most of them as they were."""
    for answer in _recent:
        if answer.scene.parameters is scene.parameters and answer.scene.space == scene.space:
            return answer.elements
    return {}


def _against(gravity: tuple[Any, ...], space: str) -> Any:
    size, axis = max((abs(value), i) for i, value in enumerate(gravity))
    if not size > 0.0:
        return "y" if space == "planar" else "z"
    return ("-" if gravity[axis] > 0.0 else "") + "xyz"[axis]


def _is_resolved(value: Any, field: Field) -> bool:
    """Whether a value surely is what it resolves to, as most are: no path for messages is made of them."""
    kind, role = type(value), field.role
    if role == "expression":
        return False
    if role not in NUMERIC:
        return kind in PLAIN or (kind in (tuple, dict) and not value)
    if kind is float:
        if not math.isfinite(value):
            return False
        return not field.limits or all(_KEEPS[key](value, limit) for key, limit in field.limits.items())
    if kind is tuple and len(value) != 2 and not field.limits:
        return all(type(item) is float and math.isfinite(item) for item in value)
    return value is None or (value == {} and role == "number")


class Resolver:
    """Parameter values and the walk through a scene that replaces expressions by them.

    `known`: elements that need no walk, as they have been resolved with the same parameters.
    """

    def __init__(
        self,
        scene: Scene,
        positions: Mapping[str, list[int]] | None = None,
        unknown: Iterable[str] = (),
        known: Elements | None = None,
    ) -> None:
        self.problems: list[Problem] = []
        self.elements: Elements = {}
        self._known = known or {}
        self.values: dict[str, float] = dict.fromkeys(unknown, NAN)
        self._space = scene.space
        self._positions = positions or {}
        self._parameters = {p.name: p for p in scene.parameters}
        self._spellings: dict[tuple[str, ...], Spelling] = {}  # by the variables of functions
        self._paths = {
            p.name: f"{self._label('parameters', i, p)}.value" for i, p in enumerate(scene.parameters)
        }
        if positions or self.values:
            self._find_values()
        else:
            self._take_values(scene.parameters)

    def _find_values(self) -> None:
        for name in self._parameters:
            self._parameter(name)

    def _take_values(self, parameters: tuple[Parameter, ...]) -> None:
        """Values of these parameters, worked out at most once."""
        global _recent_parameters
        for before, values, problems in _recent_parameters:
            if before is parameters:
                self.values, self.problems = dict(values), list(problems)
                return
        self._find_values()
        _recent_parameters = (
            (parameters, dict(self.values), tuple(self.problems)),
            *_recent_parameters[: KEPT - 1],
        )

    def rebuild(self, node: Any, path: str) -> Any:
        """The struct with its numbers resolved."""
        changes = {}
        for field in fields_of(type(node)):
            old = getattr(node, field.name)
            if _is_resolved(old, field) and not isinstance(node, Parameter):
                continue
            new = self._value(node, field, old, join(path, field.name))
            if new is not old:
                changes[field.name] = new
        return msgspec.structs.replace(node, **changes) if changes else node

    def _value(self, node: Any, field: Field, value: Any, path: str) -> Any:
        if isinstance(node, Parameter) and field.name == "value":
            return self.values.get(node.name, NAN)
        if field.unit in EITHER:
            field = dataclasses.replace(field, unit=unit_in(field, node))
        if field.role == "vec" and isinstance(value, tuple):
            vector = tuple(self._number(v, f"{path}[{i}]", field) for i, v in enumerate(value))
            return self._padded(vector, path)
        if field.role == "number":
            return self._numbers(value, path, field)
        if field.role == "function":
            return self._functions(value, path, field)
        if field.role == "expression":
            for text in (value,) if isinstance(value, str) else value:
                self._parsed(text, path)
            return value
        return self._structs(value, path)

    def _structs(self, value: Any, path: str) -> Any:
        if isinstance(value, Struct):
            return self.rebuild(value, path)
        if isinstance(value, tuple) and value and isinstance(value[0], Struct):
            build = self.rebuild if "." in path else self._element
            return tuple(build(item, self._label(path, i, item)) for i, item in enumerate(value))
        if isinstance(value, dict) and value and all(isinstance(item, Struct) for item in value.values()):
            return {key: self.rebuild(item, join(path, key)) for key, item in value.items()}
        return value

    def _element(self, item: Any, path: str) -> Any:
        """An element of the scene, looked at only when it or a parameter was changed."""
        before, made = self._known.get(id(item), (None, None))
        if before is not item:
            faults = len(self.problems)
            made = self.rebuild(item, path)
            if len(self.problems) > faults:
                return made
        self.elements[id(item)] = (item, made)
        return made

    def _label(self, path: str, index: int, item: Any) -> str:
        places = self._positions.get(path)
        return label(path, places[index] if places else index, item)

    def _numbers(self, value: Any, path: str, field: Field) -> Any:
        if isinstance(value, Struct):
            return self.rebuild(value, path)
        if isinstance(value, tuple):
            return tuple(self._numbers(item, f"{path}[{i}]", field) for i, item in enumerate(value))
        if isinstance(value, dict):
            return {key: self._numbers(item, join(path, key), field) for key, item in value.items()}
        return value if value is None else self._number(value, path, field)

    def _functions(self, value: Any, path: str, field: Field) -> Any:
        if isinstance(value, tuple):
            vector = tuple(self._functions(item, f"{path}[{i}]", field) for i, item in enumerate(value))
            return self._padded(vector, path)
        if isinstance(value, Table):
            self._check_table(value, path, field)
            return self.rebuild(value, path)
        return value if value is None else self._number(value, path, field, field.extra["of"])

    def _check_table(self, table: Table, path: str, field: Field) -> None:
        """Units of what stands in a table: those of its variable and those of the function."""
        units = (VARIABLE_UNITS.get(field.extra["of"][0], ""), field.unit)
        for i, point in enumerate(table.points):
            for k, (value, unit) in enumerate(zip(point, units, strict=False)):
                if isinstance(value, str):
                    try:
                        check_dimension(value, unit)
                    except DimensionError as error:
                        self._report(value, f"{path}.points[{i}][{k}]", error)
                    except ExpressionError:  # told when it is evaluated
                        continue

    def _padded(self, vector: tuple[Any, ...], path: str) -> tuple[Any, ...]:
        if len(vector) != 2:
            return vector
        if self._space == "spatial":
            text = "two numbers where a spatial scene needs three"
            self.problems.append(Problem(path, vector, text, "add the z component"))
        return (*vector, 0.0)

    def _number(self, value: Any, path: str, field: Field, of: tuple[str, ...] = ()) -> Any:
        result = self._evaluated(value, path, of, field.unit) if isinstance(value, str) else value
        if isinstance(result, str) or (math.isnan(result) and isinstance(value, str)):
            return result
        if not math.isfinite(result):
            text = f"{result} is not a finite number"
            self.problems.append(Problem(path, value, text, "write a finite number"))
            return NAN
        broken = [key for key, limit in field.limits.items() if not _KEEPS[key](result, limit)]
        if broken:
            limits = " and ".join(f"{SIGNS[key]} {limit:g}" for key, limit in field.limits.items())
            shown = f"{value!r} = {result:g}" if isinstance(value, str) else f"{result:g}"
            text = f"{field.title.lower()} must be {limits}; it is {shown}"
            remedy = f"write a number {limits}" + (f" (in {field.unit})" if field.unit else "")
            self.problems.append(Problem(path, value, text, remedy))
            return NAN
        return float(result)

    def _evaluated(self, text: str, path: str, of: tuple[str, ...], unit: str = "") -> Any:
        expression = self._parsed(text, path)
        if expression is None:
            return NAN
        foreign = (expression.names & set(VARIABLES)) - set(of)
        if foreign:
            self._report_foreign(text, path, min(foreign), of)
            return NAN
        missing = sorted(name for name in expression.names if name not in self.values and name not in of)
        if missing and ANY in self.values:
            return NAN
        if missing:
            column = text.find(missing[0].split(".")[0]) + 1
            self._report(text, path, unknown_name(Name(missing[0], column), self._spelling(of)))
            return NAN
        if any(math.isnan(self.values[name]) for name in expression.names - set(of)):
            return NAN
        try:
            check_dimension(text, unit)
            if expression.names & set(of):
                return text
            return expression.value(self.values)
        except ExpressionError as error:
            self._report(text, path, error)
            return NAN

    def _spelling(self, of: tuple[str, ...]) -> Spelling:
        """The names that have a value in functions of these variables."""
        if of not in self._spellings:
            known = {**self.values, **self._parameters, **dict.fromkeys(of)}
            self._spellings[of] = Spelling(known, SHORT_LIKENESS)
        return self._spellings[of]

    def _parsed(self, text: str, path: str) -> Any:
        try:
            return parse(text)
        except ExpressionError as error:
            self._report(text, path, error)
            return None

    def _report(self, text: str, path: str, error: ExpressionError) -> None:
        message, _, remedy = error.message.partition("; ")
        what = f"expression {shorten(text)!r}, column {error.column}: {message}"
        self.problems.append(Problem(path, text, what, remedy or "correct the expression"))

    def _report_foreign(self, text: str, path: str, name: str, of: tuple[str, ...]) -> None:
        where = "functions of time" if name == "t" else "force laws"
        known = f"here the variables are {', '.join(of)}" if of else "here only parameters have a value"
        message = f"expression {shorten(text)!r}: {name!r} has a value only in {where}"
        self.problems.append(Problem(path, text, message, f"{known}; write a number or use a parameter"))

    def _parameter(self, name: str) -> None:
        """Work out a parameter, after those that it uses; no recursion, as thousands may stand in a row."""
        waiting = {name: self._used_by(name)}  # each with those of its names that were not looked at yet
        while waiting:
            current = next(reversed(waiting))
            other = next(waiting[current], None)
            if other is None:
                del waiting[current]
                if current not in self.values:
                    self.values[current] = self._parameter_value(current)
            elif other in waiting:
                names = list(waiting)
                ring = names[names.index(other) :]
                text = f"parameters depend on each other in a ring: {' → '.join((*ring, other))}"
                given = self._parameters[current].value
                self.problems.append(Problem(self._paths[current], given, text, "give one of them a number"))
                self.values.update(dict.fromkeys(ring, NAN))
            elif other in self._parameters and other not in self.values:
                waiting[other] = self._used_by(other)

    def _used_by(self, name: str) -> Iterator[str]:
        """Names in the expression of a parameter; none of those that are known already."""
        value = self._parameters[name].value
        if name in self.values or not isinstance(value, str):
            return iter(())
        try:
            return iter(sorted(parse(value).names))
        except ExpressionError:  # told when it is evaluated
            return iter(())

    def _parameter_value(self, name: str) -> float:
        value, path = self._parameters[name].value, self._paths[name]
        if isinstance(value, str):
            found: float = self._evaluated(value, path, ())
            return found
        if math.isfinite(value):
            return value
        self.problems.append(Problem(path, value, f"{value} is not a finite number", "write a finite number"))
        return NAN
