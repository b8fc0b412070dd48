"""Mass, centre of mass and inertia of a body, given or from its shapes."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.elements.base import AxisAngle, Orientation
from engine.elements.bodies.body import Body
from engine.elements.bodies.shapes import Box, Capsule, Cylinder, Outline, Rod, Shape, Sphere, shape_kind
from engine.maths.rotations import Z, about, about_axis, of_quaternion

Array = NDArray[np.float64]


@dataclass(frozen=True)
class MassProperties:
    """Mass [kg], centre of mass [m], shape (3,), and inertia about it [kg·m²], shape (3, 3), in body axes."""

    mass: float
    com: Array
    inertia: Array


def mass_properties(body: Body, space: str = "spatial") -> MassProperties:
    """Of a resolved body. Shapes count by density; if none has one and the mass is given, all count alike."""
    shapes = shape_properties(body)
    mass = shapes.mass if body.mass is None else float(body.mass)
    if body.com is not None:
        com = np.array(body.com, dtype=float)
    else:
        com = shapes.com if body.mass is None else np.zeros(3)
    if space == "planar":
        com = com * (1.0, 1.0, 0.0)
    if body.inertia is not None:
        inertia = inertia_matrix(tuple(float(value) for value in body.inertia))
    else:
        inertia = shapes.inertia * (mass / shapes.mass) if shapes.mass > 0.0 else np.zeros((3, 3))
    return MassProperties(mass, com, inertia)


def shape_properties(body: Body) -> MassProperties:
    """Of the body's shapes alone; zero when they have no mass. Its arrays are to be read only."""
    return _of_shapes(body.shapes, body.mass is not None)


@np.errstate(all="ignore")  # masses and inertias beyond all numbers are told by the checks
@lru_cache(maxsize=4096)  # bodies that only move keep theirs, and many are alike
def _of_shapes(shapes: tuple[Shape, ...], alike: bool) -> MassProperties:
    """`alike`: shapes without a density count as if they had the same."""
    solid = [shape for shape in shapes if shape_kind(shape).solid]
    dense = [(shape, float(shape.density)) for shape in solid if shape.density is not None]
    if not dense and alike:
        dense = [(shape, 1.0) for shape in solid]
    found = total(placed(shape, density) for shape, density in dense)
    found.com.setflags(write=False)
    found.inertia.setflags(write=False)
    return found


def inertia_matrix(entries: tuple[float, ...]) -> Array:
    """The matrix of [Izz], [Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz]; missing numbers are zero."""
    if len(entries) == 1:
        return np.diag([0.0, 0.0, entries[0]])
    xx, yy, zz, xy, xz, yz = (*entries, *[0.0] * 6)[:6]
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def total(parts: Iterable[MassProperties]) -> MassProperties:
    """Several bodies as one: I = Σ I_i + m_i (d_i·d_i 1 - d_i d_iᵀ), d_i from the common centre of mass."""
    listed = list(parts)
    mass = sum(part.mass for part in listed)
    if not mass > 0.0:
        return MassProperties(0.0, np.zeros(3), np.zeros((3, 3)))
    com = np.sum([part.mass * part.com for part in listed], axis=0) / mass
    inertia = np.sum([part.inertia + part.mass * _steiner(part.com - com) for part in listed], axis=0)
    return MassProperties(mass, com, inertia)


def placed(shape: Shape, density: float) -> MassProperties:
    """Mass properties of a resolved shape in the body frame."""
    own = SOLIDS[type(shape)](shape, density)
    R = rotation(shape.orientation, float(shape.angle))
    position = np.array(shape.position, dtype=float)
    return MassProperties(own.mass, position + R @ own.com, R @ own.inertia @ R.T)


UNTURNED = (1.0, 0.0, 0.0, 0.0)


def rotation(orientation: Orientation, angle: float = 0.0) -> Array:
    """Rotation matrix of a resolved orientation, after a turn about z."""
    if orientation == UNTURNED:  # as most are
        return np.asarray(about(Z, angle)) if angle else np.eye(3)
    if isinstance(orientation, AxisAngle):
        axis = np.array(orientation.axis, dtype=float)
        turn = about_axis(axis / np.linalg.norm(axis), float(orientation.angle))
    else:
        turn = of_quaternion(np.array(orientation, dtype=float))
    return np.asarray(about(Z, angle) @ turn)


