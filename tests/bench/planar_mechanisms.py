"""Three mechanisms as plain numbers, for programs to measure against; each with an independent check value.

- ``four_bar``         bars 0.10, 0.40, 0.30 m, ground 0.40 m, 1 kg/m, released at a crank angle of 90°
- ``double_four_bar``  [IFToMM 2015, A02] with N = 2: five rods of 1 m, 1 kg
- ``andrews``          Andrews' squeezer with the data of [Mazzia 2006], torque 0.033 N·m
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

GRAVITY = 9.81  # m/s², along -y
GROUND = -1  # stands for the ground in a joint's pair of bodies

Point = tuple[float, float]


class Body(NamedTuple):
    """A rigid body in the x–y plane: mass [kg], inertia about z [kg·m²], pose and velocity of its centre."""

    mass: float
    inertia: float
    p_WB: Point
    angle: float = 0.0
    v_WB: Point = (0.0, 0.0)
    omega: float = 0.0


class Hinge(NamedTuple):
    """A revolute about z; one that closes a loop repeats what the tree already fixes out of plane."""

    body_a: int
    body_b: int
    p_WP: Point
    closes_loop: bool = False


class Spring(NamedTuple):
    """A spring from a point of a body to a point of the ground [N/m, m]."""

    body: int
    p_WP: Point
    p_WQ: Point
    stiffness: float
    length: float


@dataclass(frozen=True)
class Mechanism:
    """What any multibody program needs to build the model, and a check value from an independent solution."""

    bodies: list[Body]
    hinges: list[Hinge]
    planar: bool = False
    gravity: float = GRAVITY
    springs: tuple[Spring, ...] = ()
    torque: float = 0.0  # N·m about z on body 0
    dt: float = 1e-3  # s, the step used for comparisons
    check_time: float = 1.0
    check: tuple[float, ...] = ()  # x, y, angle (modulo a turn) of body 0 at check_time


def _rod(start: Point, end: Point, mass: float, omega: float = 0.0, v_WB: Point = (0.0, 0.0)) -> Body:
    """A uniform slender rod with its local x axis from start to end."""
    (x0, y0), (x1, y1) = start, end
    length = float(np.hypot(x1 - x0, y1 - y0))
    centre = ((x0 + x1) / 2, (y0 + y1) / 2)
    return Body(mass, mass * length**2 / 12, centre, float(np.arctan2(y1 - y0, x1 - x0)), v_WB, omega)


def four_bar() -> Mechanism:
    a, b, c, d = 0.10, 0.40, 0.30, 0.40
    crank, pivot = (0.0, a), (d, 0.0)
    # coupler end: distance b from the crank pin, c from the rocker's pivot, upper branch
    diagonal = np.hypot(a, d)
    angle = np.arctan2(-a, d) + np.arccos((b**2 + diagonal**2 - c**2) / (2 * b * diagonal))
    pin = (float(b * np.cos(angle)), float(a + b * np.sin(angle)))
    phi = 5.699818839
    return Mechanism(
        bodies=[_rod((0.0, 0.0), crank, a), _rod(crank, pin, b), _rod(pivot, pin, c)],
        hinges=[
            Hinge(GROUND, 0, (0.0, 0.0)),
            Hinge(0, 1, crank),
            Hinge(1, 2, pin),
            Hinge(GROUND, 2, pivot, True),
        ],
        check_time=0.5,
        check=(a / 2 * np.cos(phi), a / 2 * np.sin(phi), phi),
    )


def double_four_bar() -> Mechanism:
    # B0 starts with 1 m/s along x: the cranks turn at -1 rad/s, the couplers translate
    cranks = [_rod((x, 0.0), (x, 1.0), 1.0, -1.0, (0.5, 0.0)) for x in (0.0, 1.0, 2.0)]
    couplers = [_rod((x, 1.0), (x + 1.0, 1.0), 1.0, 0.0, (1.0, 0.0)) for x in (0.0, 1.0)]
    tree = [Hinge(GROUND, i, (float(i), 0.0)) for i in range(3)] + [
        Hinge(0, 3, (0.0, 1.0)),
        Hinge(1, 4, (1.0, 1.0)),
    ]
    loops = [Hinge(3, 1, (1.0, 1.0), True), Hinge(4, 2, (2.0, 1.0), True)]
    x, y = -0.195020301950, -0.980799205662
    return Mechanism(cranks + couplers, tree + loops, check=(x / 2, y / 2, float(np.arctan2(y, x))))


def andrews() -> Mechanism:
    # body poses from the angles β Θ γ Φ δ Ω ε of [Mazzia 2006] and [Hairer 1996, §VII.7]
    beta, theta, gamma, phi, delta, omega, epsilon = (
        -0.0617138900142764496, 0.0, 0.455279819163070380, 0.222668390165885885,
        0.487364979543842550, -0.222668390165885885, 1.23054744454982119,
    )  # fmt: skip

    def place(origin: Point, angle: float, x: float, y: float) -> Point:
        cos, sin = np.cos(angle), np.sin(angle)
        return float(origin[0] + cos * x - sin * y), float(origin[1] + sin * x + cos * y)

    O, A, B, C = (0.0, 0.0), (-0.06934, -0.00227), (-0.03635, 0.03273), (0.014, 0.072)  # noqa: E741
    angles = (beta, beta + theta, gamma, phi + delta, delta, omega + epsilon, epsilon)
    F = place(O, beta, 0.007, 0.0)
    E = place(F, beta + theta, -0.028, 0.0)
    D = place(B, gamma, 0.02, -0.018)
    G = place(A, delta, 0.04, 0.0)
    H = place(A, epsilon, 0.0, -0.04)
    centres = (
        place(O, beta, 0.00092, 0.0),
        place(F, beta + theta, -0.0115, 0.0),
        place(B, gamma, 0.01043, -0.01874),
        place(G, phi + delta, 0.0, -(0.02 - 0.01421)),
        place(A, delta, 0.02308, 0.00916),
        place(H, omega + epsilon, 0.02 - 0.01421, 0.0),
        place(A, epsilon, -0.00449, -0.01228),
    )
    masses = (0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498)
    inertias = (2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)
    bodies = [Body(*row) for row in zip(masses, inertias, centres, angles, strict=True)]
    pairs = [(GROUND, 0, O), (0, 1, F), (1, 2, E), (1, 3, E), (1, 5, E), (GROUND, 2, B), (3, 4, G), (5, 6, H)]
    hinges = [Hinge(*pair) for pair in [*pairs, (GROUND, 4, A), (GROUND, 6, A)]]
    final = 15.81077119629904
    return Mechanism(
        bodies,
        hinges,
        planar=True,
        gravity=0.0,
        springs=(Spring(2, D, C, 4530.0, 0.07785),),
        torque=0.033,
        dt=1e-5,
        check_time=0.03,
        check=(*place(O, final, 0.00092, 0.0), final),
    )


MODELS: dict[str, Callable[[], Mechanism]] = {
    "andrews": andrews,
    "double_four_bar": double_four_bar,
    "four_bar": four_bar,
}
