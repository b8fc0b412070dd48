"""Events of a widget that are looked at before it handles them.

This takes the place of an override of `event`. An override that calls `super().event` puts Python below every
handler of the widget; PySide then keeps an error of such a handler for its caller, and where compiled code
raised it (`int(nan)`) it reads the error wrongly and ends the program. Without one the error is reported.
"""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject


class EventFilter(QObject):
    """Hands the events of its parent to `take`, and on to the parent those for which it returns False."""

    def __init__(self, parent: QObject, take: Callable[[QEvent], bool]) -> None:
        super().__init__(parent)
        self._take = take
        parent.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        return self._take(event)
