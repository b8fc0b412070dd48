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
CONE, WIDEST = 0.7, 3.0  # height of a friction cone, of the arrow; coefficient beyond which it is not opened
RIBS, RIB = 12, 0.35  # lines on a cone in space, and how thick they are, in thicknesses


@dataclass(frozen=True)
class Arrow:
    """From a world point, shape (3,); the vector's length is that of the arrow [m]. `turns`: a torque.

    `size` is what the arrow stands for, in `unit`; 0 where no number belongs to it. `cone`: coefficient of
    friction of a contact, whose cone is drawn about the arrow.
    """

    origin: Array
    vector: Array
    color: str = "#D55E00"
    turns: bool = False
    ref: Ref | None = None
    size: float = 0.0
    unit: str = ""
    cone: float = 0.0


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
            axes = solids.along(vector)
            shapes.append(shape.moved(origin, axes).painted(arrow.color))
            if arrow.cone > 0.0:
                shapes += self._cone(arrow, origin, axes, length, thick)
        self.part.surface = merged(shapes)
        self.part.data.ShallowCopy(poly_data(self.part.surface))
        self.part.data.Modified()

    def _cone(self, arrow: Arrow, origin: Array, axes: Array, length: float, thick: float) -> list[Surface]:
        """The edges of a friction cone and a ball where the bodies touch; in space its ribs and its rim."""
        wide = min(arrow.cone, WIDEST) * CONE * length
        if self._stage.planar:
            across = np.cross((0.0, 0.0, 1.0), axes[:, 2])
            ends = [origin + CONE * length * axes[:, 2] + side * wide * across for side in (-1.0, 1.0)]
            lines = [solids.rod(origin, end, RIB * thick, 8) for end in ends]
        else:
            turn = np.linspace(0.0, 2.0 * np.pi, RIBS, endpoint=False)
            circle = np.column_stack([np.cos(turn), np.sin(turn)]) * wide
            ends = [origin + axes @ (x, y, CONE * length) for x, y in circle]
            rim = solids.torus(wide, RIB * thick).moved(origin + CONE * length * axes[:, 2], axes)
            lines = [*(solids.rod(origin, end, RIB * thick, 6) for end in ends), rim]
        place = solids.sphere(1.2 * thick, 12).moved(origin, np.eye(3))
        return [line.painted(arrow.color) for line in (*lines, place)]
