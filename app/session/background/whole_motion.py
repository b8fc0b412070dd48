"""The whole motion of the scene, worked out from its joints on a thread, a moment after the last edit:
travels of sliders, and the curves of traced points at several values of a parameter."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app.session.background.latest_only import LatestOnly, Order
from app.session.background.picture_first import pause_before
from engine.analyses.kinematics.curve_family import FamilyCurve, curve_family, family_values
from engine.analyses.kinematics.travels import Travels, travels
from engine.errors import SceneError
from engine.model.scene import Scene

DELAY = 0.05  # s without another edit


class WholeMotionFinder(QObject):
    """What is known of the newest scene; travels and curves are empty while they are not known."""

    changed = Signal()

    def __init__(self, fault: Callable[[str], object], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.worker = LatestOnly("trammel-sweep", fault)
        self.travels: Travels = {}
        self.family = ""  # the parameter whose curves are drawn
        self.values: tuple[float, ...] = ()
        self.curves: tuple[FamilyCurve, ...] = ()

    def show_family(self, scene: Scene, parameter: str) -> None:
        """Draw the traces at several values of a parameter, an empty name: no longer; raises SceneError."""
        values = tuple(family_values(scene.parameter(parameter))) if parameter else ()
        self.family = parameter
        if parameter:
            self.follow(scene)
        else:
            self._take_curves((), values)

    def follow(self, scene: Scene, *, other: bool = False) -> None:
        """Work them out for this scene; those of the one before stay until then, unless it is an `other`."""
        if other:
            self._take({})
            self.family = ""
            self._take_curves((), ())
        self.worker.order(lambda order: self._work(order, scene), delay=DELAY + pause_before(scene))

    def _work(self, order: Order, scene: Scene) -> None:
        found = travels(scene, wanted=lambda: order.wanted)
        order.tell(lambda: self._take(found))
        if self.family and any(parameter.name == self.family for parameter in scene.parameters):
            self._work_family(order, scene, self.family)

    def _work_family(self, order: Order, scene: Scene, parameter: str) -> None:
        try:
            values = tuple(family_values(scene.parameter(parameter)))
        except SceneError:
            return
        curves = tuple(curve_family(scene, parameter, values, wanted=lambda: order.wanted))
        order.tell(lambda: self._take_curves(curves, values))

    def _take_curves(self, curves: tuple[FamilyCurve, ...], values: tuple[float, ...]) -> None:
        if curves or self.curves:
            self.curves, self.values = curves, values
            self.changed.emit()

    def _take(self, found: Travels) -> None:
        if found != self.travels:
            self.travels = found
            self.changed.emit()
