"""Mass properties as they are, where they come from, what is wrong with them, and the switch between both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QPushButton, QVBoxLayout

from app.document.document import Edit, Ref
from app.document.mass_summary import MassFacts, mass_facts
from app.edits import compute_mass, give_mass
from app.platform.appearance import Look, label
from engine.model.scene import Scene

TITLE = "Mass properties"
TITLES = {"mass": "Mass", "com": "Centre", "inertia": "Inertia"}


class MassCard(QFrame):
    """A small table; the button makes given numbers computed, and computed ones given."""

    def __init__(self, look: Look, apply: Callable[[Callable[[Scene], Edit]], object]) -> None:
        super().__init__()
        self.setObjectName("inspector.mass.card")
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self._look, self._apply = look, apply
        self._ref = Ref("bodies", "")
        self._given = False
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 4, 6, 4)
        column.setSpacing(2)
        self._title = label(TITLE, "section", "inspector.mass.title")
        self._title.setWordWrap(True)
        column.addWidget(self._title)
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(1)
        grid.setColumnStretch(1, 1)
        self._values: dict[str, QLabel] = {}
        for row, (key, title) in enumerate(TITLES.items()):
            value = label("", "", f"inspector.mass.{key}")
            value.setWordWrap(True)
            grid.addWidget(label(title, "muted", f"inspector.mass.{key}.title"), row, 0)
            grid.addWidget(value, row, 1)
            self._values[key] = value
        column.addLayout(grid)
        self._warning = label("", "wrong", "inspector.mass.warning")
        self._warning.setWordWrap(True)
        column.addWidget(self._warning)
        self.switch = QPushButton("")
        self.switch.setObjectName("inspector.mass.switch")
        self.switch.clicked.connect(self._switch)
        column.addWidget(self.switch)

    def show_body(self, scene: Scene, ref: Ref) -> None:
        """The present numbers of a body."""
        self._ref = ref
        facts = mass_facts(scene, ref)
        self._given = facts is None or facts.given
        self.switch.setText("Compute from the shapes" if self._given else "Keep as given numbers")
        tip = (
            "Mass, centre of mass and inertia follow the shapes and their densities"
            if self._given
            else "Write the numbers down, so that a change of shape leaves them as they are"
        )
        self.switch.setToolTip(tip)
        texts = self._texts(facts, scene.space == "planar") if facts is not None else {}
        for key, value in self._values.items():
            value.setText(texts.get(key, "cannot be computed"))
        sources = set(facts.source.values()) if facts is not None else set()
        self._title.setText(f"{TITLE}, {next(iter(sources))}" if len(sources) == 1 else TITLE)
        warnings = facts.warnings if facts is not None else ()
        self._warning.setText("\n".join(f"⚠ {text}" for text in warnings))
        self._warning.setVisible(bool(warnings))
        self._fit()

    def _texts(self, facts: MassFacts, planar: bool) -> dict[str, str]:
        units, known = self._look.units, facts.properties
        centre = ", ".join(units.text(float(x) + 0.0, "m", 4) for x in known.com[: 2 if planar else 3])
        if planar:
            inertia = units.full_text(float(known.inertia[2, 2]), "kg·m²", 4)
        else:
            moments = ", ".join(units.text(x, "kg·m²", 4) for x in facts.moments)
            inertia = f"{moments} {units.shown('kg·m²')} (principal)"
        texts = {
            "mass": units.full_text(known.mass, "kg", 5),
            "com": f"({centre}) {units.shown('m')}",
            "inertia": inertia,
        }
        if len(set(facts.source.values())) == 1:  # the title says it for all
            return texts
        return {key: f"{text}, {facts.source[key]}" for key, text in texts.items()}

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lines that wrap take the height that they need; layouts inside of each other ask too late."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        for text in (self._title, *self._values.values(), self._warning):
            text.setMinimumHeight(max(text.heightForWidth(text.width()), 0) if text.text() else 0)

    def _switch(self, *_: Any) -> None:
        ref, make = self._ref, compute_mass if self._given else give_mass
        self._apply(lambda scene: make(scene, [ref]))
