"""Contact: the shapes that are given by the element itself; those of bodies are drawn with them."""

from typing import Any

import numpy as np

from app.document.element_ref import Ref
from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.stage import Stage
from app.viewport.canvas.surface import Array, Surface, merged
from app.viewport.visuals.base import Part, Visual
from engine.elements.coordinates.frames import Frame

SLAB, DEPTH = 40.0, 1.2  # size of a plane in pin radii, and how thick what lies beyond it is drawn
ROUND_END = 16  # parts of a half circle
RING = 0.4  # thickness of a bore, in pin radii
SEE_THROUGH = 0.45


def visual(spec: Any, stage: Stage) -> Visual:
    frames = stage.pair(spec)
    size = stage.symbol_size(*frames)
    color = stage.color(spec, stage.look.ground)
    parts = []
    for side, frame in zip("ab", frames, strict=True):
        surface = _surface(spec, side, frame, size, stage)
        if surface is not None:
            parts.append(Part(surface.painted(color), stage.matrices[frame.name], opacity=SEE_THROUGH))
    return Visual(Ref("forces", spec.name), parts)


def _surface(spec: Any, side: str, frame: Frame, size: float, stage: Stage) -> Surface | None:
    """The shape of one side in the frame of its body; None where the body itself is the shape."""
    shape, radius = getattr(spec, f"shape_{side}"), stage.value(getattr(spec, f"radius_{side}"), 0.0)
    axis = frame.axes_B[:, 0 if stage.planar else 2]
    axes = solids.along(axis)
    if shape == "plane":
        width = 3.0 * size if stage.planar else SLAB * size
        slab = solids.box(*((width, SLAB * size) if stage.planar else (width, width)), DEPTH * size)
        if stage.planar:
            axes = np.column_stack([(0.0, 0.0, 1.0), np.cross(axis, (0.0, 0.0, 1.0)), axis])
        return merged([slab]).moved(frame.p_B - 0.5 * DEPTH * size * axis, axes)
    if shape == "sphere":
        return solids.sphere(radius).moved(frame.p_B, np.eye(3))
    if shape == "capsule":
        length = stage.value(getattr(spec, f"length_{side}"), 0.0)
        return solids.capsule(radius, length).moved(frame.p_B, axes)
    if shape == "bore":
        turned = np.eye(3) if stage.planar else axes
        return solids.washer(radius, radius + RING * size, 2.0 * size).moved(frame.p_B, turned)
    if shape in ("arc", "slot"):
        from engine.elements.gaps.cores import bent_core  # beside compiled code, and few scenes have one

        length, bend = (stage.value(getattr(spec, f"{name}_{side}"), 0.0) for name in ("length", "bend"))
        rim = _rim(bent_core(False, frame.p_B, axis, length, bend, radius))
        if shape == "arc":
            return solids.plate(rim[:, :2].tolist(), 2.0 * size)
        return solids.tube(rim, 0.5 * RING * size, closed=True)
    if shape == "point":
        return solids.sphere(0.3 * size).moved(frame.p_B, np.eye(3))
    return None


def _rim(core: Any) -> Array:
    """The outline of an arc or slot, counter-clockwise."""
    turns = np.linspace(-0.5 * np.pi, 0.5 * np.pi, ROUND_END)
    first, last = core.points[0], core.points[-1]
    if core.arc is None:
        along = (last - first) / max(float(np.linalg.norm(last - first)), 1e-12)
        sides = [(last, along), (first, -along)]
        return np.array([p + core.radius * _turned(e, turn) for p, e in sides for turn in turns])
    arc = core.arc
    angles = np.linspace(-arc.half, arc.half, 4 * ROUND_END)
    outside = [arc.centre + (arc.bend + core.radius) * arc.outwards(angle) for angle in angles]
    inside = [arc.centre + (arc.bend - core.radius) * arc.outwards(angle) for angle in angles[::-1]]
    if arc.half > np.pi - 1e-9:
        return np.array([*outside, *inside])
    ends = [
        [p + core.radius * _turned(arc.outwards(angle), side + turn) for turn in turns[1:-1]]
        for p, angle, side in ((last, arc.half, 0.5 * np.pi), (first, -arc.half, -0.5 * np.pi))
    ]
    return np.array([*outside, *ends[0], *inside, *ends[1]])


def _turned(e: Array, angle: float) -> Array:
    """A direction of the plane, turned."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * e[0] - s * e[1], s * e[0] + c * e[1], 0.0])
