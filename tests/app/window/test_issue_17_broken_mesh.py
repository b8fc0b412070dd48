"""A scene whose mesh file is broken opens in the window, with the problem among its messages."""

import json
from pathlib import Path

from pytestqt.qtbot import QtBot

from app.document.document import Ref
from app.panels.messages import MessagesPanel
from tests.app.window.windows import open_window, wait


def test_the_file_and_its_line_are_told(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "part.obj").write_text("v 0 0 0\nv 1 0 0\nf 1 2 99\n", encoding="utf-8")
    body = {"name": "part", "mass": 1, "inertia": [1, 1, 1], "shapes": [{"kind": "mesh", "file": "part.obj"}]}
    path = tmp_path / "scene.json"
    path.write_text(json.dumps({"format": "trammel-scene", "version": 1, "bodies": [body]}), encoding="utf-8")
    with open_window(tmp_path / "window") as window:
        assert window.open_path(path)
        panel = window.docks.panel(MessagesPanel)
        wait(qtbot, lambda: any("part.obj: line 3: a corner at point 99" in text for text in panel.texts()))
        wait(qtbot, lambda: window.session.state == "ready")
        assert panel.isVisible()  # in front of the plots, and the body is the one that is chosen
        assert window.session.selection.refs == (Ref("bodies", "part"),)
