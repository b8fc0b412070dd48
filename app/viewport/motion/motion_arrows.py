"""Velocities and accelerations of bodies and points as arrows. No Qt."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.viewport.canvas.surface import Array
from app.viewport.scene.scene_view import SceneView
from app.viewport.visuals.marks.arrows import Arrow
from engine.results.output_evaluation import OutputEvaluation

MAX_LENGTH = 0.25  # of the scene's extent: the largest vector so far
NOISE = 1e-4  # of the largest of all bodies: a pin on the ground, between two samples, moves that little
SHOWN = ("bodies", "joints", "traces")


@dataclass(frozen=True)
class Quantity:
    """What the arrows stand for: how it is read of a point of a body, from its centre of mass [m]."""

    unit: str
    color: str
    read: Callable[[OutputEvaluation, int, Array], Array]
    second: bool = False  # whether it is a derivative of velocities

    def largest(self, evaluation: OutputEvaluation) -> float:
        """Of the centres of mass of all bodies, at the only sample."""
        layout, planar = evaluation.layout, evaluation.mechanism.planar
        rates = evaluation.samples[0, layout.a if self.second else layout.v]
        centres = rates.reshape(len(evaluation.mechanism.bodies), -1)[:, : 2 if planar else 3]
        return float(np.nan_to_num(np.linalg.norm(centres, axis=1)).max(initial=0.0))


VELOCITY = Quantity("m/s", "#009E73", lambda evaluation, body, p_B: evaluation.velocity(body, p_B))
ACCELERATION = Quantity(
    "m/s²", "#B0588F", lambda evaluation, body, p_B: evaluation.acceleration(body, p_B), second=True
)


class MotionArrows:
    """For a body at its centre of mass and its named points; the largest so far sets the scale."""

    def __init__(self, quantity: Quantity) -> None:
        self.quantity = quantity
        self._largest = 0.0

    def arrows(
        self, view: SceneView, refs: Iterable[Any], evaluation: OutputEvaluation, *, centres: bool = False
    ) -> list[Arrow]:
        """Arrows at the only sample of the survey; what does not move has none.

        `centres`: one for each body, at its centre of mass.
        """
        mechanism, unit, color = evaluation.mechanism, self.quantity.unit, self.quantity.color
        numbers = {name: b for b, name in enumerate(mechanism.bodies)}
        found, floor = [], NOISE * self.quantity.largest(evaluation)
        for ref in refs:
            frames = view.queries.frames_of(ref) if ref.where in SHOWN else []
            for frame in frames[:1] if centres else frames:
                if frame.name not in numbers:
                    continue
                b = numbers[frame.name]
                vector = self.quantity.read(evaluation, b, frame.p_B - mechanism.com[b])[0]
                size = float(np.linalg.norm(vector))
                if floor <= size < np.inf:
                    found.append((view.stage.world_point(frame), vector, size, ref))
                if ref.where == "joints":
                    break  # one point of two bodies
        self._largest = max([self._largest, *(size for _, _, size, _ in found)])
        scale = self.length_per_unit(view)
        return [Arrow(at, scale * vector, color, False, ref, size, unit) for at, vector, size, ref in found]

    def length_per_unit(self, view: SceneView) -> float:
        """How long an arrow of one unit is [m]; 0 while nothing has moved."""
        return MAX_LENGTH * view.stage.extent / self._largest if self._largest > 0.0 else 0.0