def _steiner(d: Array) -> Array:
    return np.asarray(np.dot(d, d) * np.eye(3) - np.outer(d, d))


def _box(shape: Box, density: float) -> MassProperties:
    x, y, z = (float(value) for value in shape.size)
    m = density * x * y * z
    return MassProperties(m, np.zeros(3), np.diag([y * y + z * z, x * x + z * z, x * x + y * y]) * (m / 12.0))


def _cylinder(shape: Cylinder, density: float) -> MassProperties:
    return _round_bar(float(shape.radius), float(shape.length), density)


def _round_bar(r: float, length: float, density: float) -> MassProperties:
    m = density * np.pi * r * r * length
    across = m * (3.0 * r * r + length * length) / 12.0
    return MassProperties(m, np.zeros(3), np.diag([across, across, m * r * r / 2.0]))


def _sphere(shape: Sphere, density: float) -> MassProperties:
    r = float(shape.radius)
    m = density * 4.0 / 3.0 * np.pi * r**3
    return MassProperties(m, np.zeros(3), np.eye(3) * (0.4 * m * r * r))


def _capsule(shape: Capsule, density: float) -> MassProperties:
    # half balls: centre of mass 3r/8 beyond the cylinder's end, so the cross term of the shift is 3/8 L r
    r, length = float(shape.radius), float(shape.length)
    bar = _round_bar(r, length, density)
    m = density * 4.0 / 3.0 * np.pi * r**3
    across = m * (0.4 * r * r + length * length / 4.0 + 3.0 / 8.0 * length * r)
    caps = np.diag([across, across, 0.4 * m * r * r])
    return MassProperties(bar.mass + m, np.zeros(3), bar.inertia + caps)


def _rod(shape: Rod, density: float) -> MassProperties:
    start, end = np.array(shape.start, dtype=float), np.array(shape.end, dtype=float)
    length = float(np.linalg.norm(end - start))
    bar = _round_bar(float(shape.radius), length, density)
    u = (end - start) / length
    across, along = bar.inertia[0, 0], bar.inertia[2, 2]
    return MassProperties(
        bar.mass, (start + end) / 2.0, across * np.eye(3) + (along - across) * np.outer(u, u)
    )


def _outline(shape: Outline, density: float) -> MassProperties:
    # area moments of a polygon by Green's theorem; the sign of the area makes them independent of the sense
    p = np.array(shape.points, dtype=float)
    q = np.roll(p, -1, axis=0)
    cross = p[:, 0] * q[:, 1] - q[:, 0] * p[:, 1]
    area = cross.sum() / 2.0
    centre = ((p + q) * cross[:, None]).sum(axis=0) / (6.0 * area)
    xx, yy = ((p * p + p * q + q * q) * cross[:, None]).sum(axis=0) / 12.0
    xy = (
        (p[:, 0] * q[:, 1] + 2.0 * p[:, 0] * p[:, 1] + 2.0 * q[:, 0] * q[:, 1] + q[:, 0] * p[:, 1]) * cross
    ).sum() / 24.0
    sign = np.sign(area)
    thickness = float(shape.thickness)
    m = density * abs(area) * thickness
    # second moments about the centroid, then inertia of the plate
    x2 = density * thickness * sign * xx - m * centre[0] ** 2
    y2 = density * thickness * sign * yy - m * centre[1] ** 2
    product = density * thickness * sign * xy - m * centre[0] * centre[1]
    z2 = m * thickness**2 / 12.0
    inertia = np.array([[y2 + z2, -product, 0.0], [-product, x2 + z2, 0.0], [0.0, 0.0, x2 + y2]])
    return MassProperties(m, np.array([*centre, 0.0]), inertia)


SOLIDS: dict[type[Shape], Any] = {
    Box: _box,
    Capsule: _capsule,
    Cylinder: _cylinder,
    Outline: _outline,
    Rod: _rod,
    Sphere: _sphere,
}
