"""A box for a number that takes either decimal mark."""

from PySide6.QtGui import QValidator
from PySide6.QtWidgets import QDoubleSpinBox


class DecimalBox(QDoubleSpinBox):
    """Qt leaves out the commas of a number, as marks between its thousands: 1,5 became 15."""

    def validate(self, text: str, at: int) -> tuple[QValidator.State, str, int]:
        return super().validate(_with_point(text), at)

    def valueFromText(self, text: str) -> float:
        return super().valueFromText(_with_point(text))


def _with_point(text: str) -> str:
    return text.replace(",", ".")
