"""Planar linkages from points that are functions of one driving number.

Points are complex numbers, x + iy. A template gives a function from the driving number (an angle, or a time)
to all its points; it must also take an array of them. Poses are its values, velocities its derivative.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from msgspec.structs import replace

from engine.model.scene import Scene
from engine.templates.base import Unreachable
from engine.templates.look import COLORS, DENSITY, RED
from engine.templates.shapes import box, rod

Points = dict[str, Any]  # name → complex number, or an array of them
Motion = Callable[[Any], Points]
STEP = 1e-3  # of the driving number, for the derivative: error of the order of 1e-12
CRANK_ANGLES = np.linspace(0.0, 2.0 * np.pi, 121)  # driving angles at which a full turn is tried
NEARLY = 1e-6  # share of the larger radius: a dyad that is this nearly stretched counts as out of reach


def turned(angle: Any) -> Any:
    """The unit vector of an angle."""
    return np.exp(1j * np.asarray(angle))


def dyad(a: Any, b: Any, to_a: float, to_b: float, side: float, what: str) -> Any:
    """The point at these distances from a and b, to the left of a → b when `side` is 1, right when −1.

    Raises Unreachable where the two bars, called `what`, do not meet.
    """
    # p = a + (b - a)(x + iy),  x = (1 + (A² - B²)/d²)/2,  x² + y² = A²/d²
    d2 = np.abs(b - a) ** 2
    with np.errstate(divide="ignore", invalid="ignore"):
        x = (1.0 + (to_a**2 - to_b**2) / d2) / 2.0
        y2 = to_a**2 / d2 - x**2
    if not np.all(y2 > NEARLY**2):
        raise Unreachable(f"{what} cannot meet in every pose that is asked for")
    return a + (b - a) * (x + side * 1j * np.sqrt(y2))


def beside(a: Any, b: Any, along: float, across: float) -> Any:
    """The point that lies `along` from a in the direction of b, and `across` to the left."""
    return a + (b - a) / np.abs(b - a) * (along + 1j * across)


def path(points: Any) -> list[list[float]]:
    """A curve, for a preview."""
    return [xy(point) for point in points]


def xy(point: Any) -> list[float]:
    """Coordinates for a scene; no negative zeros."""
    return [float(np.real(point)) + 0.0, float(np.imag(point)) + 0.0]


class Sketch:
    """A planar scene that grows link by link. `rate` is how fast the driving number runs at the start."""

    def __init__(self, motion: Motion, start: float, rate: float, radius: float) -> None:
        self.at = motion(start)
        self.radius = radius
        self.scene = Scene(space="planar")
        self._velocity = _derivative(motion, start, rate)

    def box(self, points: Points) -> tuple[list[float], list[float]]:
        """Where the links go, when these are their points on the way."""
        every = np.concatenate([np.ravel(np.asarray(value)) for value in points.values()])
        low, high = (complex(f(every.real), f(every.imag)) for f in (np.min, np.max))
        edge = 2.0 * self.radius * (1.0 + 1.0j)
        return [*xy(low - edge), 0.0], [*xy(high + edge), 2.0 * self.radius]

    def link(
        self,
        name: str,
        *pins: str,
        edges: Iterable[tuple[str, str]] | None = None,
        color: str = "",
        radius: float = 0.0,
    ) -> None:
        """A rigid link through these points: frame at the first, x towards the second.

        It is drawn as rods along `edges`; without them, as a bar or as the triangle of its first three pins.
        """
        first, second = self.at[pins[0]], self.at[pins[1]]
        unit = (second - first) / abs(second - first)
        local = {pin: (self.at[pin] - first) / unit for pin in pins}
        if edges is None:
            ring = pins[:3] if len(pins) > 2 else ()
            edges = list(zip(ring, (*ring[1:], ring[0]), strict=True)) if ring else [(pins[0], pins[1])]
        rate = self._rate(pins[0], pins[1])
        self._add(
            name,
            color,
            position=xy(first),
            angle=math.atan2(unit.imag, unit.real),
            velocity=xy(self._velocity[pins[0]]),
            angular_velocity=[0.0, 0.0, rate],
            points=[{"name": pin, "position": xy(place)} for pin, place in local.items()],
            shapes=[
                rod(xy(local[a]), xy(local[b]), radius or self.radius, density=DENSITY)
                for a, b in edges
                if abs(local[a] - local[b]) > self.radius * NEARLY
            ],
        )

    def slider(self, name: str, pin: str, size: tuple[float, float], angle: float = 0.0) -> None:
        """A block with its frame at a pin; it does not turn."""
        self._add(
            name,
            "",
            position=xy(self.at[pin]),
            angle=angle,
            velocity=xy(self._velocity[pin]),
            points=[{"name": pin, "position": [0.0, 0.0]}],
            shapes=[box([*size, 2.0 * self.radius], [0.0, 0.0, 0.0], density=DENSITY)],
        )

    def pin(self, pin: str, a: str, b: str, name: str = "") -> None:
        """A hinge at a point, between two links or the world and a link."""
        self.joint("revolute", name or pin, pin, a, b)

    def joint(self, kind: str, name: str, pin: str, a: str, b: str, **side: Any) -> None:
        """A joint at a point; `side` is added to frame A."""
        ends = [{"body": body, "point": xy(self.at[pin]) if body == "world" else pin} for body in (a, b)]
        self.scene = self.scene.with_joint(kind, name, a={**ends[0], **side}, b=ends[1])

    def drive(self, joint: str, function: float | str, *, level: str = "velocity") -> None:
        """A motion of a joint's angle, counted from the start."""
        self.scene = self.scene.with_motion(
            "joint_motion", "drive", joint=joint, level=level, function=function
        )

    def turn(self, crank: str, joint: str, speed: float) -> None:
        """Turn the input link evenly; at speed 0 it is released where it was asked to start.

        Either way it keeps its angle when other lengths close the loops: a motion is kept, a held body too.
        """
        if speed:
            self.drive(joint, speed)
        else:
            bodies = (replace(b, hold="pose") if b.name == crank else b for b in self.scene.bodies)
            self.scene = replace(self.scene, bodies=tuple(bodies))

    def trace(self, name: str, body: str, pin: str, color: str = RED) -> None:
        self.scene = self.scene.with_trace(name, body=body, point=pin, color=color)

    def _rate(self, a: str, b: str) -> float:
        across = np.conj(self.at[b] - self.at[a]) * (self._velocity[b] - self._velocity[a])
        return float(across.imag / abs(self.at[b] - self.at[a]) ** 2)

    def _add(self, name: str, color: str, **fields: Any) -> None:
        number = len(self.scene.bodies)
        fields["color"] = color or COLORS[number % len(COLORS)]
        self.scene = self.scene.with_body(name, layer=number, **fields)


def _derivative(motion: Motion, start: float, rate: float) -> dict[str, complex]:
    """Velocities of all points: f' = (8 (f(h) - f(-h)) - (f(2h) - f(-2h)))/(12 h)."""
    if rate == 0.0:
        return dict.fromkeys(motion(start), 0j)
    near, far = ((motion(start + k * STEP), motion(start - k * STEP)) for k in (1.0, 2.0))
    return {
        name: complex(8.0 * (near[0][name] - near[1][name]) - (far[0][name] - far[1][name]))
        * rate
        / (12.0 * STEP)
        for name in near[0]
    }
