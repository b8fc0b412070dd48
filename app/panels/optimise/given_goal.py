"""The goal of a study that was opened: in words, until the form takes over again."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.platform.appearance import Look, label, tool_button
from engine.studies.column_units import column_units
from engine.studies.optimisation.goal import Limit
from engine.studies.study import Study
from engine.studies.variables.interval import Interval

MOST = 6  # terms in words; a fit to data has hundreds
SENSES = {"minimise": "as small as it can be", "maximise": "as large as it can be"}


class GivenGoal(QWidget):
    """Holds what the fields of the panel cannot: terms with weights, other variables, limits of runs."""

    changed = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.study: Study | None = None
        self._text = label("", name="optimise.goal")
        self._text.setWordWrap(True)
        drop = tool_button(look, "optimise.goal.drop", "close", "Leave this goal, and say another one here")
        drop.clicked.connect(lambda: self.show_study(None))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._text, 1)
        row.addWidget(drop)
        self.hide()

    def show_study(self, study: Study | None) -> None:
        """A study with a goal, or none."""
        if study is None and self.study is None:
            return
        self.study = study
        self.setVisible(study is not None)
        self.dress()
        self.changed.emit()

    def dress(self) -> None:
        """Write the words again, in the units that are shown now."""
        if self.study is not None:
            self._text.setText("\n".join([f"“{self.study.title or 'The study'}” wants:", *self._lines()]))

    def varies_too(self, paths: set[str]) -> tuple[object, ...]:
        """Its variables beside those parameters whose ranges can be typed."""
        vary = () if self.study is None else self.study.vary
        return tuple(one for one in vary if not (isinstance(one, Interval) and one.path in paths))

    def limits(self) -> tuple[Limit, ...]:
        """Its limits on objectives, which are asked after each run."""
        return () if self.study is None else tuple(one for one in self.study.limits if one.objective)

    def _lines(self) -> list[str]:
        assert self.study is not None
        units, goal = column_units(self.study), self.study.goal
        found = []
        for term in goal[:MOST]:
            told = self._look.units.full_text(term.target, units.get(term.objective, ""))
            weight = f", weight {term.weight:g}" if len({other.weight for other in goal}) > 1 else ""
            found.append(f"• {term.objective}: {SENSES.get(term.sense, told)}{weight}")
        if len(goal) > MOST:
            found.append(f"• and {len(goal) - MOST} more")
        return [*found, *(f"• {limit.words}" for limit in self.limits())]


def limits_text(study: Study) -> str:
    """Limits on expressions of parameters as they are typed."""
    found = []
    for limit in study.limits:
        if not limit.objective:
            found += [f"{limit.expression} <= {limit.max!r}"] if limit.max is not None else []
            found += [f"{limit.expression} >= {limit.min!r}"] if limit.min is not None else []
    return " ; ".join(found)
