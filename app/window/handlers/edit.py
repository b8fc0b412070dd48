"""What is done to the selected elements, and how they come to be selected."""

from collections.abc import Mapping

from PySide6.QtGui import QAction

from app.dialogs.action_search import CommandDialog
from app.dialogs.help.help_window import HelpDialog
from app.dialogs.removal import remove_asking
from app.document.document import refs_of
from app.document.element_words import element
from app.edits import set_visible
from app.edits.elements.copies import chosen
from app.panels.tree import TreePanel
from app.widgets.show_once import show_once
from app.window.context import WindowContext
from app.window.docks import Docks
from app.window.handlers.selection_edits import SelectionEdits

SELECTABLE = ("bodies", "joints", "forces", "motions", "traces", "measures")  # by "Select all"


class EditHandler:
    """Edit menu, its first level."""

    def __init__(
        self, context: WindowContext, edits: SelectionEdits, docks: Docks, actions: Mapping[str, QAction]
    ) -> None:
        self._context, self._window, self._session = context, context.window, context.session
        self._edits, self._docks, self._actions = edits, docks, actions

    def undo(self) -> None:
        """Says what it was: plots and camera are no edits, so it need not be what was done last."""
        stack = self._session.document.stack
        self._context.tell(f"Undone: {stack.undoText()}")  # before what the session has to tell of it
        stack.undo()

    def redo(self) -> None:
        stack = self._session.document.stack
        self._context.tell(f"Done again: {stack.redoText()}")
        stack.redo()

    def rename(self) -> None:
        for ref in self._edits.selected[:1]:
            self._docks.show("tree")
            self._docks.panel(TreePanel).rename(ref)

    def delete(self) -> None:
        """A parameter that is used is asked about first."""
        refs = self._edits.selected
        if refs:
            with self._edits.told():
                remove_asking(self._window, self._session.document, refs)

    def toggle_visible(self) -> None:
        scene = self._session.document.scene
        refs = tuple(
            ref for ref in chosen(scene, self._edits.selected) if hasattr(element(scene, ref), "visible")
        )
        if refs:
            show = not all(element(scene, ref).visible for ref in refs)
            self._edits.apply(lambda scene: set_visible(scene, refs, show))

    def select_all(self) -> None:
        scene, selection = self._session.document.scene, self._session.selection
        selection.set(ref for ref in refs_of(scene) if ref.where in SELECTABLE)

    def find(self) -> None:
        """Search the tree."""
        self._docks.show("tree")
        search = self._docks.panel(TreePanel).search
        search.setFocus()
        search.selectAll()

    def search_commands(self) -> None:
        dialog = CommandDialog(self._window, self._actions)
        if not show_once(dialog):
            return
        if dialog.chosen:
            self._actions[dialog.chosen].trigger()
        elif dialog.asked_help:
            pages = HelpDialog(self._window)
            pages.search.setText(dialog.asked_help)
            show_once(pages)
