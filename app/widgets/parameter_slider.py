"""A slider for a parameter with limits: what is dragged acts at once, and one drag is one undo step."""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSlider

from app.document.document import Document
from app.edits import set_parameter
from app.widgets.mouse_wheel import pass_wheel
from engine.model.scene import Parameter

STEPS = 1000


class ParameterSlider(QSlider):
    """Runs from the smallest to the largest value; switched off where there are no limits."""

    def __init__(self, document: Document, name: str, parameter: Parameter) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setObjectName(name)
        self.setAccessibleName(f"Value of {parameter.name}")
        self.setRange(0, STEPS)
        pass_wheel(self)
        self._document, self._name = document, parameter.name
        self._low, self._high = 0.0, 1.0
        self._drags = 0
        self.sliderPressed.connect(self._begin)
        self.sliderMoved.connect(self._move)
        self.actionTriggered.connect(self._act)
        self.follow(parameter)

    def follow(self, parameter: Parameter) -> None:
        """Show the present value, unless it is being dragged."""
        self._name = parameter.name
        limits = _limits(parameter)
        self.setEnabled(limits is not None)
        if limits is None:
            self.setToolTip("Give the parameter a number and limits to vary it here")
            return
        self._low, self._high = limits
        self.setToolTip(f"{parameter.name}: {self._low:g} to {self._high:g} {parameter.unit}")
        if not self.isSliderDown():
            share = (float(parameter.value) - self._low) / (self._high - self._low)
            self.setValue(round(min(max(share, 0.0), 1.0) * STEPS))

    def _begin(self) -> None:
        self._drags += 1

    def _act(self, action: int) -> None:
        """Keys, the wheel and clicks beside the handle count as well; a drag tells itself."""
        if not self.isSliderDown():
            self._begin()
            self._move(self.sliderPosition())

    def _move(self, step: int) -> None:
        value = self._low + (self._high - self._low) * step / STEPS
        key = f"slider {self._name} {id(self)} {self._drags}"
        # no more decimals than tell one step from the next; an end is what the user wrote
        decimals = math.ceil(-math.log10((self._high - self._low) / STEPS))
        rounded = min(max(round(value, decimals), self._low), self._high)
        self._document.apply(set_parameter(self._document.scene, self._name, rounded, key))


def _limits(parameter: Parameter) -> tuple[float, float] | None:
    numbers: list[Any] = [parameter.min, parameter.max, parameter.value]
    if not all(isinstance(value, int | float) for value in numbers) or not numbers[0] < numbers[1]:
        return None
    return float(numbers[0]), float(numbers[1])
