"""The chooser of methods, used with mouse and keyboard."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QListWidget, QListWidgetItem, QPushButton
from pytestqt.qtbot import QtBot

from app.panels.inspector.inspector import InspectorPanel
from app.panels.transport.method_button import MethodButton
from app.panels.transport.method_popup import MethodPopup
from app.platform.appearance import Look
from app.platform.plain_text import unbroken
from app.platform.resources import scene_paths
from app.platform.settings import Settings
from app.platform.settings.recent_methods import RecentMethods
from engine import load_scene
from engine.solvers.catalogue import find_method
from tests.app.panels.desk import Desk


@pytest.fixture
def button(qtbot: QtBot, tmp_path: Path) -> MethodButton:
    made = MethodButton(Look(), RecentMethods(Settings(tmp_path / "settings.ini")), "method")
    qtbot.addWidget(made)
    made.chosen.connect(made.show_name)  # as the panels do, by way of the document
    made.show_name("rk4")
    made.show()
    return made


def opened(button: MethodButton) -> MethodPopup:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert button.popup is not None
    assert button.popup.isVisible()
    return button.popup


def click(view: QListWidget, text: str) -> None:
    (item,) = view.findItems(text, Qt.MatchFlag.MatchExactly)
    view.scrollToItem(item)
    at: QPoint = view.visualItemRect(item).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)


def items(view: QListWidget) -> list[QListWidgetItem]:
    return [view.item(row) for row in range(view.count())]


def about(popup: MethodPopup) -> str:
    return popup.about.text()


def test_two_clicks_take_any_scheme(button: MethodButton) -> None:
    assert button.text() == "rk4"
    popup = opened(button)
    click(popup.columns[1], "Gear, BDF 2")
    assert button.text() == "bdf2"
    assert popup.isVisible()
    assert "order 2, implicit, fixed step" in about(popup)
    click(popup.columns[0], "Null space of the constraints")
    assert button.text() == "null_space/bdf2/projection"


def test_what_does_not_fit_is_grey_and_says_why(button: MethodButton) -> None:
    popup = opened(button)
    (grey,) = popup.columns[0].findItems("Coordinate partitioning", Qt.MatchFlag.MatchExactly)
    (black,) = popup.columns[0].findItems("Penalty", Qt.MatchFlag.MatchExactly)
    assert grey.foreground().color() != black.foreground().color()
    assert "takes no stabilisation" in grey.toolTip()
    click(popup.columns[0], "Coordinate partitioning")
    assert button.text() == "partitioning/rk4/none"
    assert "stabilisation becomes none" in about(popup)
    click(popup.columns[0], "Lagrange multipliers")  # now all is as it was but the stabilisation
    assert button.text() == "lagrange/rk4/none"


def test_a_direct_method_is_taken_and_the_popup_goes(button: MethodButton) -> None:
    popup = opened(button)
    click(popup.direct, find_method("central_differences").title)
    assert button.text() == "central_differences"
    assert not popup.isVisible()
    assert "order 2, direct" in opened(button).about.text()


def test_search_with_the_keyboard(button: MethodButton) -> None:
    popup = opened(button)
    QTest.keyClicks(popup.search, "null rk4")
    shown = [popup.results.item(i).text() for i in range(popup.results.count())]
    assert shown
    whole = [text.startswith("null_space/rk4/") for text in shown]
    assert whole[0]
    assert whole == sorted(whole, reverse=True)  # names that only hold the letters, as sdirk4, come after
    first = popup.results.currentRow()
    QTest.keyClick(popup.search, Qt.Key.Key_Down)
    assert popup.results.currentRow() == first + 1
    wanted = popup.results.currentItem().text().split()[0]
    QTest.keyClick(popup.search, Qt.Key.Key_Return)
    assert button.text() == wanted
    assert not popup.isVisible()


def test_arrows_describe_and_return_takes(button: MethodButton) -> None:
    popup = opened(button)
    column = popup.columns[1]
    QTest.keyClick(popup.search, Qt.Key.Key_Down)
    QTest.keyClick(column, Qt.Key.Key_Down)
    assert button.text() == "rk4", "looking is not taking"
    assert find_method("rkf45").name in about(popup)
    QTest.keyClick(column, Qt.Key.Key_Return)
    assert button.text() == "rkf45"
    assert not popup.isVisible()


def test_recent_methods_come_first_and_last(button: MethodButton, tmp_path: Path) -> None:
    for title in ("Euler", "Dormand-Prince 5(4)"):
        click(opened(button).columns[1], title)
        assert button.popup is not None
        button.popup.hide()
    popup = opened(button)
    names = [popup.findChild(QPushButton, f"method.popup.recent.{k}").text() for k in range(2)]
    assert names == ["dopri5", "euler"]
    QTest.mouseClick(popup.findChild(QPushButton, "method.popup.recent.1"), Qt.MouseButton.LeftButton)
    assert button.text() == "euler"
    assert not popup.isVisible()
    again = RecentMethods(Settings(tmp_path / "settings.ini"))
    assert again.names[:2] == ("lagrange/euler/projection", "lagrange/dopri5/projection")


def test_f1_and_links_ask_for_the_page_of_the_piece(button: MethodButton) -> None:
    popup = opened(button)
    popup.help_wanted.disconnect()
    pages: list[str] = []
    popup.help_wanted.connect(pages.append)
    QTest.keyClick(popup.search, Qt.Key.Key_F1)
    assert "methods/projection" in about(popup)
    popup.about.linkActivated.emit("methods/projection")
    assert pages == ["methods/rk4", "methods/projection"]
    assert not popup.isVisible()


def test_issue_18_the_list_says_which_methods_start_at_once(qtbot: QtBot, tmp_path: Path) -> None:
    recent = RecentMethods(Settings(tmp_path / "settings.ini"))
    made = MethodButton(Look(), recent, "method", lambda method: method.name == "radau")
    qtbot.addWidget(made)
    made.show_name("rk4")
    made.show()
    popup = opened(made)
    tips = {item.data(Qt.ItemDataRole.UserRole): item.toolTip() for item in items(popup.direct)}
    assert "starts at once" in tips["radau"]
    assert "up to a minute" in tips["hht"]
    images = {item.icon().pixmap(14, 14).toImage().pixel(3, 7) for item in items(popup.direct)}
    assert len(images) > 1
    assert "up to a minute" in about(popup)


def test_issue_18_nothing_is_said_of_methods_while_nothing_can_run(button: MethodButton) -> None:
    popup = opened(button)
    assert all(item.icon().isNull() for item in items(popup.direct))
    assert "minute" not in about(popup)


def test_a_name_that_means_nothing_is_marked(button: MethodButton) -> None:
    button.show_name("rk5")
    assert button.text() == "rk5"
    assert button.property("wrong")
    opened(button)
    button.show_name("rk4")
    assert not button.property("wrong")


def test_the_inspector_drops_options_that_the_new_method_does_not_know(
    desk: Desk, inspector: InspectorPanel, hand: SimpleNamespace
) -> None:
    scene = load_scene(scene_paths()["four_bar"])
    desk.begin(scene.with_simulation(method="lagrange/d2/baumgarte", options={"alpha": 1.5, "beta": 9.0}))
    click(
        opened(hand.find("inspector.simulation.method", MethodButton)).columns[2],
        "Projection of positions and velocities",
    )
    assert desk.scene.simulation.method == "lagrange/d2/projection"
    click(opened(hand.find("inspector.simulation.method", MethodButton)).columns[1], "Runge-Kutta 4")
    assert desk.scene.simulation.options == {}
    desk.document.stack.undo()
    assert desk.scene.simulation.options == {"alpha": 1.5, "beta": 9.0}


def test_options_have_units_choices_and_a_way_back(
    desk: Desk, inspector: InspectorPanel, hand: SimpleNamespace
) -> None:
    scene = load_scene(scene_paths()["four_bar"])
    desk.begin(scene.with_simulation(method="lagrange/rk4/baumgarte", options={}))
    title = hand.find("inspector.simulation.options.alpha.title", QLabel)
    assert unbroken("1/s") in title.text()
    assert "20 1/s unless set" in title.toolTip()
    hand.type("inspector.simulation.options.alpha", "50")
    assert desk.scene.simulation.options == {"alpha": 50.0}
    hand.type("inspector.simulation.options.alpha", "-1")
    assert desk.scene.simulation.options == {"alpha": 50.0}, "below the limit"
    hand.click("inspector.simulation.options.alpha.reset")
    assert desk.scene.simulation.options.get("alpha", 20.0) == 20.0
    desk.begin(scene.with_simulation(method="central_differences", options={}))
    box = hand.find("inspector.simulation.options.orientation", QComboBox)
    hand.choose("inspector.simulation.options.orientation", box.itemText(1))
    assert desk.scene.simulation.options == {"orientation": 1.0}
    QApplication.processEvents()


def test_issue_18_it_opens_on_the_screen_the_first_time_and_however_narrow(button: MethodButton) -> None:
    screen = button.screen().availableGeometry()
    button.move(screen.right() - button.width(), screen.bottom() - button.height())
    popup = opened(button)
    assert screen.contains(popup.geometry())
    popup._give_room(QSize(1024, 700))
    QApplication.processEvents()
    assert popup.width() <= 1024
    for view in (*popup.columns, popup.direct):
        assert popup.rect().contains(QRect(view.mapTo(popup, QPoint(0, 0)), view.size()))


def test_it_stays_on_a_screen_that_the_window_fills(
    button: MethodButton, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It began some pixels from the edge and was as wide as the window: its right end was off the screen."""
    monkeypatch.setattr("app.panels.transport.method_popup._width", lambda _: 1000)
    screen = button.screen().availableGeometry()
    button.setGeometry(screen)
    assert screen.contains(opened(button).geometry())
