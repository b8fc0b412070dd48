"""Removing elements; a parameter that is used is first asked about: its value in its place, or not at all."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from app.document.document import Document, Edit, Ref
from app.edits import parameter_users, remove, substitute
from app.edits.elements.parameters import users_text
from app.widgets.show_once import show_once
from engine.model.scene import Scene


def remove_asking(parent: QWidget, document: Document, refs: Sequence[Ref]) -> bool:
    """Remove elements in one step; False when the user thought better of it. Raises SceneError."""
    scene = document.scene
    used = used_parameters(scene, refs)
    if not used:
        document.apply(remove(scene, refs))
        return True
    if not _agreed(parent, scene, used):
        return False
    document.apply(replace_and_remove(scene, refs, used))
    return True


def used_parameters(scene: Scene, refs: Sequence[Ref]) -> tuple[str, ...]:
    """Those of the parameters to be removed that something else uses."""
    gone = set(refs)
    names = [ref.name for ref in refs if ref.where == "parameters" and not ref.part]
    return tuple(name for name in names if any(user not in gone for user, _ in parameter_users(scene, name)))


def replace_and_remove(scene: Scene, refs: Sequence[Ref], used: tuple[str, ...]) -> Edit:
    """Values in the place of the used parameters, and the rest removed, as one step."""
    first = substitute(scene, used)
    rest = [ref for ref in refs if ref.where != "parameters" or ref.name not in used]
    return Edit(first.text, remove(first.after, rest).after) if rest else first


def _agreed(parent: QWidget, scene: Scene, used: tuple[str, ...]) -> bool:
    box = QMessageBox(parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setObjectName("removal")
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle("Remove parameters" if len(used) > 1 else "Remove a parameter")
    one = len(used) == 1
    box.setText(f"{', '.join(used)} {'is' if one else 'are'} used in this scene.")
    lines = [f"{name} = {scene.parameter(name).value}: {users_text(scene, name)}" for name in used]
    box.setInformativeText("\n".join([*lines, "", "Put the value in its place there, as one step?"]))
    replace = box.addButton("Replace by value", QMessageBox.ButtonRole.AcceptRole)
    replace.setObjectName("removal.replace")
    keep = box.addButton("Keep", QMessageBox.ButtonRole.RejectRole)
    keep.setObjectName("removal.keep")
    box.setDefaultButton(keep)
    show_once(box)
    return box.clickedButton() is replace
