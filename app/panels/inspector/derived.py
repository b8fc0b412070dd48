"""Values that the inspector shows and edits though no field holds them: the length of a bar."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from app.document.document import Edit, Ref, find
from app.edits import find_bar, set_length
from app.edits.building.bars.bar_sizes import set_in_shapes, set_lengths, shape_values
from app.panels.inspector.form import Entry
from app.platform.units import Units
from app.session.session import Session
from engine.elements.base import Number
from engine.elements.bodies.body import Body
from engine.elements.fields import Field, fields_of
from engine.maths.expressions import parse
from engine.model.resolve import parameter_values
from engine.model.scene import Scene

Complain = Callable[[str], object]


@dataclass(frozen=True)
class Derived:
    """One such value: its line for an element, if it has one, and what a finished edit does."""

    after: str  # field of the element below which it stands
    line: Callable[[Scene, Ref], Entry | None]
    commit: Callable[[Any, Ref, Any, Complain, Units], bool]  # True: the answer comes later


@dataclass(frozen=True)
class Shared:
    """A value that several bodies have: its line, if they all have it, and the edit that gives it to all."""

    line: Callable[[Scene, tuple[Ref, ...]], Entry | None]
    edit: Callable[[Scene, tuple[Ref, ...], Any], Edit]


def with_derived(scene: Scene, refs: tuple[Ref, ...], lines: list[Entry]) -> list[Entry]:
    """The lines of the elements with those of their derived values between them."""
    if not refs or not all(isinstance(find(scene, ref), Body) for ref in refs):
        return lines
    if len(refs) > 1:
        shared = [line for value in SHARED.values() if (line := value.line(scene, refs)) is not None]
        return [*shared, *lines]
    for derived in DERIVED.values():
        line = derived.line(scene, refs[0])
        if line is not None:
            at = next((i for i, one in enumerate(lines) if one.path == derived.after), -1)
            lines = [*lines[: at + 1], line, *lines[at + 1 :]]
    return lines


# the length of a bar

LENGTH = Field(
    "length",
    Number,
    True,
    None,
    "Length",
    "from pin to pin; the far pin, shape, centre of mass and inertia go along",
    "number",
    "m",
    {"gt": 0.0},
)


def _length_line(scene: Scene, ref: Ref) -> Entry | None:
    bar = find_bar(scene, ref.name)
    if bar is None:
        return None
    return Entry("Length", "bar.length", LENGTH, (bar.length,), (bar,), part="derived")


def _commit_length(session: Session, ref: Ref, value: Any, complain: Complain, units: Units) -> bool:
    """Whether the answer comes later."""
    scene = session.document.scene
    bar = find_bar(scene, ref.name)
    edit = set_length(scene, ref, value)  # what cannot be is said at once
    number = float(parse(value).value(parameter_values(scene))) if isinstance(value, str) else float(value)
    attempt = getattr(session, "attempt", None)
    if bar is None or attempt is None or edit.after == scene:
        session.document.apply(edit)
        return False

    def make(now: Scene, length: float) -> Edit:
        return set_length(now, ref, value if length == number else length)

    attempt(make, number, bar.now, lambda found: complain(_refusal(number, found, units)))
    return True


def _refusal(length: float, found: tuple[float, float] | None, units: Units) -> str:
    text = f"with {units.full_text(length, 'm')} the mechanism cannot be put together"
    if found is None:
        return f"{text}; looking for the lengths that can be …"
    low, high = found
    if math.isinf(high):
        return f"{text}; give at least {units.full_text(_round(low, up=True), 'm', 4)}"
    if not low:
        return f"{text}; give at most {units.full_text(_round(high, up=False), 'm', 4)}"
    ends = (_round(low, up=True), _round(high, up=False))
    return f"{text}; give {' to '.join(units.full_text(end, 'm', 4) for end in ends)}"


def _round(value: float, *, up: bool) -> float:
    """Four digits, to the inside of the range."""
    if not value > 0.0:
        return value
    unit = 10.0 ** (math.floor(math.log10(value)) - 3)
    return unit * (math.ceil(value / unit) if up else math.floor(value / unit))


def _mass_line(scene: Scene, ref: Ref) -> Entry | None:
    return Entry("Mass properties", "mass.card", part="mass")


DERIVED: dict[str, Derived] = {
    "bar.length": Derived("name", _length_line, _commit_length),
    "mass.card": Derived("inertia", _mass_line, lambda *_: False),
}


# several bodies at once


def _lengths_line(scene: Scene, refs: tuple[Ref, ...]) -> Entry | None:
    bars = [find_bar(scene, ref.name) for ref in refs]
    if any(bar is None for bar in bars):
        return None
    lengths = tuple(bar.length for bar in bars if bar is not None)
    return Entry("Length", "bars.length", LENGTH, lengths, tuple(bars), part="shared")


def _shapes_line(name: str) -> Callable[[Scene, tuple[Ref, ...]], Entry | None]:
    def line(scene: Scene, refs: tuple[Ref, ...]) -> Entry | None:
        bodies = [find(scene, ref) for ref in refs]
        values = [shape_values(body, name) for body in bodies]
        if not all(values):
            return None
        shapes = [shape for body in bodies for shape in body.shapes if hasattr(shape, name)]
        field = next(info for info in fields_of(type(shapes[0])) if info.name == name)
        flat = tuple(value for own in values for value in own)
        return Entry(field.title, f"shapes.{name}", field, flat, tuple(shapes), part="shared")

    return line


SHARED: dict[str, Shared] = {
    "bars.length": Shared(_lengths_line, set_lengths),
    "shapes.radius": Shared(
        _shapes_line("radius"), lambda scene, refs, value: set_in_shapes(scene, refs, "radius", value)
    ),
    "shapes.density": Shared(
        _shapes_line("density"), lambda scene, refs, value: set_in_shapes(scene, refs, "density", value)
    ),
}
