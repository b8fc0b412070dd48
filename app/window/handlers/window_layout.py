"""Panels, the welcome page and the whole screen."""

from app.window.context import WindowContext
from app.window.docks import Docks
from app.window.pages import Pages


class LayoutHandler:
    """Window menu; View › Full screen; File › Shipped scenes."""

    def __init__(self, context: WindowContext, docks: Docks, pages: Pages) -> None:
        self._context, self._docks, self._pages = context, docks, pages

    def show_welcome(self) -> None:
        self._pages.show_welcome(self._context.settings.recent)

    def reset(self) -> None:
        self._context.settings.forget_layout()
        self._pages.hide_welcome()
        self._docks.reset()
        self.raise_left()

    def raise_left(self) -> None:
        """Behind each other: the palette where all is still to be drawn, the tree where there is a scene."""
        self._docks["tree" if self._context.session.document.scene.bodies else "insert"].raise_()

    def toggle_full_screen(self) -> None:
        window = self._context.window
        window.showNormal() if window.isFullScreen() else window.showFullScreen()
