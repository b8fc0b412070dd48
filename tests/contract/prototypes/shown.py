"""What joints and forces that a test has registered show: in plots, on paper, in files of runs.

Run by `test_new_kinds.py` in a process of its own, with `new_kinds` as a plugin of pytest.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app.exchange.runs.opening import open_run
from app.exchange.sheets.sheets import sheet_bytes, sheet_of
from app.platform.appearance import Look
from app.widgets.plots.box import PlotBox
from engine import load_trajectory, simulate
from tests.contract.test_edits import KINDS, inserted

NEW = [case for case in KINDS if "prototype" in str(case.id)]


@pytest.mark.parametrize(("sort", "kind", "space"), NEW)
def test_what_it_shows_is_saved_opened_plotted_and_exported(
    sort: str, kind: Any, space: str, qtbot: QtBot, tmp_path: Path
) -> None:
    scene = inserted(sort, kind, space)
    name = (scene.joints if sort == "joint" else scene.forces)[-1].name
    run = simulate(scene, dt=0.001, duration=0.02)
    channels = [channel for channel in run.names() if f".{name}." in channel]
    assert channels
    for ending in (".npz", ".h5", ".csv"):
        run.save(tmp_path / f"run{ending}", channels=channels)
    again = load_trajectory(tmp_path / "run.npz")
    for channel in channels:
        np.testing.assert_array_equal(again.channel(channel), run.channel(channel))
    heading = (tmp_path / "run.csv").read_text(encoding="utf-8").splitlines()[0]
    assert all(channel in heading for channel in channels)
    # the run as the window opens it, its channels in a plot, and the plot on paper
    opened = open_run(tmp_path / "run.h5", 1)
    box = PlotBox(Look(), "plot")
    qtbot.addWidget(box)
    box.resize(500, 300)
    for channel in channels:
        box.add_channel(channel)
    box.refresh([opened], opened, 0.02, (0.0, 0.02))
    assert [line.channel for line in box.curves.lines(opened, (0.0, 0.02))] == channels
    drawing = sheet_bytes(sheet_of(box, [opened], opened, (0.0, 0.02)), ".svg").decode()
    assert all(box.content.short(channel) in drawing for channel in channels)


def test_new_kinds_are_looked_at() -> None:
    assert {str(case.id).rsplit("-", 1)[0] for case in NEW} == {
        "prototype_helix",
        "prototype_differential",
        "prototype_cubic_spring",
    }
