"""Mirror the selected elements in a plane."""

from PySide6.QtWidgets import QComboBox

from app.dialogs.arranging.base import ArrangeDialog
from app.document.document import Edit
from app.edits import mirror
from engine.model.scene import Scene

PLANES = {"yz": "yz: left to right", "zx": "zx: front to back", "xy": "xy: top to bottom"}
FLAT = {"yz": "upright: x changes its sign", "zx": "level: y changes its sign"}


class MirrorDialog(ArrangeDialog):
    """Which plane, and through which point."""

    name, title = "mirror", "Mirror"

    def fill(self) -> None:
        planar = self.scene.space == "planar"
        self.plane = QComboBox()
        self.plane.setObjectName("mirror.plane")
        for plane, text in (FLAT if planar else PLANES).items():
            self.plane.addItem(text, plane)
        self.plane.currentIndexChanged.connect(self.refresh)
        self.form.addRow("Plane", self.plane)
        self.add_vector("through", "Through", (0.0, 0.0) if planar else (0.0, 0.0, 0.0))

    def make(self, scene: Scene) -> Edit:
        plane = str(self.plane.currentData())
        return mirror(scene, self.refs, plane, self.vector("through"), ground=self.ground.isChecked())
