"""Import a mesh: which body gets it, and in which unit the file was drawn."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFormLayout, QVBoxLayout, QWidget

from app.dialogs.exporting.base import choice_box, real_box
from app.dialogs.importing.base import ReadingDialog
from app.document.document import Edit
from app.exchange.imports.mesh import Solid, add_mesh, add_mesh_body, read_mesh
from app.platform.appearance import Look, label
from app.viewport.canvas.mesh_mass import DENSITY
from app.widgets.editors.file import relative
from engine.errors import SceneError
from engine.maths.units import UNITS
from engine.model.scene import Scene

NEW = ""  # instead of the name of a body
LARGE = 50.0  # in the unit of the file; a mechanism of this many metres was rather drawn in millimetres
DRAWN_IN = ("m", "mm", "cm", "in", "ft")


class MeshDialog(ReadingDialog):
    """After it was accepted there is an `edit` of the scene."""

    def __init__(
        self, parent: QWidget | None, scene: Scene, look: Look, path: Path, folder: str, body: str = NEW
    ) -> None:
        super().__init__(parent, "import_mesh", path)
        self.resize(420, 260)
        self.edit: Edit | None = None
        self.solid: Solid | None = None
        self._scene, self._look, self._folder = scene, look, folder
        bodies = [(item.name, item.name) for item in scene.bodies]
        self.body = choice_box("import_mesh.body", [("A new body", NEW), *bodies], body)
        self.unit = choice_box("import_mesh.unit", [(unit, unit) for unit in DRAWN_IN], "m")
        self.density = real_box("import_mesh.density", DENSITY, 0.001, 100_000.0, " kg/m³")
        self.facts = label("", "", "import_mesh.facts")
        self.facts.setWordWrap(True)
        form = QFormLayout()
        for text, widget in (
            ("Shape of", self.body),
            ("Drawn in", self.unit),
            ("Density", self.density),
            ("Size", self.facts),
        ):
            form.addRow(label(text, "", f"import_mesh.{text.lower().replace(' ', '_')}.label"), widget)
        column = QVBoxLayout(self)
        column.addLayout(form)
        column.addStretch(1)
        column.addWidget(self.told)
        column.addWidget(self.buttons)
        for box in (self.body, self.unit):
            box.currentIndexChanged.connect(lambda index: self.show_size())
        self.density.valueChanged.connect(lambda value: self.show_size())
        self.read_by(lambda: read_mesh(path))

    def show_content(self, content: Solid) -> None:
        self.solid = content
        if float(content.size.max()) > LARGE:
            self.unit.setCurrentIndex(self.unit.findData("mm"))
        self.show_size()

    @property
    def scale(self) -> float:
        """Metres per unit of the file."""
        return UNITS["m"][self.unit.currentData()]

    def show_size(self) -> None:
        self.density.setEnabled(self.body.currentData() == NEW)
        solid, units = self.solid, self._look.units
        if solid is None:
            return
        sides = " × ".join(units.text(float(side) * self.scale, "m", 4) for side in solid.size)
        text = f"{sides} {units.shown('m')}, {solid.faces} triangles"
        if self.body.currentData() == NEW:
            mass = self.density.value() * solid.volume * self.scale**3
            of = "what it encloses" if solid.closed else "the box around it, since the surface has holes"
            text += f"\nMass {units.full_text(mass, 'kg', 4)}: {of}"
        self.facts.setText(text)

    def take(self) -> None:
        if self.solid is None:
            return
        file = relative(str(self.path), self._folder)
        try:
            if self.body.currentData() == NEW:
                self.edit = add_mesh_body(self._scene, file, self.scale, self.solid, self.density.value())
            else:
                self.edit = add_mesh(self._scene, self.body.currentData(), file, self.scale)
        except (ValueError, SceneError) as error:
            self.tell(str(error), wrong=True)
            return
        self.accept()
