"""Messages of the session in the status bar, as long as they are true."""

from PySide6.QtWidgets import QApplication, QLineEdit, QStatusBar

from app.document.document import Ref
from app.session.session import Session
from app.window.docks import Docks

SHOWN_FOR = 8000  # ms


class StatusMessages:
    """Shows what the session tells; an error also brings the panel of messages to the front."""

    def __init__(self, session: Session, bar: QStatusBar, docks: Docks) -> None:
        self._session, self._bar, self._docks = session, bar, docks
        self._last: tuple[str, int | None, bool] | None = None  # the text, and what it is about
        self._error_raised = False
        session.message.connect(self._show)
        session.runs.changed.connect(self._take_back)
        session.faults.changed.connect(self._take_back)

    def forget(self) -> None:
        """Another scene: what was told was about the one before."""
        self._bar.clearMessage()
        if self._error_raised:
            self._error_raised = False
            self._docks["plots"].raise_()

    def _show(self, level: str, text: str, ref: Ref | None) -> None:
        self._bar.showMessage(text.splitlines()[0] if text else "", SHOWN_FOR)
        self._last = (self._bar.currentMessage(), *self._about()) if level != "info" else None
        if level == "error":
            self._error_raised = True
            self._docks.show("messages")
            if ref is not None and not isinstance(QApplication.focusWidget(), QLineEdit):
                self._session.selection.set([ref])  # but nobody loses the form in which he types

    def _about(self) -> tuple[int | None, bool]:
        """The run that is watched, and whether the scene has problems."""
        run = self._session.current
        return run.id if run is not None else None, bool(self._session.faults.problems)

    def _take_back(self) -> None:
        """What was told of another run, or of problems that are mended, would mislead."""
        if self._last is None:
            return
        text, run, broken = self._last
        now, still_broken = self._about()
        if now != run or (broken and not still_broken):
            self._last = None
            if self._bar.currentMessage() == text:
                self._bar.clearMessage()
