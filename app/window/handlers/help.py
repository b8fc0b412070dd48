"""Help and diagnostics."""

from PySide6.QtWidgets import QApplication

from app.dialogs.about import AboutDialog, diagnostics
from app.dialogs.help.help_pages import NEWS
from app.dialogs.help.help_window import HelpDialog
from app.tools.interactive_viewport import ViewportWidget
from app.widgets.show_once import show_once
from app.window.context import WindowContext


class HelpHandler:
    """Help menu."""

    def __init__(self, context: WindowContext, viewport: ViewportWidget) -> None:
        self._context, self._viewport = context, viewport

    def show(self, page: str) -> None:
        """A page of the help: guide, shortcuts, methods."""
        show_once(HelpDialog(self._context.window, page))

    def show_news(self) -> None:
        self.show(NEWS)

    def show_about(self) -> None:
        show_once(AboutDialog(self._context.window, self.gl_renderer()))

    def copy_diagnostics(self) -> None:
        QApplication.clipboard().setText(diagnostics(self.gl_renderer()))
        self._context.tell("Diagnostics copied", 4)

    def gl_renderer(self) -> str:
        """What draws the viewport, while it is open."""
        return self._viewport.view.camera.gl_renderer if self._viewport.is_open else ""
