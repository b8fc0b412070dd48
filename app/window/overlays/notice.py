"""A notice over the viewport with something to do about it: one sentence, one button, and a cross."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton

from app.platform.appearance import Look, label, tool_button
from app.tools.interactive_viewport import ViewportWidget
from app.window.overlays.placing import lay_over


class Notice(QFrame):
    """At the foot of the viewport, until it is answered or no longer true."""

    def __init__(self, viewport: ViewportWidget, look: Look) -> None:
        super().__init__(viewport)
        self.setObjectName("notice")
        self.setProperty("role", "card")
        self._do: Callable[[], None] | None = None
        self.words = label("", "", "notice.words")
        self.button = QPushButton()
        self.button.setObjectName("notice.button")
        self.button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        close = tool_button(look, "notice.close", "close", "Dismiss")
        close.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 5, 5, 5)
        row.addWidget(self.words)
        row.addWidget(self.button)
        row.addWidget(close)
        self.button.clicked.connect(self._act)
        close.clicked.connect(self.hide)
        viewport.installEventFilter(self)
        self.hide()

    def tell(self, text: str, button: str, tip: str, do: Callable[[], None]) -> None:
        self.words.setText(text)
        self.button.setText(button)
        self.button.setToolTip(tip)
        self._do = do
        self.show()
        lay_over(self, "bottom")
        self.raise_()

    def _act(self) -> None:
        self.hide()
        if self._do is not None:
            self._do()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            lay_over(self, "bottom")
        return super().eventFilter(watched, event)
