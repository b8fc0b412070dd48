"""Moving what is in the world: a shift, a turn or a mirror image. Expressions stay expressions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.compiled.layout import Array
from engine.elements.arithmetic import total
from engine.elements.base import AxisAngle, Orientation
from engine.errors import Problem, SceneError
from engine.maths.rotations import quaternion_of
from engine.model.mass import rotation

PLANES = {"yz": 0, "zx": 1, "xy": 2}  # plane of a mirror → the axis across it
ROUND = 1e-14  # of sines and cosines: a quarter turn is one


@dataclass(frozen=True)
class Placing:
    """p → Q p + d in the world. A mirror image flips body frames too, so that they stay right-handed."""

    Q: Array
    d: Array
    angle: float = 0.0  # of the turn about z, for planar scenes [rad]

    @property
    def mirrors(self) -> bool:
        return bool(np.linalg.det(self.Q) < 0.0)

    @property
    def shifts(self) -> bool:
        """Whether all directions stay."""
        return bool(np.array_equal(self.Q, np.eye(3)))

    # in the world

    def point(self, p: tuple[Any, ...]) -> tuple[Any, ...]:
        return self._mapped(self.Q, self.d, p)

    def vector(self, v: tuple[Any, ...]) -> tuple[Any, ...]:
        """Velocities, forces, directions."""
        return self._mapped(self.Q, np.zeros(3), v)

    def spin(self, w: tuple[Any, ...]) -> tuple[Any, ...]:
        """Angular velocities and torques, which a mirror turns the other way."""
        return self._mapped(self.Q * np.linalg.det(self.Q).round(), np.zeros(3), w)

    def turned(self, angle: Any) -> Any:
        """The angle of a planar body."""
        return total((-1.0 if self.mirrors else 1.0,), (angle,), self.angle)

    def orientation(self, given: Orientation) -> Orientation:
        if self.mirrors:
            if isinstance(given, AxisAngle):
                return AxisAngle(axis=self.spin(given.axis), angle=given.angle)
            return (given[0], *self.spin(given[1:]))
        if self.shifts:
            return given
        if isinstance(given, AxisAngle):
            given = _quaternion_of(given)
        w, x, y, z = _quaternion(self.Q)
        product = ((w, -x, -y, -z), (x, w, -z, y), (y, z, w, -x), (z, -y, x, w))
        return tuple(total(row, given) for row in product)

    # in body axes, which only a mirror changes

    def local(self, v: tuple[Any, ...]) -> tuple[Any, ...]:
        return self.vector(v) if self.mirrors else v

    def local_spin(self, w: tuple[Any, ...]) -> tuple[Any, ...]:
        return self.spin(w) if self.mirrors else w

    def local_orientation(self, given: Orientation) -> Orientation:
        return self.orientation(given) if self.mirrors else given

    def _mapped(self, Q: Array, d: Array, v: tuple[Any, ...]) -> tuple[Any, ...]:
        n = len(v)
        return tuple(total(Q[i, :n].tolist(), v, float(d[i])) for i in range(n))


def shift(step: tuple[float, ...], times: float = 1.0) -> Placing:
    """Along a vector [m]."""
    return Placing(np.eye(3), times * np.array((*step, 0.0)[:3], dtype=float))


def turn(axis: tuple[float, ...], angle: float, through: tuple[float, ...] = (0.0, 0.0, 0.0)) -> Placing:
    """About an axis through a point, by an angle [rad]."""
    size = math.sqrt(sum(float(x) ** 2 for x in axis))
    if not size > 0.0 or not math.isfinite(size):
        raise SceneError([Problem("axis", axis, "an axis of no length has no direction", "give [0, 0, 1]")])
    Q = rotation(AxisAngle(axis=tuple(float(x) / size for x in axis), angle=float(angle)))
    for value in (-1.0, 0.0, 1.0):
        Q[np.abs(Q - value) < ROUND] = value
    centre = np.array((*through, 0.0)[:3], dtype=float)
    return Placing(Q, centre - Q @ centre, float(angle) * math.copysign(1.0, float(axis[-1])))


def mirror_at(plane: str, through: tuple[float, ...] = (0.0, 0.0, 0.0)) -> Placing:
    """In a plane "xy", "yz" or "zx" through a point."""
    across = PLANES[plane]
    Q, d = np.eye(3), np.zeros(3)
    Q[across, across] = -1.0
    d[across] = 2.0 * float((*through, 0.0)[across])
    return Placing(Q, d)


def _quaternion(Q: Array) -> tuple[float, ...]:
    return tuple(float(value) for value in quaternion_of(Q))


def _quaternion_of(given: AxisAngle) -> tuple[Any, ...]:
    """The four numbers, as expressions when the angle or the axis is one."""
    if any(isinstance(value, str) for value in (*given.axis, given.angle)):
        x, y, z = (value if isinstance(value, str) else repr(float(value)) for value in given.axis)
        size = f"sqrt(({x})^2 + ({y})^2 + ({z})^2)"
        half = f"({given.angle})/2"
        return (f"cos({half})", *(f"sin({half})*({value})/{size}" for value in (x, y, z)))
    return _quaternion(rotation(given))
