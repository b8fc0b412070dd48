"""What a tool is: the meaning of the left button, the pointer and the keys in the viewport."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent, QPainter

from app.session.session import Session

if TYPE_CHECKING:
    from app.tools.interactive_viewport import ViewportWidget

ADDING = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier


@dataclass(frozen=True)
class Pointer:
    """Where the pointer is, in the widget's own pixels, and which modifiers are held."""

    position: QPointF
    modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier

    @property
    def adding(self) -> bool:
        """Whether the user adds to what is there, instead of replacing it."""
        return bool(self.modifiers & ADDING)


class Tool:
    """Does nothing; a tool overrides what it needs. The viewport paints anew after each call but `hover`.

    Navigation (orbit, pan, zoom) by the other buttons and the wheel works with every tool. A tool that was
    begun by the user ends itself with `self.viewport.use_tool(None)`, which brings back the first one.
    """

    id: ClassVar[str] = ""
    hint: str = ""  # what to do next, one sentence, shown in the viewport; empty: nothing
    cursor: ClassVar[Qt.CursorShape] = Qt.CursorShape.ArrowCursor

    def __init__(self, viewport: ViewportWidget, session: Session) -> None:
        self.viewport, self.session = viewport, session

    def begin(self) -> None:
        """The tool was taken."""

    def end(self) -> None:
        """The tool is put away, for another one or because the window closes: forget what is half done."""

    def scene_changed(self) -> None:
        """The scene was edited, by this tool or by anyone else, or an edit was undone."""

    def hover(self, at: Pointer) -> None:
        """The pointer moved with no button held. Asks the viewport to paint if that shows anything new."""

    def grab(self, at: Pointer) -> bool:
        """The left button went down; True takes the drag that may follow, False leaves it to navigation."""
        return False

    def drag(self, at: Pointer) -> None:
        """The pointer moved after `grab` was answered with True."""

    def drop(self, at: Pointer) -> None:
        """The left button was released after a drag."""

    def click(self, at: Pointer) -> None:
        """The left button was pressed and released at one place."""

    def double_click(self, at: Pointer) -> None:
        """Comes after the click of the first press, instead of the second one."""
        self.click(at)

    def right_click(self, at: Pointer) -> bool:
        """The right button was pressed and released at one place; False brings the context menu."""
        return False

    def key(self, event: QKeyEvent) -> bool:
        """A key was pressed; True when it meant something to the tool."""
        return False

    def takes(self, event: QKeyEvent) -> bool:
        """Whether a key is for the tool although it is a shortcut, such as a decimal point, or Tab."""
        return False

    def wheel(self, notches: float) -> bool:
        """The wheel was turned; True when it meant something to the tool, False zooms."""
        return False

    def paint(self, painter: QPainter) -> None:
        """Draw over the picture, in the widget's own pixels."""
