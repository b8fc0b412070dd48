"""Velocities of selected bodies and points as arrows. No Qt."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from app.viewport.scene.scene_view import SceneView
from app.viewport.visuals.marks.arrows import Arrow
from engine.results.output_evaluation import OutputEvaluation

LONGEST = 0.25  # of the scene's extent: the largest velocity so far
VELOCITY = "#009E73"
SHOWN = ("bodies", "joints", "traces")


class VelocityArrows:
    """For a body at its centre of mass and its named points; the largest so far sets the scale."""

    def __init__(self) -> None:
        self._largest = 0.0

    def arrows(self, view: SceneView, refs: Iterable[Any], evaluation: OutputEvaluation) -> list[Arrow]:
        """Arrows at the only sample of the survey; what does not move has none."""
        mechanism = evaluation.mechanism
        numbers = {name: b for b, name in enumerate(mechanism.bodies)}
        found = []
        for ref in refs:
            for mount in view.mounts_of(ref) if ref.where in SHOWN else ():
                if mount.body not in numbers:
                    continue
                b = numbers[mount.body]
                velocity = evaluation.velocity(b, mount.point - mechanism.com[b])[0]
                if np.isfinite(velocity).all():
                    found.append((view.world_point(mount), velocity, ref))
                if ref.where == "joints":
                    break  # one point of two bodies
        sizes = [float(np.linalg.norm(velocity)) for _, velocity, _ in found]
        self._largest = max([self._largest, *sizes])
        scale = LONGEST * view.extent / self._largest if self._largest > 0.0 else 0.0
        return [Arrow(point, scale * velocity, VELOCITY, ref=ref) for point, velocity, ref in found]
