"""The View menu's switches are remembered per user, camera and plots per scene."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.document.document import Document, Ref
from app.edits import set_parameter
from app.platform.resources import scene_paths
from app.platform.settings import Settings
from app.session.session import Session
from app.window.context import WindowContext
from app.window.main_window import MainWindow
from engine import load_scene


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    made = make(tmp_path)
    yield made
    made.session.document.stack.setClean()
    made.close()
    made.deleteLater()


def make(folder: Path) -> MainWindow:
    session = Session(Document(autosave=folder / "autosave"), warm=False)
    return MainWindow(session, Settings(folder / "settings.ini"))


def test_switches_and_the_scale_of_arrows_are_remembered(window: MainWindow, tmp_path: Path) -> None:
    before = dict(window.handlers.view.styles)
    for name in before:
        window.act(f"view.{name}")
    window.act("view.arrows_longer")
    window.act("view.arrows_longer")
    again = make(tmp_path)
    assert again.handlers.view.styles == {name: not on for name, on in before.items()}
    assert again.handlers.view.arrow_scale == pytest.approx(2.0)
    assert again.viewport.view_style.labels
    again.close()
    again.deleteLater()


def test_nonsense_in_the_settings_is_left_out(tmp_path: Path, qtbot: QtBot) -> None:
    settings = Settings(tmp_path / "settings.ini")
    for name, value in (("grid", "perhaps"), ("arrow_scale", "nan")):
        settings.set_value(f"view/{name}", value)
    made = make(tmp_path)
    assert made.handlers.view.arrow_scale == 1.0
    made.close()
    made.deleteLater()


def test_camera_and_plots_come_back_with_the_scene(window: MainWindow, tmp_path: Path) -> None:
    document = window.session.document
    document.open(scene_paths()["bicycle"])
    window.act("view.top")
    window.viewport.view.camera.zoom(1.7)
    window.docks.panels["plots"].add_plot(["body.frame.pos.x"])
    camera, plots = window.viewport.view.camera.state(), window.docks.panels["plots"].save_view()
    assert document.clean  # looking at a scene is no edit
    path = tmp_path / "mine.json"
    assert window.handlers.saving.save_to(path)
    document.open(scene_paths()["pendulum"])
    assert window.docks.panels["plots"].save_view() != plots
    document.open(path)
    assert window.viewport.view.camera.state() == camera
    assert window.docks.panels["plots"].save_view() == plots
    assert window.viewport.view.followed == "frame"
    assert document.clean


def test_issue_18_plots_are_as_high_as_they_were_in_this_scene(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    document, docks = window.session.document, window.docks
    window.resize(1280, 800)
    window.show()

    def height() -> int:
        qtbot.wait(20)  # Qt gives docks their sizes when it comes to it
        return docks["plots"].height()

    document.open(scene_paths()["pendulum"])
    usual = height()
    assert usual >= 0.26 * window.height()  # curves can be read without dragging anything
    docks.set_share("plots", 0.5)
    high = height()
    assert high > 1.3 * usual
    path = tmp_path / "high.json"
    assert window.handlers.saving.save_to(path)
    docks.set_share("plots", usual / window.height())
    document.open(scene_paths()["double_pendulum"])
    assert height() == pytest.approx(usual, abs=2)
    document.open(path)
    assert height() == pytest.approx(high, abs=2)
    document.open(scene_paths()["pendulum"])  # has no height of its own: the user's
    assert height() == pytest.approx(usual, abs=2)


def test_a_body_can_be_followed_and_left(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []  # nothing else shows it in a pause
    monkeypatch.setattr(WindowContext, "tell", lambda _, text, seconds=5: told.append(text))
    document = window.session.document
    document.open(scene_paths()["double_pendulum"])
    window.session.selection.set([Ref("bodies", "lower")])
    window.handlers.view.toggle_follow()
    assert window.viewport.view.followed == "lower"
    window.handlers.view.toggle_follow()
    assert window.viewport.view.followed == ""
    assert told == ["Following lower", "No longer following"]
    assert window.handlers.saving.save_to(tmp_path / "mine.json")
    assert "follow" not in load_scene(tmp_path / "mine.json").view


@pytest.mark.parametrize("view", ['{"camera": 5}', '{"camera": {"focus": [1]}}', '{"plots": {"plots": [3]}}'])
def test_a_view_that_makes_no_sense_is_left_out(window: MainWindow, tmp_path: Path, view: str) -> None:
    text = scene_paths()["pendulum"].read_text(encoding="utf-8").rstrip().removesuffix("}")
    path = tmp_path / "odd.json"
    path.write_text(f'{text}, "view": {view}}}', encoding="utf-8")
    assert window.open_path(path)
    assert len(window.docks.panels["plots"].boxes) == 2


def test_camera_and_plots_come_back_after_a_crash(window: MainWindow, tmp_path: Path) -> None:
    """The copy of unsaved work had none of the plots that were added after the file was opened."""
    document, plots = window.session.document, window.docks.panels["plots"]
    document.open(scene_paths()["four_bar"])
    document.apply(set_parameter(document.scene, "L1", 0.11))
    window.viewport.view.camera.zoom(1.7)
    plots.add_plot(["body.rocker.angle"])
    camera, shown = window.viewport.view.camera.state(), plots.save_view()
    window._autosave.timeout.emit()
    document._end_writing()
    (copy,) = (tmp_path / "autosave").glob("*.json")
    assert load_scene(copy).view["plots"]["plots"] == shown["plots"]
    assert window.handlers.saving.keep_copy_after_fault() == copy  # and not without them
    lost = load_scene(copy)
    document.open(scene_paths()["pendulum"])
    document.load(lost)
    assert plots.save_view()["plots"] == shown["plots"]
    assert window.viewport.view.camera.state() == camera
