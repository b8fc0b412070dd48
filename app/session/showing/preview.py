"""What is shown before it is done: a ghost at another pose, or one that moves; and arrows. No widgets."""

from __future__ import annotations

import time
from collections.abc import Mapping

from PySide6.QtCore import QObject, QTimer, Signal

from app.session.recorded.run import Run
from engine.analyses.instant.row_arrows import RowArrow
from engine.compiled.layout import Array
from engine.model.poses import Poses
from engine.model.scene import Scene

FRAME = 33  # ms between two pictures of a motion
COLOR = "#E69F00"


class Preview(QObject):
    """At most one ghost: of a scene at given poses, or of a motion that is played again and again.

    Arrows show which way constraint rows act, that which is spoken of first.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.scene: Scene | None = None
        self.color = COLOR
        self.arrows: tuple[RowArrow, ...] = ()
        self.number = 0  # counts what was shown so far
        self.stay = False
        self._poses: Poses = {}
        self._motion: Run | None = None
        self._begun = 0.0
        self._timer = QTimer(self)
        self._timer.setInterval(FRAME)
        self._timer.timeout.connect(self.changed)

    @property
    def active(self) -> bool:
        return self.scene is not None

    @property
    def playing(self) -> bool:
        return self._motion is not None

    def show_poses(self, scene: Scene, poses: Mapping[str, tuple[Array, Array]]) -> None:
        """A ghost that stands still."""
        self._set(scene, dict(poses), None)

    def play(self, motion: Run) -> None:
        """A ghost that moves, from the beginning of a record to its end and again."""
        if motion.empty:
            return
        self._begun = time.monotonic()
        self._set(motion.scene, {}, motion)

    def show_arrows(self, arrows: tuple[RowArrow, ...]) -> None:
        """Beside the ghost, or alone."""
        if arrows != self.arrows:
            self.arrows = arrows
            self.changed.emit()

    def clear(self, *, stay: bool = False) -> None:
        """Take away the ghost and the arrows. `stay`: the view does not go back, as it was accepted."""
        self.show_arrows(())
        self.stay = stay
        if self.active:
            self._set(None, {}, None)

    def poses(self) -> Poses:
        """Where the ghost is now."""
        motion = self._motion
        if motion is None:
            return self._poses
        span = motion.t_last - motion.t_first
        gone = (time.monotonic() - self._begun) % span if span > 0.0 else 0.0
        return motion.poses_at(motion.t_first + gone)

    def _set(self, scene: Scene | None, poses: Poses, motion: Run | None) -> None:
        self.scene, self._poses, self._motion = scene, poses, motion
        self.number += 1
        self._timer.start() if motion is not None else self._timer.stop()
        self.changed.emit()
