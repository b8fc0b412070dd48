"""Runs leave the window as files, come back as replays or references, and go on from any instant."""

from collections.abc import Iterator
from pathlib import Path

import h5py
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from app.dialogs.exporting.film import FilmDialog
from app.dialogs.exporting.report import ReportDialog
from app.dialogs.exporting.run import ExportDialog
from app.document.document import Ref
from app.edits import set_field
from app.exchange.sheets.sheets import save_sheets
from app.platform.resources import scene_paths
from app.session.session import Session
from app.window.context import WindowContext
from app.window.main_window import MainWindow
from engine import load_curves, load_trajectory
from tests.app.window.windows import open_window, wait


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    with open_window(tmp_path / "own", warm=False) as window:
        yield window


def _rest(session: Session, qtbot: QtBot) -> None:
    """Pause, and wait for the end of the slice that the engine is in: then nothing more is recorded."""
    session.transport.pause()
    wait(qtbot, lambda: session.state == "paused")
    run, count = session.current, -1
    while run is not None and run.count != count:
        count = run.count
        qtbot.wait(200)


@pytest.fixture
def played(window: MainWindow, qtbot: QtBot) -> MainWindow:
    session = window.session
    assert window.open_path(scene_paths()["double_pendulum"])
    wait(qtbot, lambda: session.state == "ready")
    session.transport.set_endless(True)  # on a busy machine the run would reach its end before the pause does
    session.transport.set_speed(float("inf"))
    session.transport.play()
    wait(qtbot, lambda: session.current is not None and session.current.t_last > 0.3)
    _rest(session, qtbot)
    return window


def _export(window: MainWindow, qtbot: QtBot, path: Path, **choice: object) -> ExportDialog:
    run = window.session.current
    assert run is not None
    dialog = ExportDialog(window, run, ["energy.total", "body.lower.pos.x"])
    for name, value in choice.items():
        box = getattr(dialog, name)
        box.setCurrentIndex(box.findData(value)) if name == "sampling" else box.setValue(value)
    dialog.show()
    dialog.start(path)
    wait(qtbot, lambda: dialog._job is None)
    return dialog


