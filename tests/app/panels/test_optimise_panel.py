"""The panel of optimisation: a search in the background, a ghost of the best, one step to undo."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel
from pytestqt.qtbot import QtBot

from app.document.document import Document, Edit
from app.panels.optimise.optimise_panel import GHOST, OptimisePanel
from app.platform.appearance import Look
from app.platform.resources import find_scene
from app.session.session import Session
from engine import Scene
from engine.studies.study_file import read_study
from tests.app.window.windows import open_window
from tests.engine.studies.mechanisms import stroke
from tests.paths import ROOT

PATIENCE = 300_000  # ms; a first run may have to compile, on a busy machine


@pytest.fixture
def panel(qtbot: QtBot, tmp_path: Path) -> Iterator[OptimisePanel]:
    session = Session(Document(autosave=tmp_path), warm=False)
    session.document.open(ROOT / "docs" / "studies" / "offset_slider_crank.json")
    made = OptimisePanel(session, Look(), workers=0)
    qtbot.addWidget(made)
    yield made
    assert made.shutdown()
    session.close()


def test_a_stroke_is_met_and_undone(panel: OptimisePanel, qtbot: QtBot) -> None:
    session = panel._session
    before = session.document.scene
    panel.variables.tick("r")
    panel.expression.setText("body.slider.pos.x")
    panel.reduce.setCurrentIndex(panel.reduce.findData("range"))
    panel.sense.setCurrentIndex(panel.sense.findData("target"))
    panel.target.setText("0.09")
    panel.limits.setText("r <= 0.06; h + r < 0.19")
    panel.search.setCurrentIndex(panel.search.findData("least_squares"))
    panel.budget.setValue(20)
    panel.run()
    assert panel.busy
    qtbot.waitUntil(lambda: not panel.busy, timeout=PATIENCE)
    assert [run.name for run in session.runs if run.ghost] == [GHOST]
    assert panel.charts.count() == 1
    assert "r = " in panel.answer.text()
    assert session.document.scene is before
    panel.apply()
    (r,) = [float(p.value) for p in session.document.scene.parameters if p.name == "r"]
    values = {p.name: float(p.value) for p in before.parameters}
    assert stroke(r, values["l"], values["h"]) == pytest.approx(0.09, abs=1e-5)
    assert not [run for run in session.runs if run.name == GHOST]
    session.document.stack.undo()
    assert session.document.scene == before


def test_what_is_missing_is_said(panel: OptimisePanel) -> None:
    for fill, words in (
        (lambda: None, "nothing is wanted"),
        (lambda: panel.expression.setText("body.slider.pos.x"), "tick at least one"),
        (lambda: panel.variables.tick("r"), ""),
        (lambda: panel.limits.setText("r = 2"), "no limit"),
        (lambda: panel.limits.setText(""), ""),
        (lambda: panel.expression.setText("body.slidr.pos.x"), "did you mean"),
    ):
        fill()
        if words:
            panel.run()
            assert not panel.busy
            assert words in panel._reason.text()


def test_issue_17_a_measure_of_no_channel_is_no_fault_of_the_panel(panel: OptimisePanel) -> None:
    document = panel._session.document
    scene = document.scene.with_measure("expression", "m", expression="a.b", unit="m")
    document.apply(Edit("Measure", scene))
    panel.catch_up()


def test_a_study_with_a_goal_fills_the_panel(panel: OptimisePanel, qtbot: QtBot) -> None:
    """Its goal was lost: the panel was empty beside the study that asked for a search."""
    study, _ = read_study(ROOT / "docs" / "studies" / "quick_return.study.json", find_scene)
    panel.show_study(study)
    told = panel.goal.findChild(QLabel, "optimise.goal").text()
    assert told.splitlines()[1:] == ["• stroke: 0.09 m, weight 100", "• working share: 0.45, weight 1"]
    assert panel.limits.text() == "r + h - l <= -0.02"
    assert panel.expression.isHidden()
    asked = panel.study()
    assert (asked.vary, asked.goal, asked.limits) == (study.vary, study.goal, study.limits)
    panel.search.setCurrentIndex(panel.search.findData("least_squares"))
    panel.run()
    qtbot.waitUntil(lambda: not panel.busy, timeout=PATIENCE)
    assert "stroke 0.09" in panel.answer.text()
    assert "working share 0.45" in panel.answer.text()
    panel.apply()
    values = {p.name: float(p.value) for p in panel._session.document.scene.parameters}
    assert stroke(values["r"], values["l"], values["h"]) == pytest.approx(0.09, abs=1e-4)
    assert panel.goal.study is study  # its own step is no other scene


def test_another_goal_can_be_said_in_place_of_that_of_a_study(panel: OptimisePanel) -> None:
    study, _ = read_study(ROOT / "docs" / "studies" / "quick_return.study.json", find_scene)
    study = study.with_variable("choices", "bodies.slider.mass", values=[1.0, 2.0])
    panel.show_study(study.with_limit(objective="stroke", max=0.1))
    assert panel.study().vary[-1] == study.vary[-1]  # beside the parameters of the table
    assert panel.study().limits[-1].objective == "stroke"
    panel.goal.findChild(QAbstractButton, "optimise.goal.drop").click()
    assert panel.goal.isHidden()
    assert not panel.expression.isHidden()
    panel.expression.setText("body.slider.pos.x")
    assert [one.path for one in panel.study().vary] == ["parameters.r", "parameters.h"]
    panel.show_study(study)
    panel._session.document.load(Scene())
    assert panel.goal.study is None


def test_a_study_that_is_opened_in_the_window_hands_its_goal_on(tmp_path: Path) -> None:
    with open_window(tmp_path, warm=False) as window:
        assert window.open_path(ROOT / "docs" / "studies" / "quick_return.study.json")
        panel = window.docks.panel(OptimisePanel)
        assert panel.goal.study is not None
        assert window.docks.is_open("optimise")
        assert window.open_path(ROOT / "docs" / "studies" / "stroke.study.json")
        assert panel.goal.study is not None  # of the same mechanism; this one wants nothing
