"""Parameters that a search may change, each with the limits it stays in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QTableWidget, QTableWidgetItem

from app.platform.appearance import Look
from app.platform.units import UnitError
from engine.errors import SceneError
from engine.model.resolve import resolve
from engine.model.scene import Scene
from engine.studies.variables.interval import Interval

NAME, VALUE, LOW, HIGH = range(4)
TITLES = ("Varies", "Now", "From", "To")
AROUND = (0.5, 1.5)  # of the value: limits of a parameter that has none


@dataclass(frozen=True)
class _Line:
    path: str
    unit: str
    value: float
    low: float
    high: float


class VariableTable(QTableWidget):
    """A tick lets a parameter vary. Numbers are in display units; a unit may be typed."""

    def __init__(self, look: Look) -> None:
        super().__init__(0, len(TITLES))
        self.setObjectName("optimise.variables")
        self.setAccessibleName("Parameters that vary")
        self.setHorizontalHeaderLabels(TITLES)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.horizontalHeader().setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().hide()
        self._look = look
        self._lines: list[_Line] = []

    def show_scene(self, scene: Scene) -> None:
        """The parameters of a scene; what was ticked and typed stays where the parameter is still there."""
        before = {line.path: row for row, line in enumerate(self._lines)}
        kept = {
            path: (self._ticked(row), self._text(row, LOW), self._text(row, HIGH))
            for path, row in before.items()
        }
        self._lines = lines_of(scene)
        self.setRowCount(len(self._lines))
        for row, line in enumerate(self._lines):
            ticked, low, high = kept.get(
                line.path, (False, self._shown(line.low, line.unit), self._shown(line.high, line.unit))
            )
            name = QTableWidgetItem(line.path.partition(".")[2])
            name.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable)
            name.setCheckState(Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked)
            self.setItem(row, NAME, name)
            now = QTableWidgetItem(self._look.units.full_text(line.value, line.unit))
            now.setFlags(Qt.ItemFlag.ItemIsEnabled)
            self.setItem(row, VALUE, now)
            self.setItem(row, LOW, QTableWidgetItem(low))
            self.setItem(row, HIGH, QTableWidgetItem(high))

    def tick(self, name: str, ticked: bool = True) -> None:
        """Let a parameter vary, or no longer."""
        row = [line.path for line in self._lines].index(f"parameters.{name}")
        item = self.item(row, NAME)
        assert item is not None
        item.setCheckState(Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked)

    def paths(self) -> set[str]:
        """Of the parameters that can be ticked."""
        return {line.path for line in self._lines}

    def show_ranges(self, ranges: Sequence[Interval]) -> None:
        """Tick these with their ranges, and nothing else."""
        known = {one.path: one for one in ranges}
        for row, line in enumerate(self._lines):
            one = known.get(line.path)
            self.tick(line.path.partition(".")[2], one is not None)
            if one is not None:
                for column, value in ((LOW, one.low), (HIGH, one.high)):
                    self.setItem(row, column, QTableWidgetItem(self._shown(float(value), line.unit)))

    def variables(self, *, needed: bool = True) -> tuple[Interval, ...]:
        """What is ticked; raises ValueError with what is wrong. `needed`: something must be."""
        found = []
        for row, line in enumerate(self._lines):
            if not self._ticked(row):
                continue
            limits = []
            for column in (LOW, HIGH):
                try:
                    number = self._look.units.parse(self._text(row, column), line.unit)
                except UnitError as error:
                    raise ValueError(f"{line.path}: {error}") from None
                if not isinstance(number, float):
                    raise ValueError(
                        f"{line.path}: {self._text(row, column)!r} is no number; limits are numbers"
                    )
                limits.append(number)
            found.append(Interval(path=line.path, low=limits[0], high=limits[1]))
        if needed and not found:
            raise ValueError("nothing varies: tick at least one parameter")
        return tuple(found)

    def _ticked(self, row: int) -> bool:
        item = self.item(row, NAME)
        return item is not None and item.checkState() == Qt.CheckState.Checked

    def _text(self, row: int, column: int) -> str:
        item = self.item(row, column)
        return item.text() if item is not None else ""

    def _shown(self, value: float, unit: str) -> str:
        return self._look.units.full_text(value, unit)


def lines_of(scene: Scene) -> list[_Line]:
    """Parameters that are numbers of their own; those made of others follow them."""
    try:
        values = {parameter.name: float(parameter.value) for parameter in resolve(scene).parameters}
    except SceneError:
        return []
    found = []
    for parameter in scene.parameters:
        if isinstance(parameter.value, str):
            continue
        value = values[parameter.name]
        low, high = sorted(factor * value for factor in AROUND) if value else (-1.0, 1.0)
        low = float(parameter.min) if isinstance(parameter.min, float | int) else low
        high = float(parameter.max) if isinstance(parameter.max, float | int) else high
        found.append(_Line(f"parameters.{parameter.name}", parameter.unit, value, low, high))
    return found
