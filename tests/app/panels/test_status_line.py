"""Messages in the status bar: as many whole clauses as have room."""

import pytest
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.panels.status.status_fields import dof_words
from app.panels.status.status_line import StatusLine, fitting
from app.platform.resources import scene_paths
from engine import load_scene
from engine.analyses.check import check_scene

STOPPED = "stopped at t = 1.499 s; joint 'D' (translation along x): it did not close; try a smaller step"


@pytest.fixture
def line(qtbot: QtBot) -> StatusLine:
    made = StatusLine()
    qtbot.addWidget(made)
    made.addPermanentWidget(QLabel("looking back"))
    made.resize(420, 24)
    made.show()
    return made


def test_a_long_message_ends_with_a_clause_and_is_told_whole(line: StatusLine) -> None:
    line.showMessage(STOPPED)
    shown = line.currentMessage()
    assert shown in ("stopped at t = 1.499 s …", "stopped at t = 1.499 s; joint 'D' …")
    assert line.fontMetrics().horizontalAdvance(shown) <= line.room
    assert line.toolTip() == STOPPED
    line.showMessage("Diagnostics copied")
    assert line.currentMessage() == "Diagnostics copied"
    assert line.toolTip() == ""


def test_a_long_path_loses_its_middle(line: StatusLine) -> None:
    metrics: QFontMetrics = line.fontMetrics()
    shown = fitting("Saved /home/someone/" + "folder/" * 20 + "four_bar.json", metrics, 300)
    assert metrics.horizontalAdvance(shown) <= 300
    assert shown.startswith("Saved /home")
    assert shown.endswith("four_bar.json")


@pytest.mark.parametrize(
    ("scene", "words"),
    [
        ("four_bar", "DOF 1"),  # 3·3 - 4·2
        ("driven_four_bar", "DOF 1, driven"),
        ("stewart_platform", "DOF 6, driven"),
        ("pantograph", "DOF 2, driven"),  # 4·3 - 5·2
    ],
)
def test_a_motion_leads_a_degree_of_freedom_and_takes_none_away(scene: str, words: str) -> None:
    """A four-bar with a motor that turned had no degree of freedom."""
    assert dof_words(check_scene(load_scene(scene_paths()[scene])).mobility) == words