def test_a_run_leaves_and_comes_back_as_a_replay(played: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    session = played.session
    run, path = session.current, tmp_path / "run.h5"
    assert run is not None
    t, energy = run.channel("energy.total")
    assert _export(played, qtbot, path).saved == path
    with h5py.File(path) as file:
        assert_array_equal(file["t"], t)
        assert_array_equal(file["channels/energy.total"], energy)
        assert list(file["channels"]) == ["body.lower.pos.x", "energy.total"]
    end = run.t_last
    assert played.open_path(path)
    replay = session.current
    assert replay is not None
    assert (replay.kind, replay.name) == ("replay", "run.h5 (replay)")
    assert session.state == "detached"
    assert replay.t_last == end
    assert_array_equal(replay.channel("joint.B.angle")[1], run.channel("joint.B.angle")[1])

    # scrub, fork, and change a number: both runs are there, equal up to the fork
    middle = float(t[len(t) // 2])
    session.transport.seek(middle)
    played.act("run.fork")
    wait(qtbot, lambda: session.current is not replay and session.state in ("ready", "paused"))
    fork = session.current
    assert fork is not None
    assert (fork.kind, fork.parent, fork.t_first) == ("live", replay.id, middle)
    assert replay in session.runs.ghosts()
    before = replay.poses_at(middle)["lower"][0]
    assert_allclose(fork.poses_at(middle)["lower"][0], before, atol=1e-9)
    scene = session.document.scene
    session.document.apply(set_field(scene, [Ref("bodies", "lower")], "mass", 9.0))
    session.transport.play()
    wait(qtbot, lambda: fork.t_last > end)
    session.transport.pause()
    assert abs(fork.channel("body.lower.pos.x")[1][-1]) < 10.0
    own = np.interp(end, *fork.channel("body.lower.pos.x"))
    assert abs(own - replay.channel("body.lower.pos.x")[1][-1]) > 1e-6


def test_any_run_can_be_exported_and_reported(played: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    """Of a race the run that is watched is the reference: the user says which one is meant."""
    session = played.session
    first = session.current
    assert first is not None
    assert _export(played, qtbot, tmp_path / "alone.npz").run_box.isHidden()
    session.document.apply(set_field(session.document.scene, [Ref("bodies", "lower")], "mass", 9.0))
    played.act("run.reset")
    wait(qtbot, lambda: session.current is not first and session.state == "ready")
    played.act("run.step")
    wait(qtbot, lambda: session.current is not None and session.current.moved)
    second = session.current
    assert second is not None
    dialog = ExportDialog(played, second, ["energy.total"], None, list(session.runs))
    qtbot.addWidget(dialog)
    assert [dialog.run_box.itemText(i) for i in range(2)] == [second.name, first.name]
    dialog.run_box.setCurrentIndex(1)
    assert first.name in dialog.windowTitle()
    assert dialog.end.value() == pytest.approx(first.t_last, abs=1e-6)
    assert dialog.picks.channels() == ["energy.total"]
    dialog.start(tmp_path / "first.h5")
    wait(qtbot, lambda: dialog._job is None)
    with h5py.File(tmp_path / "first.h5") as file:
        assert_array_equal(file["t"], first.channel("energy.total")[0])
        assert file.attrs["run"] == first.name
    report = ReportDialog(played, second, {}, [], tmp_path, list(session.runs))
    qtbot.addWidget(report)
    report.run_box.setCurrentIndex(1)
    assert report._run is first


def test_an_edit_while_a_replay_is_watched_is_told(played: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    session, path = played.session, tmp_path / "run.npz"
    _export(played, qtbot, path)
    assert played.open_path(path)
    replay = session.current
    assert replay is not None
    before = replay.channel("energy.total")[1].copy()
    told: list[str] = []
    session.message.connect(lambda level, text, ref: told.append(text))
    session.document.apply(set_field(session.document.scene, [Ref("bodies", "lower")], "mass", 5.0))
    assert "run.npz (replay) stays as it is" in told[0]
    assert "fork from there" in told[0]
    wait(qtbot, lambda: session.state == "ready")
    assert session.current is not replay
    assert session.current is not None
    assert (session.current.kind, session.current.t_first) == ("live", 0.0)
    assert replay in session.runs
    assert_array_equal(replay.channel("energy.total")[1], before)
    session.document.apply(set_field(session.document.scene, [Ref("bodies", "lower")], "mass", 6.0))
    assert len(told) == 1  # an edit of a live run is none


def test_a_csv_is_a_reference(played: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "part.csv"
    _export(played, qtbot, path, sampling="resample", interval=0.01, begin=0.1, end=0.2)
    assert_allclose(load_curves(path).t, np.arange(10, 21) * 0.01)
    before = played.session.current
    assert played.open_path(path)
    assert played.session.current is before
    assert played.session.runs[-1].kind == "reference"
    assert played.session.runs[-1].channel("energy.total", 0.15)[0][0] == pytest.approx(0.15)
    played.docks.panels["plots"].refresh(force=True)
    (tmp_path / "other.csv").write_text("t,angle [rad]\n0,1\n1,2\n")
    assert played.open_path(tmp_path / "other.csv")
    assert "angle" in played.docks.panels["plots"].channels()


def test_trouble_is_told_and_leaves_nothing(
    played: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = _export(played, qtbot, tmp_path / "none" / "run.npz")
    assert "nothing was saved" in dialog.told.text()
    assert dialog.saved is None
    dialog.picks.check_shown(False)
    dialog.start(tmp_path / "run.npz")
    assert "at least one channel" in dialog.told.text()
    dialog.picks.check_shown(True)
    monkeypatch.setattr("engine.results.channels.SLICE", 8)
    dialog.start(tmp_path / "run.csv")
    dialog.reject()
    wait(qtbot, lambda: dialog._job is None)
    assert dialog.told.text().startswith("Cancelled") or dialog.saved
    assert not [file for file in tmp_path.iterdir() if file.suffix == ".part"]
    complaints = []
    monkeypatch.setattr(WindowContext, "complain", lambda _, *texts: complaints.append(texts))
    (tmp_path / "bad.npz").write_bytes(b"nothing")
    assert not played.open_path(tmp_path / "bad.npz")
    assert "bad.npz" in complaints[0][0]


def test_a_run_with_edits_keeps_its_segments(played: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    session = played.session
    scene, run = session.document.scene, session.current
    assert run is not None
    session.document.apply(set_field(scene, [Ref("bodies", "lower")], "mass", 3.0))
    wait(qtbot, lambda: len(run.segments) == 2)
    session.transport.play()
    last = run.t_last
    wait(qtbot, lambda: run.t_last > last + 0.1)
    _rest(session, qtbot)
    _export(played, qtbot, tmp_path / "run.npz")
    again = load_trajectory(tmp_path / "run.npz")
    assert len(again.segments) == 2
    assert_allclose(again.channel("energy.error"), run.channel("energy.error")[1], atol=1e-12)


def test_plots_are_saved_as_they_are_shown(played: MainWindow, tmp_path: Path) -> None:
    run = played.session.current
    assert run is not None
    sheets = played.handlers.plots.sheets()
    assert [sheet.title for sheet in sheets] == ["Energy", "Constraint violation"]
    save_sheets(sheets[:1], tmp_path / "energy.csv")
    curves = load_curves(tmp_path / "energy.csv")
    assert_allclose(curves.values["total"], run.channel("energy.total")[1], rtol=1e-12)
    played.act("plots.copy")
    assert not QGuiApplication.clipboard().image().isNull()


def test_what_is_read_stays_in_front_when_plots_are_taken_for_a_film(
    played: MainWindow, qtbot: QtBot
) -> None:
    """The panel of a race gave way to the plots when a film was asked for."""
    for front in ("messages", "plots"):
        played.docks.show(front)
        qtbot.waitUntil(lambda id=front: not played.docks[id].visibleRegion().isEmpty())
        assert [sheet.title for sheet in played.handlers.plots.sheets()] == ["Energy", "Constraint violation"]
        qtbot.wait(50)
        assert not played.docks[front].visibleRegion().isEmpty()


def test_films_and_reports_come_from_another_process(
    played: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    run = played.session.current
    assert run is not None
    dialog = FilmDialog(
        played,
        run,
        0.1,
        played.handlers.view_memory.kept(),
        sheets=played.handlers.plots.sheets(),
        style=["--dark"],
        folder=tmp_path,
    )
    dialog.width_box.setValue(160)
    dialog.height_box.setValue(120)
    dialog.rate.setValue(10)
    dialog.end.setValue(0.2)
    dialog.show()
    dialog.start(tmp_path / "film.mp4")
    wait(qtbot, lambda: dialog._job is None)
    assert dialog.saved == tmp_path / "film.mp4", dialog.told.text()
    dialog.rate.setValue(100)
    dialog.end.setValue(run.t_last)
    dialog.speed.setValue(0.01)
    dialog.start(tmp_path / "long.mp4")
    wait(qtbot, lambda: dialog._job is not None and dialog._job.progress > 0.01)
    dialog.reject()
    wait(qtbot, lambda: dialog._job is None)
    assert dialog.told.text().startswith("Cancelled")
    dialog.start(tmp_path / "none" / "film.mp4")
    wait(qtbot, lambda: dialog._job is None)
    assert "no folder" in dialog.told.text()
    report = ReportDialog(played, run, played.handlers.view_memory.kept(), ["joint.B.angle"], tmp_path)
    report.format.setCurrentIndex(report.format.findData(".pdf"))
    report.show()
    report.start(tmp_path / "run.pdf")
    wait(qtbot, lambda: report._job is None)
    assert report.saved == tmp_path / "run.pdf", report.told.text()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["film.mp4", "own", "run.pdf"]
