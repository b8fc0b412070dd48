"""Names in the picture, with the shipped font."""

from pathlib import Path

import vtkmodules.vtkRenderingFreeType  # noqa: F401 - registers the text renderer
from vtkmodules.vtkRenderingCore import vtkBillboardTextActor3D

from app.viewport.stage import Mount, Stage
from app.viewport.style import rgb

SIZE = 12  # px
VTK_FONT_FILE = 4


class Label:
    """A text that stays at a point of a body and faces the viewer; `left`: to the left below it."""

    def __init__(
        self, text: str, mount: Mount, color: str, font: Path, scale: float, *, left: bool = False
    ) -> None:
        self._mount = mount
        self.actor = vtkBillboardTextActor3D()
        self.actor.SetInput(text)
        self.actor.PickableOff()
        self.actor.UseBoundsOff()
        self.actor.SetDisplayOffset(round((-9 if left else 9) * scale), round((-16 if left else 8) * scale))
        look = self.actor.GetTextProperty()
        if left:
            look.SetJustificationToRight()
        look.SetFontFamily(VTK_FONT_FILE)
        look.SetFontFile(str(font))
        look.SetFontSize(round(SIZE * scale))
        look.SetColor(*rgb(color))

    def update(self, stage: Stage) -> None:
        x, y, z = stage.world_point(self._mount)
        self.actor.SetPosition(x, y, z + (stage.top + 0.05 * stage.extent if stage.planar else 0.0))
