"""All elements of a scene as they are drawn: visuals, names, frames. One can be drawn again by itself."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any

import numpy as np
from vtkmodules.vtkCommonCore import vtkObject
from vtkmodules.vtkRenderingCore import vtkRenderer

from app.document.element_ref import Ref
from app.platform.resources import font_path
from app.viewport.canvas.stage import MASSES, Stage
from app.viewport.canvas.surface import Array
from app.viewport.scene.merged_parts import MergedParts
from app.viewport.scene.redraw import DRAWN
from app.viewport.visuals import build
from app.viewport.visuals.base import EDGE_WIDTH, Part, Visual
from app.viewport.visuals.bodies import body as bodies
from app.viewport.visuals.bodies.axes import body_axes, mass_centre
from app.viewport.visuals.bodies.ellipsoid import inertia_ellipsoid
from app.viewport.visuals.marks.label import Label
from engine.elements.coordinates.frames import Frame
from engine.model.scene import KINDS

LABEL_DISTANCE = 0.05  # of the extent: names of places so near would lie on each other
NOT_YET = (ArithmeticError, AttributeError, KeyError, ValueError)  # numbers or names that are not there yet


class DrawnElements:
    """Puts the elements of a stage on a renderer and their names on one before it."""

    def __init__(self, renderer: vtkRenderer, front: vtkRenderer) -> None:
        self._renderer, self._front = renderer, front
        self.visuals: dict[Ref, Visual] = {}
        self._moving: list[Visual] = []  # those that the shared matrices do not move
        self._extras: dict[Ref, list[Part]] = {}  # frames and centres of mass
        self._labels: dict[Ref, Label] = {}
        self._lifts: dict[str, float] = {}
        self._places: dict[Ref, vtkObject | None] = {}  # after what visuals that are drawn again belong
        self._merged = MergedParts()  # those of very many bodies and joints
        self._merging = False
        self.built = 0  # visuals made so far

    def build(self, stage: Stage, scale: float) -> None:
        """Draw everything; the renderers are empty."""
        self.visuals, self._extras, self._labels = {}, {}, {}
        self._merging = stage.crowd >= MASSES
        self._lifts = bodies.layers(stage)
        self._draw(stage, scale, None)

    def replace(self, stage: Stage, scale: float, refs: set[Ref]) -> bool:
        """Draw these elements again; False when their layers changed, so that everything must be."""
        for ref in refs:
            stage.heights.pop(ref.name, None)
        lifts = bodies.layers(stage)
        if lifts != self._lifts:
            return False
        order = list(self.visuals)
        self._places = {ref: self._take_away(ref) for ref in order if ref in refs}
        self._draw(stage, scale, refs)
        self._places = {}
        # who is picked first among equals depends on the order
        self.visuals = {ref: self.visuals[ref] for ref in (*order, *self.visuals) if ref in self.visuals}
        return True

    def update(self, stage: Stage) -> None:
        """Follow the bodies."""
        for visual in self._moving:
            visual.update(stage)
        for label in self._labels.values():
            label.update(stage)
        self._merged.move(stage)

    def shown(self, stage: Stage) -> set[Ref]:
        """What the style and the elements' own flags show."""
        return {
            Ref(where, item.name)
            for where in DRAWN
            if stage.style.forces or where not in ("forces", "motions")
            if stage.style.joints or where != "joints"
            for item in getattr(stage.scene, where)
            if item.visible
        }

    def show(self, stage: Stage) -> None:
        """Show these and hide the others."""
        shown = self.shown(stage)
        for ref, visual in self.visuals.items():
            for part in visual.parts:
                part.show(ref in shown)
        self._merged.move(stage)

    def clouds(self) -> list[Array]:
        """World points of all that is visible."""
        own = [
            part.world_points()
            for visual in self.visuals.values()
            for part in visual.parts
            if part.visible and not self._in_masses(visual, part)
        ]
        return [*own, self._merged.points()]

    def painted(self, parts: Sequence[Part]) -> None:
        """These parts have other colours."""
        self._merged.paint(parts)

    def forget(self) -> None:
        self.visuals, self._moving, self._extras, self._labels = {}, [], {}, {}
        self._merged.forget()

    # building

    def _draw(self, stage: Stage, scale: float, only: set[Ref] | None) -> None:
        for rank, body in enumerate(stage.scene.bodies):
            if only is None or Ref("bodies", body.name) in only:
                self._draw_body(stage, scale, body, rank)
        for where in DRAWN[1:]:
            for spec in getattr(stage.scene, where):
                if only is not None and Ref(where, spec.name) not in only:
                    continue
                visual = build(KINDS[where][str(spec.__struct_config__.tag)].symbol, spec, stage)
                if visual is not None:
                    self._add(Ref(where, spec.name), visual, scale)
                    if where == "joints":
                        self._label(stage, scale, spec, where)
        self._moving = [v for v in self.visuals.values() if type(v).update is not Visual.update]
        parts = [
            part for visual in self.visuals.values() for part in visual.parts if self._in_masses(visual, part)
        ]
        self._merged.build(stage, parts, self._renderer, scale)
        self._front.SetDraw(bool(self._labels))
        self.update(stage)

    def _draw_body(self, stage: Stage, scale: float, body: Any, rank: int) -> None:
        extras = []
        try:
            visual = bodies.visual(body, stage, self._lifts.get(body.name, 0.0), rank)
            if stage.style.frames and not body.fixed:
                extras.append(body_axes(body, stage))
            if stage.style.com and not body.fixed:
                extras.append(mass_centre(body, stage))
            if stage.style.ellipsoids and not body.fixed:
                ellipsoid = inertia_ellipsoid(body, stage)
                extras += [] if ellipsoid is None else [ellipsoid]
        except (ArithmeticError, ValueError):
            return
        self._add(visual.ref, visual, scale)
        for part in extras:
            part.actor.PickableOff()
            self._renderer.AddActor(part.actor)
        self._extras[visual.ref] = extras
        self._label(stage, scale, body, "bodies")

    def _add(self, ref: Ref, visual: Visual, scale: float) -> None:
        self.visuals[ref] = visual
        self.built += 1
        for part in visual.parts:
            part.edge_width = EDGE_WIDTH * scale
            if part.made:
                part.actor.GetProperty().SetLineWidth(part.edge_width)
            if not self._in_masses(visual, part):
                self._renderer.AddActor(part.actor)
        if ref in self._places and not self._merging:
            self._keep_place(visual, self._places[ref])

    def _in_masses(self, visual: Visual, part: Part) -> bool:
        """Whether a part is drawn merged with others, and not by an actor of its own."""
        return self._merging and type(visual).update is Visual.update and MergedParts.takes(part)

    def _keep_place(self, visual: Visual, before: vtkObject | None) -> None:
        """See-through things are drawn in the order of the list: theirs stays that of the scene."""
        props = self._renderer.GetViewProps()
        at = props.IsItemPresent(before) if before is not None else 0  # counted from 1
        for number, part in enumerate(visual.parts):
            props.RemoveItem(part.actor)
            props.InsertItem(at - 1 + number, part.actor)

    def _label(self, stage: Stage, scale: float, spec: Any, where: str) -> None:
        if not stage.style.labels:
            return
        try:
            joint = where == "joints"
            frame = stage.pair(spec)[0] if joint else stage.frame(spec.name, stage.com(spec))
        except NOT_YET:
            return
        look, line = stage.look, self._free_line(stage, frame, left=joint)
        label = Label(spec.name, frame, look.text, look.floor, font_path(), scale, left=joint, line=line)
        self._labels[Ref(where, spec.name)] = label
        self._front.AddActor(label.actor)

    def _free_line(self, stage: Stage, frame: Frame, *, left: bool) -> int:
        """The first line below a point that no other name takes there."""
        p = stage.world_point(frame)
        taken = {
            label.line
            for label in self._labels.values()
            if label.left == left
            and np.linalg.norm(stage.world_point(label.frame) - p) < LABEL_DISTANCE * stage.extent
        }
        return next(line for line in count() if line not in taken)

    def _take_away(self, ref: Ref) -> vtkObject | None:
        """Remove an element; what is drawn before it."""
        visual = self.visuals.pop(ref)
        props = self._renderer.GetViewProps()
        place = 0  # counted from 1
        if visual.parts and not self._merging:
            place = props.IsItemPresent(visual.parts[0].actor)
        before = props.GetItemAsObject(place - 2) if place > 1 else None
        for part in (*visual.parts, *self._extras.pop(ref, ())):
            if part.made:
                self._renderer.RemoveActor(part.actor)
        label = self._labels.pop(ref, None)
        if label is not None:
            self._front.RemoveActor(label.actor)
        return before
