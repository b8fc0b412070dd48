"""The lines of a form: which fields of the selected elements are shown, in which order, with which editor."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import Struct

from app.panels.inspector.field_units import unit_of
from app.widgets.editors import Ask, Context, Editor, editor_for
from app.widgets.editors.editor_kind import holds_structs
from engine.elements.base import AxisAngle, Element, Part, Table
from engine.elements.bodies.shapes import SHAPES, Shape
from engine.elements.field_units import coordinate_unit
from engine.elements.fields import Field, fields_of
from engine.elements.joints import JOINTS
from engine.elements.joints.base import Start
from engine.model.scene import Scene, kind_of

APPEARANCE = ("color", "opacity", "layer", "visible", "notes")
SPATIAL_ONLY, PLANAR_ONLY = ("orientation",), ("angle",)
COMMON = {field.name for field in fields_of(Shape)}  # what all shapes have comes after what makes one
GROWING = ("points", "shapes")  # lists whose headings have a button that adds to them
VALUES = (Table, AxisAngle)  # structs that one editor edits as a whole


@dataclass(frozen=True)
class Entry:
    """A line of the form: a heading (no field), or a field with its path and the values it has.

    `part` marks what can be added or removed: the headings "points", "shapes", "shape", the line "point"; and
    "derived": a value that no field holds, such as the length of a bar, "shared" one of several bodies.
    """

    title: str
    path: str = ""
    field: Field | None = None
    values: tuple[Any, ...] = ()
    owners: tuple[Any, ...] = ()  # structs that hold the field
    heading: bool = False
    depth: int = 0
    part: str = ""

    @property
    def mixed(self) -> bool:
        return any(value != self.values[0] for value in self.values[1:])

    @property
    def value(self) -> Any:
        return self.values[0]

    @property
    def shape(self) -> tuple[Any, ...]:
        """What must stay the same for the editor to be kept when values change."""
        value = self.value if self.values else None
        grid = isinstance(value, tuple) and bool(value) and isinstance(value[0], tuple)
        width = len(value) if isinstance(value, tuple) and not grid else -1
        body = getattr(self.owners[0], "body", None) if self.owners else None
        body = body if isinstance(body, str) else None  # of an anchor; a scene has a method of this name
        facts = (self.field.unit, self.field.description) if self.field else ()
        return (self.title, self.path, self.heading, len(self.values), width, body, self.part, facts)


def entries(
    scene: Scene, items: Sequence[Any], prefix: str = "", depth: int = 0, last: Collection[str] = ()
) -> Iterator[Entry]:
    """Lines for items of which all have the same fields, or for the fields they have in common."""
    shared = fields_of(type(items[0]))
    for other in items[1:]:
        known = {(f.name, f.role, f.unit) for f in fields_of(type(other))}
        shared = tuple(f for f in shared if (f.name, f.role, f.unit) in known)
    own = sorted((f for f in shared if f.name not in APPEARANCE or depth), key=lambda f: f.name in last)
    look = [f for f in shared if f.name in APPEARANCE and not depth]
    for field in own:
        yield from _lines(scene, items, field, prefix, depth)
    if look:
        yield Entry("Appearance", heading=True, depth=depth)
        for field in look:
            yield from _lines(scene, items, field, prefix, depth)


def _lines(scene: Scene, items: Sequence[Any], field: Field, prefix: str, depth: int) -> Iterator[Entry]:
    planar = scene.space == "planar"
    if field.extra.get("worked_out"):  # nobody types it
        return
    if field.name in (SPATIAL_ONLY if planar else PLANAR_ONLY) and field.role == "number":
        return
    if field.name == "name" and (len(items) > 1 or depth):
        return
    values = tuple(getattr(item, field.name) for item in items)
    if all(map(_idle, items, values, [field] * len(items))):
        return
    path = f"{prefix}{field.name}"
    first = values[0]
    if isinstance(first, Struct) and not isinstance(first, VALUES):
        if all(type(value) is type(first) for value in values):
            yield Entry(field.title or field.name, path, heading=True, depth=depth + 1)
            yield from entries(scene, values, f"{path}.", depth + 1)
        return
    if field.name == "start" and isinstance(first, dict):
        yield from _starts(scene, items, values, path, depth)
        return
    if isinstance(first, tuple) and holds_structs(field.type):
        if len(items) == 1 and (first or field.name in GROWING):
            yield from _parts(scene, first, field, path, depth)
        return
    fact = Field(**{**vars(field), "unit": unit_of(field, items)})
    yield Entry(field.title or field.name, path, fact, values, tuple(items), depth=depth)


def _idle(item: Any, value: Any, field: Field) -> bool:
    """Whether a field means nothing with what the others say, and has what a new element has there."""
    if not isinstance(item, Part) or field.name not in item.unread():
        return False
    kind = kind_of(item) if isinstance(item, Element) else None
    own = field.default if kind is None else kind.defaults.get(field.name, field.default)
    return value in (field.default, own)


def _parts(scene: Scene, items: Sequence[Any], field: Field, path: str, depth: int) -> Iterator[Entry]:
    """Points, one line each; shapes, each with a heading and its fields."""
    yield Entry(field.title, path, heading=True, depth=depth + 1, part=field.name)
    for index, item in enumerate(items):
        if field.name == "points":
            (position,) = (fact for fact in fields_of(type(item)) if fact.name == "position")
            at = f"{path}.{item.name}.position"
            yield Entry(item.name, at, position, (item.position,), (item,), depth=depth + 1, part="point")
        else:
            tag = str(item.__struct_config__.tag)
            title = f"{SHAPES[tag].title if tag in SHAPES else tag} {index + 1}"
            yield Entry(title, f"{path}.{index}", heading=True, depth=depth + 2, part="shape")
            yield from entries(scene, [item], f"{path}.{index}.", depth + 2, last=COMMON)


def _starts(
    scene: Scene, items: Sequence[Any], values: Sequence[Any], path: str, depth: int
) -> Iterator[Entry]:
    """What assembly shall honour of each coordinate of a joint."""
    if len(items) > 1 or items[0].__struct_config__.tag not in JOINTS:
        return
    for name in JOINTS[items[0].__struct_config__.tag].coordinates_in(scene.space):
        start = values[0].get(name, Start())
        yield Entry(f"Start of {name}", f"{path}.{name}", heading=True, depth=depth + 1)
        for field in fields_of(Start):
            unit = coordinate_unit(name)
            fact = Field(
                **{**vars(field), "unit": unit if field.name == "value" else f"{unit}/s"},
            )
            at = f"{path}.{name}.{field.name}"
            yield Entry(field.title, at, fact, (getattr(start, field.name),), (start,), depth=depth + 1)


def make_editor(scene: Scene, entry: Entry, context: Context, name: str) -> Editor | None:
    """The editor of a line; None where there is none."""
    assert entry.field is not None
    return editor_for(Ask(scene, entry.field, entry.value, entry.owners, context, name))
