"""Where a whole mechanism goes so that it does not lie over what is there."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.compiled.layout import Array
from engine.elements.bodies.shapes import Rod
from engine.maths.round_numbers import nice
from engine.model.poses import resolved_poses
from engine.model.resolve import resolve_leniently
from engine.model.scene import Scene

GAP = 0.5  # of the wider of both: cranks turn beyond where they stand
GRAIN = 0.1  # of the width, then made round: the place is a number that people would write


def place_beside(scene: Scene, piece: Scene) -> float:
    """How far along x a piece is to be moved to stand on the right of the scene [m]; 0 where nothing is."""
    there, new = _span(scene), _span(piece)
    if there is None or new is None:
        return 0.0
    width = max(there[1] - there[0], new[1] - new[0])
    if not width > 0.0:
        return 0.0
    grain = nice(GRAIN * width)
    return float(round(np.ceil((there[1] - new[0] + GAP * width) / grain) * grain, 12))


def _span(scene: Scene) -> tuple[float, float] | None:
    places = [float(p[0]) for p in _places(scene) if np.isfinite(p[0])]
    return (min(places), max(places)) if places else None


def _places(scene: Scene) -> Iterator[Array]:
    """Origins and named points of bodies, and the ends of rods, as the scene gives them."""
    resolved, _ = resolve_leniently(scene)
    poses = resolved_poses(resolved)
    for body in resolved.bodies:
        if body.name not in poses:
            continue
        origin, R = poses[body.name]
        yield origin
        named = [point.position for point in body.points]
        ends = [end for shape in body.shapes if isinstance(shape, Rod) for end in (shape.start, shape.end)]
        for numbers in (*named, *ends):
            try:
                yield origin + R @ np.array([*numbers, 0.0][:3], float)
            except (TypeError, ValueError):
                continue  # not computable at present
