"""The axes of plots: values as they are, few digits so that no number is cut off, the unit at the ticks."""

from typing import Any

import numpy as np
import pyqtgraph as pg

from app.platform.units import plain_number

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


def plain_axes() -> dict[str, pg.AxisItem]:
    """For `axisItems` of a plot."""
    return {side: PlainAxis(side) for side in ("left", "bottom")}


class Axis(PlainAxis):
    """`kind`: of the plot."""

    def __init__(self, side: str, kind: str) -> None:
        super().__init__(side)
        self._unit = UNITS.get(kind, "") if side == "bottom" else ""

    def tickStrings(self, values: Any, scale: float, spacing: float) -> list[str]:
        if self.logMode:
            return [f"1e{round(value)}" if abs(value - round(value)) < 1e-6 else "" for value in values]
        largest = max(map(abs, values), default=1.0)
        digits = max(3, int(np.ceil(np.log10(largest / spacing))) + 1) if spacing else 4
        numbers = (float(f"{value:.{min(digits, 12)}g}") for value in np.asarray(values) * scale)
        return [plain_number(number, 8) + self._unit for number in numbers]
