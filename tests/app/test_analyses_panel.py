"""The analyses panel: runs on a thread, shows an answer whose names select, can be stopped."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from app.document import Document, Ref
from app.panels.analyses import AnalysesPanel
from app.panels.look import Look
from app.resources import scene_paths
from app.session import Session
from engine.analyses import ANALYSES
from engine.analyses.base import Analysis, Cancelled, NoOptions, Question
from engine.analyses.result import Result

PATIENCE = 90_000  # ms; a first run may have to compile


@pytest.fixture
def panel(qtbot: QtBot, tmp_path: Path) -> Iterator[AnalysesPanel]:
    session = Session(Document(autosave=tmp_path), warm=False)
    session.document.open(scene_paths()["bricard"])
    made = AnalysesPanel(session, Look())
    qtbot.addWidget(made)
    yield made
    assert made.shutdown()
    session.close()


def finish(panel: AnalysesPanel, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not panel.busy, timeout=PATIENCE)


def test_the_answer_names_joints_that_a_click_selects(panel: AnalysesPanel, qtbot: QtBot) -> None:
    panel.run()
    assert panel.busy
    finish(panel, qtbot)
    assert "1 redundant row" in panel.answer.toPlainText()
    assert "always" in panel.answer.toPlainText()
    html = panel.answer.toHtml()
    assert "element:joints/P1" in html
    panel.answer.anchorClicked.emit(QUrl("element:joints/P1"))
    assert panel._session.selection.refs == (Ref("joints", "P1"),)
    panel.answer.highlighted.emit(QUrl("element:joints/P2"))
    assert panel._session.selection.hover == Ref("joints", "P2")
    panel.answer.highlighted.emit(QUrl())
    assert panel._session.selection.hover is None
    panel.answer.anchorClicked.emit(QUrl("element:joints/nowhere"))
    assert panel._session.selection.refs == (Ref("joints", "P1"),)


@pytest.mark.parametrize("kind", list(ANALYSES), ids=lambda kind: kind.name)
def test_every_analysis_runs_from_here(panel: AnalysesPanel, qtbot: QtBot, kind: Analysis) -> None:
    panel.choose(kind.name)
    panel.run()
    finish(panel, qtbot)
    assert kind.title in panel.answer.toPlainText()
    assert panel.text().splitlines()[0].endswith(".")


def test_options_come_from_their_metadata(panel: AnalysesPanel, qtbot: QtBot) -> None:
    line = panel.findChild(QLineEdit, "analyses.poses")
    assert line is not None
    for text, kept in (("7", 7), ("1.5", 7), ("-1", 7), ("0", 0)):
        line.setText(text)
        line.textEdited.emit(text)
        line.returnPressed.emit()
        assert panel._options["freedoms"].poses == kept  # type: ignore[attr-defined]


def test_it_can_be_stopped(panel: AnalysesPanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, ended = threading.Event(), threading.Event()

    def run(question: Question) -> Result:
        question.progress(0.5, "half way")
        begun.set()
        while not question.cancel():
            ended.wait(0.005)
        ended.set()
        raise Cancelled

    endless = Analysis("freedoms", "Endless", "Never ends.", NoOptions, run)
    monkeypatch.setattr("app.panels.analyses.ANALYSES", {"freedoms": endless})
    panel.run()
    qtbot.waitUntil(lambda: panel.bar_progress.value() == 500, timeout=5000)
    assert begun.is_set()
    panel.cancel()
    assert not panel.busy
    assert ended.wait(5.0)


def test_a_scene_that_cannot_be_used_is_told(panel: AnalysesPanel, qtbot: QtBot) -> None:
    import msgspec

    from app.document import Edit

    document = panel._session.document
    joint = document.scene.joints[0]
    broken = msgspec.structs.replace(joint, a=msgspec.structs.replace(joint.a, body="nobody"))
    joints = (broken, *document.scene.joints[1:])
    document.apply(Edit("Break", msgspec.structs.replace(document.scene, joints=joints)))
    panel.run()
    finish(panel, qtbot)
    assert "nobody" in panel.answer.toPlainText()
