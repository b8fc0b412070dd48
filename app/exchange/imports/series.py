"""A measured series becomes an element of the scene: what it can become, and the edit that makes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.document.document import Edit
from app.edits import add
from engine.elements.base import Table
from engine.elements.drivers import MOTIONS
from engine.elements.field_units import COORDINATE_UNITS, coordinate_unit
from engine.elements.forces import FORCES
from engine.elements.joints import JOINTS
from engine.maths.functions import compile_function
from engine.maths.units import UNITS
from engine.maths.written_units import si_of, size_of
from engine.model.files.text_table import TextTable
from engine.model.names import clean_name
from engine.model.scene import Scene

MAX_POINTS = 2000  # of a table that the scene file holds; longer series are thinned at first
RATES = {"position": {"rad": "rad", "m": "m"}, "velocity": {"rad": "rad/s", "m": "m/s"}}
LEVELS = ("position", "velocity")


@dataclass(frozen=True)
class Target:
    """Something that a series can become. `owners` and `coordinates` tell what the user chooses from."""

    name: str
    title: str
    owner: str  # list of the scene that the owner is in
    owners: Callable[[Scene], list[str]]
    coordinates: Callable[[Scene, str], list[str]]
    unit: Callable[[str, str], str]  # SI unit of a coordinate at a level
    make: Callable[[Scene, str, str, str, Table, str], Any]  # owner, coordinate, level, table, name → element
    levels: tuple[str, ...] = ()


@dataclass(frozen=True)
class SeriesPlan:
    """Two columns of a table, in their units, and what shall become of them."""

    table: TextTable
    time: str
    value: str
    time_unit: str = "s"
    value_unit: str = ""  # empty: SI
    every: int = 1
    from_zero: bool = False  # let time begin at 0
    shift: float = 0.0  # added to all values, in SI
    interpolation: str = "cubic"
    outside: str = "hold"

    def numbers(self, si: str) -> tuple[np.ndarray, np.ndarray]:
        """Times [s] and values in SI; raises ValueError with the line or the unit that is wrong."""
        t, y = self.table.series(self.time, self.value, every=self.every)
        t = t * _size(self.time_unit, "s")
        y = y * (_size(self.value_unit, si) if self.value_unit else 1.0) + self.shift
        return (t - t[0] if self.from_zero else t), y

    def function(self, si: str) -> Table:
        """As a function of the scene; raises ValueError (FunctionError) for what it cannot be."""
        t, y = self.numbers(si)
        points = tuple(zip(t.tolist(), y.tolist(), strict=True))
        made = Table(points=points, interpolation=self.interpolation, outside=self.outside)  # type: ignore[arg-type]
        compile_function(made)
        return made


def import_series(
    scene: Scene, plan: SeriesPlan, target: str, owner: str, coordinate: str, level: str = "", name: str = ""
) -> Edit:
    """One undo step; raises ValueError with what is wrong, SceneError for an element that does not fit."""
    kind = TARGETS[target]
    if owner not in kind.owners(scene):
        known = ", ".join(kind.owners(scene)) or "none"
        raise ValueError(f"{kind.title}: there is no {kind.owner[:-1]} {owner!r} for it (known: {known})")
    if coordinate not in kind.coordinates(scene, owner):
        known = ", ".join(kind.coordinates(scene, owner))
        raise ValueError(f"{kind.title} of {owner}: unknown coordinate {coordinate!r} (known: {known})")
    level = level or (kind.levels[0] if kind.levels else "")
    table = plan.function(kind.unit(coordinate, level))
    named = clean_name(name or f"{plan.value} of {owner}")
    edit = add(scene, kind.make(scene, owner, coordinate, level, table, named))
    return Edit(f"Import {plan.value}", edit.after)


def column_unit(table: TextTable, column: int, si: str) -> str:
    """The unit in a heading, SI where none is known; raises ValueError for one of another sort."""
    written = table.units[column]
    other = si_of(written)
    if size_of(written, si) is None and other is not None:
        option = "--time-unit" if si == "s" else "--unit"
        raise ValueError(
            f"column {table.headings[column]!r} is in {written}, where {si} is wanted; "
            f"take another one, or {option} {si} if the heading is wrong"
        )
    return guessed_unit(written, si, si)


def guessed_unit(written: str, si: str, otherwise: str) -> str:
    """The unit in a heading, where it is one of that sort."""
    return written if written and size_of(written, si) is not None else otherwise


def thinning(rows: int) -> int:
    """Every how many-th row leaves a table that a scene file can hold."""
    return max(1, -(-rows // MAX_POINTS))


def _size(unit: str, si: str) -> float:
    size = size_of(unit, si)
    if size is None:
        raise ValueError(f"unknown unit {unit!r} here; known: {', '.join(UNITS.get(si, {si: 1.0}))}")
    return size


# what a series can become


def _joints(scene: Scene) -> list[str]:
    return [joint.name for joint in scene.joints if _joint_coordinates(scene, joint.name)]


def _joint_coordinates(scene: Scene, name: str) -> list[str]:
    joint: Any = scene.joint(name)
    kind = JOINTS[joint.__struct_config__.tag]
    found = kind.coordinates_in(scene.space if kind.planar_rows else "spatial")
    return [word for word in COORDINATE_UNITS if word in found]


def _bodies(scene: Scene) -> list[str]:
    return [body.name for body in scene.bodies if not body.fixed]


def _directions(scene: Scene, name: str) -> list[str]:
    return ["x", "y"] if scene.space == "planar" else ["x", "y", "z"]


def _body_coordinates(scene: Scene, name: str) -> list[str]:
    return [*_directions(scene, name), *(["angle"] if scene.space == "planar" else [])]


def _turns(scene: Scene, name: str) -> list[str]:
    return ["z"] if scene.space == "planar" else ["x", "y", "z"]


def _motion_unit(coordinate: str, level: str) -> str:
    return RATES[level or "position"][coordinate_unit(coordinate)]


def _joint_motion(scene: Scene, owner: str, coordinate: str, level: str, table: Table, name: str) -> Any:
    fields = {"joint": owner, "coordinate": coordinate, "level": level, "function": table}
    return MOTIONS["joint_motion"].spec(name=name, **fields)


def _body_motion(scene: Scene, owner: str, coordinate: str, level: str, table: Table, name: str) -> Any:
    fields = {"body": owner, "coordinate": coordinate, "level": level, "function": table}
    return MOTIONS["body_motion"].spec(name=name, **fields)


def _force(scene: Scene, owner: str, coordinate: str, level: str, table: Table, name: str) -> Any:
    words = _directions(scene, owner)
    components = tuple(table if word == coordinate else 0.0 for word in words)
    return FORCES["force"].spec(name=name, body=owner, components=components)


def _torque(scene: Scene, owner: str, coordinate: str, level: str, table: Table, name: str) -> Any:
    components = tuple(table if word == coordinate else 0.0 for word in "xyz")
    return FORCES["torque"].spec(name=name, body=owner, components=components)


TARGETS: Mapping[str, Target] = {
    target.name: target
    for target in (
        Target(
            "joint_motion",
            "Motion of a joint",
            "joints",
            _joints,
            _joint_coordinates,
            _motion_unit,
            _joint_motion,
            LEVELS,
        ),
        Target(
            "body_motion",
            "Motion of a body",
            "bodies",
            _bodies,
            _body_coordinates,
            _motion_unit,
            _body_motion,
            LEVELS,
        ),
        Target("force", "Force on a body", "bodies", _bodies, _directions, lambda c, level: "N", _force),
        Target("torque", "Torque on a body", "bodies", _bodies, _turns, lambda c, level: "N·m", _torque),
    )
}

__all__ = [
    "MAX_POINTS",
    "TARGETS",
    "SeriesPlan",
    "Target",
    "column_unit",
    "guessed_unit",
    "import_series",
    "thinning",
]
