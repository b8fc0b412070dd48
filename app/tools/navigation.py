"""What the mouse does: presets after the programs people know."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import Qt

Action = Literal["select", "orbit", "pan", "zoom"]
Gesture = tuple[Qt.MouseButton, Qt.KeyboardModifier]

_NONE, _SHIFT, _CTRL = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
)
_LEFT, _MIDDLE, _RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton, Qt.MouseButton.RightButton


@dataclass(frozen=True)
class Preset:
    """A name for the preferences, and what each drag does."""

    title: str
    drags: Mapping[Gesture, Action]
    wheel_up_zooms_in: bool = True

    def action(self, button: Qt.MouseButton, modifiers: Qt.KeyboardModifier) -> Action | None:
        """What a drag does; with a modifier that means nothing, what it does without."""
        for wanted in (modifiers & (_SHIFT | _CTRL), _NONE):
            if (button, wanted) in self.drags:
                return self.drags[button, wanted]
        return None


PRESETS: dict[str, Preset] = {
    "trammel": Preset(
        "Trammel",
        {
            (_LEFT, _NONE): "select",
            (_MIDDLE, _NONE): "orbit",
            (_MIDDLE, _SHIFT): "pan",
            (_RIGHT, _NONE): "orbit",
            (_RIGHT, _SHIFT): "pan",
            (_RIGHT, _CTRL): "zoom",
        },
    ),
    "freecad": Preset(
        "FreeCAD",
        {
            (_LEFT, _NONE): "select",
            (_MIDDLE, _NONE): "pan",
            (_MIDDLE, _SHIFT): "orbit",
            (_RIGHT, _SHIFT): "orbit",
            (_RIGHT, _CTRL): "pan",
            (_MIDDLE, _CTRL): "zoom",
        },
    ),
    "blender": Preset(
        "Blender",
        {
            (_LEFT, _NONE): "select",
            (_MIDDLE, _NONE): "orbit",
            (_MIDDLE, _SHIFT): "pan",
            (_MIDDLE, _CTRL): "zoom",
        },
    ),
    "solidworks": Preset(
        "SolidWorks",
        {
            (_LEFT, _NONE): "select",
            (_MIDDLE, _NONE): "orbit",
            (_MIDDLE, _CTRL): "pan",
            (_MIDDLE, _SHIFT): "zoom",
        },
        wheel_up_zooms_in=False,
    ),
}
