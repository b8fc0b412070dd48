"""Arrows of forces, reactions and velocities: all in one actor, written anew when they change."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.document.element_ref import Ref
from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.stage import Stage
from app.viewport.canvas.surface import Array, Surface, merged, poly_data
from app.viewport.visuals.base import Part

THICKNESS = 0.0042  # of the extent
SHORTEST = 4.0  # in thicknesses; shorter ones are left out


@dataclass(frozen=True)
class Arrow:
    """From a world point, shape (3,); the vector's length is that of the arrow [m]. `turns`: a torque.

    `size` is what the arrow stands for, in `unit`; 0 where no number belongs to it.
    """

    origin: Array
    vector: Array
    color: str = "#D55E00"
    turns: bool = False
    ref: Ref | None = None
    size: float = 0.0
    unit: str = ""


class ArrowSet:
    """The arrows of `SceneView.set_arrows`."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self.part = Part(Surface(np.zeros((0, 3)), np.zeros((0, 3))))
        self.part.actor.PickableOff()

    def show(self, arrows: Sequence[Arrow]) -> None:
        thick = THICKNESS * self._stage.extent
        lift = self._stage.top + 0.04 * self._stage.extent if self._stage.planar else 0.0
        shapes = []
        for arrow in arrows:
            vector = np.asarray(arrow.vector, float) * self._stage.style.arrow_scale
            length = float(np.linalg.norm(vector))
            if not np.isfinite(length) or length < SHORTEST * thick:
                continue
            shape = solids.round_arrow(0.5 * length, thick) if arrow.turns else solids.arrow(length, thick)
            origin = np.asarray(arrow.origin, float) + np.array([0.0, 0.0, lift])
            shapes.append(shape.moved(origin, solids.along(vector)).painted(arrow.color))
        self.part.surface = merged(shapes)
        self.part.data.ShallowCopy(poly_data(self.part.surface))
        self.part.data.Modified()
