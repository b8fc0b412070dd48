"""Several bodies that the move tool takes hold of: they go as one, with their joints and ground pins."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.document.document import Edit
from app.document.element_ref import Ref
from app.edits.geometry.move_together import going, move_together
from app.edits.geometry.transform import Placing
from app.session.session import Session
from app.tools.draw.return_to_start import to_start
from app.tools.move.ground_pins import GroundPins
from app.viewport.scene.scene_view import SceneView
from engine.compiled.layout import Array

PIN = 0.015  # of the extent: arm of the cross for a pin on the ground


class GroupSubject:
    """Bodies as one piece. Raises SceneError when a joint ties one of them to a body that would stay."""

    turns = True

    def __init__(self, view: SceneView, session: Session, refs: Sequence[Ref], centre: Array) -> None:
        self.session, self.refs, self.centre, self.axes = session, tuple(refs), centre, np.eye(3)
        scene = session.document.scene
        going(scene, refs)
        self._names = [ref.name for ref in refs]
        self.title = f"{len(self._names)} bodies"
        self._poses = {name: session.poses()[name] for name in self._names}
        self._pins, self._arm = GroundPins(view, scene, refs), PIN * view.stage.extent
        self._shift, self._turn = np.zeros(3), np.eye(3)

    def move(self, shift: Array) -> None:
        to_start(self.session)
        self._shift, self._turn = np.asarray(shift, float), np.eye(3)
        self._show()

    def turn(self, R: Array) -> None:
        to_start(self.session)
        self._shift, self._turn = np.zeros(3), np.asarray(R, float)
        self._show()

    def _show(self) -> None:
        R, c = self._turn, self.centre
        self._pins.lift()
        moved = {
            name: (c + R @ (origin - c) + self._shift, R @ own) for name, (origin, own) in self._poses.items()
        }
        self.session.shown.pose_by_hand(moved)

    def place(self) -> Array:
        return np.asarray(self.centre + self._shift)

    def commit(self) -> Edit | None:
        if not self._shift.any() and np.array_equal(self._turn, np.eye(3)):
            return None
        angle = float(np.arctan2(self._turn[1, 0], self._turn[0, 0]))
        placing = Placing(self._turn, self.centre - self._turn @ self.centre + self._shift, angle)
        return move_together(self.session.document.scene, self.refs, placing)

    def cancel(self) -> None:
        self._pins.settle()
        if self.session.shown.by_hand:
            self.session.shown.pose_by_hand(None)

    def lines(self) -> Array:
        """Where the pins on the ground go: small crosses. The bodies themselves are moved."""
        there = self.centre + (self._pins.places - self.centre) @ self._turn.T + self._shift
        arms = self._arm * np.array([[[-1, -1, 0], [1, 1, 0]], [[-1, 1, 0], [1, -1, 0]]], float)
        return np.asarray((there[:, None, None, :] + arms[None]).reshape(-1, 2, 3))
