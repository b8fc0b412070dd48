"""A ghost: the bodies of another run, translucent, moved by matrices of their own."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from app.viewport.canvas.stage import Poses, Stage
from app.viewport.canvas.style import Style, lively
from app.viewport.visuals.base import Part
from app.viewport.visuals.bodies import body as bodies
from engine.model.scene import Scene

OPACITY = 0.34
OWN = 0.65  # share of the run's colour in that of a body
FURTHER = 64.0  # units of depth by which a ghost gives way to what is really there


@dataclass(frozen=True)
class Ghost:
    """Whose ghost it is: the scene of a run and the run's colour."""

    scene: Scene
    color: str
    always: bool = False  # shown even where ghosts of runs are hidden


class GhostVisual:
    """Never picked, and behind the mechanism where both fall together."""

    def __init__(self, ghost: Ghost, style: Style, folder: Path | None) -> None:
        self.ghost = ghost
        self._stage = Stage(ghost.scene, style, folder)
        self.parts = list(self._build(lively(ghost.color, style.dark) if ghost.color else ""))

    def move(self, poses: Poses) -> None:
        self._stage.move(poses)

    def show(self, on: bool) -> None:
        for part in self.parts:
            part.show(on)

    def _build(self, color: str) -> Iterator[Part]:
        stage = self._stage
        lifts = bodies.layers(stage)
        for rank, body in enumerate(stage.scene.bodies):
            if body.fixed or not body.visible:
                continue  # it does not move, so the mechanism itself stands there
            try:
                visual = bodies.visual(
                    body, stage, lifts.get(body.name, 0.0) + stage.behind, rank, opacity=OPACITY
                )
            except (ArithmeticError, ValueError):  # numbers that are not there
                continue
            for part in visual.parts:
                part.mapper.SetRelativeCoincidentTopologyPolygonOffsetParameters(0.0, FURTHER + 2.0 * rank)
                part.actor.PickableOff()
                if color:
                    part.tint(color, OWN)
                yield part
