"""Import a robot: what becomes of its base and its limits, and what of the file is not taken over."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from app.dialogs.exporting.base import check_box, real_box
from app.dialogs.importing.base import ReadingDialog
from app.platform.appearance import label
from engine.model.urdf import Imported, load_urdf

STIFFNESS = 1000.0  # of stops, N·m/rad or N/m


class UrdfDialog(ReadingDialog):
    """After it was accepted `imported` holds the scene and the list."""

    def __init__(self, parent: QWidget | None, path: Path) -> None:
        super().__init__(parent, "import_urdf", path)
        self.resize(620, 440)
        self.imported: Imported | None = None
        self.free = check_box("import_urdf.free", "Let the base move freely", on=False)
        self.stops = check_box("import_urdf.stops", "Let limits act as elastic stops", on=False)
        self.stiffness = real_box("import_urdf.stiffness", STIFFNESS, 1e-3, 1e9, " N·m/rad or N/m")
        self.stiffness.setEnabled(False)
        self.facts = label("", "section", "import_urdf.facts")
        self.list = QPlainTextEdit()
        self.list.setObjectName("import_urdf.list")
        self.list.setReadOnly(True)
        self.copy = QPushButton("Copy the list")
        self.copy.setObjectName("import_urdf.copy")
        self.copy.setToolTip("Put the list on the clipboard")
        row = QHBoxLayout()
        row.addWidget(self.stops)
        row.addWidget(self.stiffness, 1)
        form = QFormLayout()
        form.addRow(self.free)
        form.addRow(row)
        foot = QHBoxLayout()
        foot.addWidget(self.told, 1)
        foot.addWidget(self.copy)
        column = QVBoxLayout(self)
        column.addLayout(form)
        column.addWidget(self.facts)
        column.addWidget(label("Not taken over, or taken over otherwise:", "muted", "import_urdf.list.label"))
        column.addWidget(self.list, 1)
        column.addLayout(foot)
        column.addWidget(self.buttons)
        self.free.toggled.connect(lambda on: self.read())
        self.stops.toggled.connect(self.stiffness.setEnabled)
        self.stops.toggled.connect(lambda on: self.read())
        self.stiffness.editingFinished.connect(self.read)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.list.toPlainText()))
        self.read()

    def read(self) -> None:
        free, path = self.free.isChecked(), self.path
        stiffness = self.stiffness.value() if self.stops.isChecked() else None
        self.read_by(lambda: load_urdf(path, free_base=free, stop_stiffness=stiffness))

    def show_content(self, content: Imported) -> None:
        self.imported = content
        scene = content.scene
        counts = [
            f"{len(items)} {one if len(items) == 1 else many}"
            for items, one, many in (
                (scene.bodies, "body", "bodies"),
                (scene.joints, "joint", "joints"),
                (scene.forces, "force", "forces"),
            )
        ]
        self.facts.setText(f"{scene.title}: {', '.join(counts)}")
        self.list.setPlainText("\n".join(content.lines()) or "nothing: all of it is in the scene")

    def failed(self, reason: str) -> None:
        self.imported = None
        self.facts.setText("")
        self.list.setPlainText("")
        self.tell(reason, wrong=True)

    def take(self) -> None:
        if self.imported is not None:
            self.accept()
