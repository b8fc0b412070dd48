"""The analyses panel: runs on a thread, shows an answer whose names select, can be stopped."""

import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from app.document.document import Document, Ref
from app.panels.analyses.analyses import AnalysesPanel
from app.platform.appearance import Look
from app.platform.resources import scene_paths
from app.session.session import Session
from engine.analyses import ANALYSES
from engine.analyses.answers.result import Column, Mention, Mode, ModeShapes, Motion, Result, Table
from engine.analyses.base import Analysis, NoOptions, Question
from engine.progress import Cancelled

PATIENCE = 300_000  # ms; a first run may have to compile, on a busy machine
FEWER = {"count": 8, "poses": 40}  # mechanisms, values, poses: how the panel answers is asked here


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
    for name, value in FEWER.items():
        if hasattr(kind.options(), name):
            panel.set_option(name, value)
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
    monkeypatch.setattr("app.panels.analyses.analyses.ANALYSES", {"freedoms": endless})
    panel.run()
    qtbot.waitUntil(lambda: panel.bar_progress.value() == 500, timeout=5000)
    assert begun.is_set()
    panel.cancel()
    assert not panel.busy
    assert ended.wait(5.0)


def test_a_scene_that_cannot_be_used_is_told(panel: AnalysesPanel, qtbot: QtBot) -> None:
    import msgspec

    from app.document.document import Edit

    document = panel._session.document
    joint = document.scene.joints[0]
    broken = msgspec.structs.replace(joint, a=msgspec.structs.replace(joint.a, body="nobody"))
    joints = (broken, *document.scene.joints[1:])
    document.apply(Edit("Break", msgspec.structs.replace(document.scene, joints=joints)))
    panel.run()
    finish(panel, qtbot)
    assert "nobody" in panel.answer.toPlainText()


def swinging(question: Question) -> Result:
    """A stand-in for what the dynamics of an analysis would find: a slow walk along a degree of freedom."""
    mechanism, start, evaluator = question.mechanism, question.start, question.evaluator
    J = evaluator.at(question.t, start.q, angles=start.angles).jacobian
    shape = np.linalg.svd(J)[2][-1]
    t = np.linspace(0.0, 0.5, 11)
    q = np.array([evaluator.retract(start.q, 0.01 * x * shape) for x in t])
    motion = Motion("A walk", mechanism, t, q, np.outer(np.full(11, 0.01), shape))
    modes = ModeShapes(mechanism, question.t, start.q, (Mode(shape, 2.0, 0.1), Mode(1j * shape, 5.0)))
    table = Table("Numbers", (Column("Body"), Column("x", "m")), ((Mention("bodies", "crank"), 0.25),))
    return Result(f"Asked at t = {question.t:.3f} s.", (table,), (motion,), modes)


def settle(session: Session, qtbot: QtBot) -> None:
    """Until the run that begins at the start of the scene is there."""
    qtbot.waitUntil(
        lambda: session.tick() or (session.state == "ready" and not session.busy), timeout=PATIENCE
    )


