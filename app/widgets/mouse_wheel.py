"""The wheel over a field scrolls what it stands in; it changes a value only where the field has the focus."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QWidget


class _Passing(QObject):
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is not QEvent.Type.Wheel or not isinstance(watched, QWidget) or watched.hasFocus():
            return False
        event.ignore()  # Qt then offers it to the parent
        return True


_PASSING = _Passing()


def pass_wheel(field: QWidget) -> None:
    """For drop-downs, spin boxes and sliders inside of what scrolls."""
    field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # the wheel alone does not give it the focus
    field.installEventFilter(_PASSING)
