"""What was pasted follows the pointer until a click puts it down; Esc takes it back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QPainter

from app.document.document import Edit
from app.document.element_ref import Ref
from app.document.element_words import reason
from app.edits.geometry.move_together import move_together
from app.edits.geometry.transform import shift
from app.session.session import Session
from app.tools.base import Pointer, Tool
from app.tools.draw.draft_paint import Ink
from app.tools.move.ground_pins import GroundPins
from app.tools.snap_targets import targets
from app.tools.snapping import Snapped, snap
from engine.compiled.layout import Array
from engine.errors import SceneError
from engine.model.poses import given_poses

if TYPE_CHECKING:
    from app.tools.interactive_viewport import ViewportWidget

ALT = Qt.KeyboardModifier.AltModifier


class PlaceTool(Tool):
    """Holds the bodies that are selected, by the place of the first one."""

    id = "place"
    cursor = Qt.CursorShape.CrossCursor
    hint = "Click where it goes. Alt: free of the grid. Enter: leave it here. Esc: take it back."

    def __init__(self, viewport: ViewportWidget, session: Session) -> None:
        super().__init__(viewport, session)
        self._refs: tuple[Ref, ...] = session.selection.refs
        self._scene = session.document.scene
        self._key: object = None
        given = given_poses(self._scene)  # the run that has them is still being made
        names = [ref.name for ref in self._refs if ref.where == "bodies" and ref.name in given]
        self._poses = {name: given[name] for name in names}
        self._held = np.array(self._poses[names[0]][0]) if names else np.zeros(3)
        self._aimed: Snapped | None = None
        self._over = False
        self._pins = GroundPins(viewport.view, self._scene, self._refs)

    def hold(self, key: object) -> None:
        """Steps with this key are undone together."""
        self._key = key

    def end(self) -> None:
        if self.viewport.is_open:
            self._pins.settle()
        if not self._over and self.session.shown.by_hand:
            self.session.shown.pose_by_hand(None)

    def scene_changed(self) -> None:
        if self.session.document.scene is not self._scene:
            self._over = True  # an undo, or an edit elsewhere
            self.viewport.use_tool(None)

    def hover(self, at: Pointer) -> None:
        self._aimed = self._aim(at)
        if self._aimed is None or not self._poses:
            return
        d = self._aimed.point - self._held
        self._pins.lift()
        self.session.shown.pose_by_hand({name: (p + d, R) for name, (p, R) in self._poses.items()})
        self.viewport.update()

    def _aim(self, at: Pointer) -> Snapped | None:
        view = self.viewport.view
        plane = self.viewport.drafting.work_plane(view).through(self._held)
        p = plane.hit(*view.camera.ray(*self.viewport.device(at.position)))
        if p is None or not np.isfinite(p).all():
            return None
        if at.modifiers & ALT or not self.viewport.drafting.snapping:
            return Snapped(p)
        others = [target for target in targets(view) if target.name not in self._poses]
        return snap(p, plane, view.camera.per_pixel, others, whole=view.style.grid)

    def grab(self, at: Pointer) -> bool:
        return True

    def drag(self, at: Pointer) -> None:
        self.hover(at)

    def drop(self, at: Pointer) -> None:
        self.click(at)

    def click(self, at: Pointer) -> None:
        self.hover(at)
        if self._aimed is not None:
            self._put(self._aimed.point - self._held)

    def _put(self, d: Array) -> None:
        document, self._over = self.session.document, True
        try:
            edit = move_together(document.scene, self._refs, shift(tuple(map(float, d))))
            document.apply(Edit(document.stack.undoText() or edit.text, edit.after, key=self._key))
        except SceneError as error:
            self.session.message.emit("warning", reason(error), None)
        self.session.shown.pose_by_hand(None)
        self.viewport.use_tool(None)

    def right_click(self, at: Pointer) -> bool:
        self._leave()
        return True

    def key(self, event: QKeyEvent) -> bool:
        if event.key() == Qt.Key.Key_Escape:
            self._over = True
            self.session.shown.pose_by_hand(None)
            self.session.document.stack.undo()
            self.viewport.use_tool(None)
            return True
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._leave()
            return True
        return False

    def _leave(self) -> None:
        """Where it was pasted."""
        self._over = True
        self.session.shown.pose_by_hand(None)
        self.viewport.use_tool(None)

    def paint(self, painter: QPainter) -> None:
        if self._aimed is None:
            return
        ink = Ink(painter, self.viewport)
        ink.mark(self._aimed)
        for place in self._pins.places:
            ink.dot(place + self._aimed.point - self._held, grounded=True)
