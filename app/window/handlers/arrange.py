"""What is done with the selected elements: copied, mirrored, patterned, grouped, shown alone."""

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QCursor, QGuiApplication
from PySide6.QtWidgets import QMenu

from app.dialogs.arranging.copy_pattern import CircleDialog, RowDialog
from app.dialogs.arranging.mirror import MirrorDialog
from app.dialogs.arranging.scale import ScaleDialog
from app.document.document import Edit, Ref
from app.document.element_words import element
from app.edits import (
    align,
    as_text,
    change_joint_kind,
    compute_mass,
    distribute,
    duplicate,
    fragment,
    from_text,
    give_mass,
    group,
    isolate,
    kinds_for,
    members,
    merge_joints,
    paste,
    remove,
    show_all,
    split_joints,
    swap_bodies,
    ungroup,
)
from app.edits.building.transmission import measure_transmission
from app.edits.elements.copies import chosen
from app.edits.geometry.set_aside import set_aside
from app.tools.draw.return_to_start import to_start
from app.tools.interactive_viewport import ViewportWidget
from app.tools.move.subjects import refusal
from app.window.context import WindowContext
from app.window.handlers.assembled_start import as_assembled
from app.window.handlers.selection_edits import SelectionEdits
from app.window.pages import Pages
from engine.model.scene import Scene

MIME = "application/x-trammel-scene+json"


class ArrangeHandler:
    """Edit menu: clipboard and sub-menus, and what they ask."""

    def __init__(
        self, context: WindowContext, edits: SelectionEdits, viewport: ViewportWidget, pages: Pages
    ) -> None:
        self._context, self._window, self._session = context, context.window, context.session
        self._look, self._edits, self._viewport, self._pages = context.look, edits, viewport, pages

    # clipboard

    def copy(self) -> None:
        refs = self._edits.selected
        if not refs:
            return
        text = as_text(fragment(as_assembled(self._session), refs))
        data = QMimeData()
        data.setText(text)
        data.setData(MIME, text.encode())
        QGuiApplication.clipboard().setMimeData(data)
        self._context.tell(f"Copied {refs[0].name if len(refs) == 1 else f'{len(refs)} elements'}", 4)

    def cut(self) -> None:
        refs = self._edits.selected
        if not refs:
            return
        self.copy()
        self._edits.apply(lambda scene: _named(remove(scene, refs), "Cut"))

    def paste(self) -> None:
        data = QGuiApplication.clipboard().mimeData()
        text = ""
        if data is not None:  # a clipboard that was never used may hold nothing at all
            own = data.hasFormat(MIME)
            text = bytes(data.data(MIME).data()).decode(errors="replace") if own else data.text()
        if not text.lstrip().startswith("{"):
            note = "the clipboard holds no elements; copy some first (Ctrl+C)"
            self._session.message.emit("info", note, None)
            return
        key = object()  # what is pasted and then put down is one step
        held: list[Ref] = []

        def make(scene: Scene) -> Edit:
            edit = paste(scene, from_text(text))
            held.extend(ref for ref in edit.made if ref.where == "bodies")
            return set_aside(scene, edit, self._viewport.view.stage.extent, key)

        before = self._session.document.scene
        self._pages.hide_welcome()
        self._edits.apply(make)
        if held and self._session.document.scene is not before and not refusal(self._session):
            self._session.selection.set(held)
            self._viewport.carry(key)

    # copies in other places

    def duplicate(self) -> None:
        """Beside the originals: over them they would not be seen."""
        refs, extent = self._edits.selected, self._viewport.view.stage.extent
        shown = as_assembled(self._session)
        self._edits.apply(lambda scene: set_aside(scene, duplicate(scene, refs, shown), extent))

    def mirror(self) -> None:
        self._ask(MirrorDialog)

    def pattern_row(self) -> None:
        self._ask(RowDialog)

    def pattern_circle(self) -> None:
        self._ask(CircleDialog)

    def scale(self) -> None:
        self._ask(ScaleDialog)

    def align(self, axis: str) -> None:
        """On one line: all have the coordinate of the first one."""
        to_start(self._session)
        refs = self._edits.selected
        self._edits.compute("Align", lambda scene: align(scene, refs, axis))

    def distribute(self, axis: str) -> None:
        """At equal distances along an axis."""
        to_start(self._session)
        refs = self._edits.selected
        self._edits.compute("Distribute", lambda scene: distribute(scene, refs, axis))

    def _ask(self, dialog: type[MirrorDialog | RowDialog | CircleDialog | ScaleDialog]) -> None:
        refs = self._edits.selected
        if not refs:
            return
        asked = dialog(self._window, self._session.document.scene, refs, self._look)
        if asked.exec():
            self._edits.apply(asked.edit)
        asked.deleteLater()

    def measure_transmission(self) -> None:
        self._edits.apply(lambda scene: measure_transmission(scene, self._edits.selected))

    # joints

    def change_kind(self) -> None:
        """A menu of the kinds that the joint can have."""
        refs = [ref for ref in self._edits.selected if ref.where == "joints"]
        if not refs:
            return
        scene = self._session.document.scene
        menu = QMenu(self._window)
        menu.setObjectName("menu.kind")
        menu.setToolTipsVisible(True)
        for kind in kinds_for(scene):
            made = menu.addAction(self._look.icon(kind.icon), kind.title)
            made.setObjectName(f"kind.{kind.name}")
            made.setToolTip(kind.summary)
            made.setCheckable(True)
            made.setChecked(all(type(element(scene, ref)) is kind.spec for ref in refs))
            made.triggered.connect(lambda _=False, name=kind.name: self.make_kind(refs, name))
        menu.exec(QCursor.pos())
        menu.deleteLater()

    def make_kind(self, refs: list[Ref], kind: str) -> None:
        """Give joints another kind, as one step."""

        def make(scene: Scene) -> Edit:
            edit = Edit("", scene)
            for ref in refs:
                edit = change_joint_kind(edit.after, ref, kind)
            return edit

        self._edits.apply(make)

    def swap(self) -> None:
        self._edits.apply(lambda scene: swap_bodies(scene, self._edits.selected))

    def split(self) -> None:
        self._edits.apply(lambda scene: split_joints(scene, self._edits.selected))

    def merge(self) -> None:
        self._edits.apply(lambda scene: merge_joints(scene, self._edits.selected))

    # mass

    def compute_mass(self) -> None:
        self._edits.apply(lambda scene: compute_mass(scene, chosen(scene, self._edits.selected)))

    def give_mass(self) -> None:
        self._edits.apply(lambda scene: give_mass(scene, chosen(scene, self._edits.selected)))

    # groups and what is shown

    def group(self) -> None:
        self._edits.apply(lambda scene: group(scene, self._edits.selected))

    def ungroup(self) -> None:
        self._edits.apply(lambda scene: ungroup(scene, self._edits.selected))

    def select_members(self) -> None:
        scene = self._session.document.scene
        groups = [element(scene, ref) for ref in self._edits.selected if ref.where == "groups"]
        self._session.selection.set(ref for item in groups for ref in members(scene, item))

    def isolate(self) -> None:
        self._edits.apply(lambda scene: isolate(scene, self._edits.selected))

    def show_all(self) -> None:
        self._edits.apply(show_all)


def _named(edit: Edit, verb: str) -> Edit:
    """The same edit under another name."""
    return Edit(f"{verb} {edit.text.partition(' ')[2]}", edit.after)
