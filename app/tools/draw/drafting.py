"""How things are drawn: work plane, snapping, what is joined. One for all tools of a viewport."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Signal

from app.tools.snapping import Array, WorkPlane, named_plane
from app.viewport.scene.scene_view import SceneView

PLANES = {"xy": "x-y", "yz": "y-z", "zx": "z-x", "view": "facing me"}


class Drafting(QObject):
    """Switches that the options bar of a tool shows."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.snapping = True
        self.joining = True  # what is drawn from a pin, or from an end, is joined to it
        self.grounding = True  # what is drawn from an empty place is pinned to the ground there
        self.adding = False  # to the selected body, as one more shape of it
        self.keeping = False  # the tool in hand, after it has made something; until it is put away
        self.plane = "xy"  # in space; planar scenes have their own
        self.through: Array = np.zeros(3)

    def set(self, **values: Any) -> None:
        """Change switches by name."""
        for name, value in values.items():
            setattr(self, name, value)
        self.changed.emit()

    def work_plane(self, view: SceneView) -> WorkPlane:
        """The plane that is drawn on, as a view (`SceneView`) sees it."""
        if view.stage.planar:
            return WorkPlane()
        if self.plane != "view":
            return named_plane(self.plane, self.through)
        right, up = view.camera.screen_axes()
        return WorkPlane(self.through, right, up)
