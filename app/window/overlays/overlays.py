"""All that lies over the viewport."""

from collections.abc import Mapping

from PySide6.QtGui import QAction

from app.platform.appearance import Look
from app.session.session import Session
from app.tools.interactive_viewport import ViewportWidget
from app.window.overlays.empty import StartCard
from app.window.overlays.falling import FallWatch
from app.window.overlays.first_build import FirstBuild
from app.window.overlays.notice import Notice
from app.window.overlays.tool_options import ToolStrip


class Overlays:
    """The card of an empty scene, the options of tools, the guide of a first build, a notice."""

    def __init__(
        self, viewport: ViewportWidget, session: Session, look: Look, actions: Mapping[str, QAction]
    ) -> None:
        self._viewport, self._look = viewport, look
        self.start_card = StartCard(viewport, session, actions)
        self.tool_strip = ToolStrip(viewport, session, look)
        self.notice = Notice(viewport, look)
        self.first_build = FirstBuild(viewport, session, look)
        self.start_card.give_way_to(self.first_build)
        self._falling = FallWatch(viewport, session, self.notice)
        look.changed.connect(self._show_units)
        self._show_units()

    def _show_units(self) -> None:
        self._viewport.units = self._look.units
