"""What is remembered of looking at things: the View menu's switches per user, camera and plots per scene."""

import math
from typing import Any

from app.panels.plots import PlotsPanel
from app.platform.settings import Settings
from app.session.session import Session
from app.tools.interactive_viewport import ViewportWidget
from app.window.docks import Docks

STYLES = {
    "grid": True,
    "joints": True,
    "frames": False,
    "com": False,
    "ellipsoids": False,
    "labels": False,
    "traces": True,
    "arrows": False,
    "velocities": False,
    "accelerations": False,
    "measures": True,
    "centres": False,
    "ghosts": True,
}
FAULTS = (AttributeError, IndexError, KeyError, TypeError, ValueError)
ARROWS = (1.0 / 16.0, 16.0)  # smallest and largest scale of arrows


def remember_styles(settings: Settings, styles: dict[str, bool], arrow_scale: float) -> None:
    for name, on in styles.items():
        settings.set_value(f"view/{name}", on)
    settings.set_value("view/arrow_scale", arrow_scale)


def remembered_styles(settings: Settings) -> tuple[dict[str, bool], float]:
    """Switches and the scale of arrows as they were last; nonsense counts as never set."""
    styles = {name: str(settings.value(f"view/{name}", on)).lower() == "true" for name, on in STYLES.items()}
    try:
        scale = float(settings.value("view/arrow_scale", 1.0))
    except (TypeError, ValueError):
        scale = 1.0
    return styles, min(max(scale, ARROWS[0]), ARROWS[1]) if scale == scale else 1.0


class ViewMemory:
    """What a scene's `view` keeps: camera, followed body, plots and how high they are."""

    def __init__(self, session: Session, viewport: ViewportWidget, docks: Docks) -> None:
        self._session, self._viewport, self._docks = session, viewport, docks
        self._plots = docks.panel(PlotsPanel)
        self._usual: float | None = None  # height of the plots before a scene had its own

    def kept(self) -> dict[str, Any]:
        """What to write into the scene; fields that we do not know stay as they are."""
        plots, share = self._plots.save_view(), self._docks.share("plots")
        if share is not None:
            plots["share"] = share
        kept = {**self._session.document.scene.view, "plots": plots}
        if not self._viewport.is_open:
            return kept
        view = self._viewport.view
        kept["camera"] = view.camera.state()
        for name, still in (("follow", bool(view.followed)), ("box", view.framing.box is not None)):
            if not still:
                kept.pop(name, None)
        return {**kept, "follow": view.followed} if view.followed else kept

    def show(self, kept: dict[str, Any]) -> None:
        """Look at a scene as its `view` says; what a file has wrong there is left out."""
        plots = kept.get("plots")
        try:
            self._plots.load_view(plots if isinstance(plots, dict) else {})
        except FAULTS:
            self._plots.load_view({})
        self._show_height(plots.get("share") if isinstance(plots, dict) else None)
        if not self._viewport.is_open or "camera" not in kept:
            return
        view = self._viewport.view
        before = view.camera.state()
        try:
            view.camera.restore(kept["camera"])
        except FAULTS:
            view.camera.restore(before)
        self._viewport.update()

    def _show_height(self, share: Any) -> None:
        """As high as in this scene before; a scene that was never saved has them as the user has them."""
        if isinstance(share, int | float) and math.isfinite(share):
            if self._usual is None:
                self._usual = self._docks.share("plots")
            self._docks.set_share("plots", float(share))
        elif self._usual is not None:
            self._docks.set_share("plots", self._usual)
            self._usual = None
