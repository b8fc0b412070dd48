"""Theme, units, navigation and what else the user prefers."""

from dataclasses import replace

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from app.dialogs.preferences import PreferencesDialog
from app.platform.theme import apply_theme, chosen_theme
from app.session.idle_compiler import IdleCompiler
from app.widgets.show_once import show_once
from app.window.context import WindowContext
from app.window.handlers.view import ViewHandler


class PreferencesHandler:
    """File › Preferences…, View › Light or dark."""

    def __init__(
        self, context: WindowContext, view: ViewHandler, autosave: QTimer, idle_compiler: IdleCompiler
    ) -> None:
        self._context, self._settings, self._look = context, context.settings, context.look
        self._view, self._autosave, self._idle_compiler = view, autosave, idle_compiler

    def ask(self) -> None:
        before = self._settings.preferences
        dialog = PreferencesDialog(self._context.window, before)
        if show_once(dialog):
            self._settings.preferences = after = dialog.preferences
            self.apply()
            if after.compile_ahead != before.compile_ahead:
                self._idle_compiler.start() if after.compile_ahead else self._idle_compiler.stop()

    def set_welcome(self, at_start: bool) -> None:
        """Whether the program begins with the welcome page."""
        self._settings.preferences = replace(self._settings.preferences, welcome=at_start)

    def toggle_theme(self) -> None:
        theme = "light" if self._look.theme.dark else "dark"
        self._settings.preferences = replace(self._settings.preferences, theme=theme)
        self.apply()

    def apply(self) -> None:
        """Show what was chosen."""
        preferences = self._settings.preferences
        theme = chosen_theme(preferences.theme)
        running = QApplication.instance()
        if isinstance(running, QApplication):
            apply_theme(running, theme, preferences.font_size)
        self._look.set(theme, preferences.display_units)
        self._autosave.setInterval(int(preferences.autosave * 1000))
        self._view.show_style()
        self._view.show_navigation()
