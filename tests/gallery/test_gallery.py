"""A small part of the gallery: nothing is cut off or overlaps, and the viewport has its share."""

from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from app.actions import ACTIONS
from tests.gallery.__main__ import SIZES, THEMES, gallery_window, take
from tests.gallery.shots import all_shots
from tests.gallery.staging import show_scene

SOME = (
    "pages/empty",
    "pages/welcome",
    "scenes/cardan_shaft",
    "scenes/four_bar",
    "inspector/wrong",
    "inspector/joints-revolute",
    "menus/view",
    "panels/messages",
    "panels/runs",
    "dialogs/preferences",
    "dialogs/about",
    "dialogs/failure",
    "dialogs/help-guide",
    "dialogs/unsaved",
    "dialogs/broken",
)


def test_names_are_unique() -> None:
    names = [shot.name for shot in all_shots()]
    assert len(set(names)) == len(names)
    assert set(SOME) <= set(names)


@pytest.mark.parametrize(("size", "theme"), [("small", "light"), ("large", "dark")])
def test_texts_fit_and_pictures_show_something(size: str, theme: str, qtbot: QtBot, tmp_path: Path) -> None:
    faults = []
    with gallery_window(SIZES[size], theme) as window:
        for shot in all_shots():
            if shot.name in SOME:
                faults += [f"{shot.name}: {fault}" for fault in take(window, shot, tmp_path)]
    assert not faults, "\n".join(faults)
    for path in tmp_path.rglob("*.png"):
        image = QImage(str(path)).scaled(64, 64)
        colors = {image.pixel(x, y) for x in range(64) for y in range(64)}
        assert len(colors) > 20, path


@pytest.mark.parametrize("size", SIZES)
def test_the_viewport_has_two_fifths_of_the_window(size: str, qtbot: QtBot) -> None:
    with gallery_window(SIZES[size], THEMES[0]) as window:
        show_scene(window, "four_bar")
        view = window.viewport
        assert view.width() * view.height() >= 0.4 * window.width() * window.height()


def test_every_action_has_icon_tooltip_and_menu_entry(qtbot: QtBot) -> None:
    with gallery_window(SIZES["small"], THEMES[0]) as window:
        entries = {entry for menu in window.menus.values() for entry in menu.actions()}
        for action in ACTIONS:
            made = window.actions_by_id[action.id]
            assert made in entries, action.id
            assert not made.icon().isNull(), action.id
            assert made.toolTip(), action.id
