"""What the checks look at: the resolved scene (NaN where a fault is known) and paths to its parts."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from msgspec import Struct

from engine.elements.base import WORLD, Anchor
from engine.elements.bodies.body import Body
from engine.elements.fields import fields_of
from engine.elements.joints.base import JointSpec
from engine.elements.protocols.checking import Place
from engine.model.checks.anchor_places import place_of
from engine.model.decode import join, label
from engine.model.resolve import ANY
from engine.model.scene import LISTS, Scene, kind_of
from engine.spelling import Spelling


@dataclass(frozen=True)
class Context:
    """The scene under check, as kinds may ask about it (`Around`), and where its parts stand in the file.

    `lost` names elements that exist but could not be read.
    """

    scene: Scene
    positions: Mapping[str, list[int]]
    lost: Mapping[str, set[str]]

    @cached_property
    def names(self) -> dict[str, tuple[str, ...]]:
        """Names in each list."""
        return {where: tuple(item.name for item in getattr(self.scene, where)) for where in LISTS}

    @cached_property
    def spellings(self) -> dict[str, Spelling]:
        """The same, to be asked about wrong ones; bodies have the world among them."""
        return {
            where: Spelling((*names, WORLD) if where == "bodies" else names)
            for where, names in self.names.items()
        }

    @cached_property
    def _known(self) -> dict[str, frozenset[str]]:
        """The same, to be looked up."""
        return {where: frozenset(names) for where, names in self.names.items()}

    @cached_property
    def points(self) -> dict[str, dict[str, Any]]:
        """Named points of each body."""
        return {body.name: {point.name: point for point in body.points} for body in self.scene.bodies}

    @cached_property
    def bodies(self) -> dict[str, Body]:
        return {body.name: body for body in self.scene.bodies}

    @cached_property
    def joints(self) -> dict[str, JointSpec]:
        return {joint.name: joint for joint in self.scene.joints}

    def items(self, where: str) -> Iterator[tuple[str, Any]]:
        """Path and element for one list of the scene."""
        places = self.positions.get(where)
        for i, item in enumerate(getattr(self.scene, where)):
            yield label(where, places[i] if places else i, item), item

    @cached_property
    def parts(self) -> list[tuple[str, Any]]:
        """Path and struct of everything inside the scene, outer ones first."""
        found: list[tuple[str, Any]] = []
        for where in LISTS:
            for path, item in self.items(where):
                _collect(path, item, found)
        _collect("simulation", self.scene.simulation, found)
        return found

    def knows(self, where: str, name: str) -> bool:
        lost = self.lost.get(where, ())
        return name in self._known[where] or name in lost or ANY in lost

    def coordinates(self, joint: JointSpec) -> tuple[str, ...]:
        """Coordinates the joint has in this scene."""
        kind = kind_of(joint)  # one that the plane does not have is told of elsewhere
        return tuple(kind.coordinates_in(self.scene.space if kind.planar_rows else "spatial"))

    @property
    def planar(self) -> bool:
        return self.scene.space == "planar"

    def elements(self, where: str) -> tuple[Any, ...]:
        """Elements of one list of the scene."""
        found: tuple[Any, ...] = getattr(self.scene, where)
        return found

    def ends(self, a: Anchor, b: Anchor) -> tuple[Place, Place] | None:
        """Both points in the world, None while one is not known; what b leaves out is the point of a."""
        begin = place_of(self.bodies, a)
        end = begin if b.point is None else place_of(self.bodies, b)
        return None if begin is None or end is None else (begin, end)

    def is_ground(self, name: str) -> bool:
        """The world, or a body that is part of it."""
        return name == WORLD or (name in self.bodies and self.bodies[name].fixed)


def _collect(path: str, item: Struct, found: list[tuple[str, Any]]) -> None:
    found.append((path, item))
    for field in fields_of(type(item)):
        value = getattr(item, field.name)
        if isinstance(value, Struct):
            _collect(join(path, field.name), value, found)
        elif isinstance(value, tuple):
            for i, inner in enumerate(value):
                if isinstance(inner, Struct):
                    _collect(label(join(path, field.name), i, inner), inner, found)
        elif isinstance(value, dict):
            for key, inner in value.items():
                if isinstance(inner, Struct):
                    _collect(join(join(path, field.name), key), inner, found)
