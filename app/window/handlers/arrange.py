"""What is done with the selected elements: copied, mirrored, patterned, grouped, shown alone."""

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QCursor, QGuiApplication
from PySide6.QtWidgets import QMenu

from app.dialogs.arranging.mirror import MirrorDialog
from app.dialogs.arranging.pattern import CircleDialog, RowDialog
from app.document.document import Edit, Ref
from app.document.element_words import element
from app.edits import (
    as_text,
    change_joint_kind,
    compute_mass,
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
from app.edits.elements.copies import chosen
from app.window.handlers.edit import EditActions

MIME = "application/x-trammel-scene+json"


class ArrangeActions(EditActions):
    """Actions of the Edit menu beyond undo, and what they ask."""

    # clipboard

    def copy_selected(self) -> None:
        scene, refs = self.session.document.scene, self._selected()
        if not refs:
            return
        text = as_text(fragment(scene, refs))
        data = QMimeData()
        data.setText(text)
        data.setData(MIME, text.encode())
        QGuiApplication.clipboard().setMimeData(data)
        self.statusBar().showMessage(
            f"Copied {refs[0].name if len(refs) == 1 else f'{len(refs)} elements'}", 4000
        )

    def cut_selected(self) -> None:
        refs = self._selected()
        if not refs:
            return
        self.copy_selected()
        self._edit(lambda scene: _named(remove(scene, refs), "Cut"))

    def paste_elements(self) -> None:
        data = QGuiApplication.clipboard().mimeData()
        text = ""
        if data is not None:  # a clipboard that was never used may hold nothing at all
            own = data.hasFormat(MIME)
            text = bytes(data.data(MIME).data()).decode(errors="replace") if own else data.text()
        if not text.lstrip().startswith("{"):
            note = "the clipboard holds no elements; copy some first (Ctrl+C)"
            self.session.message.emit("info", note, None)
            return
        self._edit(lambda scene: paste(scene, from_text(text)))

    # copies in other places

    def mirror_selected(self) -> None:
        self._ask(MirrorDialog)

    def pattern_row(self) -> None:
        self._ask(RowDialog)

    def pattern_circle(self) -> None:
        self._ask(CircleDialog)

    def _ask(self, dialog: type[MirrorDialog | RowDialog | CircleDialog]) -> None:
        refs = self._selected()
        if not refs:
            return
        asked = dialog(self, self.session.document.scene, refs, self.look)
        if asked.exec():
            self._edit(asked.edit)
        asked.deleteLater()

    # joints

    def change_kind(self) -> None:
        """A menu of the kinds that the joint can have."""
        refs = [ref for ref in self._selected() if ref.where == "joints"]
        if not refs:
            return
        scene = self.session.document.scene
        menu = QMenu(self)
        menu.setObjectName("menu.kind")
        menu.setToolTipsVisible(True)
        for kind in kinds_for(scene):
            made = menu.addAction(self.look.icon(kind.icon), kind.title)
            made.setObjectName(f"kind.{kind.name}")
            made.setToolTip(kind.summary)
            made.setCheckable(True)
            made.setChecked(all(type(element(scene, ref)) is kind.spec for ref in refs))
            made.triggered.connect(lambda _=False, name=kind.name: self.make_kind(refs, name))
        menu.exec(QCursor.pos())
        menu.deleteLater()

    def make_kind(self, refs: list[Ref], kind: str) -> None:
        """Give joints another kind, as one step."""

        def make(scene: object) -> Edit:
            edit = Edit("", scene)  # type: ignore[arg-type]
            for ref in refs:
                edit = change_joint_kind(edit.after, ref, kind)
            return edit

        self._edit(make)

    def swap_selected(self) -> None:
        self._edit(lambda scene: swap_bodies(scene, self._selected()))

    def split_selected(self) -> None:
        self._edit(lambda scene: split_joints(scene, self._selected()))

    def merge_selected(self) -> None:
        self._edit(lambda scene: merge_joints(scene, self._selected()))

    # mass, steps

    def compute_mass_selected(self) -> None:
        self._edit(lambda scene: compute_mass(scene, chosen(scene, self._selected())))

    def give_mass_selected(self) -> None:
        self._edit(lambda scene: give_mass(scene, chosen(scene, self._selected())))

    def show_history(self) -> None:
        self._show_dock("history")

    # groups and what is shown

    def group_selected(self) -> None:
        self._edit(lambda scene: group(scene, self._selected()))

    def ungroup_selected(self) -> None:
        self._edit(lambda scene: ungroup(scene, self._selected()))

    def select_members(self) -> None:
        scene = self.session.document.scene
        groups = [element(scene, ref) for ref in self._selected() if ref.where == "groups"]
        self.session.selection.set(ref for item in groups for ref in members(scene, item))

    def isolate_selected(self) -> None:
        self._edit(lambda scene: isolate(scene, self._selected()))

    def show_everything(self) -> None:
        self._edit(show_all)


def _named(edit: Edit, verb: str) -> Edit:
    """The same edit under another name."""
    return Edit(f"{verb} {edit.text.partition(' ')[2]}", edit.after)
