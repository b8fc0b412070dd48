"""A scene whose mesh file is broken opens in the window, with the problem among its messages."""

import json
from pathlib import Path

from pytestqt.qtbot import QtBot

from app.document.document import Ref
from app.panels.messages import MessagesPanel
from tests.app.window.windows import open_window, wait


def _write(folder: Path, name: str, mesh: str) -> Path:
    body = {"name": "part", "mass": 1, "inertia": [1, 1, 1], "shapes": [{"kind": "mesh", "file": mesh}]}
    path = folder / name
    path.write_text(json.dumps({"format": "trammel-scene", "version": 1, "bodies": [body]}), encoding="utf-8")
    return path


def test_the_file_and_its_line_are_told(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "part.obj").write_text("v 0 0 0\nv 1 0 0\nf 1 2 99\n", encoding="utf-8")
    path = _write(tmp_path, "scene.json", "part.obj")
    with open_window(tmp_path / "window") as window:
        assert window.open_path(path)
        panel = window.docks.panel(MessagesPanel)
        wait(qtbot, lambda: any("part.obj: line 3: a corner at point 99" in text for text in panel.texts()))
        wait(qtbot, lambda: window.session.state == "ready")
        assert panel.isVisible()  # in front of the plots, and the body is the one that is chosen
        assert window.session.selection.refs == (Ref("bodies", "part"),)


def test_a_mesh_of_the_scene_before_is_not_told_again(qtbot: QtBot, tmp_path: Path) -> None:
    """Scenes with bodies of the same names are drawn as edits of each other; all broken meshes were told."""
    for name in ("one.obj", "two.obj"):
        (tmp_path / name).write_text("v 0 0 0\nv 1 0 0\nf 1 2 99\n", encoding="utf-8")
    with open_window(tmp_path / "window") as window:
        told: list[str] = []
        window.session.message.connect(lambda level, text, ref: told.append(text))
        for name in ("one.obj", "two.obj"):
            told.clear()
            assert window.open_path(_write(tmp_path, f"{name}.json", name))
            wait(qtbot, lambda name=name: any(f"{name}: line 3" in text for text in told))
            wait(qtbot, lambda: window.session.state == "ready")
        assert not any("one.obj" in text for text in told)