@pytest.fixture
def four_bar(panel: AnalysesPanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> AnalysesPanel:
    """A panel whose analysis gives everything that one can give."""
    kind = Analysis("freedoms", "Everything", "Gives all.", NoOptions, swinging, anywhere=True)
    monkeypatch.setattr("app.panels.analyses.analyses.ANALYSES", {"freedoms": kind})
    session = panel._session
    session.document.open(scene_paths()["four_bar"])
    settle(session, qtbot)
    return panel


def test_a_motion_becomes_a_run_that_is_watched(four_bar: AnalysesPanel, qtbot: QtBot) -> None:
    session = four_bar._session
    four_bar.run()
    finish(four_bar, qtbot)
    (run,) = [run for run in session.runs if run.name == "A walk"]
    assert run.kind == "finished"
    live = session.current
    assert run is not live
    four_bar.answer.anchorClicked.emit(QUrl("motion:0"))
    assert session.current is run
    assert session.state == "playing"
    qtbot.waitUntil(lambda: session.tick() or session.t > 0.1, timeout=5000)
    session.transport.pause()
    session.transport.seek(0.5)
    assert session.state == "paused"  # at its end; there is nothing to go on with
    session.transport.step(1)
    session.transport.play()
    assert session.state == "playing"
    assert session.t < 0.5  # again from its beginning
    session.transport.pause()
    session.lifecycle.reset()
    settle(session, qtbot)
    assert session.current is not run
    assert session.current.kind == "live"
    assert run in session.runs


def test_an_edit_while_an_answer_is_watched_begins_a_live_run(four_bar: AnalysesPanel, qtbot: QtBot) -> None:
    from app.edits import set_parameter

    session = four_bar._session
    four_bar.run()
    finish(four_bar, qtbot)
    four_bar.answer.watch_motion.emit(0)
    session.transport.pause()
    session.document.apply(set_parameter(session.document.scene, "L2", 0.41))
    settle(session, qtbot)
    assert session.current.kind == "live"


def test_a_mode_swings_and_only_the_last_one_stays(four_bar: AnalysesPanel, qtbot: QtBot) -> None:
    session = four_bar._session
    four_bar.run()
    finish(four_bar, qtbot)
    assert "Mode 1: 2 Hz" in four_bar.answer.toPlainText()
    for index in (0, 1):
        four_bar.answer.anchorClicked.emit(QUrl(f"mode:{index}"))
    swings = [run for run in session.runs if run.name.startswith("Mode")]
    assert [run.name for run in swings] == ["Mode 2: 5 Hz"]
    assert session.current is swings[0]
    assert swings[0].kind == "replay"
    first = session.poses()["crank"][1]
    session.transport.seek(0.25)
    assert np.abs(session.poses()["crank"][1] - first).max() > 1e-3


def test_it_is_asked_at_the_playhead(four_bar: AnalysesPanel, qtbot: QtBot) -> None:
    session = four_bar._session
    session.transport.play()
    qtbot.waitUntil(lambda: session.tick() or session.t > 0.05, timeout=PATIENCE)
    session.transport.pause()
    four_bar.place.setCurrentText("at the playhead")
    four_bar.run()
    finish(four_bar, qtbot)
    assert f"Asked at t = {session.t:.3f} s." in four_bar.answer.toPlainText()
    four_bar.place.setCurrentText("at the start")
    four_bar.run()
    finish(four_bar, qtbot)
    assert "Asked at t = 0.000 s." in four_bar.answer.toPlainText()


def test_tables_are_copied_and_saved(
    four_bar: AnalysesPanel, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    four_bar.run()
    finish(four_bar, qtbot)
    four_bar._copy.click()
    assert "crank\t0.25" in QApplication.clipboard().text()
    file = tmp_path / "out.csv"
    monkeypatch.setattr(
        "app.panels.analyses.analyses.QFileDialog.getSaveFileName", lambda *a: (str(file), "")
    )
    four_bar._export.click()
    assert file.read_text() == "Numbers\nBody,x [m]\ncrank,0.25\n"


def test_charts_stand_beside_the_answer_and_can_be_saved(
    panel: AnalysesPanel, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel._session.document.open(scene_paths()["pendulum"])
    panel.choose("linearise")
    panel.run()
    finish(panel, qtbot)
    assert panel.charts.count() == 1
    for name in ("poles.png", "model.npz", "tables.csv"):
        file = tmp_path / name
        monkeypatch.setattr(
            "app.panels.analyses.analyses.QFileDialog.getSaveFileName", lambda *_, f=file: (str(f), "")
        )
        panel.export()
        assert file.stat().st_size > 100
    panel.choose("freedoms")
    panel.run()
    finish(panel, qtbot)
    assert panel.charts.isHidden()


def test_empty_fields_say_what_holds_and_missing_numbers_are_no_words(panel: AnalysesPanel) -> None:
    panel.choice.setCurrentIndex(panel.choice.findText("Tolerance band"))
    assert panel.findChild(QLineEdit, "analyses.trace").placeholderText() == "the first of the scene"
    duration = panel.findChild(QLineEdit, "analyses.duration")
    assert (duration.text(), duration.placeholderText()) == ("", "that of the scene")
    for text, kept in (("2", 2.0), ("", 0.0)):
        duration.setText(text)
        duration.textEdited.emit(text)
        duration.returnPressed.emit()
        assert panel._options["tolerance_band"].duration == kept
    table = Table("Numbers", (Column("What"), Column("Size", "m")), (("all", float("nan")), ("one", 0.5)))
    panel.answer.show_result("Band", Result("Done", tables=(table,)))
    assert "nan" not in panel.answer.toPlainText()
    assert "–" in panel.answer.toPlainText()
