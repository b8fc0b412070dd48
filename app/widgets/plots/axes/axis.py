"""The axes of plots: values as they are, few digits so that no number is cut off, the unit at the ticks."""

import math
from typing import Any

import numpy as np
import pyqtgraph as pg

from app.platform.units import plain_number

FEW_DECADES = 2.0  # decades; an axis that shows fewer marks 2 and 5, too
ROUNDING = 1e-6  # of logarithms
MOST = 12  # digits of a number at an axis
UNITS = {"time": " s", "spectrum": " Hz"}  # along the bottom, by the kind of plot


class PlainAxis(pg.AxisItem):  # type: ignore[misc]  # pyqtgraph has no types
    """Shows values in the unit that its label names.

    An axis of pyqtgraph multiplies its numbers by a power of a thousand and says so in a prefix of its unit.
    Our labels are texts without such a prefix; and `enableAutoSIPrefix(False)`, which should prevent it,
    works the factor out anew from the range at that moment (0.14), after which nothing resets it.
    """

    def updateAutoSIPrefix(self) -> None:
        self.autoSIPrefixScale, self.labelUnitPrefix = 1.0, ""
        self._updateLabel()

    def tickStrings(self, values: Any, scale: float, spacing: float) -> list[str]:
        if self.logMode:
            marked = (1, 2, 5) if self.range[1] - self.range[0] < FEW_DECADES else (1,)
            return [_power(value, marked) for value in values]
        largest = max(map(abs, values), default=1.0)
        digits = min(max(3, int(np.ceil(np.log10(largest / spacing))) + 1), MOST) if spacing else 4
        numbers = (float(f"{value:.{digits}g}") for value in np.asarray(values) * scale)
        return [plain_number(number, max(digits, 8)) for number in numbers]


def _power(exponent: float, marked: tuple[int, ...]) -> str:
    """10 to an exponent where it is one of those multiples of a power of ten, else nothing."""
    whole = math.floor(exponent + ROUNDING)
    multiple = 10.0 ** (exponent - whole)
    power = f"e{whole}" if whole else ""
    return next((f"{m}{power}" for m in marked if abs(multiple - m) < 10.0 * ROUNDING), "")


def plain_axes() -> dict[str, pg.AxisItem]:
    """For `axisItems` of a plot."""
    return {side: PlainAxis(side) for side in ("left", "bottom")}


def lay_out(widget: pg.GraphicsView, plot: pg.PlotItem) -> None:
    """Give the axes of a plot that is never shown the room that their numbers need.

    Axes find out how wide their numbers are when they are painted, leave out those that have no room, and
    get it by an event.
    """
    widget.grab()
    plot.layout.activate()


class Axis(PlainAxis):
    """`kind`: of the plot."""

    def __init__(self, side: str, kind: str) -> None:
        super().__init__(side)
        self._unit = UNITS.get(kind, "") if side == "bottom" else ""

    def tickStrings(self, values: Any, scale: float, spacing: float) -> list[str]:
        return [text and text + self._unit for text in super().tickStrings(values, scale, spacing)]
