"""Tables of bodies: places in the state, masses, inertias, gravity."""

from __future__ import annotations

import numpy as np

from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import body_reals as BODY_REAL
from engine.compiled.layout import Array, Ints
from engine.model.scene import Scene
from engine.system.compiling.frames import masses

SMALL_INERTIA = 1e-12  # share of the largest principal inertia below which an axis counts as massless


def body_table(moving: int, planar: bool) -> Ints:
    """A line for every body that moves, each on its own until rows couple it; the world last."""
    nq, nv = (3, 3) if planar else (7, 6)
    table = np.zeros((moving + 1, BODY.COLUMNS), np.int64)
    for b in range(moving):
        table[b] = (planar, b * nq, b * nv, nq, nv, 1, 0)
    table[moving] = (planar, -1, -1, 0, 0, 0, 0)
    return table


def body_reals(scene: Scene) -> tuple[Array, bool]:
    """Their numbers, and whether one of them has no inertia somewhere."""
    found = masses(scene)
    table = np.zeros((len(found) + 1, BODY_REAL.COLUMNS))
    massless = False
    for b, body in enumerate(found):
        table[b, BODY_REAL.MASS] = body.mass
        table[b, BODY_REAL.INERTIA : BODY_REAL.INERTIA + 9] = body.inertia.ravel()
        table[b, BODY_REAL.GRAVITY : BODY_REAL.GRAVITY + 3] = scene.gravity
        if scene.space == "planar":
            regular = body.mass > 0.0 and body.inertia[2, 2] > 0.0
            inverse = np.diag([0.0, 0.0, 1.0 / body.inertia[2, 2]]) if regular else np.zeros((3, 3))
        else:
            principal = np.linalg.eigvalsh(body.inertia)
            regular = body.mass > 0.0 and principal[0] > SMALL_INERTIA * principal[2]
            inverse = np.linalg.inv(body.inertia) if regular else np.zeros((3, 3))
        massless |= not regular
        table[b, BODY_REAL.MASS_INV] = 1.0 / body.mass if body.mass > 0.0 else 0.0
        table[b, BODY_REAL.INERTIA_INV : BODY_REAL.INERTIA_INV + 9] = inverse.ravel()
    return table, massless
