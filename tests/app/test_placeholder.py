"""The window that stands in for the program."""

from pathlib import Path

from pytestqt.qtbot import QtBot

from app.placeholder import PlaceholderWindow
from app.resources import find_scene


def test_the_window_names_the_scene_and_the_command(qtbot: QtBot) -> None:
    window = PlaceholderWindow(find_scene("four_bar"))
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    assert "four_bar" in window.windowTitle()
    assert "trammel run four_bar" in window.text()


def test_a_broken_scene_shows_its_problems(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_text("{")
    window = PlaceholderWindow(path)
    qtbot.addWidget(window)
    assert "1 problem" in window.text()
