"""Preferences, help and diagnostics."""

from PySide6.QtWidgets import QApplication

from app.dialogs.about import AboutDialog, diagnostics
from app.dialogs.help.help_window import HelpDialog
from app.dialogs.preferences import PreferencesDialog
from app.window.handlers.view import ViewActions


class HelpActions(ViewActions):
    """Actions of the Help menu, and the preferences."""

    def show_preferences(self) -> None:
        dialog = PreferencesDialog(self, self.settings.preferences)
        if dialog.exec():
            self.settings.preferences = dialog.preferences
            self.apply_preferences()

    def show_help(self) -> None:
        HelpDialog(self, "guide").exec()

    def show_shortcuts(self) -> None:
        HelpDialog(self, "shortcuts").exec()

    def show_methods(self) -> None:
        HelpDialog(self, "methods").exec()

    def show_about(self) -> None:
        AboutDialog(self, self.gl_renderer()).exec()

    def copy_diagnostics(self) -> None:
        QApplication.clipboard().setText(diagnostics(self.gl_renderer()))
        self.statusBar().showMessage("Diagnostics copied", 4000)
