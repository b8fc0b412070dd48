"""An error of a handler is reported, whatever raised it; the program goes on."""

import ast
from pathlib import Path

from PySide6.QtCore import QEvent
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

import app
from app.widgets.event_filter import EventFilter


class Painted(QWidget):
    """Raises in compiled code, once."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[QEvent.Type] = []
        self.painted = 0
        EventFilter(self, self._take)

    def _take(self, event: QEvent) -> bool:
        self.seen.append(event.type())
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        self.painted += 1
        if self.painted == 1:
            int(float("nan"))


def test_issue_17_an_error_of_compiled_code_in_a_handler_is_reported(qtbot: QtBot) -> None:
    widget = Painted()
    qtbot.addWidget(widget)
    with qtbot.captureExceptions() as errors:
        widget.show()
        qtbot.waitUntil(lambda: widget.painted >= 1)
    assert [str(error) for _, error, _ in errors] == ["cannot convert float NaN to integer"]
    assert QEvent.Type.Paint in widget.seen
    widget.update()
    qtbot.waitUntil(lambda: widget.painted == 2)


def test_issue_17_no_widget_handles_its_events_below_an_override() -> None:
    """See `app.widgets.event_filter` for why."""
    overrides = [
        path.name
        for path in Path(app.__file__).parent.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name == "event"
    ]
    assert overrides == []
