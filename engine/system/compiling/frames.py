"""From anchors to frames: where a joint sits on its two bodies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from msgspec.structs import replace

from engine.compiled.layout import Array
from engine.elements.base import WORLD, Anchor
from engine.elements.bodies.body import Body
from engine.elements.coordinates.frames import Frame, Place
from engine.elements.joints import JOINTS
from engine.errors import CompileError, Problem
from engine.model.mass import MassProperties, mass_properties, rotation
from engine.model.scene import Scene

PARALLEL = 1e-6  # sine of the angle below which a direction cannot serve as reference across an axis


def fault(path: str, value: object, message: str, remedy: str) -> CompileError:
    """An error with one problem."""
    return CompileError([Problem(path, value, message, remedy)])


def places(scene: Scene) -> dict[str, Place]:
    """Every body of a resolved scene; fixed bodies belong to the world, which has the last index."""
    free = [body for body in scene.bodies if not body.fixed]
    index = {body.name: i for i, body in enumerate(free)}
    world = len(free)
    found = {WORLD: Place(WORLD, world, True, np.zeros(3), np.eye(3), np.zeros(3), 0.0)}
    for body in scene.bodies:
        R = rotation(body.orientation, float(body.angle))
        com = np.zeros(3) if body.fixed else mass_properties(body, scene.space).com
        origin = np.array(body.position, dtype=float)
        number = index.get(body.name, world)
        found[body.name] = Place(body.name, number, body.fixed, origin, R, com, float(body.angle))
    return found


def masses(scene: Scene) -> list[MassProperties]:
    """Mass properties of the bodies that move."""
    return [mass_properties(body, scene.space) for body in scene.bodies if not body.fixed]


def named_point(body: Body | None, point: object) -> Array:
    """A point of a body frame, given by numbers or by name."""
    if isinstance(point, str):
        for named in body.points if body else ():
            if named.name == point:
                return np.array(named.position, dtype=float)
        name = body.name if body else WORLD
        raise fault(
            f"bodies.{name}", point, f"body {name!r} has no point {point!r}", "name one of its points"
        )
    return np.zeros(3) if point is None else np.array(point, dtype=float)


class Frames:
    """Makes joint frames for the anchors of a scene."""

    def __init__(self, scene: Scene) -> None:
        self.planar = scene.space == "planar"
        self.places: Mapping[str, Place] = places(scene)
        self._bodies = {body.name: body for body in scene.bodies}

    def point(self, body: str, point: object, axes: Array | None = None) -> Frame:
        """A frame at a point of a body, with the axes of the body or these."""
        p_B = named_point(self._bodies.get(body), point)
        return Frame(self.places[body], p_B, np.eye(3) if axes is None else axes)

    def in_world(self, frame: Frame) -> Frame:
        """The same frame as one of the world; for what does not move."""
        return Frame(self.places[WORLD], frame.p_W, frame.axes_W)

    def of_joint(self, joint: Any) -> tuple[Frame, Frame]:
        """Frames A and B of an anchored joint."""
        kind = JOINTS[str(joint.__struct_config__.tag)]
        b: Anchor = joint.b
        if kind.own_point and b.point is None:
            b = replace(b, point=(0.0, 0.0, 0.0))
        if kind.own_axes and b.axis is None and b.reference is None:
            b = replace(b, axis=(0.0, 0.0, 1.0), reference=(1.0, 0.0, 0.0))
        return self.pair(joint.a, b, axis_is_x=kind.planar_axis_is_x)

    def pair(self, a: Anchor, b: Anchor, *, axis_is_x: bool = False) -> tuple[Frame, Frame]:
        """Frames A and B. What b leaves out is taken from a at the given pose."""
        A, B = self.places[a.body], self.places[b.body]
        p_A = named_point(self._bodies.get(a.body), a.point)
        p_B = B.local(A.point(p_A)) if b.point is None else named_point(self._bodies.get(b.body), b.point)
        axes_A = self._axes(a, axis_is_x)
        if self.planar and axis_is_x:
            axes_B = B.R_WB.T @ A.R_WB @ axes_A if b.axis is None else self._axes(b, True)
        elif b.axis is None and b.reference is None:
            axes_B = B.R_WB.T @ A.R_WB @ axes_A
        else:
            carried = B.R_WB.T @ A.R_WB @ axes_A
            z = carried[:, 2] if b.axis is None or self.planar else np.array(b.axis, dtype=float)
            axes_B = _across(z, carried[:, 0] if b.reference is None else np.array(b.reference, dtype=float))
        taken = self.planar and (b.axis if axis_is_x else b.reference) is None
        return Frame(A, p_A, axes_A), Frame(B, p_B, axes_B, taken)

    def _axes(self, anchor: Anchor, axis_is_x: bool) -> Array:
        axis = None if anchor.axis is None else np.array(anchor.axis, dtype=float)
        reference = None if anchor.reference is None else np.array(anchor.reference, dtype=float)
        if self.planar:
            x = axis if axis_is_x else reference
            return np.eye(3) if x is None else _across(np.array([0.0, 0.0, 1.0]), x)
        return _across(np.array([0.0, 0.0, 1.0]) if axis is None else axis, reference)


def _across(z: Array, x: Array | None) -> Array:
    """Right-handed axes with the given z, and x as near to the given direction as it can be."""
    z = z / np.linalg.norm(z)
    for choice in ([x] if x is not None else []) + [np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])]:
        across = choice - z * (z @ choice)
        size = np.linalg.norm(across)
        if size > PARALLEL * np.linalg.norm(choice):
            a, b, c = across / size
            u, v, w = z
            # columns x, z × x, z; written out, as np.cross takes many times longer for one pair of vectors
            return np.array([[a, v * c - w * b, u], [b, w * a - u * c, v], [c, u * b - v * a, w]])
    raise fault("joints", z, "no direction across the axis was found", "give the anchor a reference")
