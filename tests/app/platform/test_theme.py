"""Text can be read on every ground, and icons are drawn."""

import re
from pathlib import Path

import pytest
from PySide6.QtGui import QIcon, QPalette, QPixmap
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.platform import icons
from app.platform.icons import drawings, icon, pixmap
from app.platform.theme import Theme, apply_theme
from tests.contrast import contrast

READABLE = 4.5
FAINT = 3.0  # of what cannot be used now, which the guidelines leave free


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


@pytest.mark.parametrize("dark", [False, True])
def test_every_colour_of_the_stylesheet_can_be_read(dark: bool) -> None:
    """Each rule's text on its own ground, or on every ground that text without one may have."""
    theme = Theme(dark)
    checked = 0
    for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", theme.stylesheet):
        inks = re.findall(r"(?<![-\w])color:\s*(#\w+)", body)
        grounds = re.findall(r"(?<![-\w])background(?:-color)?:\s*(#\w+)", body)
        least = FAINT if ":disabled" in selectors else READABLE
        for ink in inks:
            for ground in grounds or [theme["window"], theme["base"]]:
                assert contrast(ink, ground) >= least, (selectors.strip(), ink, ground)
                checked += 1
        for ground in grounds:
            if not inks and "separator" not in selectors and "handle" not in selectors:
                # ticks have the colour of text on the accent, also on marks that cannot be used now
                inverse = (theme["accent"], theme["ghost"] if "indicator" in selectors else "")
                solid = theme["on_accent"] if ground in inverse else theme["text"]
                least = FAINT if ":pressed" in selectors or ":disabled" in selectors else READABLE
                assert contrast(solid, ground) >= least, selectors
    assert checked > 10


@pytest.mark.parametrize("dark", [False, True])
def test_every_pair_of_the_palette_can_be_read(dark: bool, qtbot: QtBot) -> None:
    palette, roles = Theme(dark).palette, QPalette.ColorRole
    for ground, ink in (
        (roles.Window, roles.WindowText),
        (roles.Base, roles.Text),
        (roles.AlternateBase, roles.Text),
        (roles.Base, roles.PlaceholderText),
        (roles.Base, roles.Link),
        (roles.Button, roles.ButtonText),
        (roles.ToolTipBase, roles.ToolTipText),
        (roles.Highlight, roles.HighlightedText),
    ):
        pair = palette.color(ground).name(), palette.color(ink).name()
        assert contrast(*pair) >= READABLE, (ground, ink, pair)


def test_every_icon_draws_something(qtbot: QtBot) -> None:
    for name in sorted(drawings()):
        image = pixmap(name, "#ff0000", 24).toImage()
        inked = sum(image.pixelColor(x, y).alpha() > 40 for x in range(24) for y in range(24))
        assert 15 < inked < 450, (name, inked)
    assert not icon("joint-screw", Theme()).isNull()


@pytest.mark.parametrize("dark", [False, True])
def test_issue_18_marks_of_docks_and_menus_can_be_seen(dark: bool) -> None:
    """The files that the style sheet names are there, in a colour that stands out."""
    theme = Theme(dark)
    files = {Path(name) for name in re.findall(r'url\("([^"]+)"\)', theme.stylesheet)}
    assert {file.stem.split("_")[0] for file in files} == {"tick", "close", "float"}
    for file in files:
        (stroke,) = re.findall(r'stroke="(#\w+)"', file.read_text(encoding="utf-8"))
        ground = theme["accent"] if file.stem.startswith("tick") else theme["raised"]
        assert contrast(stroke, ground) >= READABLE, file.name


def test_the_size_of_the_system_comes_back(qapp: QApplication) -> None:
    apply_theme(qapp, Theme())
    own = qapp.font().pointSizeF()
    apply_theme(qapp, Theme(), own + 7.0)
    assert qapp.font().pointSizeF() == own + 7.0
    apply_theme(qapp, Theme())
    assert qapp.font().pointSizeF() == own


def test_issue_18_an_icon_is_drawn_when_it_is_seen(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []
    real = icons.pixmap

    def counted(name: str, color: str, size: int) -> QPixmap:
        drawn.append(size)
        return real(name, color, size)

    monkeypatch.setattr(icons, "pixmap", counted)
    made = icon("play", Theme(False), "accent")
    assert drawn == []
    shown = {mode: made.pixmap(19, 19, mode).toImage().pixelColor(9, 9) for mode in QIcon.Mode}
    assert set(drawn) == {19}
    assert shown[QIcon.Mode.Normal] != shown[QIcon.Mode.Disabled]


def test_another_theme_sets_no_style_again(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    """It polished all widgets once more: a fifth of the time that a change of theme took."""
    apply_theme(qapp, Theme(dark=False))
    asked: list[object] = []
    monkeypatch.setattr(QApplication, "setStyle", lambda *style: asked.append(style))
    apply_theme(qapp, Theme(dark=True))
    apply_theme(qapp, Theme(dark=False))
    assert asked == []
