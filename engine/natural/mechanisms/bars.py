"""Five bars along the edges of a cube, hinged to the ground and to each other; closed, Bricard's mechanism.

[Antón 2015, sections 5.2 and 5.4] does not print the equations; these give its sizes and counts of entries.
Bars are those of [IFToMM 2015, A04]: 1 m, 1 kg, 0.1 m square.
"""

from __future__ import annotations

import numpy as np

from engine.natural.mechanisms.base import NaturalMechanism, Published
from engine.natural.model import NaturalModel

CUBE = ((0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1))
HINGES = ((0, 1, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0))
BARS = 5
ANGLES = tuple(f"theta{i}" for i in range(1, BARS + 1))
MASS, SIDE = 1.0, 0.1  # kg, m
GRAVITY = (0.0, -9.81, 0.0)  # m/s²


def five_bars(*, last_held: bool = False) -> NaturalModel:
    """Points P, hinge axes u, angles θ; w is the direction from which the first angle counts."""
    m = NaturalModel(gravity=np.array(GRAVITY))
    m.add("P0", CUBE[0], held=True)
    m.add("u0", HINGES[0], held=True)
    m.add("w", (1, 0, 0), held=True)
    for i in range(1, BARS + 1):
        held = last_held and i == BARS
        m.add(f"P{i}", CUBE[i], held=held)
        m.add(f"u{i}", HINGES[i], held=held)
    for i in range(1, BARS + 1):
        m.add_relative(f"theta{i}", _angle(i))
    for i in range(1, BARS + 1):
        r, before, after = (f"P{i - 1}", f"P{i}"), (f"u{i - 1}",), (f"u{i}",)
        m.dot(r, r)
        m.dot(r, before)
        m.dot(r, after)
        m.dot(before, after)
        m.dot(after, after)
        m.angle(("w",) if i == 1 else (f"P{i - 2}", f"P{i - 1}"), r, before, f"theta{i}")
        along = m[f"P{i}"] - m[f"P{i - 1}"]
        slender, cross = MASS * (1.0 + SIDE**2) / 12.0, MASS * SIDE**2 / 6.0
        inertia = slender * np.eye(3) + (cross - slender) * np.outer(along, along)
        directions = (
            ((f"P{i}", 1.0), (f"P{i - 1}", -1.0)),
            ((f"u{i - 1}", 1.0),),
            ((f"u{i}", 1.0),),
        )
        m.body(f"P{i - 1}", directions, MASS, m[f"P{i - 1}"] + 0.5 * along, inertia)
    return m


def _angle(i: int) -> float:
    """From the bar before to this one, about their hinge."""
    before = np.array((1.0, 0.0, 0.0)) if i == 1 else np.subtract(CUBE[i - 1], CUBE[i - 2])
    r = np.subtract(CUBE[i], CUBE[i - 1])
    return float(np.arctan2(np.cross(before, r) @ np.array(HINGES[i - 1]), before @ r))


def bricard_1() -> NaturalModel:
    """The last point and vector twice, with six closure equations."""
    m = five_bars()
    m.add("P6", CUBE[BARS], held=True)
    m.add("u6", HINGES[BARS], held=True)
    m.coincide("P5", "P6")
    m.coincide("u5", "u6")
    return m


def bricard_2() -> NaturalModel:
    """The last point and vector held."""
    return five_bars(last_held=True)


PENDULUM = NaturalMechanism(
    "pendulum",
    "Five-bar pendulum",
    five_bars,
    ANGLES,
    Published(30, 35, 30, 198, 0, 0, solve_gain=13.3, integration_gain=2.08),
)
# the source does not say which angle is independent; with this one its border comes out
BRICARD_1 = NaturalMechanism(
    "bricard 1",
    "Bricard, model 1",
    bricard_1,
    ("theta5",),
    Published(36, 35, 34, 209, 3, 5, solve_gain=1.36, integration_gain=1.38),
)
BRICARD_2 = NaturalMechanism(
    "bricard 2", "Bricard, model 2", bricard_2, ("theta5",), Published(30, 29, 28, 181)
)
