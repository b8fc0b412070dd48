"""A viewport to draw on with mouse and keys, in metres."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.session.session import Session
from app.tools.interactive_viewport import ViewportWidget

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


class Sheet:
    """An empty planar scene to draw on; places are in metres."""

    def __init__(self, session: Session, viewport: ViewportWidget) -> None:
        self.session, self.viewport = session, viewport

    @property
    def scene(self):
        return self.session.document.scene

    def pixel(self, *p: float) -> QPoint:
        x, y = self.viewport.view.camera.project((*p, 0.0, 0.0)[:3])
        return QPoint(round(x), round(y))

    def click(self, *p: float, modifiers: Qt.KeyboardModifier = NONE) -> None:
        QTest.mouseMove(self.viewport, self.pixel(*p))
        QTest.mouseClick(self.viewport, LEFT, modifiers, self.pixel(*p))

    def type(self, *texts: str, end: Qt.Key | None = Qt.Key.Key_Return) -> None:
        for i, text in enumerate(texts):
            if i:
                QTest.keyClick(self.viewport, Qt.Key.Key_Tab)
            QTest.keyClicks(self.viewport, text)
        if end is not None:
            QTest.keyClick(self.viewport, end)

    def take(self, name: str) -> None:
        self.viewport.use_tool(name)

    @property
    def note(self) -> str:
        return self.viewport.tool.note
