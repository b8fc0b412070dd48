"""Solids: a box by two corners; cylinder, wheel and sphere by centre and rim; a point mass by one click."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from app.edits.building.draw import DENSITY, Drawn, Placement
from app.tools.draw.draft_paint import Ink
from app.tools.draw.draw_tool import PLACE, DrawTool
from app.tools.draw.typed_numbers import EntryField, Typed
from app.tools.snapping import Array, Snapped
from engine.elements.bodies.body import Point
from engine.elements.bodies.shapes import Box, Cylinder, Shape, Sphere
from engine.maths.round_numbers import nice, tidy

MIN_SIZE = 1e-9  # m
AROUND = np.linspace(0.0, 2.0 * np.pi, 49)
BALL = 6.0  # px: radius of a point mass


class BoxTool(DrawTool):
    """Two corners in the work plane; the depth across it can be typed."""

    id = "box"
    title = "box"
    _fields = (
        EntryField("width", "Width", "m"),
        EntryField("height", "Height", "m"),
        EntryField("depth", "Depth", "m"),
    )

    def fields(self) -> Sequence[EntryField]:
        return self._fields if self.placed else PLACE

    def instruct(self) -> str:
        if not self.placed:
            return "Box: click one corner."
        return "Click the opposite corner, or type width, Tab, height, Tab, depth, Enter. Esc: step back."

    def _way(self, place: Snapped) -> Array:
        return self.plane.local(place.point) - self.plane.local(self.placed[0].point)

    def typed_place(self, aimed: Snapped, typed: Mapping[str, Typed]) -> Snapped:
        if not self.placed:
            return super().typed_place(aimed, typed)
        way = self._way(aimed)
        for i, key in enumerate(("width", "height")):
            if key in typed:
                way[i] = typed[key].value * (-1.0 if way[i] < 0.0 else 1.0)
        if not typed.keys() & {"width", "height"}:
            return aimed
        return Snapped(self.plane.world(self.plane.local(self.placed[0].point) + way), "free")

    def shown_numbers(self, place: Snapped) -> Mapping[str, float]:
        if not self.placed:
            return super().shown_numbers(place)
        width, height = np.abs(self._way(place))
        return {"width": float(width), "height": float(height), "depth": _depth(width, height)}

    def confirm(self, place: Snapped, typed: Mapping[str, Typed], *, pin: bool) -> None:
        if not self.placed:
            self.placed, self.pinned = [place], [pin]
            return
        way = self._way(place)
        width, height = np.abs(way)
        depth = typed["depth"].value if "depth" in typed else _depth(width, height)
        if not min(width, height, depth) > MIN_SIZE:
            raise ValueError("a box needs a width, a height and a depth: click another corner")
        plane, corner = self.plane, self.plane.local(self.placed[0].point)
        sizes = {"width": tidy(width), "height": tidy(height), "depth": depth}
        size: Any = tuple(typed[key].given if key in typed else sizes[key] for key in sizes)
        half = 0.5 * np.array([width, height])
        corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
        points = tuple(
            Point(name=name, position=(*map(tidy, half * signs), 0.0))
            for name, signs in zip("ABCD", corners, strict=True)
        )
        origin = plane.world(corner + 0.5 * way)
        meetings = []
        for end, pinned, sign in ((self.placed[0], self.pinned[0], -1.0), (place, pin, 1.0)):
            own = _corner(np.sign(sign * way))
            meetings += self.meetings(own, end, pin=pinned)
        shape = Box(size=size, density=DENSITY)
        self.commit(Drawn("box", Placement(origin, plane.axes), (shape,), points, tuple(meetings)))
        self.forget()

    def preview(self, ink: Ink, place: Snapped, typed: Mapping[str, Typed]) -> None:
        if self.placed:
            plane, a = self.plane, self.plane.local(self.placed[0].point)
            b = plane.local(place.point)
            corners = [(a[0], a[1]), (b[0], a[1]), (b[0], b[1]), (a[0], b[1])]
            ink.area([plane.world(np.array(c)) for c in corners])


def _corner(signs: Array) -> str:
    """The name of the corner on these sides of the middle."""
    return {(-1.0, -1.0): "A", (1.0, -1.0): "B", (1.0, 1.0): "C"}.get((signs[0], signs[1]), "D")


def _depth(width: float, height: float) -> float:
    least = min(width, height)
    return nice(0.25 * least) if least > MIN_SIZE else 0.0


class RoundTool(DrawTool):
    """Centre, then a place on the rim."""

    long: ClassVar[float] = 0.0  # length per radius; 0: there is none
    rim: ClassVar[bool] = False  # whether a point on the rim gets a name

    def fields(self) -> Sequence[EntryField]:
        if not self.placed:
            return PLACE
        radius = EntryField("radius", "Radius", "m")
        return (radius, EntryField("length", "Length", "m")) if self.long else (radius,)

    def instruct(self) -> str:
        if not self.placed:
            return f"{self.title.capitalize()}: click its centre. On a pin or an end it is joined there."
        more = ", Tab, the length" if self.long else ""
        return f"Click a place on the rim, or type the radius{more}, Enter. Esc: step back."

    def shape(self, radius: Any, length: Any) -> Shape:
        """The solid of this tool."""
        return Cylinder(radius=radius, length=length, density=DENSITY)

    def typed_place(self, aimed: Snapped, typed: Mapping[str, Typed]) -> Snapped:
        if not self.placed:
            return super().typed_place(aimed, typed)
        if "radius" not in typed:
            return aimed
        centre = self.plane.local(self.placed[0].point)
        way = self.plane.local(aimed.point) - centre
        size = float(np.linalg.norm(way))
        way = way / size if size > MIN_SIZE else np.array([1.0, 0.0])
        return Snapped(self.plane.world(centre + typed["radius"].value * way), "free")

    def shown_numbers(self, place: Snapped) -> Mapping[str, float]:
        if not self.placed:
            return super().shown_numbers(place)
        radius = self._radius(place)
        return {"radius": radius, "length": nice(self.long * max(radius, MIN_SIZE))}

    def _radius(self, place: Snapped) -> float:
        plane = self.plane
        return float(np.linalg.norm(plane.local(place.point) - plane.local(self.placed[0].point)))

    def confirm(self, place: Snapped, typed: Mapping[str, Typed], *, pin: bool) -> None:
        if not self.placed:
            self.placed, self.pinned = [place], [pin]
            return
        radius = self._radius(place)
        if not radius > MIN_SIZE:
            raise ValueError(f"a {self.title} needs a radius: click beside its centre")
        length = typed["length"].value if "length" in typed else nice((self.long or 1.0) * radius)
        if not length > MIN_SIZE:
            raise ValueError(f"a {self.title} needs a length: type a positive number")
        given = [
            typed[key].given if key in typed else tidy(value)
            for key, value in (("radius", radius), ("length", length))
        ]
        centre = self.placed[0]
        points = [Point(name="centre", position=(0.0, 0.0, 0.0))]
        if self.rim:
            points.append(Point(name="rim", position=(given[0], 0.0, 0.0)))
        way = self.plane.local(place.point) - self.plane.local(centre.point)
        turn = np.arctan2(way[1], way[0]) if self.rim else 0.0
        c, s = np.cos(turn), np.sin(turn)
        axes = self.plane.axes @ np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        meetings = self.meetings("centre", centre, pin=self.pinned[0])
        where = Placement(centre.point, axes)
        self.commit(Drawn(self.title, where, (self.shape(*given),), tuple(points), tuple(meetings)))
        self.forget()

    def preview(self, ink: Ink, place: Snapped, typed: Mapping[str, Typed]) -> None:
        if self.placed:
            plane, radius = self.plane, self._radius(place)
            centre = plane.local(self.placed[0].point)
            ring = centre + radius * np.column_stack([np.cos(AROUND), np.sin(AROUND)])
            ink.area([plane.world(p) for p in ring])
            ink.line([self.placed[0].point, place.point], width=1.0, dashed=True)


class CylinderTool(RoundTool):
    id, title, long = "cylinder", "cylinder", 2.0


class WheelTool(RoundTool):
    id, title, long, rim = "wheel", "wheel", 0.2, True


class SphereTool(RoundTool):
    id, title = "sphere", "sphere"

    def shape(self, radius: Any, length: Any) -> Shape:
        return Sphere(radius=radius, density=DENSITY)


class PointMassTool(DrawTool):
    """A small ball that has the mass that is given."""

    id = "point_mass"
    title = "mass"
    joint = "fixed"

    def fields(self) -> Sequence[EntryField]:
        return (EntryField("mass", "Mass", "kg"), *PLACE)

    def instruct(self) -> str:
        return "Point mass: click its place. Type its mass before; Tab goes on to x and y. 1 kg unless typed."

    def shown_numbers(self, place: Snapped) -> Mapping[str, float]:
        return {"mass": 1.0, **super().shown_numbers(place)}

    def confirm(self, place: Snapped, typed: Mapping[str, Typed], *, pin: bool) -> None:
        mass = typed["mass"] if "mass" in typed else Typed(1.0, 1.0)
        if not mass.value > 0.0:
            raise ValueError("the mass must be positive")
        ball = Sphere(radius=nice(BALL * self.viewport.view.camera.per_pixel))
        points = (Point(name="centre", position=(0.0, 0.0, 0.0)),)
        meetings = self.meetings("centre", place, pin=pin)
        where = Placement(place.point, self.plane.axes)
        self.commit(Drawn("mass", where, (ball,), points, tuple(meetings), mass=mass.given))
