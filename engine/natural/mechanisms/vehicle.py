"""A vehicle with the printed counts of [Antón 2015, table 5.8]: five-link rear and strut front suspensions.

54 points, 12 vectors, 9 relative coordinates (five of them held), 192 constraints, 10 degrees of freedom, 18
closures. Geometry, masses, springs and tyres are our own: the source prints none. Rods, arms, struts and rack
have no mass. Tyres are vertical springs under the wheels.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.natural.mechanisms.base import NaturalMechanism, Published
from engine.natural.model import NaturalModel, Spring, Vector

RODS = (  # chassis end and carrier end of the five rear rods, left side [m]
    ((-1.15, 0.35, 0.35), (-1.30, 0.68, 0.28)),
    ((-1.55, 0.35, 0.35), (-1.42, 0.68, 0.26)),
    ((-1.2, 0.42, 0.62), (-1.32, 0.66, 0.58)),
    ((-1.5, 0.44, 0.60), (-1.42, 0.66, 0.56)),
    ((-1.7, 0.40, 0.42), (-1.55, 0.69, 0.40)),
)
BASE = ("C1", "C2", "C3", "C4")
SIDES = {"l": 1.0, "r": -1.0}
CHASSIS_MASS, CARRIER_MASS = 1200.0, 40.0  # kg
CHASSIS_CENTRE, CHASSIS_INERTIA = (-0.05, 0.0, 0.55), (400.0, 1500.0, 1700.0)  # m, kg·m²
CARRIER_INERTIA = 1.2  # kg·m², about every axis
STRUT, STRUT_DAMPING = 30e3, 2500.0  # N/m, N·s/m
TYRE, TYRE_DAMPING = 200e3, 200.0  # N/m, N·s/m
INDEPENDENT = (
    *("C1.x", "C1.y", "C1.z", "C2.y", "C2.z", "C3.z"),
    *("sigmal", "sigmar", "sigmalf", "sigmarf"),
)
OPENED = (
    *(name.format(s) for s in SIDES for name in ("s{0}.x", "s{0}.y", "W{0}.x", "W{0}.z", "u1{0}.z")),
    *(name.format(s) for s in SIDES for name in ("K{0}f.z", "W{0}f.x", "W{0}f.z", "E{0}f.y")),
)


def vehicle() -> NaturalModel:
    m = NaturalModel(gravity=np.array((0.0, 0.0, -9.81)))
    for name, corner in zip(BASE, ((0, 0, 0.5), (1, 0, 0.5), (0, 0.5, 0.5), (0, 0, 1)), strict=True):
        m.add(name, corner)
    for i in range(4):
        for j in range(i):
            m.distance(BASE[j], BASE[i])
    for side, sign in SIDES.items():
        on_chassis = {
            **{f"h{k + 1}{side}": rod[0] for k, rod in enumerate(RODS)},
            f"T{side}": (-1.38, 0.50, 0.85),
            f"p1{side}": (1.15, 0.35, 0.30),
            f"p2{side}": (1.45, 0.35, 0.31),
            f"Tc{side}": (1.28, 0.55, 0.90),
        }
        for name, (x, y, z) in on_chassis.items():
            m.add(name, (x, sign * y, z))
            m.linear(name, BASE)
    for name, sign in (("G1", 1.0), ("G2", -1.0)):
        m.add(name, (1.12, sign * 0.3, 0.40))
        m.linear(name, BASE)
    for side, sign in SIDES.items():
        _rear(m, side, sign)
    rack = {f"I{side}": (1.12, sign * 0.28, 0.40) for side, sign in SIDES.items()}
    for name, point in rack.items():
        m.add(name, point)
    for side, sign in SIDES.items():
        _front(m, side, sign)
    for name in rack:
        m.values[name] = m.values.pop(name)  # its columns come last, as its rows do
        m.linear(name, ("G1", "G2"))
    m.add_relative("rack", 0.0, held=True)
    chassis = [((name, 1.0), ("C1", -1.0)) for name in BASE[1:]]
    m.body("C1", chassis, CHASSIS_MASS, CHASSIS_CENTRE, np.diag(CHASSIS_INERTIA))
    return m


def _unit(x: Sequence[float] | Vector) -> Vector:
    return np.asarray(np.asarray(x, float) / np.linalg.norm(x))


def _carrier(m: NaturalModel, base: tuple[str, str, str, str]) -> None:
    """Base of a wheel carrier, three points and the wheel's axis, and its mass at the wheel's centre."""
    o, p, q, a = base
    m.distance(o, p)
    m.distance(o, q)
    m.dot((o, p), (o, q))
    m.dot((a,), (a,))
    m.dot((a,), (o, p))
    m.dot((a,), (o, q))
    directions = (((p, 1.0), (o, -1.0)), ((q, 1.0), (o, -1.0)), ((a, 1.0),))
    m.body(o, directions, CARRIER_MASS, m[p], CARRIER_INERTIA * np.eye(3))


def _spoke(m: NaturalModel, name: str, axis: str, reference: tuple[str, str], angle: str) -> None:
    m.dot((name,), (name,))
    m.dot((name,), (axis,))
    m.angle(reference, (name,), (axis,), angle)


def _wheel(m: NaturalModel, side: str, sign: float) -> tuple[str, str]:
    """Axis and a spoke."""
    a, w = f"a{side}", f"w{side}"
    m.add(a, _unit((0.02, sign, 0.03)))
    m.add(w, _unit(np.cross(m[a], (0.3, 0.1, 1.0))))
    return a, w


def _load(m: NaturalModel, sigma: str, tyre: str, share: float) -> None:
    """Springs that carry their share of the weight at the start."""
    sprung = share * CHASSIS_MASS * 9.81
    m.springs.append(Spring(sigma, STRUT, STRUT_DAMPING, m[sigma][0] + sprung / STRUT))
    unsprung = sprung + CARRIER_MASS * 9.81
    m.springs.append(Spring(f"{tyre}.z", TYRE, TYRE_DAMPING, m[tyre][2] + unsprung / TYRE))


def _rear(m: NaturalModel, side: str, sign: float) -> None:
    B, W, X = f"B{side}", f"W{side}", f"X{side}"
    s, sigma = f"s{side}", f"sigma{side}"
    foot, top = np.array((-1.37, sign * 0.62, 0.40)), m[f"T{side}"]
    m.add(B, foot)
    m.add(W, (-1.38, sign * 0.75, 0.32))
    for k, (_, (x, y, z)) in enumerate(RODS):
        m.add(f"u{k + 1}{side}", (x, sign * y, z))
    m.add(X, (-1.38, sign * 0.75, 0.02))
    a, w = _wheel(m, side, sign)
    m.add(s, _unit(foot - top))
    m.add_relative(sigma, float(np.linalg.norm(foot - top)))
    m.add_relative(f"phi{side}", 0.3, held=True)
    base = (B, W, f"u1{side}", a)
    _carrier(m, base)
    for name in (*(f"u{k}{side}" for k in range(2, 6)), X):
        m.linear(name, base, (a,))
    _spoke(m, w, a, (B, W), f"phi{side}")
    m.dot((s,), (s,))
    m.along(B, f"T{side}", s, sigma)
    for k in range(1, 6):
        m.distance(f"h{k}{side}", f"u{k}{side}", closure=True)
    _load(m, sigma, X, 0.24)


def _front(m: NaturalModel, side: str, sign: float) -> None:
    K, W, E, Q, X, Td = (f"{name}{side}f" for name in ("K", "W", "E", "Q", "X", "Td"))
    s, sigma = f"s{side}f", f"sigma{side}f"
    foot, top = np.array((1.28, sign * 0.62, 0.50)), m[f"Tc{side}"]
    for name, (x, y, z) in (
        (K, (1.28, 0.68, 0.27)),
        (W, (1.28, 0.75, 0.32)),
        (E, (1.14, 0.66, 0.36)),
        (Q, (1.28, 0.62, 0.50)),
        (X, (1.28, 0.75, 0.02)),
        (Td, (1.28, 0.55, 0.90)),
    ):
        m.add(name, (x, sign * y, z))
    a, w = _wheel(m, f"{side}f", sign)
    m.add(s, _unit(top - foot))
    m.add_relative(sigma, float(np.linalg.norm(top - foot)))
    m.add_relative(f"phi{side}f", 0.3, held=True)
    m.distance(K, f"p1{side}")
    m.distance(K, f"p2{side}")
    base = (K, W, E, a)
    _carrier(m, base)
    for name in (Q, X):
        m.linear(name, base, (a,))
    m.linear(s, base, (a,), point=False)
    _spoke(m, w, a, (K, W), f"phi{side}f")
    m.along(Td, Q, s, sigma)
    m.coincide(Td, f"Tc{side}")
    m.distance(E, f"I{side}", closure=True)
    _load(m, sigma, X, 0.26)


VEHICLE = NaturalMechanism(
    "vehicle",
    "Vehicle",
    vehicle,
    INDEPENDENT,
    Published(192, 202, 192, 954, 17, None, solve_gain=6.6, integration_gain=2.75),
    OPENED,
)
