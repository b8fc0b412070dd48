"""Plots of a scene that cannot run are saved as they are shown: with axes and no curves."""

from pathlib import Path

from pytestqt.qtbot import QtBot

from engine import Scene
from tests.app.window.windows import open_window


def test_sheets_need_no_run(qtbot: QtBot, tmp_path: Path) -> None:
    """It ended in an AttributeError of a run that is not there."""
    plots = {"plots": [{"kind": "time", "title": "E", "channels": ["energy.total"], "extremes": True}]}
    with open_window(tmp_path / "window") as window:
        window.session.document.load(Scene(space="planar", view={"plots": plots}))
        qtbot.waitUntil(lambda: window.session.current is None, timeout=20_000)
        assert all(not sheet.lines for sheet in window.handlers.plots.sheets())
