"""Plane and space: planar scenes stay in the plane, spatial ones have no plane angle."""

import math
from collections.abc import Iterator
from typing import Any

from engine.elements.base import IDENTITY
from engine.elements.bodies.body import Body
from engine.elements.bodies.shapes import Shape
from engine.elements.fields import fields_of
from engine.elements.joints import JOINTS
from engine.elements.protocols.checking import known_vector, out_of_plane
from engine.errors import Problem
from engine.model.checks.context import Context
from engine.model.decode import join
from engine.model.scene import kind_of


def check(context: Context) -> Iterator[Problem]:
    yield from _planar(context) if context.scene.space == "planar" else _spatial(context)


def _spatial(context: Context) -> Iterator[Problem]:
    for path, part in context.parts:
        if isinstance(part, (Body, Shape)) and part.angle != 0.0:
            remedy = 'write "orientation": {"axis": [0, 0, 1], "angle": …}'
            yield Problem(f"{path}.angle", part.angle, "angle is for planar scenes only", remedy)


def _planar(context: Context) -> Iterator[Problem]:
    yield from _in_plane("", context.scene)
    for path, part in context.parts:
        yield from _in_plane(path, part)
        if isinstance(part, Body):
            yield from _body(path, part)
    for path, joint in context.items("joints"):
        yield from _joint(path, joint)
    for path, force in context.items("forces"):
        yield from _frames(path, force, axis_in_plane=False)


def _in_plane(path: str, part: Any) -> Iterator[Problem]:
    for field in fields_of(type(part)):
        value = getattr(part, field.name)
        if field.extra.get("frame") == "plane" and isinstance(value, tuple):
            yield from out_of_plane(f"{join(path, field.name)}[2]", value[2])


def _body(path: str, body: Body) -> Iterator[Problem]:
    if body.orientation != IDENTITY:
        remedy = 'write "angle", in radians'
        yield Problem(
            f"{path}.orientation", body.orientation, "orientation is for spatial scenes only", remedy
        )
    for i in (0, 1):
        rate = body.angular_velocity[i]
        if isinstance(rate, float) and math.isfinite(rate) and rate != 0.0:
            text = "a planar body turns about z only"
            yield Problem(f"{path}.angular_velocity[{i}]", rate, text, "write [0, 0, rate]")


def _joint(path: str, joint: Any) -> Iterator[Problem]:
    kind = kind_of(joint)
    if kind.planar_rows is None:
        able = ", ".join(other.name for other in JOINTS if other.planar_rows is not None)
        text = f"joint kind {kind.name!r} does not exist in planar scenes"
        yield Problem(f"{path}.kind", kind.name, text, f"use one of: {able}")
        return
    yield from _frames(path, joint, kind.planar_axis_is_x)


def _frames(path: str, item: Any, axis_in_plane: bool) -> Iterator[Problem]:
    for side in ("a", "b"):
        anchor = getattr(item, side, None)
        if anchor is None:
            continue
        for name in ("axis", "reference"):
            value = getattr(anchor, name)
            if known_vector(value):
                wants_z = name == "axis" and not axis_in_plane
                yield from _direction(f"{path}.{side}.{name}", value, wants_z)


def _direction(path: str, value: Any, wants_z: bool) -> Iterator[Problem]:
    if wants_z and (value[0] != 0.0 or value[1] != 0.0 or value[2] < 0.0):
        text = f"in a planar scene this axis is z, not {list(value)}"
        yield Problem(path, value, text, "leave the axis out")
    elif not wants_z and value[2] != 0.0:
        text = f"{list(value)} leads out of the plane of a planar scene"
        yield Problem(path, value, text, "leave it out, or give a direction in the plane")
