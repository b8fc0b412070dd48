"""Steps that fit: a menu beside the step, from the quickest small motion at the playhead."""

from __future__ import annotations

import math
from collections.abc import Iterator

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMenu, QToolButton

from app.platform.appearance import Look, ToolButton
from app.session.session import Session
from engine.analyses.dynamics.step_limits import StepLimits, limits_of_run, rounded_down
from engine.errors import SceneError
from engine.model.resolve import resolve
from engine.solvers.catalogue import Method, find_method

POINTS = (20, 50)  # in the shortest period: usual, and fine
NOTHING = "Nothing swings or decays here: no step is too long"


class StepOffers(ToolButton):
    """A click lists steps that are stable and accurate here; one of them can be taken."""

    chosen = Signal(float)  # s

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__(look, "range")
        self.setObjectName("transport.offers")
        self.setToolTip("Steps that fit: by stability, and by points in the shortest period")
        self.setAccessibleName("Steps that fit")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._session, self._look = session, look
        self.offers = QMenu(self)
        self.offers.setObjectName("transport.offers.menu")
        self.offers.setToolTipsVisible(True)
        self.offers.aboutToShow.connect(self.fill)
        self.setMenu(self.offers)

    def fill(self) -> None:
        """Look at the state that is shown, and list what fits it."""
        self.offers.clear()
        try:
            lines = list(self._lines())
        except (SceneError, ValueError) as error:
            lines = [(f"{error}: ask the analysis Stability and step", None)]
        for text, step in lines:
            action = self.offers.addAction(text)
            action.setEnabled(step is not None)
            if step is not None:
                action.triggered.connect(lambda _=False, step=step: self.chosen.emit(step))

    def _lines(self) -> Iterator[tuple[str, float | None]]:
        run = self._session.current
        state = None if run is None else run.state_at(self._session.t)
        if state is None:
            yield "There is no run yet", None
            return
        settings = resolve(self._session.document.scene).simulation
        method = find_method(settings.method)
        numbers = method.numbers(
            {name: float(value) for name, value in settings.options.items()}, float(settings.dt)
        )
        limits = [limits_of_run(state.mechanism, state.sample, method, numbers, points) for points in POINTS]
        first = limits[0]
        if not math.isfinite(first.proposed):
            yield NOTHING, None
            return
        yield self._heading(first, method, float(settings.dt)), None
        if math.isfinite(first.stable) and first.stable > 0.0:
            step = rounded_down(first.stable_with_margin)
            yield f"{self._text(step)}: nine tenths of the limit of stability", step
        for points, found in zip(POINTS, limits, strict=True):
            if math.isfinite(found.accurate) and found.proposed > 0.0:
                step = rounded_down(found.proposed)
                yield f"{self._text(step)}: {points} points in the shortest period", step

    def _heading(self, limits: StepLimits, method: Method, h: float) -> str:
        name = method.short_name
        if limits.stable == 0.0:
            return f"No step is stable with {name} here"
        if not math.isfinite(limits.stable):
            return f"No step is unstable with {name} here"
        beyond = ", which this step is beyond" if h > limits.stable else ""
        return f"{name} is stable up to {self._text(limits.stable)}{beyond}"

    def _text(self, step: float) -> str:
        return self._look.units.full_text(step, "s", 3)
