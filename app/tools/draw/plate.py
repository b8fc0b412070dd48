"""Plates: click the corners; the first corner again, or a double click, closes the outline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from PySide6.QtCore import QPointF

from app.document.element_words import reason
from app.edits.building.draw import Placement, check_outline, corner_name, drawn_plate, plate_thickness
from app.tools.base import Pointer
from app.tools.draw.draft_paint import Ink
from app.tools.draw.draw_tool import PLACE, DrawTool
from app.tools.draw.typed_numbers import EntryField, Typed
from app.tools.snapping import POINT_REACH, Array, Snapped
from engine.errors import SceneError

SIDE = (EntryField("length", "Side", "m"), EntryField("angle", "Angle", "rad"))
CLOSE = "close the outline"


class PlateTool(DrawTool):
    """Corners that lie on pins or ends of bars are joined there."""

    id = "plate"
    title = "plate"

    def fields(self) -> Sequence[EntryField]:
        return SIDE if self.placed else PLACE

    def instruct(self) -> str:
        if not self.placed:
            return "Plate: click its first corner. Corners on pins and ends are joined there."
        left = 3 - len(self.placed)
        if left > 0:
            return f"Click {'one more corner' if left == 1 else 'two more corners'} at least. Esc: step back."
        return "Click more corners, or the first one again to close the outline; a double click does so too."

    def aim(self, at: Pointer) -> Snapped | None:
        if len(self.placed) >= 3 and self._on_first(at.position):
            return Snapped(self.placed[0].point, "point", CLOSE)
        return super().aim(at)

    def _on_first(self, position: QPointF) -> bool:
        x, y = self.viewport.view.camera.project(self.placed[0].point)
        ratio = self.viewport.devicePixelRatioF()
        return bool(np.hypot(x / ratio - position.x(), y / ratio - position.y()) <= POINT_REACH)

    def typed_place(self, aimed: Snapped, typed: Mapping[str, Typed]) -> Snapped:
        if not self.placed:
            return super().typed_place(aimed, typed)
        if not typed.keys() & {"length", "angle"}:
            return aimed
        plane, start = self.plane, self.placed[-1].point
        way = plane.local(aimed.point) - plane.local(start)
        angle = typed["angle"].value if "angle" in typed else float(np.arctan2(way[1], way[0]))
        length = typed["length"].value if "length" in typed else float(np.linalg.norm(way))
        ahead = length * np.array([np.cos(angle), np.sin(angle)])
        return Snapped(plane.world(plane.local(start) + ahead), "free")

    def shown_numbers(self, place: Snapped) -> Mapping[str, float]:
        if not self.placed:
            return super().shown_numbers(place)
        way = self.plane.local(place.point) - self.plane.local(self.placed[-1].point)
        return {"length": float(np.linalg.norm(way)), "angle": float(np.arctan2(way[1], way[0]))}

    def confirm(self, place: Snapped, typed: Mapping[str, Typed], *, pin: bool) -> None:
        if place.title == CLOSE:
            self._close()
            return
        corners = [self.plane.local(other.point) for other in (*self.placed, place)]
        if len(corners) > 1 and np.linalg.norm(corners[-1] - corners[-2]) < 1e-9:
            raise ValueError("this corner is there already: click another place")
        self.placed.append(place)
        self.pinned.append(pin)

    def finish(self) -> bool:
        if len(self.placed) < 3:
            if self.placed:
                self.forget()
                return True
            return False
        try:
            self._close()
        except (SceneError, ValueError) as error:
            self.note = reason(error)
        return True

    def _close(self) -> None:
        plane, corners = self.plane, self._corners()
        check_outline(list(corners))
        if _area(corners) < 0.0:  # counted round counter-clockwise
            self.placed, self.pinned = self.placed[::-1], self.pinned[::-1]
            corners = self._corners()
        size = float(np.ptp(corners, axis=0).max())
        meetings = [
            met
            for i, (place, pin) in enumerate(zip(self.placed, self.pinned, strict=True))
            for met in self.meetings(corner_name(i), place, pin=pin)
        ]
        origin = plane.world(plane.local(self.placed[0].point))
        place = Placement(origin, plane.axes)
        self.commit(drawn_plate(place, corners - corners[0], plate_thickness(size), meetings))
        self.forget()

    def _corners(self) -> Array:
        return np.array([self.plane.local(place.point) for place in self.placed])

    def preview(self, ink: Ink, place: Snapped, typed: Mapping[str, Typed]) -> None:
        points = [other.point for other in self.placed]
        if len(points) > 1:
            ink.area([*points, place.point])
        elif points:
            ink.line([points[0], place.point])


def _area(p: Array) -> float:
    q = np.roll(p, -1, axis=0)
    return 0.5 * float((p[:, 0] * q[:, 1] - q[:, 0] * p[:, 1]).sum())
