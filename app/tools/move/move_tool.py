"""Moving and turning by handles: arrows, squares, rings; with snapping, or by typed numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent, QPainter

from app.document.element_ref import Ref
from app.document.element_words import reason
from app.platform.units import UnitError
from app.session.session import Session
from app.tools.base import Pointer, Tool
from app.tools.draw.draft_paint import Cell, Ink
from app.tools.draw.typed_numbers import Entry, EntryField
from app.tools.move.gizmo_paint import paint_gizmo, paint_lines
from app.tools.move.handles import LETTERS, SIZE, Gizmo, Handle
from app.tools.move.subjects import Subject, refusal, subject_of
from app.tools.part_picking import piece_at, point_places
from app.tools.snap_targets import targets
from app.tools.snapping import (
    ARROW_REACH,
    DIRECTION_PARTS,
    RING_REACH,
    Array,
    Snapped,
    WorkPlane,
    grid_step,
    snap,
    snap_angle,
)
from engine.errors import SceneError
from engine.model.resolve import Resolver

if TYPE_CHECKING:
    from app.tools.interactive_viewport import ViewportWidget

ALT = Qt.KeyboardModifier.AltModifier
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class MoveTool(Tool):
    """Handles on what is selected. A click elsewhere selects; L switches between world and own axes."""

    id = "move"

    def __init__(self, viewport: ViewportWidget, session: Session) -> None:
        super().__init__(viewport, session)
        self.own_axes = False
        self._subject: Subject | None = None
        self._gizmo: Gizmo | None = None  # as it was at the press
        self._handle: Handle | None = None
        self._over: Handle | None = None
        self._from: Array | None = None  # what the handle read at the press; None: only numbers are typed
        self._amounts: Array | None = None
        self._snapped: Snapped | None = None
        self._pointer: Pointer | None = None
        self._scene: Any = None
        self._cancelled = False
        self.entry = Entry()
        self.note = ""

    # what is held

    def begin(self) -> None:
        if self.session.playing:
            self.session.transport.pause()
        self._say()

    def end(self) -> None:
        self._let_go()

    def scene_changed(self) -> None:
        if self._handle is not None and self.session.document.scene is not self._scene:
            self._let_go()

    def gizmo(self) -> Gizmo | None:
        """The handles of what is selected, where it is shown now."""
        if self._gizmo is not None and self._subject is not None:
            g = self._gizmo
            return Gizmo(self._subject.place(), g.axes, g.size, g.planar, g.turns)
        subject = subject_of(self.viewport, self.session)
        return None if subject is None else self._around(subject)

    def _around(self, subject: Subject) -> Gizmo:
        view = self.viewport.view
        right, _ = view.camera.screen_axes()
        h = 0.01 * view.stage.extent
        a, b = (np.array(view.camera.project(p)) for p in (subject.centre, subject.centre + h * right))
        pixels = float(np.linalg.norm(b - a)) / self.viewport.devicePixelRatioF()
        size = SIZE * h / pixels if np.isfinite(pixels) and pixels > 0.0 else 0.1 * view.stage.extent
        axes = subject.axes if self.own_axes else np.eye(3)
        return Gizmo(subject.centre, np.asarray(axes, float), size, view.stage.planar, subject.turns)

    def _under(self, position: QPointF) -> Handle | None:
        gizmo = self.gizmo()
        if gizmo is None:
            return None
        ratio = self.viewport.devicePixelRatioF()
        return gizmo.under(
            np.array([position.x(), position.y()]), lambda p: self.viewport.view.camera.project_all(p) / ratio
        )

    def _take(self, handle: Handle) -> None:
        self._subject = subject_of(self.viewport, self.session)
        if self._subject is None:
            return
        self._gizmo, self._handle = self._around(self._subject), handle
        self._scene, self._amounts, self.note = self.session.document.scene, None, ""
        fields = {
            "arrow": [EntryField("0", LETTERS[handle.axis], "m")],
            "square": [EntryField(str(k), LETTERS[i], "m") for k, i in enumerate(handle.others)],
            "ring": [EntryField("0", "angle", "rad")],
        }
        self.entry = Entry(fields[handle.kind])

    def _let_go(self) -> None:
        """Forget what is half done; what was moved goes back."""
        subject, self._subject = self._subject, None
        self._gizmo = self._handle = self._from = self._amounts = self._snapped = None
        self.entry, self.note = Entry(), ""
        if subject is not None:
            subject.cancel()
        self._say()

    # pointer

    def hover(self, at: Pointer) -> None:
        self._pointer = at
        over = self._under(at.position) if self._handle is None else None
        if over != self._over:
            self._over = over
            self.viewport.update()

    def grab(self, at: Pointer) -> bool:
        self._cancelled = False
        handle = self._under(at.position)
        if handle is None or self.session.playing:
            self._from = None
            return False
        self._take(handle)
        assert self._gizmo is not None or self._subject is None
        self._from = self._read(at)
        return self._handle is not None

    def _read(self, at: Pointer) -> Array | None:
        if self._gizmo is None or self._handle is None:
            return None
        return self._gizmo.amounts(
            self._handle, *self.viewport.view.camera.ray(*self.viewport.device(at.position))
        )

    def drag(self, at: Pointer) -> None:
        if self._cancelled or self._handle is None or self._gizmo is None or self._from is None:
            return
        if self.session.document.scene is not self._scene or self.session.playing:
            self._cancelled = True
            self._let_go()
            return
        self._pointer = at
        now = self._read(at)
        if now is None:
            return
        free = bool(at.modifiers & ALT) or not self.viewport.drafting.snapping
        self._amounts = self._snap(now - self._from, free=free)
        self._show()

    def drop(self, at: Pointer) -> None:
        if self._handle is not None and not self._cancelled:
            self._commit()

    def click(self, at: Pointer) -> None:
        """A handle that is clicked waits for numbers; elsewhere a click selects."""
        if self._handle is not None:
            self._from = None
            self._say()
            return
        refs = self.viewport.refs_at(at.position)
        body = self._body()
        if body is not None and (body in refs[:1] or not refs):  # again: a point or a shape of it
            found = piece_at(self.viewport, body.name, at.position)
            if found is not None or refs:
                again = found == self.session.selection.piece
                self.session.selection.set_piece(None if again else found)
                self._say()
                return
        self.session.selection.set(refs[:1])
        self._say()

    def _body(self) -> Ref | None:
        """The body that alone is selected."""
        refs = self.session.selection.refs
        return refs[0] if len(refs) == 1 and refs[0].where == "bodies" and not refs[0].part else None

    def _point_places(self) -> list[Array]:
        """Points of the selected body, which a click takes hold of."""
        body = self._body()
        return [] if body is None else list(point_places(self.viewport.view, body.name).values())

    def _snap(self, amounts: Array, *, free: bool) -> Array:
        """Amounts that lead to the grid, to points or lines of others, or to whole angles."""
        self._snapped = None
        assert self._gizmo is not None and self._handle is not None and self._subject is not None  # noqa: PT018
        g, handle = self._gizmo, self._handle
        if handle.kind == "ring":
            angle = (float(amounts[0]) + np.pi) % (2.0 * np.pi) - np.pi
            whole = None if free else snap_angle(angle, RING_REACH)
            return np.array([angle if whole is None else whole])
        if free:
            return amounts
        view = self.viewport.view
        known = [target for target in targets(view) if target.name != getattr(self._subject, "title", "")]
        place = g.centre + g.shift(handle, amounts)
        per_pixel = g.size / SIZE
        if handle.kind == "square":
            u, v = (g.axes[:, i] for i in handle.others)
            # the grid is that of the world where the axes are
            plane = WorkPlane(np.zeros(3) if not self.own_axes else g.centre, u, v).through(g.centre)
            found = snap(place, plane, per_pixel, known, g.centre)
            self._snapped = found if found.kind != "free" else None
            d = found.point - g.centre
            return np.array([d @ u, d @ v])
        axis, step = g.axes[:, handle.axis], grid_step(per_pixel) / DIRECTION_PARTS
        at = float(axis @ place)
        near = [(abs(float(axis @ t.point) - at), t) for t in known]
        best = min(near, key=lambda pair: pair[0], default=None)
        if best is not None and best[0] <= ARROW_REACH * per_pixel:
            level = float(axis @ best[1].point)
            end = place + (level - at) * axis
            self._snapped = Snapped(end, "line", f"level with {best[1].title}", None, ((best[1].point, end),))
            return np.array([level - float(axis @ g.centre)])
        base = 0.0 if not self.own_axes else float(axis @ g.centre)
        whole_at = base + round((at - base) / step) * step
        return np.array([whole_at - float(axis @ g.centre)])

    # numbers

    def takes(self, event: QKeyEvent) -> bool:
        if self._handle is None:
            return False
        if event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab, *ENTER):
            return True
        if event.key() in (Qt.Key.Key_Backspace, Qt.Key.Key_Delete):
            return self.entry.typing
        return self.entry.begins(event.text())

    def key(self, event: QKeyEvent) -> bool:
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape:
            if self._handle is None and self.session.selection.piece is not None:
                self.session.selection.set_piece(None)  # back to the body
                self._say()
                return True
            if self._handle is None:
                return False
            if self.entry.typing and self._from is None:
                self.entry.clear()
                self._show()
                return True
            self._cancelled = True
            self._let_go()
            return True
        if self._handle is None:
            if key == Qt.Key.Key_L and not event.modifiers():
                self.own_axes = not self.own_axes
                self._say()
                return True
            return False
        if not self.takes(event):
            return False
        self.note = ""
        if key in ENTER:
            self._commit()
            self._cancelled = True  # the button may still be down
        elif key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            self.entry.move(1 if key == Qt.Key.Key_Tab else -1)
        elif key in (Qt.Key.Key_Backspace, Qt.Key.Key_Delete):
            self.entry.erase()
            self._show()
        else:
            self.entry.type(event.text())
            self._show()
        return True

    @property
    def names(self) -> dict[str, float]:
        return dict(Resolver(self.session.document.scene).values)

    def _wanted(self) -> Array | None:
        """Amounts as the pointer and typed numbers have them."""
        if self._handle is None:
            return None
        count = 2 if self._handle.kind == "square" else 1
        found = np.zeros(count) if self._amounts is None else self._amounts.copy()
        typed = self.entry.read_leniently(self.viewport.units, self.names)
        for key, value in typed.items():
            found[int(key)] = value.value
        return found if typed or self._amounts is not None else None

    def _show(self) -> None:
        amounts = self._wanted()
        subject, gizmo, handle = self._subject, self._gizmo, self._handle
        if subject is None or gizmo is None or handle is None:
            return
        if amounts is None:
            amounts = np.zeros(2 if handle.kind == "square" else 1)
        if not np.isfinite(amounts).all():
            return
        if handle.kind == "ring":
            subject.turn(gizmo.turn(handle, float(amounts[0])))
        else:
            subject.move(gizmo.shift(handle, amounts))
        self._say()

    def _commit(self) -> None:
        subject = self._subject
        if subject is None:
            return
        try:
            self.entry.read(self.viewport.units, self.names)
        except UnitError as error:
            self.note = str(error)
            return
        try:
            edit = subject.commit() if self._wanted() is not None else None
        except (SceneError, ValueError) as error:
            self.session.message.emit("warning", reason(error), None)
            edit = None
        poses = self.session.poses() if self.session.shown.by_hand else None
        self._subject = None
        self._let_go()
        if edit is None:
            subject.cancel()
            return
        self.session.document.apply(edit)
        if poses is not None:
            self.session.shown.pose_by_hand(poses)  # until the new run is there

    # showing

    @property
    def hint(self) -> str:  # type: ignore[override]
        """What to do next; also after a selection elsewhere."""
        if not self.viewport.is_open:
            return ""
        if self._handle is not None:
            return f"Moving {self._handle.title}: or type a number and Enter. Alt: no snapping. Esc: back"
        subject = subject_of(self.viewport, self.session)
        if subject is None:
            return refusal(self.session) or "Select a body or a joint to move it"
        axes = "its own axes" if self.own_axes else "the world's axes"
        ring = ", a square or a ring" if subject.turns else " or a square"
        what = f"{subject.title}: drag an arrow{ring} · {axes} (L)"
        if self.session.selection.piece is not None:
            return f"{what} · Esc: the whole body"
        return f"{what} · click again: a point or shape of it" if self._has_pieces() else f"{what} · Esc ends"

    def _has_pieces(self) -> bool:
        body = self._body()
        item = None if body is None else self.session.document.element(body)
        return item is not None and (len(item.shapes) > 1 or bool(item.points))

    def _say(self) -> None:
        if self.viewport.is_open:
            self.viewport.update()

    def paint(self, painter: QPainter) -> None:
        gizmo = self.gizmo()
        if gizmo is None:
            return
        ink = Ink(painter, self.viewport)
        if self._handle is None:
            for place in self._point_places():
                ink.speck(place)
        subject = self._subject or subject_of(self.viewport, self.session)
        if subject is not None:
            paint_lines(painter, ink, self.viewport, subject.lines())
        paint_gizmo(painter, ink, gizmo, self._handle, self._over, dark=self.viewport.view_style.dark)
        if self._handle is None or self._gizmo is None:
            return
        if self._snapped is not None:
            ink.mark(self._snapped)
        shown = self._wanted()
        shown = np.zeros(len(self.entry.fields)) if shown is None else shown
        cells = []
        for k, field in enumerate(self.entry.fields):
            text = self.entry.texts[field.key]
            active = field is self.entry.active
            units = self.viewport.units
            value = units.full_text(float(shown[k]), field.unit)
            cells.append(Cell(field.title, text or value, bool(text), active))
        at = self._pointer.position if self._pointer is not None else ink.pixel(gizmo.centre)
        title = self._snapped.title if self._snapped is not None and not self.entry.typing else ""
        ink.numbers(at, cells, title, self.note)
