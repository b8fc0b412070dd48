"""The vocabulary in which a joint declares its constraints: rows, each a gauge that keeps a target value.

A gauge is a scalar function of the configuration, taken between frame A and frame B of a joint. The compiler
turns rows into tables of primitives; nothing here computes.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from engine.elements.base import Function

Axis: TypeAlias = Literal["x", "y", "z"]


@dataclass(frozen=True)
class Gauge:
    """A scalar function of the configuration."""


@dataclass(frozen=True)
class Along(Gauge):
    """axis · (P_B - P_A), the axis being one of frame A or of the world W [m]."""

    axis: Axis
    of: Literal["A", "W"]


@dataclass(frozen=True)
class Dot(Gauge):
    """Direction a of frame A · direction b of frame B."""

    a: Axis
    b: Axis


@dataclass(frozen=True)
class Distance(Gauge):
    """|P_B - P_A| [m]."""


@dataclass(frozen=True)
class Angle(Gauge):
    """Rotation about z from x_A to x_B, unwrapped [rad]."""


@dataclass(frozen=True)
class Twist(Gauge):
    """Axial part of the relative rotation; for z: (y_A·x_B - x_A·y_B)/2."""

    axis: Axis


@dataclass(frozen=True)
class WheelHeight(Gauge):
    """n·(P_B - P_A) - radius·√(1 - (n·axle)²), n = z_A, axle = z_B [m]."""

    radius: float


@dataclass(frozen=True)
class RollingSlip(Gauge):
    """Velocity of the wheel's contact point in the plane, along its heading or across it [m/s]."""

    direction: Literal["forward", "sideways"]
    radius: float


@dataclass(frozen=True)
class KnifeEdge(Gauge):
    """Velocity of P_B relative to A along an axis of frame B [m/s]."""

    axis: Axis = "z"


@dataclass(frozen=True)
class Combination(Gauge):
    """Σ factor · coordinate over terms (joint, coordinate, factor)."""

    terms: tuple[tuple[str, str, float], ...]


@dataclass(frozen=True)
class Row:
    """One scalar constraint: the gauge equals the target; a target of None is its value at the given pose."""

    gauge: Gauge
    label: str
    unit: str
    target: Function | None = 0.0
    level: Literal["position", "velocity"] = "position"
