"""A file beside the scene: typed, or chosen in a dialog."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QFileDialog

from app.platform.appearance import tool_button
from app.widgets.editors.base import SEVERAL, Context
from app.widgets.editors.editor_kind import EditorKind
from app.widgets.editors.parts.text_line import LineEditor

MESHES = "Meshes (*.stl *.obj *.ply *.gltf *.glb);;All files (*)"


class FileEditor(LineEditor):
    """The path is relative to the scene where the file lies below it, or near it."""

    def __init__(self, context: Context, name: str) -> None:
        super().__init__()
        self._context = context
        line = self._add_line(self._read, name)
        line.finished.connect(self.committed)
        button = tool_button(context.look, f"{name}.browse", "folder", "Choose a file")
        button.clicked.connect(self._choose)
        self._row.addWidget(button)

    def show_value(self, value: Any, *, mixed: bool = False) -> None:
        text = "" if mixed or value is None else str(value)
        self.lines[0].setPlaceholderText(SEVERAL if mixed else "a file")
        self.lines[0].show_text(text, text)

    def _read(self, text: str) -> str:
        text = text.strip()
        if not text:
            raise ValueError("a file is needed; choose one with the button")
        if not (Path(self._context.folder) / text).is_file():
            raise ValueError(f"there is no file {text!r} beside the scene")
        return text

    def _choose(self) -> None:
        path = choose_mesh(self, self._context.folder)
        if path:
            self.committed.emit(path)


def choose_mesh(parent: Any, folder: str) -> str:
    """Ask for a mesh file; its path as a scene in that folder writes it, empty when none is chosen."""
    chosen, _ = QFileDialog.getOpenFileName(parent, "Mesh file", folder, MESHES)
    return relative(chosen, folder) if chosen else ""


def relative(path: str, folder: str) -> str:
    """Relative to the scene, with slashes; files elsewhere keep their whole path."""
    if not folder:
        return Path(path).as_posix()
    try:
        near = os.path.relpath(path, folder)
    except ValueError:  # another drive
        return Path(path).as_posix()
    return Path(path if near.startswith(os.path.join("..", "..", "..")) else near).as_posix()


KIND = EditorKind(
    "file",
    lambda ask: ask.bare is str and ask.field.name == "file",
    lambda ask: FileEditor(ask.context, ask.name),
)
