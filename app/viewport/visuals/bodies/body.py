"""A body: its shapes, or a stand-in between its joints."""

from itertools import pairwise

import numpy as np

from app.document.element_ref import Ref
from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.stage import Stage
from app.viewport.canvas.style import lively
from app.viewport.canvas.surface import Surface, merged
from app.viewport.visuals.base import Part, Visual
from app.viewport.visuals.bodies.shapes import shape_surface
from engine.elements.bodies.body import Body
from engine.model.mass import rotation

STAND_IN = 0.012  # of the extent: radius of the bars of a body without shapes
BALL = 2.2  # in such radii
MAX_LOOKS = 2000  # of bodies, that are kept


def surfaces(body: Body, stage: Stage) -> dict[float, list[Surface]]:
    """Painted surfaces in the body frame, by opacity; made once of bodies that look alike."""
    if not body.shapes:
        return _surfaces(body, stage)
    look = (body.shapes, stage.body_color(body), float(body.opacity))
    known = stage.surfaces.get(look)
    if known is None:
        if len(stage.surfaces) >= MAX_LOOKS:  # of numbers that were tried
            stage.surfaces.clear()
        known = stage.surfaces[look] = _surfaces(body, stage)
    return known


def _surfaces(body: Body, stage: Stage) -> dict[float, list[Surface]]:
    own, edge = stage.body_color(body), stage.look.edge
    found: dict[float, list[Surface]] = {}
    for shape in body.shapes:
        R = rotation(shape.orientation, float(shape.angle))
        surface = shape_surface(shape, stage).moved(np.array(shape.position, float), R)
        color = lively(shape.color, stage.style.dark) if shape.color else own
        opacity = round(float(shape.opacity) * float(body.opacity), 3)
        found.setdefault(opacity, []).append(surface.painted(color, edge))
    if not body.shapes:
        parts = [surface.painted(own, edge) for surface in stand_in(body, stage)]
        if parts:
            found[round(float(body.opacity), 3)] = parts
    return found


def stand_in(body: Body, stage: Stage) -> list[Surface]:
    """Bars between the points of a body that has no shapes, and a ball where its mass is."""
    radius = STAND_IN * stage.extent
    points = stage.anchors(body.name)
    if body.fixed:
        return [solids.sphere(radius, 16).moved(p) for p in points]
    com = stage.com(body)
    if len(points) < 2:
        bars = [solids.rod(p, com, radius) for p in points if np.linalg.norm(p - com) > radius]
        return [*bars, solids.sphere(BALL * radius).moved(com)]
    loop = [*points, points[0]] if len(points) > 2 else points
    bars = [solids.rod(p, q, radius) for p, q in pairwise(loop)]
    return [*bars, *(solids.sphere(radius, 16).moved(p) for p in points)]


def visual(body: Body, stage: Stage, lift: float = 0.0, rank: int = 0, *, opacity: float = 1.0) -> Visual:
    """`lift` is the layer's z in planar scenes; `rank` keeps faces that fall together apart; `opacity` comes
    on top of the body's own."""
    parts = []
    for own, pieces in surfaces(body, stage).items():
        whole = merged(pieces)
        whole = whole.moved([0.0, 0.0, lift]) if lift else whole
        parts.append(Part(whole, stage.matrices[body.name], opacity=own * opacity, rank=rank))
    return Visual(Ref("bodies", body.name), parts)


def layers(stage: Stage) -> dict[str, float]:
    """Planar scenes: the z of every body, by layer and then by place in the list; sets what lies on top."""
    if not stage.planar:
        return {}
    heights = stage.heights
    for body in stage.scene.bodies:
        if body.name not in heights:
            pieces = [piece for group in surfaces(body, stage).values() for piece in group]
            heights[body.name] = max((piece.half_height for piece in pieces), default=0.0)
    step = 2.2 * max(heights.values(), default=0.0) + 0.002 * stage.extent
    used = sorted({body.layer for body in stage.scene.bodies})
    lifts = {}
    for place, body in enumerate(stage.scene.bodies):
        lifts[body.name] = step * (used.index(body.layer) + 0.08 * place / len(stage.scene.bodies))
        stage.tops[body.name] = lifts[body.name] + heights[body.name]
    stage.top = max(stage.tops.values(), default=0.0)
    return lifts
