"""What drawing tools have in common: places on the work plane, snapping, numbers typed at the pointer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent, QPainter

from app.document.document import Edit, Ref
from app.document.element_words import reason
from app.edits.building.draw import Drawn, Meeting, Placement, draw, draw_into
from app.platform.units import UnitError
from app.session.session import Session
from app.tools.base import Pointer, Tool
from app.tools.draw.draft_paint import Cell, Ink
from app.tools.draw.return_to_start import to_start
from app.tools.draw.typed_numbers import Entry, EntryField, Typed
from app.tools.snap_targets import grounding, meeting, on_bar, targets
from app.tools.snapping import POINT_REACH, Array, Snapped, Target, WorkPlane, snap
from engine.elements.base import WORLD
from engine.errors import SceneError
from engine.model.resolve import Resolver

if TYPE_CHECKING:
    from app.tools.interactive_viewport import ViewportWidget

PLACE = (EntryField("x", "x", "m"), EntryField("y", "y", "m"))
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
SNAPPING_KEYS = " Shift: finer than the grid, Alt: free."
MAX_COORDINATE = 1e6  # m from the origin, and the largest number that is taken
ON_BAR = 0.6 * POINT_REACH  # px


class DrawTool(Tool):
    """Places one after another; a subclass says what numbers each takes and what comes of them.

    Click or Enter settles a place. Esc steps back: the typed text, the last place, then the tool. A right
    click ends what is being drawn, Shift goes between the lines of the grid, Alt switches snapping off, Ctrl
    pins the place to the ground.
    """

    cursor = Qt.CursorShape.CrossCursor
    title: ClassVar[str] = ""  # what is drawn, for the hint
    on_grid: ClassVar[bool] = True  # whether places that nothing else attracts go to the grid that is seen
    joint: ClassVar[str] = "revolute"  # by which what is drawn is joined to points that it is drawn at

    def __init__(self, viewport: ViewportWidget, session: Session) -> None:
        super().__init__(viewport, session)
        self.placed: list[Snapped] = []
        self.pinned: list[bool] = []  # which of them go to the ground as well
        self.aimed: Snapped | None = None
        self.note = ""
        self._pointer: Pointer | None = None
        self._pressed: Pointer | None = None
        self.entry = Entry(self.fields())

    # what a subclass gives

    def fields(self) -> Sequence[EntryField]:
        """The numbers that can be typed for the next place."""
        return PLACE

    def typed_place(self, aimed: Snapped, typed: Mapping[str, Typed]) -> Snapped:
        """The next place, as typed numbers have it."""
        return _at_numbers(self.plane, aimed, typed)

    def shown_numbers(self, place: Snapped) -> Mapping[str, float]:
        """What the numbers are at a place, by key of the field."""
        uv = self.plane.local(place.point)
        return {"x": float(uv[0]), "y": float(uv[1])}

    def confirm(self, place: Snapped, typed: Mapping[str, Typed], *, pin: bool) -> None:
        """A place was chosen; raises SceneError where it cannot be used."""
        raise NotImplementedError

    def finish(self) -> bool:
        """End what is being drawn, as far as it is; False when there was nothing to end."""
        return self.step_back()

    def preview(self, ink: Ink, place: Snapped, typed: Mapping[str, Typed]) -> None:
        """Paint what would come of the place."""

    def instruct(self) -> str:
        """What to do next."""
        return ""

    # the work plane

    @property
    def plane(self) -> WorkPlane:
        """The plane that is drawn on: through the first place, once there is one."""
        plane: WorkPlane = self.viewport.drafting.work_plane(self.viewport.view)
        return plane.through(self.placed[0].point) if self.placed else plane

    @property
    def normal(self) -> Array | None:
        """The axis of joints in space; planar scenes need none."""
        return None if self.viewport.view.stage.planar else self.plane.normal

    def aim(self, at: Pointer) -> Snapped | None:
        """The place under the pointer; None where the plane is not seen."""
        view, plane = self.viewport.view, self.plane
        free = bool(at.modifiers & ALT) or not self.viewport.drafting.snapping
        known = [] if free else targets(view)
        if known:
            target = self._near(at.position, known)
            if target is not None:
                return Snapped(target.point, "point", target.title, target)
        p = plane.hit(*view.camera.ray(*self.viewport.device(at.position)))
        if p is None or not np.isfinite(p).all():
            return None
        if free:
            return Snapped(p)
        bar = on_bar(view, p, plane, ON_BAR * view.camera.per_pixel) if view.stage.planar else None
        if bar is not None and not self._is_last(bar):
            return Snapped(bar.point, "point", bar.title, bar)
        start = self.placed[-1].point if self.placed else None
        others = [target for target in known if not self._is_last(target)]
        # in space the work plane shows its grid with the tool
        whole = self.on_grid and (view.style.grid or not view.stage.planar)
        fine = self.on_grid and bool(at.modifiers & SHIFT)
        return snap(p, plane, view.camera.per_pixel, others, start, points=False, whole=whole, fine=fine)

    def _near(self, position: QPointF, known: Sequence[Target]) -> Target | None:
        """The target under the pointer, but for the place that was settled last."""
        pixels = self.viewport.view.camera.project_all(np.array([target.point for target in known]))
        pixels = pixels / self.viewport.devicePixelRatioF()
        off = np.linalg.norm(pixels - (position.x(), position.y()), axis=1)
        near = [
            (target.rank, distance, target)
            for target, distance in zip(known, off, strict=True)
            if distance <= POINT_REACH and not self._is_last(target)
        ]
        return min(near, key=lambda found: found[:2])[2] if near else None

    def _is_last(self, target: Target) -> bool:
        return bool(self.placed and np.linalg.norm(target.point - self.placed[-1].point) < 1e-9)

    # joining

    def meetings(self, own: str, place: Snapped, *, pin: bool, start: bool = False) -> list[Meeting]:
        """What a point of the new body is joined to."""
        drafting, view = self.viewport.drafting, self.viewport.view
        found: list[Meeting] = []
        if drafting.joining:
            met = meeting(view, own, place.target, self.normal)
            found += [replace(met, kind=self.joint)] if met is not None else []
        empty = place.target is None or not place.target.where
        held = any(met.body == WORLD for met in found)
        if (pin or (start and empty and drafting.grounding)) and not held:
            found.append(grounding(view, own, place.point, self.normal))
        return found

    def commit(self, drawn: Drawn) -> Ref:
        """Add the body, or its shapes to the selected one, as one step; raises SceneError."""
        document = self.session.document
        into = self.added_to()
        pose = None if into is None else self.viewport.view.stage.poses.get(into.name)
        if into is not None and pose is not None:
            edit = draw_into(document.scene, into, drawn, Placement(*pose))
        else:
            edit = draw(document.scene, drawn)
        return self.apply(edit, into)

    def apply(self, edit: Edit, ref: Ref | None = None) -> Ref:
        before = {body.name for body in self.session.document.scene.bodies}
        self.session.document.apply(edit)
        new = [body.name for body in self.session.document.scene.bodies if body.name not in before]
        chosen = ref or Ref("bodies", new[-1])
        if ref is None:
            self.session.selection.set([chosen])
        self.viewport.reveal()
        return chosen

    def added_to(self) -> Ref | None:
        """The selected body, when shapes are to be added to it."""
        if not self.viewport.drafting.adding:
            return None
        chosen = [ref.element for ref in self.session.selection.refs if ref.where == "bodies"]
        return chosen[0] if chosen and chosen[0].name in self.viewport.view.stage.poses else None

    # events

    def begin(self) -> None:
        to_start(self.session)
        self._refresh()

    def end(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Drop what is half done."""
        self.placed, self.pinned, self.note = [], [], ""
        self.entry = Entry(self.fields())
        self._refresh()

    def scene_changed(self) -> None:
        """An undo, or an edit elsewhere: what was begun at a body that is gone is forgotten."""
        scene = self.session.document.scene
        known = {(where, item.name) for where in ("bodies", "joints") for item in getattr(scene, where)}
        for place in self.placed:
            target = place.target
            if target is not None and target.where and (target.where, target.name) not in known:
                self.forget()
                return

    def hover(self, at: Pointer) -> None:
        self._pointer, self.note = at, ""
        self.aimed = self.aim(at)
        self.viewport.update()

    def grab(self, at: Pointer) -> bool:
        self._pressed = at
        return True

    def drag(self, at: Pointer) -> None:
        if self._pressed is not None:  # press, drag, release draws as two clicks do
            pressed, self._pressed = self._pressed, None
            if not self.placed:
                self.click(pressed)
        self.hover(at)

    def drop(self, at: Pointer) -> None:
        self.click(at)

    def click(self, at: Pointer) -> None:
        self.hover(at)
        if self.aimed is None:
            self.note = "the work plane is seen from its edge here: turn the view or choose another plane"
            return
        self._confirm(pin=bool(at.modifiers & CTRL))

    def double_click(self, at: Pointer) -> None:
        self.finish()
        self._refresh()

    def right_click(self, at: Pointer) -> bool:
        if not self.finish():
            self.viewport.use_tool(None)
        self._refresh()
        return True

    def takes(self, event: QKeyEvent) -> bool:
        if event.modifiers() & (CTRL | ALT) and event.key() not in ENTER:
            return False
        if event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            return bool(self.entry.fields)
        if event.key() in (Qt.Key.Key_Backspace, Qt.Key.Key_Delete):
            return self.entry.typing
        return event.key() in ENTER or self.entry.begins(event.text(), self.names)

    def key(self, event: QKeyEvent) -> bool:
        key, entry = Qt.Key(event.key()), self.entry
        if key == Qt.Key.Key_Escape:
            return self._escape()
        if not self.takes(event):
            return False
        self.note = ""
        if key in ENTER:
            if entry.typing:
                self._confirm(pin=bool(event.modifiers() & CTRL))
            elif not self.finish():
                self.viewport.use_tool(None)
        elif key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            entry.move(1 if key == Qt.Key.Key_Tab else -1)
        elif key in (Qt.Key.Key_Backspace, Qt.Key.Key_Delete):
            entry.erase()
        else:
            entry.type(event.text())
        self._refresh()
        return True

    def _escape(self) -> bool:
        """Typed text first, then the last place; the tool itself is left to the viewport."""
        self.note = ""
        if self.entry.typing:
            self.entry.clear()
            return True
        back = self.step_back()
        self._refresh()
        return back

    def step_back(self) -> bool:
        """Take back the last place."""
        if not self.placed:
            return False
        self.placed.pop()
        self.pinned.pop()
        self.entry = Entry(self.fields())
        return True

    def _confirm(self, *, pin: bool) -> None:
        if not self.placed:
            to_start(self.session)
        if self.aimed is None:  # numbers were typed before the pointer came in
            self.aimed = Snapped(self.placed[-1].point if self.placed else self.plane.origin)
        try:
            typed = self.entry.read(self.viewport.units, self.names)
            place = self.typed_place(self.aimed, typed)
            if not np.abs(place.point).max() < MAX_COORDINATE or any(
                not abs(one.value) < MAX_COORDINATE for one in typed.values()
            ):
                raise ValueError(f"that is too far or too large; stay below {MAX_COORDINATE:g}")
            self.confirm(place, typed, pin=pin)
        except UnitError as error:
            self.note = str(error)
            return
        except (SceneError, ValueError) as error:
            self.note = _first(reason(error))
            return
        self.entry = Entry(self.fields())
        self._refresh()

    def redirect(self) -> None:
        """Options were changed: say anew what to do."""
        self._refresh()

    def _refresh(self) -> None:
        self.hint = self.instruct()
        if self.hint and self.on_grid and self.viewport.drafting.snapping:
            self.hint += SNAPPING_KEYS
        if self._pointer is not None and self.viewport.is_open:
            self.aimed = self.aim(self._pointer)
        self.viewport.update()

    @property
    def names(self) -> dict[str, float]:
        """Parameters that expressions may use."""
        return dict(Resolver(self.session.document.scene).values)

    # painting

    def paint(self, painter: QPainter) -> None:
        ink, view = Ink(painter, self.viewport), self.viewport.view
        if not view.stage.planar:
            middle = self.aimed.point if self.aimed is not None else self.plane.origin
            ink.plane(self.plane, middle, view.camera.per_pixel)
        for place, pinned in zip(self.placed, self.pinned, strict=True):
            ink.dot(place.point, grounded=pinned)
        if self.aimed is None or self._pointer is None:
            return
        typed = self.entry.read_leniently(self.viewport.units, self.names)
        place = self.typed_place(self.aimed, typed)
        if np.isfinite(place.point).all():
            self.preview(ink, place, typed)
            ink.mark(place)
        ink.numbers(self._pointer.position, self._cells(place, typed), self._title(place), self.note)

    def _title(self, place: Snapped) -> str:
        """What the place is called; while other numbers are typed, also where it is."""
        words = [place.title] if place.kind in ("point", "line") and place.title else []
        if self.entry.fields and "x" not in self.entry.texts:
            units, uv = self.viewport.units, self.plane.local(place.point)
            at = ", ".join(units.text(float(value), "m", 4) for value in uv)
            words.append(f"({at}) {units.shown('m')}")
        return "  ".join(words)

    def _cells(self, place: Snapped, typed: Mapping[str, Typed]) -> list[Cell]:
        units, numbers = self.viewport.units, self.shown_numbers(place)
        cells = []
        for field in self.entry.fields:
            text = self.entry.texts[field.key]
            active = self.entry.typing and self.entry.active is field
            if text or active:
                unit = units.shown(field.unit) if _bare(text) else ""
                cells.append(
                    Cell(field.title, f"{text}▏ {unit}" if active else f"{text} {unit}", True, active)
                )
            elif field.key in numbers:
                cells.append(Cell(field.title, units.full_text(numbers[field.key], field.unit, 4)))
        return cells


def _at_numbers(plane: WorkPlane, aimed: Snapped, typed: Mapping[str, Typed]) -> Snapped:
    if not typed.keys() & {"x", "y"}:
        return aimed
    uv = plane.local(aimed.point)
    for i, key in enumerate("xy"):
        if key in typed:
            uv[i] = typed[key].value
    return Snapped(plane.world(uv), "free", "")


def _bare(text: str) -> bool:
    """Whether a text is a number without a unit, so that the display unit counts."""
    return bool(text.strip()) and all(sign in "0123456789.,+-eE " for sign in text)


def _first(text: str) -> str:
    return text.splitlines()[0] if text else ""
