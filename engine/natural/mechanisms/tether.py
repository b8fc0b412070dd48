"""The tether of [Antón 2015, section 5.3]: ten bodies, one hinge, nine ball joints with three angles each.

Two bending angles of a joint are those of one body to the next about two vectors of the first, the third is
the twist. Lengths, masses and stiffnesses are lost: ours are those of the scene `tether`. The angles are
defined by sines alone, as bodies that bend in two directions have no single plane for a cosine.
"""

from __future__ import annotations

import numpy as np

from engine.natural.mechanisms.base import NaturalMechanism, Published
from engine.natural.model import NaturalModel, Spring
from engine.natural.terms import SINE

BODIES = 10
LENGTH, RADIUS, MASS = 0.5, 0.04, 0.5  # m, m, kg
BENDING, TORSION = 12.0, 4.0  # N·m/rad
ANGLES = ("theta1", *(f"{name}{i}" for i in range(2, BODIES + 1) for name in ("bend", "sway", "twist")))


def tether(*, springs: bool = True) -> NaturalModel:
    m = NaturalModel()
    m.add("P0", (0, 0, 0), held=True)
    m.add("u0", (0, 1, 0), held=True)
    m.add("v0", (0, 0, 1), held=True)
    m.add("P1", (LENGTH, 0, 0))
    for i in range(2, BODIES + 1):
        m.add(f"P{i}", (i * LENGTH, 0, 0))
        m.add(f"u{i}", (0, 1, 0))
        m.add(f"v{i}", (0, 0, 1))
    m.add_relative("theta1", np.pi / 2)  # from v0 to the first body about u0
    for name in ANGLES[1:]:
        m.add_relative(name, 0.0)
    m.distance("P0", "P1")
    m.dot(("P0", "P1"), ("u0",))
    m.angle(("v0",), ("P0", "P1"), ("u0",), "theta1")
    for i in range(2, BODIES + 1):
        r, u, v = (f"P{i - 1}", f"P{i}"), (f"u{i}",), (f"v{i}",)
        for a, b in ((r, r), (u, u), (v, v), (r, u), (r, v), (u, v)):
            m.dot(a, b)
        last = (f"P{i - 2}", f"P{i - 1}")
        u_last, v_last = (f"u{i - 1}" if i > 2 else "u0",), (f"v{i - 1}" if i > 2 else "v0",)
        m.angle(last, r, u_last, f"bend{i}", form=SINE)
        m.angle(last, r, v_last, f"sway{i}", form=SINE)
        m.angle(u_last, u, r, f"twist{i}", form=SINE)
        if springs:
            m.springs += [
                Spring(f"bend{i}", BENDING),
                Spring(f"sway{i}", BENDING),
                Spring(f"twist{i}", TORSION),
            ]
    for i in range(1, BODIES + 1):
        along = ((f"P{i}", 1.0), (f"P{i - 1}", -1.0))
        slender = MASS * (LENGTH**2 / 12.0 + RADIUS**2 / 4.0)
        inertia = np.diag([MASS * RADIUS**2 / 2.0, slender, slender])
        centre = 0.5 * (m[f"P{i}"] + m[f"P{i - 1}"])
        if i == 1:  # u0 is held, so u0 × r is linear in r
            cross = np.cross(np.eye(3), -m["u0"])
            across = (("P1", cross), ("P0", -cross))
            m.body("P0", (along, (("u0", 1.0),), across), MASS, centre, inertia)
        else:
            m.body(f"P{i - 1}", (along, ((f"u{i}", 1.0),), ((f"v{i}", 1.0),)), MASS, centre, inertia)
    return m


TETHER = NaturalMechanism(
    "tether",
    "Tether",
    tether,
    ANGLES,
    Published(84, 112, 84, 661, 0, 0, solve_gain=10.3, integration_gain=3.97),
)
