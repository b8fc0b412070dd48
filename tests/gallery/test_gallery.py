"""A part of the gallery: nothing is cut off, faint or overlaps, and the viewport has its share."""

import importlib
import pkgutil
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

import app.dialogs
from app.window.actions import ACTIONS
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
MORE = (  # in the small window only, where room is scarce
    "pages/first_build",
    "inspector/history",
    "panels/insert",
    "panels/parameters",
    "panels/methods",
    "dialogs/film",
    "dialogs/export",
    "dialogs/report",
    "dialogs/plots",
    "dialogs/mirror",
    "dialogs/circle",
    "dialogs/scale",
    "dialogs/removal",
    "dialogs/recovery",
    "dialogs/import_table",
    "dialogs/import_robot",
    "dialogs/import_mesh",
    "dialogs/template-four_bar",
    "dialogs/commands-search",
)
PICTURED = {  # every dialog there is, by the shot that shows it
    "AboutDialog": "about",
    "ChannelDialog": "channels",
    "CircleDialog": "circle",
    "CommandDialog": "commands",
    "ExportDialog": "export",
    "FailureDialog": "failure",
    "FilmDialog": "film",
    "HelpDialog": "help-guide",
    "LaneDialog": "lane",
    "MeasureDialog": "measure",
    "MeshDialog": "import_mesh",
    "MirrorDialog": "mirror",
    "PageDialog": "page",
    "PlotExportDialog": "plots",
    "PreferencesDialog": "preferences",
    "ReportDialog": "report",
    "RowDialog": "row",
    "ScaleDialog": "scale",
    "SeriesDialog": "import_table",
    "StudyDialog": "study",
    "TemplateDialog": "template-four_bar",
    "UrdfDialog": "import_robot",
}


def test_names_are_unique() -> None:
    names = [shot.name for shot in all_shots()]
    assert len(set(names)) == len(names)
    assert set(SOME + MORE) <= set(names)


def test_every_dialog_is_pictured() -> None:
    for module in pkgutil.walk_packages(app.dialogs.__path__, "app.dialogs."):
        importlib.import_module(module.name)
    known, found = [QDialog], []
    while known:
        derived = known.pop().__subclasses__()
        known += derived
        found += [
            kind for kind in derived if kind.__module__.startswith("app.") and not kind.__subclasses__()
        ]
    assert {kind.__name__ for kind in found} == set(PICTURED)
    assert {f"dialogs/{name}" for name in PICTURED.values()} <= {shot.name for shot in all_shots()}


@pytest.mark.parametrize(("size", "theme"), [("small", "light"), ("large", "dark")])
def test_texts_fit_and_pictures_show_something(size: str, theme: str, qtbot: QtBot, tmp_path: Path) -> None:
    faults = []
    wanted = SOME + MORE if size == "small" else SOME
    with gallery_window(SIZES[size], theme) as window:
        for shot in all_shots():
            if shot.name in wanted:
                faults += [f"{shot.name}: {fault}" for fault in take(window, shot, tmp_path)]
    assert not faults, "\n".join(faults)
    for path in tmp_path.rglob("*.png"):
        image = QImage(str(path)).scaled(64, 64)
        colors = {image.pixel(x, y) for x in range(64) for y in range(64)}
        assert len(colors) > 20, path


@pytest.mark.parametrize("size", SIZES)
def test_the_viewport_has_a_third_of_the_window(size: str, qtbot: QtBot) -> None:
    with gallery_window(SIZES[size], THEMES[0]) as window:
        show_scene(window, "four_bar")
        view = window.viewport
        assert view.width() * view.height() >= window.width() * window.height() / 3.0


def test_every_action_has_icon_tooltip_and_menu_entry(qtbot: QtBot) -> None:
    with gallery_window(SIZES["small"], THEMES[0]) as window:
        entries = {entry for menu in window.menus.menus.values() for entry in menu.actions()}
        for action in ACTIONS:
            made = window.menus.actions[action.id]
            assert made in entries, action.id
            assert not made.icon().isNull(), action.id
            assert made.toolTip(), action.id
