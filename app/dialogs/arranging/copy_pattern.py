"""Copies of the selected elements in a row or in a circle."""

import math

from app.dialogs.arranging.base import ArrangeDialog
from app.document.document import Edit
from app.edits import pattern_circular, pattern_linear
from engine.model.poses import given_poses
from engine.model.scene import Scene

FIRST_COUNT = 4  # in a pattern, to begin with


class _PatternDialog(ArrangeDialog):
    @property
    def count(self) -> int:
        return int(self.number("count"))

    @property
    def copies(self) -> int:  # type: ignore[override]
        return max(self.count - 1, 0)


class RowDialog(_PatternDialog):
    """How many, and how far from one to the next."""

    name, title = "row", "Pattern in a row"

    def fill(self) -> None:
        zeros = (0.0,) if self.scene.space == "planar" else (0.0, 0.0)
        self.add_number("count", "How many in all", FIRST_COUNT, integer=True)
        self.add_vector("step", "Step", (_step(self.scene), *zeros))

    def make(self, scene: Scene) -> Edit:
        return pattern_linear(
            scene, self.refs, self.count, self.vector("step"), ground=self.ground.isChecked()
        )


class CircleDialog(_PatternDialog):
    """How many, about which axis, and by which angle from one to the next."""

    name, title = "circle", "Pattern in a circle"

    def fill(self) -> None:
        planar = self.scene.space == "planar"
        self.add_number("count", "How many in all", FIRST_COUNT, integer=True)
        self.add_number("angle", "Angle from one to the next", 2.0 * math.pi / FIRST_COUNT, "rad")
        if not planar:
            self.add_vector("axis", "Axis", (0.0, 0.0, 1.0), "")
        self.add_vector("through", "Through", (0.0, 0.0) if planar else (0.0, 0.0, 0.0))

    def make(self, scene: Scene) -> Edit:
        axis = (0.0, 0.0, 1.0) if scene.space == "planar" else self.vector("axis")
        return pattern_circular(
            scene,
            self.refs,
            self.count,
            self.number("angle"),
            axis,
            self.vector("through"),
            ground=self.ground.isChecked(),
        )


def _step(scene: Scene) -> float:
    """A round step, somewhat longer than the bodies lie apart [m]."""
    places = [pose[0] for pose in given_poses(scene).values()]
    width = max((float(place.max() - other.min()) for place in places for other in places), default=0.0)
    if not width > 0.0:
        return 0.1
    return float(f"{1.5 * width:.1g}")
