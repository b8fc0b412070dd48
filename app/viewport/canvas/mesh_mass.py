"""Mass of the volume that triangles enclose. Where they enclose none, that of their bounding box."""

import numpy as np

from app.viewport.canvas.surface import Array, Ints
from engine.model.mass import MassProperties

DENSITY = 7850.0  # kg/m³: steel
OPEN = 1e-9  # of the bounding box: a smaller volume is none
FLAT = 0.01  # of the largest side: how thick a flat mesh counts at least


def mesh_mass(points: Array, triangles: Ints, density: float = DENSITY) -> MassProperties:
    """Mass [kg], centre [m] and inertia about it [kg·m²] of a closed mesh, whichever way its faces look."""
    low, high = points.min(axis=0), points.max(axis=0)
    sides = high - low
    # tetrahedra (0, a, b, c): V = a·(b × c)/6, ∫ x xᵀ dV = V/20 (Σ p pᵀ + s sᵀ), s = a + b + c
    a, b, c = (points[triangles[:, i]] - low for i in range(3))
    volumes = np.einsum("ij,ij->i", a, np.cross(b, c)) / 6.0
    volume = float(volumes.sum())
    if abs(volume) <= OPEN * float(np.prod(sides)) or not abs(volume) > 0.0:
        return box_mass(low, high, density)
    s = a + b + c
    centre = (volumes[:, None] * s).sum(axis=0) / (4.0 * volume)
    second = sum(np.einsum("i,ij,ik->jk", volumes, p, p) for p in (a, b, c, s)) / 20.0
    second = np.sign(volume) * (second - volume * np.outer(centre, centre))
    mass = density * abs(volume)
    inertia = density * (np.trace(second) * np.eye(3) - second)
    return MassProperties(mass, centre + low, inertia)


def box_mass(low: Array, high: Array, density: float) -> MassProperties:
    """Of a box between two corners; a flat one counts as a thin plate."""
    sides = np.maximum(high - low, FLAT * float((high - low).max()))
    mass = density * float(np.prod(sides))
    x, y, z = sides**2
    return MassProperties(mass, 0.5 * (low + high), np.diag([y + z, x + z, x + y]) * mass / 12.0)
