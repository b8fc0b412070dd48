"""The button that shows the present method and opens the chooser; also as an editor of the inspector."""

from __future__ import annotations

import contextlib
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy

from app.dialogs.help.help_window import HelpDialog
from app.panels.transport.method_choice import facts
from app.panels.transport.method_popup import Compiled, MethodPopup
from app.platform.appearance import Look, restyle
from app.platform.settings.recent_methods import RecentMethods
from app.widgets.editors.base import SEVERAL, Editor
from app.widgets.show_once import show_once
from engine.errors import SceneError, shorten
from engine.solvers.catalogue import METHODS, USUAL_METHOD, Method, find_method

MAX_LETTERS = 24  # letters of a name that means no method
HINT = "Numerical method; a change acts from the present instant on"


class MethodButton(QPushButton):
    """Short name of a method; `chosen` tells the full name of another one."""

    chosen = Signal(str)

    def __init__(
        self, look: Look, recent: RecentMethods, name: str, compiled: Compiled = lambda method: None
    ) -> None:
        super().__init__()
        self.setObjectName(name)
        self._compiled = compiled
        self.setAccessibleName("Numerical method")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        # the bar stays still
        self.setMinimumWidth(self.fontMetrics().horizontalAdvance("velocity_verlet") + 28)
        self._look, self._recent = look, recent
        self._method: Method | None = None
        self.popup: MethodPopup | None = None  # made when it is first wanted
        self.clicked.connect(self.open)

    def show_name(self, name: str) -> None:
        """The method that is set; a name that means none is shown as it is, marked."""
        self._method = None
        with contextlib.suppress(SceneError):
            self._method = find_method(name)
        self.mark_wrong(self._method is None)
        if self._method is None:
            self.setText(shorten(name, MAX_LETTERS))
            self.setToolTip("There is no such method")
            return
        self.setText(self._method.short_name)
        self.setToolTip(f"{self._method.title}\n{facts(self._method)}\n{HINT}")
        if self.popup is not None and self.popup.isVisible():
            self.popup.show_method(self._method)

    def mark_wrong(self, wrong: bool) -> None:
        if bool(self.property("wrong")) != wrong:
            self.setProperty("wrong", wrong)
            restyle(self)

    def open(self) -> None:
        """Show the chooser."""
        if self.popup is None:
            self.popup = MethodPopup(
                self, self._look, self._recent, f"{self.objectName()}.popup", self._compiled
            )
            self.popup.chosen.connect(self.chosen)
            self.popup.help_wanted.connect(
                lambda page: show_once(HelpDialog(self.window(), page)), Qt.ConnectionType.QueuedConnection
            )
        self.popup.open_at(self, self._method or METHODS[USUAL_METHOD])


class MethodEditor(Editor):
    """The button as a line of the inspector."""

    wide = True

    def __init__(
        self, look: Look, recent: RecentMethods, name: str, compiled: Compiled = lambda method: None
    ) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        self.button = MethodButton(look, recent, name, compiled)
        row.addWidget(self.button)
        self.button.chosen.connect(lambda name: self.committed.emit(name))

    def show_value(self, value: Any, *, mixed: bool = False) -> None:
        self.button.show_name(SEVERAL if mixed else str(value))

    def complain(self, reason: str) -> None:
        self.button.mark_wrong(bool(reason))
        self.complained.emit(reason)
