"""Where widgets lie over the viewport."""

from PySide6.QtWidgets import QWidget

BELOW_STRIP = 78  # px
MARGIN = 8  # px from the corner; below the line that says what to do


def lay_over(child: QWidget, where: str) -> None:
    """Put a widget to a place of its viewport: "middle", "bottom", "left"."""
    parent = child.parentWidget()
    if parent is None:
        return
    child.adjustSize()
    if child.hasHeightForWidth():  # words that wrap
        child.resize(child.width(), child.heightForWidth(child.width()))
    room, size = parent.rect(), child.size()
    x = (room.width() - size.width()) // 2
    y = (room.height() - size.height()) // 2
    if where == "bottom":
        y = room.height() - size.height() - 34
    elif where == "left":
        x, y = MARGIN, min(BELOW_STRIP, room.height() - size.height() - MARGIN)
    child.move(max(0, x), max(0, y))
