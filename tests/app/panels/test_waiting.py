"""A length that takes long to try: the inspector says so, and forgets it with the answer."""

from types import SimpleNamespace
from typing import Any

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.document.document import Ref
from app.edits import set_length
from app.panels.inspector.inspector import PATIENCE
from app.platform.resources import scene_paths
from engine import load_scene
from tests.app.panels.desk import Desk


def test_what_is_being_tried_is_told_until_there_is_an_answer(
    desk: Desk, hand: SimpleNamespace, qtbot: QtBot
) -> None:
    asked: list[Any] = []
    desk.attempt = lambda *order: asked.append(order)  # answers when the test says so
    crank = Ref("bodies", "crank")
    desk.begin(load_scene(scene_paths()["driven_four_bar"]), crank)
    reason: QLabel = hand.find("inspector.bar.length.reason", QLabel)
    hand.type("inspector.bar.length", "0.09")
    assert len(asked) == 1
    qtbot.waitUntil(lambda: "trying" in reason.text(), timeout=20 * PATIENCE)
    assert reason.property("role") == "muted"
    asked[0][3](None)  # refused
    assert "cannot be put together" in reason.text()
    assert reason.property("role") == "wrong"
    hand.type("inspector.bar.length", "0.08")
    qtbot.waitUntil(lambda: "trying" in reason.text(), timeout=20 * PATIENCE)
    desk.document.apply(set_length(desk.scene, crank, 0.08))  # good
    assert reason.text() == ""
