"""How well words stand out from their ground."""

from PySide6.QtGui import QColor


def contrast(first: str, second: str) -> float:
    """Contrast of two colours, 1 to 21, as the web guidelines count it."""
    light, dark = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: str) -> float:
    def linear(channel: float) -> float:
        return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)

    made = QColor(color)
    return 0.2126 * linear(made.redF()) + 0.7152 * linear(made.greenF()) + 0.0722 * linear(made.blueF())
