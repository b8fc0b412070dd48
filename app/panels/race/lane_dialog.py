"""One lane of a race: its name, method, step, options of the method, and other values of the scene."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLineEdit, QVBoxLayout, QWidget

from app.panels.transport.method_button import MethodButton
from app.platform.appearance import Look, button_box, label
from app.platform.settings.recent_methods import RecentMethods
from app.platform.units import UnitError
from engine.benchmarks.racing.entry import entry_of
from engine.elements.base import Number
from engine.errors import SceneError
from engine.model.races import Lane
from engine.model.scene import Scene

VALUES_HINT = "parameters.L1 = 0.3; bodies.crank.mass = 2"
OPTIONS_HINT = "alpha = 20; beta = 20"


class LaneDialog(QDialog):
    """`lane` is what was accepted; what cannot be run is said before the dialog closes."""

    def __init__(self, parent: QWidget, look: Look, recent: RecentMethods, scene: Scene, lane: Lane) -> None:
        super().__init__(parent)
        self.setObjectName("lane")
        self.setWindowTitle("Lane of the race")
        self.setMinimumWidth(440)
        self.lane = lane
        self._look, self._scene = look, scene
        self._method = lane.method or scene.simulation.method
        self._own_method = bool(lane.method)
        self.name = _line("lane.name", lane.name, "what it is called in table and legend")
        self.method = MethodButton(look, recent, "lane.method")
        self.method.show_name(str(self._method))
        step = "" if lane.dt is None else lane.dt
        text = step if isinstance(step, str) else look.units.full_text(float(step), "s", 12)
        self.step = _line("lane.dt", text, f"empty: that of the scene, {scene.simulation.dt}")
        self.options = _line("lane.options", _written(lane.options), f"such as {OPTIONS_HINT}")
        self.values = _line("lane.values", _written(lane.values), f"such as {VALUES_HINT}")
        self.reason = label("", "wrong", "lane.reason")
        self.reason.setWordWrap(True)
        self.reason.hide()
        form = QFormLayout()
        for title, widget in (
            ("Name", self.name),
            ("Method", self.method),
            ("Step", self.step),
            ("Options", self.options),
            ("Values", self.values),
        ):
            form.addRow(label(title, name=f"lane.{title.lower()}.title"), widget)
        standard = QDialogButtonBox.StandardButton
        self.buttons = button_box(standard.Ok | standard.Cancel, "lane")
        column = QVBoxLayout(self)
        column.addLayout(form)
        column.addWidget(self.reason)
        column.addWidget(self.buttons)
        self.method.chosen.connect(self._choose)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    def _choose(self, name: str) -> None:
        if self.name.text() == self.lane.name and self.lane.name in ("", str(self._method)):
            self.name.setText(name)
        self._method, self._own_method = name, True
        self.method.show_name(name)

    def accept(self) -> None:
        try:
            lane = self._made()
            entry_of(self._scene, lane)
        except (UnitError, ValueError) as error:
            self._complain(str(error))
            return
        except SceneError as error:
            problem = error.problems[0]
            self._complain(f"{problem.message}; {problem.remedy}")
            return
        self.lane = lane
        super().accept()

    def _made(self) -> Lane:
        text = self.step.text().strip()
        dt = self._look.units.parse(text, "s") if text else None
        if isinstance(dt, float) and dt <= 0.0:
            raise ValueError("the step must be greater than 0")
        method = str(self._method) if self._own_method else ""
        name = self.name.text().strip() or method or "lane"
        options, values = read_pairs(self.options.text()), read_pairs(self.values.text())
        return Lane(name=name, method=method, dt=dt, options=options, values=values)

    def _complain(self, reason: str) -> None:
        self.reason.setText(reason)
        self.reason.show()


def read_pairs(text: str) -> dict[str, Number]:
    """`a = 1; b.c = 2*L1`; raises ValueError."""
    found: dict[str, Number] = {}
    for part in filter(None, (part.strip() for part in text.split(";"))):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not key or not value:
            raise ValueError(f"{part!r} is no value; write for instance {VALUES_HINT}")
        try:
            found[key] = float(value)
        except ValueError:
            found[key] = value
    return found


def _written(pairs: dict[str, Number]) -> str:
    return "; ".join(
        f"{key} = {value if isinstance(value, str) else f'{value:.12g}'}" for key, value in pairs.items()
    )


def _line(name: str, text: str, hint: str) -> QLineEdit:
    made = QLineEdit(text)
    made.setObjectName(name)
    made.setPlaceholderText(hint)
    made.setToolTip(hint)
    return made
