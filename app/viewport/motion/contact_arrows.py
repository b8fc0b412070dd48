"""Where bodies touch, and how they push: an arrow on body B along the normal of each contact, in its friction
cone. No Qt."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from app.viewport.canvas.stage import Stage
from app.viewport.canvas.surface import Array
from engine.elements.bodies.shapes import Shape
from engine.model.mass import rotation
from engine.model.resolve import resolve
from engine.model.scene import Scene
from engine.system.compiling.frames import Frames

TOUCHING = 1e-6  # m: gaps that differ by less than this touch together


class Push(NamedTuple):
    """Of one contact on its body B."""

    name: str
    place: Array
    force: Array
    friction: float  # coefficient that opens its cone


def contacts_of(scene: Any) -> list[Any]:
    return [force for force in scene.forces if force.__struct_config__.tag == "contact"]


class _Geometry:
    """What cores ask of a scene (`engine/elements/forces/contact_pairs.py`)."""

    def __init__(self, scene: Scene) -> None:
        self.planar = scene.space == "planar"
        self._frames = Frames(scene)
        self._bodies = {body.name: body for body in scene.bodies}

    def shapes(self, body: str) -> tuple[Shape, ...]:
        return self._bodies[body].shapes if body in self._bodies else ()

    def shape_axes(self, shape: Shape) -> Array:
        return rotation(shape.orientation, float(shape.angle))

    def frames_of(self, a: Any, b: Any) -> Any:
        return self._frames.pair(a, b)


class ContactPushes:
    """Places of contact of one scene at any poses; shapes are worked out once."""

    def __init__(self) -> None:
        self._scene: Any = None
        self._cores: list[tuple[Any, list[Any], list[Any]]] = []
        self._planar = False

    def pushes(self, stage: Stage, values: Mapping[str, float]) -> Iterator[Push]:
        """Of the contacts whose force is known and not zero."""
        from engine.elements.gaps.places import contact_places

        pushing = {
            force.name: size
            for force in contacts_of(stage.scene)
            if np.isfinite(size := values.get(f"force.{force.name}.force", 0.0)) and size > 0.0
        }
        if not pushing:
            return
        self._prepare(stage.scene)
        for spec, own, other in self._cores:
            if spec.name not in pushing:
                continue
            poses = stage.poses[spec.a.body], stage.poses[spec.b.body]
            found = [
                place
                for a in own
                for b in other
                for place in contact_places(a, b, poses[0], poses[1], self._planar)
            ]
            deepest = min(place.gap for place in found)
            near = [place for place in found if place.gap <= max(deepest + TOUCHING, 0.5 * deepest)]
            middle = np.mean([place.place for place in near], axis=0)
            n = np.sum([place.normal for place in near], axis=0)
            size = float(np.linalg.norm(n))
            if size > 0.0:
                most = spec.friction if spec.static_friction is None else spec.static_friction
                yield Push(spec.name, middle, pushing[spec.name] * n / size, float(most))

    def _prepare(self, scene: Any) -> None:
        from engine.elements.forces.contact_pairs import cores_of_side

        if scene is self._scene:
            return
        self._scene = scene
        whole = resolve(scene)
        geometry: Any = _Geometry(whole)
        self._planar = geometry.planar
        self._cores = [
            (spec, cores_of_side(spec, "a", geometry), cores_of_side(spec, "b", geometry))
            for spec in contacts_of(whole)
        ]
