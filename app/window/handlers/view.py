"""The viewer's place, and what the viewport shows."""

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from app.platform.theme import apply_theme, chosen_theme
from app.window.handlers.edit import EditActions
from app.window.view_memory import ARROWS, remember_styles


class ViewActions(EditActions):
    """Actions of the View menu, theme and units."""

    _styles: dict[str, bool]
    _arrow_scale: float
    _autosave: QTimer

    def _dress(self) -> None:
        running = QApplication.instance()
        if isinstance(running, QApplication):
            apply_theme(running, self.look.theme, self.settings.preferences.font_size)

    def _scheme_changed(self, *_: Any) -> None:
        if not self._closed:
            self.apply_preferences()

    def apply_preferences(self) -> None:
        """Show what was chosen in the preferences."""
        preferences = self.settings.preferences
        theme = chosen_theme(preferences.theme)
        running = QApplication.instance()
        if isinstance(running, QApplication):
            apply_theme(running, theme, preferences.font_size)
        self.look.set(theme, preferences.display_units)
        self._autosave.setInterval(int(preferences.autosave * 1000))
        self._show_style()
        self._show_navigation()

    def _show_style(self) -> None:
        change = getattr(self.viewport, "set_view_style", None)
        if change is not None:
            change(dark=self.look.theme.dark, arrow_scale=self._arrow_scale, **self._styles)
        for name, on in self._styles.items():
            self.actions_by_id[f"view.{name}"].setChecked(on)

    def _show_navigation(self) -> None:
        choose = getattr(self.viewport, "set_navigation", None)
        if choose is not None:
            choose(self.settings.preferences.navigation)

    def fit_view(self) -> None:
        if self.view is not None:
            self.view.fit()
            self.viewport.update()

    def fit_selection(self) -> None:
        if self.view is not None:
            self.view.fit(self._selected())
            self.viewport.update()

    def standard_view(self, name: str) -> None:
        if self.view is not None:
            self.view.view("iso" if name == "isometric" else name)
            self.viewport.update()

    def set_orthographic(self) -> None:
        if self.view is not None:
            self.view.orthographic(not self.view.is_orthographic)
            self.viewport.update()

    def toggle_follow(self) -> None:
        """Go along with the selected body, or stay."""
        view = self.view
        if view is None:
            return
        bodies = [ref.name for ref in self._selected() if ref.where == "bodies"]
        view.follow("" if view.followed or not bodies else bodies[0])
        if not view.followed and not bodies:
            self.statusBar().showMessage("Select a body to follow", 4000)

    def toggle_style(self, name: str) -> None:
        self._styles[name] = not self._styles[name]
        remember_styles(self.settings, self._styles, self._arrow_scale)
        self._show_style()

    def scale_arrows(self, factor: float) -> None:
        """Longer or shorter arrows; 0 gives them back their own length."""
        scale = self._arrow_scale * factor if factor else 1.0
        self._arrow_scale = min(max(scale, ARROWS[0]), ARROWS[1])
        remember_styles(self.settings, self._styles, self._arrow_scale)
        self._show_style()
        self.statusBar().showMessage(f"Arrow scale {self._arrow_scale:.3g}", 4000)

    def toggle_theme(self) -> None:
        dark = self.look.theme.dark
        self.settings.preferences = replace(self.settings.preferences, theme="light" if dark else "dark")
        self.apply_preferences()

    def toggle_fullscreen(self) -> None:
        self.showNormal() if self.isFullScreen() else self.showFullScreen()
