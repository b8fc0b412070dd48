"""The whole motion of the scene, worked out from its joints on a thread, a moment after the last edit."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app.session.background.latest_only import LatestOnly, Order
from engine.analyses.kinematics.travels import Travels, travels
from engine.model.scene import Scene

DELAY = 0.05  # s without another edit


class Sweeping(QObject):
    """Travels of the sliders of the newest scene; none while they are not known."""

    changed = Signal()

    def __init__(self, fault: Callable[[str], object], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.worker = LatestOnly("trammel-sweep", fault)
        self.travels: Travels = {}

    def follow(self, scene: Scene, *, other: bool = False) -> None:
        """Work them out for this scene; those of the one before stay until then, unless it is an `other`."""
        if other:
            self._take({})
        self.worker.order(lambda order: self._work(order, scene), delay=DELAY)

    def _work(self, order: Order, scene: Scene) -> None:
        found = travels(scene, wanted=lambda: order.wanted)
        order.tell(lambda: self._take(found))

    def _take(self, found: Travels) -> None:
        if found != self.travels:
            self.travels = found
            self.changed.emit()
