"""How many times as large the selected bodies shall be."""

from app.dialogs.arranging.base import ArrangeDialog
from app.document.document import Edit
from app.edits import scale
from engine.model.scene import Scene


class ScaleDialog(ArrangeDialog):
    """A factor, and the point of the world that stays."""

    name, title = "scale", "Scale"

    def fill(self) -> None:
        self.ground.hide()  # pins on the ground go along in any case
        self.add_number("factor", "Factor", 2.0)
        self.add_vector("about", "About", (0.0, 0.0) if self.scene.space == "planar" else (0.0, 0.0, 0.0))

    def make(self, scene: Scene) -> Edit:
        return scale(scene, self.refs, self.number("factor"), self.vector("about"))

    def outcome(self) -> str:
        f = self.number("factor")
        return (
            f"Lengths, sizes and ground pins × {f:g}, masses × {f**3:g}, inertias × {f**5:g}. "
            "Forces, stiffnesses and parameters stay."
        )
