"""Bars: two clicks each, one after another; ends that meet pins or other bars are joined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from app.document.document import Ref
from app.edits.building.draw import Placement, bar_radius, drawn_bar
from app.tools.draw.draft_paint import Ink
from app.tools.draw.draw_tool import PLACE, DrawTool
from app.tools.draw.typed_numbers import EntryField, Typed
from app.tools.snapping import Array, Snapped, Target
from engine.elements.base import Number

SHORTEST = 3.0  # px: a second click on the place where a bar begins is no end of it
FIELDS = (EntryField("length", "Length", "m"), EntryField("angle", "Angle", "rad"))


class BarTool(DrawTool):
    """The next bar begins where the last one ended, until a place is joined, or pinned to the ground."""

    id = "bar"
    title = "bar"

    def fields(self) -> Sequence[EntryField]:
        return FIELDS if self.placed else PLACE

    def instruct(self) -> str:
        if not self.placed:
            pins = self.viewport.drafting.grounding
            empty = "an empty place is pinned to the ground" if pins else "Ctrl+click pins it to the ground"
            return f"Bar: click where it begins. A pin or an end is joined, {empty}."
        return (
            "Click where it ends, or type length, Tab, angle, Enter. "
            "Ctrl+click also pins it to the ground. Esc: stop."
        )

    def typed_place(self, aimed: Snapped, typed: Mapping[str, Typed]) -> Snapped:
        if not self.placed:
            return super().typed_place(aimed, typed)
        if not typed.keys() & {"length", "angle"}:
            return aimed
        plane, start = self.plane, self.placed[0].point
        way = plane.local(aimed.point) - plane.local(start)
        angle = typed["angle"].value if "angle" in typed else float(np.arctan2(way[1], way[0]))
        direction = np.array([np.cos(angle), np.sin(angle)])
        length = typed["length"].value if "length" in typed else max(float(way @ direction), 0.0)
        return Snapped(plane.world(plane.local(start) + length * direction), "free")

    def shown_numbers(self, place: Snapped) -> Mapping[str, float]:
        if not self.placed:
            return super().shown_numbers(place)
        start = self.placed[0].point
        way = self.plane.local(place.point) - self.plane.local(start)
        return {
            "length": float(np.linalg.norm(place.point - start)),
            "angle": float(np.arctan2(way[1], way[0])),
        }

    def confirm(self, place: Snapped, typed: Mapping[str, Typed], *, pin: bool) -> None:
        if not self.placed:
            self.placed, self.pinned = [place], [pin]
            return
        if "length" in typed and not typed["length"].value > 0.0:
            raise ValueError("the length must be positive; the angle turns the bar round")
        start = self.placed[0]
        length = float(np.linalg.norm(place.point - start.point))
        if "length" not in typed and length < SHORTEST * self.viewport.view.camera.per_pixel:
            raise ValueError("the bar begins here; click where it ends")
        given: Number = typed["length"].given if "length" in typed else round(length, 12)
        turn = typed["angle"].given if "angle" in typed and self.viewport.view.stage.planar else None
        axes = self._axes(start.point, place.point)
        radius = bar_radius(self.session.document.scene, length)
        meetings = [
            *self.meetings("A", start, pin=self.pinned[0], start=True),
            *self.meetings("B", place, pin=pin),
        ]
        ends = pin or any(met.own == "B" for met in meetings)
        drawn = drawn_bar(Placement(start.point, axes, turn), given, length, radius, meetings)
        ref = self.commit(drawn)
        if ends or self.added_to() is not None:
            self.placed, self.pinned = [], []
        else:
            self._go_on(ref, place)

    def _go_on(self, ref: Ref, place: Snapped) -> None:
        """The next bar begins at the end of this one."""
        target = Target(place.point, f"B of {ref.name}", "bodies", ref.name, "B")
        self.placed, self.pinned = [Snapped(place.point, "point", target.title, target)], [False]

    def _axes(self, start: Array, end: Array) -> Array:
        """Columns: along the bar, across it in the plane, and out of the plane as far as possible."""
        x = end - start
        size = float(np.linalg.norm(x))
        if not size > 0.0:
            return np.eye(3)
        x = x / size
        normal = self.plane.normal
        z = normal - x * (normal @ x)
        if np.linalg.norm(z) < 1e-6:  # straight out of the plane
            z = self.plane.u - x * (self.plane.u @ x)
        z = z / np.linalg.norm(z)
        return np.column_stack([x, np.cross(z, x), z])

    def preview(self, ink: Ink, place: Snapped, typed: Mapping[str, Typed]) -> None:
        if self.placed:
            start = self.placed[0].point
            length = float(np.linalg.norm(place.point - start))
            ink.bar(start, place.point, bar_radius(self.session.document.scene, length))
