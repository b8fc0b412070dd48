"""Undo, and what is done to the selected elements."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from app.dialogs.action_search import CommandDialog
from app.dialogs.removal import remove_asking
from app.document.document import refs_of
from app.document.element_words import element, reason, shown_refs
from app.edits import duplicate, set_visible, start_here, start_now
from app.edits.elements.copies import chosen
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
            self._show_dock("tree")
            self.tree.rename(ref)

    def duplicate_selected(self) -> None:
        self._edit(lambda scene: duplicate(scene, self._selected()))

    def delete_selected(self) -> None:
        """A parameter that is used is asked about first."""
        refs = self._selected()
        if refs:
            with self._told():
                remove_asking(self, self.session.document, refs)

    def toggle_visible(self) -> None:
        scene = self.session.document.scene
        refs = tuple(
            ref for ref in chosen(scene, self._selected()) if hasattr(element(scene, ref), "visible")
        )
        if refs:
            show = not all(element(scene, ref).visible for ref in refs)
            self._edit(lambda scene: set_visible(scene, refs, show))

    def use_as_start(self, moving: bool) -> None:
        """The pose that is shown becomes the start; `moving`: velocities and functions of time, too."""
        session, run = self.session, self.session.current
        if run is None or run.empty:
            return
        session.transport.pause()
        t, poses = session.t, session.poses()
        if moving:
            segment, sample = run.sample_at(t)
            self._edit(lambda scene: start_now(scene, poses, segment.velocities(sample), t))
        else:
            self._edit(lambda scene: start_here(scene, poses))

    def _edit(self, make: Callable[[Any], Any]) -> None:
        """Make an edit; what is new in the scene is selected."""
        document = self.session.document
        with self._told():
            edit = make(document.scene)
            document.apply(edit)
            if edit.made:
                self.session.selection.set(edit.made)
            for remark in edit.remarks:
                self.session.message.emit("info", remark, None)

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What cannot be done is said in the messages."""
        try:
            yield
        except (SceneError, ValueError, KeyError) as error:
            self.session.message.emit("warning", reason(error), None)

    def select_all(self) -> None:
        lists = ("bodies", "joints", "forces", "motions", "traces", "measures")
        self.session.selection.set(ref for ref in refs_of(self.session.document.scene) if ref.where in lists)

    def select_none(self) -> None:
        self.session.selection.clear()

    def focus_search(self) -> None:
        self._show_dock("tree")
        self.tree.search.setFocus()
        self.tree.search.selectAll()

    def show_commands(self) -> None:
        dialog = CommandDialog(self, self.actions_by_id)
        if dialog.exec() and dialog.chosen:
            self.actions_by_id[dialog.chosen].trigger()
