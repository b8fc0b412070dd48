"""The ellipsoid of inertia: a solid one of the same mass that turns as the body does; red when none could."""

import numpy as np

from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.stage import Stage
from app.viewport.visuals.base import Part
from engine.elements.bodies.body import Body
from engine.model.mass import mass_properties

COLOR, WRONG = "#8E44AD", "#D0021B"
OPACITY = 0.38
FLAT = 0.06  # of the largest half axis: the others are drawn at least so large
ROUNDING = 1e-6  # of the largest moment


def half_axes(body: Body, space: str) -> tuple[np.ndarray, np.ndarray, bool] | None:
    """Half axes [m], their directions (columns) in body axes, and whether a real body can have them.

    A solid ellipsoid has I_1 = m (b² + c²)/5, so a² = 5 (I_2 + I_3 - I_1)/(2 m). Of a planar body whose I_zz
    alone is known a disc is drawn: I = m r²/2. None for a body without mass or inertia.
    """
    known = mass_properties(body, space)
    if not known.mass > 0.0 or not np.isfinite(known.inertia).all() or not known.inertia.any():
        return None
    if space == "planar" and not known.inertia[:2, :2].any():
        izz = float(known.inertia[2, 2])
        r = np.sqrt(2.0 * abs(izz) / known.mass)
        return np.array([r, r, 0.0]), np.eye(3), izz > 0.0
    moments, axes = np.linalg.eigh(known.inertia)
    if np.linalg.det(axes) < 0.0:
        axes[:, 2] *= -1.0
    squares = 2.5 / known.mass * (moments.sum() - 2.0 * moments)
    slack = 2.5 / known.mass * ROUNDING * float(np.abs(moments).max())
    good = bool(squares.min() >= -slack and moments.min() >= 0.0)
    return np.sqrt(np.maximum(squares, 0.0)), axes, good


def inertia_ellipsoid(body: Body, stage: Stage) -> Part | None:
    """About the centre of mass; None where there is nothing to draw."""
    found = half_axes(body, stage.scene.space)
    if found is None:
        return None
    sizes, axes, good = found
    largest = float(sizes.max())
    if not largest > 0.0:
        return None
    sizes = np.maximum(sizes, FLAT * largest)
    lift = 0.0
    if stage.planar:
        lift = stage.top + 0.02 * stage.extent
        sizes[int(np.argmax(np.abs(axes[2])))] = 0.01 * stage.extent  # seen from above: a flat one
    x, y, z = (float(size) for size in sizes)
    surface = solids.sphere(1.0, 32).scaled(x, y, z).painted(COLOR if good else WRONG)
    frame = stage.frame(body.name, stage.com(body), axes)
    placed = surface.moved(frame.p_B + np.array([0.0, 0.0, lift]), axes)
    return Part(placed, stage.matrices[body.name], opacity=OPACITY)
