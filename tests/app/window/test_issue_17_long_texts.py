"""Texts without end in a scene: the window shows what has room, and stays as wide and as high as it is."""

import json
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from app.document.document import Ref
from tests.app.window.windows import open_window, wait
from tests.attack.sources import FULL, sources

LONG = "q" * 5000
PLACES: tuple[tuple[Any, ...], ...] = (
    ("title",),
    ("bodies", 0, "name"),
    ("joints", 0, "a", "body"),
    ("simulation", "method"),
    ("measures", 0, "name"),
    ("measures", 0, "unit"),
)


@pytest.mark.parametrize("place", PLACES, ids=lambda place: ".".join(map(str, place)))
def test_a_text_without_end_does_not_stretch_the_window(
    qtbot: QtBot, tmp_path: Path, place: tuple[Any, ...]
) -> None:
    """The window was 43,446 pixels wide, stayed so, and took seconds for every picture."""
    scene = json.loads(sources()[FULL[0]])
    inner = scene
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = LONG
    path = tmp_path / "scene.json"
    path.write_text(json.dumps(scene), encoding="utf-8")
    with open_window(tmp_path / "window") as window:
        size = window.size()
        assert window.open_path(path)
        wait(qtbot, lambda: window.session.state in ("ready", "failed"))
        if place[0] in ("bodies", "joints", "measures"):
            element = getattr(window.session.scene, place[0])[0]
            window.session.selection.set([Ref(place[0], element.name)])
        window.docks.show("matrix")
        qtbot.wait(50)
        assert window.size() == size
        least = window.minimumSizeHint()
        assert least.width() <= size.width()
        assert least.height() <= size.height()
        window.session.document.stack.setClean()
