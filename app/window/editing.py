"""Undo, and what is done to the selected elements."""

from collections.abc import Callable
from typing import Any

from app.commands import duplicate, remove, set_visible
from app.dialogs.commands import CommandDialog
from app.document import refs_of
from app.panels.naming import element, reason, shown_refs
from app.window.parts import WindowParts
from engine.errors import SceneError


class EditActions(WindowParts):
    """Actions of the Edit menu."""

    def undo(self) -> None:
        self.session.document.stack.undo()

    def redo(self) -> None:
        self.session.document.stack.redo()

    def _selected(self) -> tuple[Any, ...]:
        return shown_refs(self.session.document.scene, self.session.selection.refs)

    def rename_selected(self) -> None:
        for ref in self._selected()[:1]:
            self.docks["tree"].show()
            self.tree.rename(ref)

    def duplicate_selected(self) -> None:
        self._edit(lambda scene: duplicate(scene, self._selected()))

    def delete_selected(self) -> None:
        if self._selected():
            self._edit(lambda scene: remove(scene, self._selected()))

    def toggle_visible(self) -> None:
        scene, refs = self.session.document.scene, self._selected()
        refs = tuple(ref for ref in refs if hasattr(element(scene, ref), "visible"))
        if refs:
            show = not all(element(scene, ref).visible for ref in refs)
            self._edit(lambda scene: set_visible(scene, refs, show))

    def _edit(self, make: Callable[[Any], Any]) -> None:
        document = self.session.document
        try:
            document.apply(make(document.scene))
        except (SceneError, ValueError, KeyError) as error:
            self.session.message.emit("warning", reason(error), None)

    def select_all(self) -> None:
        lists = ("bodies", "joints", "forces", "motions", "traces", "measures")
        self.session.selection.set(ref for ref in refs_of(self.session.document.scene) if ref.where in lists)

    def select_none(self) -> None:
        self.session.selection.clear()

    def focus_search(self) -> None:
        self.docks["tree"].show()
        self.tree.search.setFocus()
        self.tree.search.selectAll()

    def show_commands(self) -> None:
        dialog = CommandDialog(self, self.actions_by_id)
        if dialog.exec() and dialog.chosen:
            self.actions_by_id[dialog.chosen].trigger()
