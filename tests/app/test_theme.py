"""Text can be read on every ground, and icons are drawn."""

import pytest
from pytestqt.qtbot import QtBot

from app.icons import DRAWINGS, icon, pixmap
from app.theme import Theme, contrast

READABLE = 4.5


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("ground", ["window", "base", "raised"])
@pytest.mark.parametrize("ink", ["text", "muted", "danger", "warning", "good"])
def test_contrast(dark: bool, ground: str, ink: str) -> None:
    theme = Theme(dark)
    assert contrast(theme[ground], theme[ink]) >= READABLE


@pytest.mark.parametrize("dark", [False, True])
def test_selected_text_can_be_read(dark: bool) -> None:
    theme = Theme(dark)
    assert contrast(theme["accent"], theme["on_accent"]) >= READABLE
    assert contrast(theme["hover"], theme["text"]) >= READABLE
    assert len(set(theme.plot_colors)) == len(theme.plot_colors)


def test_every_icon_draws_something(qtbot: QtBot) -> None:
    for name in DRAWINGS:
        image = pixmap(name, "#ff0000", 24).toImage()
        inked = sum(image.pixelColor(x, y).alpha() > 40 for x in range(24) for y in range(24))
        assert 15 < inked < 450, (name, inked)
    assert not icon("joint-screw", Theme()).isNull()
