"""Names in the picture, with the shipped font."""

from pathlib import Path

import vtkmodules.vtkRenderingFreeType  # noqa: F401 - registers the text renderer
from vtkmodules.vtkRenderingCore import vtkBillboardTextActor3D

from app.viewport.canvas.stage import Stage
from app.viewport.canvas.style import rgb
from engine.elements.coordinates.frames import Frame

SIZE = 12  # px
LINE = 17  # px from one line to the next
BACKING = 0.65  # opacity behind the letters, so that they can be read on any colour
VTK_FONT_FILE = 4


class Label:
    """A text that stays at a point of a body and faces the viewer; `left`: to the left below it.

    `line` counts the names above it that belong to the same place.
    """

    def __init__(
        self,
        text: str,
        frame: Frame,
        color: str,
        ground: str,
        font: Path,
        scale: float,
        *,
        left: bool = False,
        line: int = 0,
    ) -> None:
        self.frame, self.left, self.line = frame, left, line
        self.actor = vtkBillboardTextActor3D()
        self.actor.SetInput(text)
        self.actor.PickableOff()
        self.actor.UseBoundsOff()
        across, up = (-12, -22) if left else (10, 9)
        self.actor.SetDisplayOffset(round(across * scale), round((up - line * LINE) * scale))
        look = self.actor.GetTextProperty()
        if left:
            look.SetJustificationToRight()
        look.SetFontFamily(VTK_FONT_FILE)
        look.SetFontFile(str(font))
        look.SetFontSize(round(SIZE * scale))
        look.SetColor(*rgb(color))
        look.SetBackgroundColor(*rgb(ground))
        look.SetBackgroundOpacity(BACKING)

    def update(self, stage: Stage) -> None:
        x, y, z = stage.world_point(self.frame)
        self.actor.SetPosition(x, y, z + (stage.top + 0.05 * stage.extent if stage.planar else 0.0))
