"""Which editor a field gets, from its metadata and its present value."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from msgspec import Struct
from PySide6.QtWidgets import QVBoxLayout

from app.panels.editors import (
    ChoiceEditor,
    ColorEditor,
    Context,
    Editor,
    ExpressionEditor,
    ExpressionsEditor,
    FlagEditor,
    FunctionEditor,
    ListEditor,
    NotesEditor,
    NumberEditor,
    PointEditor,
    TextEditor,
    VectorEditor,
)
from engine.elements.base import WORLD, AxisAngle, Table
from engine.elements.fields import Field, fields_of
from engine.elements.joints import JOINTS
from engine.elements.joints.base import Start
from engine.model.scene import Scene

LONG = ("description", "notes", "source", "title")  # words that need several lines
APPEARANCE = ("color", "opacity", "layer", "visible", "notes")
SPATIAL_ONLY, PLANAR_ONLY = ("orientation",), ("angle",)


@dataclass(frozen=True)
class Entry:
    """A line of the form: a heading (no field), or a field with its path and the values it has."""

    title: str
    path: str = ""
    field: Field | None = None
    values: tuple[Any, ...] = ()
    owners: tuple[Any, ...] = ()  # structs that hold the field
    heading: bool = False
    depth: int = 0

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
        width = len(value) if isinstance(value, tuple) else -1
        body = getattr(self.owners[0], "body", None) if self.owners else None
        body = body if isinstance(body, str) else None  # of an anchor; a scene has a method of this name
        kept = type(value).__name__ if isinstance(value, Table | AxisAngle) else ""
        return (self.title, self.path, self.heading, len(self.values), width, kept, body)


def entries(scene: Scene, items: Sequence[Any], prefix: str = "", depth: int = 0) -> Iterator[Entry]:
    """Lines for items of which all have the same fields, or for the fields they have in common."""
    shared = fields_of(type(items[0]))
    for other in items[1:]:
        known = {(f.name, f.role, f.unit) for f in fields_of(type(other))}
        shared = tuple(f for f in shared if (f.name, f.role, f.unit) in known)
    own = [f for f in shared if f.name not in APPEARANCE or depth]
    look = [f for f in shared if f.name in APPEARANCE and not depth]
    for field in own:
        yield from _lines(scene, items, field, prefix, depth)
    if look:
        yield Entry("Appearance", heading=True, depth=depth)
        for field in look:
            yield from _lines(scene, items, field, prefix, depth)


def _lines(scene: Scene, items: Sequence[Any], field: Field, prefix: str, depth: int) -> Iterator[Entry]:
    planar = scene.space == "planar"
    if field.name in (SPATIAL_ONLY if planar else PLANAR_ONLY) and field.role == "number":
        return
    if field.name == "name" and (len(items) > 1 or depth):
        return
    values = tuple(getattr(item, field.name) for item in items)
    path = f"{prefix}{field.name}"
    first = values[0]
    if isinstance(first, Struct) and not isinstance(first, Table):
        if all(type(value) is type(first) for value in values):
            yield Entry(field.title or field.name, path, heading=True, depth=depth + 1)
            yield from entries(scene, values, f"{path}.", depth + 1)
        return
    if field.name == "start" and isinstance(first, dict):
        yield from _starts(scene, items, values, path, depth)
        return
    if isinstance(first, tuple) and _of_structs(field.type):
        if len(items) == 1:
            for index, item in enumerate(first):
                name = getattr(item, "name", None)
                kind = item.__struct_config__.tag
                text = f"{field.title.removesuffix('s')} {name or index + 1}" + (f" ({kind})" if kind else "")
                yield Entry(text, f"{path}.{name or index}", heading=True, depth=depth + 1)
                yield from entries(scene, [item], f"{path}.{name or index}.", depth + 1)
        return
    yield Entry(field.title or field.name, path, field, values, tuple(items), depth=depth)


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
            unit = "rad" if name == "angle" else "m"
            fact = Field(
                **{**vars(field), "unit": unit if field.name == "value" else f"{unit}/s"},
            )
            at = f"{path}.{name}.{field.name}"
            yield Entry(field.title, at, fact, (getattr(start, field.name),), (start,), depth=depth + 1)


def make_editor(scene: Scene, entry: Entry, context: Context, name: str) -> Editor | None:
    """The editor of a field; None where there is none."""
    field = entry.field
    assert field is not None
    bare, optional = _bare(field.type)
    planar = scene.space == "planar"
    if field.role == "reference":
        return ChoiceEditor(name, _names(scene, field))
    if field.role == "vec":
        count = 2 if planar and field.extra.get("frame") == "plane" else _width(entry.value, planar)
        if _accepts_words(field.type):
            points = _points(scene, entry)
            return PointEditor(context, name, count, points, optional=optional)
        return VectorEditor(context, field.unit, name, count)
    if field.role == "function":
        of = field.extra.get("of", ("t",))
        if isinstance(entry.value, tuple):
            return VectorFunctions(context, field.unit, name, of, len(entry.value))
        return FunctionEditor(context, field.unit, name, of, optional=optional)
    if field.role == "expression":
        return ExpressionEditor(name) if isinstance(entry.value, str) else ExpressionsEditor(name)
    if field.role == "number":
        return _number(entry, field, bare, context, name, optional)
    return _words(field, bare, context, name)


def _number(
    entry: Entry, field: Field, bare: Any, context: Context, name: str, optional: bool
) -> Editor | None:
    if isinstance(entry.value, dict):
        return None
    pairs = isinstance(entry.value, tuple) and bool(entry.value) and isinstance(entry.value[0], tuple)
    if pairs or field.name == "inertia":
        return ListEditor(context, field.unit, name, optional=optional, pairs=pairs)
    if isinstance(entry.value, tuple):
        return VectorEditor(context, field.unit, name, len(entry.value), limits=field.limits)
    return NumberEditor(
        context, field.unit, name, limits=field.limits, optional=optional, integer=bare is int
    )


def _words(field: Field, bare: Any, context: Context, name: str) -> Editor | None:
    if bare is bool:
        return FlagEditor(name)
    if get_origin(bare) is Literal:
        return ChoiceEditor(name, [(str(word) or "automatic", word) for word in get_args(bare)])
    if bare is int:
        return NumberEditor(context, "", name, integer=True)
    if field.name == "color":
        return ColorEditor(name)
    if field.name in LONG:
        return NotesEditor(name)
    return TextEditor(name) if bare is str else None


class VectorFunctions(Editor):
    """Functions below each other, one per component."""

    def __init__(self, context: Context, unit: str, name: str, of: Sequence[str], count: int) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        self._editors = [
            FunctionEditor(context, unit, f"{name}.{i}", of, optional=False) for i in range(count)
        ]
        self._values: list[Any] = [0.0] * count
        for index, editor in enumerate(self._editors):
            column.addWidget(editor)
            editor.complained.connect(self.complained)
            editor.committed.connect(lambda value, index=index: self._finish(index, value))

    def busy(self) -> bool:
        return any(editor.busy() for editor in self._editors)

    def show_value(self, value: Any, *, mixed: bool = False) -> None:
        self._values = list(value)
        for editor, item in zip(self._editors, value, strict=False):
            editor.show_value(item, mixed=mixed)

    def _finish(self, index: int, value: Any) -> None:
        new = list(self._values)
        new[index] = value
        self.committed.emit(tuple(new))


# what a type says


def _bare(hint: Any) -> tuple[Any, bool]:
    """The type without metadata, and whether None is allowed."""
    while get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
    if get_origin(hint) in (Union, UnionType):
        optional = type(None) in get_args(hint)
        rest = [arg for arg in get_args(hint) if arg is not type(None)]
        return (_bare(rest[0])[0] if len(rest) == 1 else hint), optional
    return hint, False


def _accepts_words(hint: Any) -> bool:
    """Whether a vector may also be the name of a point."""
    while get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
    return get_origin(hint) in (Union, UnionType) and str in get_args(hint)


def _of_structs(hint: Any) -> bool:
    bare, _ = _bare(hint)
    if get_origin(bare) is not tuple:
        return False
    inner, _ = _bare(get_args(bare)[0])
    options = get_args(inner) if get_origin(inner) in (Union, UnionType) else (inner,)
    return all(isinstance(option, type) and issubclass(option, Struct) for option in options)


def _width(value: Any, planar: bool) -> int:
    return len(value) if isinstance(value, tuple) else 2 if planar else 3


def _names(scene: Scene, field: Field) -> list[tuple[str, Any]]:
    names = [item.name for item in getattr(scene, str(field.extra.get("to")))]
    if field.extra.get("ground"):
        names.insert(0, WORLD)
    return [(name, name) for name in names]


def _points(scene: Scene, entry: Entry) -> list[str]:
    bodies = {getattr(owner, "body", None) for owner in entry.owners}
    if len(bodies) != 1:
        return []
    name = bodies.pop()
    return [point.name for body in scene.bodies if body.name == name for point in body.points]
