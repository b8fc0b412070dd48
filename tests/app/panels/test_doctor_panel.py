"""The doctor's panel: examines on a thread, selects what it names, shows ghosts, remedies in one step."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTreeWidgetItem
from pytestqt.qtbot import QtBot

from app.document.document import Document, Edit, Ref
from app.panels.doctor.doctor import ENTRY, STALE, DoctorPanel
from app.panels.doctor.doctor_pages import PAGES, Entry
from app.platform.appearance import Look
from app.platform.resources import scene_paths
from app.session.session import Session
from app.viewport.session_picture import PREVIEW
from engine.analyses.check import check_scene
from engine.model.scene import Scene
from tests.app.window.windows import open_window, wait

PATIENCE = 300_000  # ms; a first run may have to compile, on a busy machine


@pytest.fixture
def panel(qtbot: QtBot, tmp_path: Path) -> Iterator[DoctorPanel]:
    session = Session(Document(autosave=tmp_path), warm=False)
    made = DoctorPanel(session, Look())
    qtbot.addWidget(made)
    made.show()
    yield made
    assert made.shutdown()
    session.close()


def examine(panel: DoctorPanel, qtbot: QtBot, key: str) -> None:
    panel.examine(key)
    qtbot.waitUntil(lambda: not panel.busy, timeout=PATIENCE)


def items(panel: DoctorPanel) -> list[QTreeWidgetItem]:
    found, waiting = [], [panel.view.topLevelItem(i) for i in range(panel.view.topLevelItemCount())]
    while waiting:
        item = waiting.pop(0)
        found.append(item)
        waiting += [item.child(i) for i in range(item.childCount())]
    return found


def line(panel: DoctorPanel, title: str) -> QTreeWidgetItem:
    return next(item for item in items(panel) if item.text(0) == title)


def choose(panel: DoctorPanel, item: QTreeWidgetItem) -> Entry:
    panel.view.setCurrentItem(item)
    return item.data(0, ENTRY)


def test_a_cure_is_one_click_and_one_step_to_undo(panel: DoctorPanel, qtbot: QtBot) -> None:
    document = panel._session.document
    document.open(scene_paths()["spatial_four_bar"])
    before = document.scene
    examine(panel, qtbot, "redundancy")
    assert "3 of 20 rows are redundant at every pose" in panel.summary.text()
    row = next(item for item in items(panel) if item.text(0).startswith("D: "))
    assert row.text(1) == "always"
    choose(panel, row)
    assert set(panel._session.selection.refs) == {Ref("joints", name) for name in "ABCD"}
    remedy = line(panel, "Remedies that leave nothing redundant").child(0)
    assert remedy.text(1) == "✓"
    assert "still 1 degree of freedom" in remedy.text(2)
    qtbot.mouseClick(panel.view.itemWidget(remedy, 3), Qt.MouseButton.LeftButton)
    assert document.stack.count() == 1
    assert document.stack.undoText() == remedy_title(before, document.scene)
    qtbot.waitUntil(lambda: not panel.busy, timeout=PATIENCE)  # it looks again by itself
    assert panel.summary.text().startswith("No row is redundant: 1 degree of freedom")
    assert check_scene(document.scene).mobility.redundant == 0
    document.stack.undo()
    assert document.scene == before
    document.stack.redo()
    assert check_scene(document.scene).mobility.redundant == 0


def remedy_title(before: Scene, after: Scene) -> str:
    changed = [new for old, new in zip(before.joints, after.joints, strict=True) if old != new]
    return "; ".join(
        f"{joint.name}: revolute → {str(joint.__struct_config__.tag).replace('_', ' ')}" for joint in changed
    )


def test_freedoms_wiggle_as_a_ghost(panel: DoctorPanel, qtbot: QtBot) -> None:
    session = panel._session
    session.document.open(scene_paths()["four_bar"])
    examine(panel, qtbot, "wiggle")
    assert panel.summary.text().startswith("1 degree of freedom.")
    (row,) = items(panel)
    assert row.text(0) == "angle of A"
    runs = list(session.runs)
    choose(panel, row)
    assert session.preview.playing
    assert list(session.runs) == runs  # a ghost, no run
    first = session.preview.poses()["crank"][1]
    qtbot.waitUntil(lambda: np.abs(session.preview.poses()["crank"][1] - first).max() > 0.01, timeout=5000)
    assert session.document.clean  # the scene stays as it was
    panel._stop.click()
    assert not session.preview.active
    choose(panel, row)
    panel.view.clearSelection()
    qtbot.mouseClick(panel.view.itemWidget(row, 3), Qt.MouseButton.LeftButton)
    assert session.preview.playing
    panel.hide()
    assert not session.preview.active


def off(scene: Scene) -> Scene:
    """The coupler lies beside its pins."""
    bodies = tuple(
        msgspec.structs.replace(body, position=(0.05, 0.2, 0.0), angle=0.3)
        if body.name == "coupler"
        else body
        for body in scene.bodies
    )
    return msgspec.structs.replace(scene, bodies=bodies)


def test_open_joints_are_closed_after_a_look(panel: DoctorPanel, qtbot: QtBot) -> None:
    session = panel._session
    session.document.open(scene_paths()["four_bar"])
    session.document.apply(Edit("Pull apart", off(session.document.scene)))
    given = session.document.scene
    examine(panel, qtbot, "assembly")
    worst = line(panel, "Open joints, as given").child(0)
    assert worst.text(0) in ("B", "C")
    choose(panel, worst)
    assert session.selection.refs == (Ref("joints", worst.text(0)),)
    close = line(panel, "Close the joints")
    entry = choose(panel, close)
    assert session.preview.active
    assert not session.preview.playing
    np.testing.assert_allclose(session.preview.poses()["coupler"][0], entry.suggestion.poses["coupler"][0])
    assert session.document.scene is given  # nothing is done yet
    panel.apply(entry)
    assert session.document.stack.count() == 2
    qtbot.waitUntil(lambda: not panel.busy, timeout=PATIENCE)
    assert "assembled as it is given" in panel.summary.text()
    session.document.stack.undo()
    assert session.document.scene == given
    assert not session.preview.active
    assert panel._note.text() == STALE
    panel.apply(entry)  # of an answer that is old: nothing happens
    assert session.document.scene == given


def test_branches_are_looked_at_and_taken(panel: DoctorPanel, qtbot: QtBot) -> None:
    session = panel._session
    session.document.open(scene_paths()["four_bar"])
    examine(panel, qtbot, "branches")
    assert "there may be more" in panel.summary.text()
    present, other = items(panel)
    assert present.text(1) == "as it is"
    entry = choose(panel, other)
    assert session.preview.active
    panel.apply(entry)
    assert session.document.stack.undoText() == "Take branch 1"
    np.testing.assert_allclose(
        session.document.scene.body("rocker").position, entry.suggestion.poses["rocker"][0], atol=1e-12
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.key)
def test_scenes_without_anything_to_examine(panel: DoctorPanel, qtbot: QtBot, page: object) -> None:
    key = page.key  # type: ignore[attr-defined]
    panel.examine(key)
    assert not panel.busy
    assert "nothing to examine" in panel.summary.text()
    for name in ("double_pendulum",):
        session = panel._session
        session.document.open(scene_paths()[name])
        scene = session.document.scene
        bare = msgspec.structs.replace(scene, joints=(), motions=(), forces=(), measures=(), traces=())
        session.document.apply(Edit("No joints", bare))
        examine(panel, qtbot, key)
        assert panel.summary.text()
        assert "fault of the program" not in panel.summary.text()
        massless = tuple(msgspec.structs.replace(body, mass=0.0, inertia=None) for body in scene.bodies)
        session.document.apply(Edit("Massless", msgspec.structs.replace(scene, bodies=massless)))
        examine(panel, qtbot, key)
        assert panel.summary.text()
        assert "fault of the program" not in panel.summary.text()


def test_another_scene_forgets_the_answer(panel: DoctorPanel, qtbot: QtBot) -> None:
    document = panel._session.document
    document.open(scene_paths()["four_bar"])
    examine(panel, qtbot, "wiggle")
    assert items(panel)
    document.new()
    assert not items(panel)
    panel.show_page("redundancy")
    assert "redundant" in panel.summary.text()


def test_pointing_lights_up_and_leaving_does_not(panel: DoctorPanel, qtbot: QtBot) -> None:
    session = panel._session
    session.document.open(scene_paths()["spatial_four_bar"])
    examine(panel, qtbot, "redundancy")
    row = next(item for item in items(panel) if item.text(0).startswith("D: "))
    panel.view.itemEntered.emit(row, 0)
    assert session.selection.hover == Ref("joints", "D")
    from PySide6.QtCore import QEvent

    panel.leaveEvent(QEvent(QEvent.Type.Leave))
    assert session.selection.hover is None


def test_it_is_asked_while_the_simulation_runs(panel: DoctorPanel, qtbot: QtBot) -> None:
    """About the pose that is shown; a remedy that is applied then goes into the running simulation."""
    session = panel._session
    session.document.open(scene_paths()["spatial_four_bar"])
    qtbot.waitUntil(lambda: session.tick() or session.state == "ready", timeout=PATIENCE)
    session.transport.play()
    qtbot.waitUntil(lambda: session.tick() or session.t > 0.05, timeout=PATIENCE)
    examine(panel, qtbot, "wiggle")
    session.tick()
    assert panel.summary.text().startswith("At t = ")
    choose(panel, items(panel)[0])
    assert session.preview.playing
    examine(panel, qtbot, "redundancy")
    assert not session.preview.active
    remedy = line(panel, "Remedies that leave nothing redundant").child(0)
    panel.apply(remedy.data(0, ENTRY))
    qtbot.waitUntil(lambda: session.tick() or not (panel.busy or session.busy), timeout=PATIENCE)
    assert session.state in ("playing", "paused")
    assert "No row is redundant" in panel.summary.text()


def test_the_window_offers_it(qtbot: QtBot, tmp_path: Path) -> None:
    """From the menu and by a click on the field of the status bar."""
    with open_window(tmp_path, warm=False) as window:
        window.open_path(scene_paths()["spatial_four_bar"])
        wait(qtbot, lambda: window.session.lifecycle.check is not None)
        field = window.fields.labels["redundant"]
        assert field.text() == "3 redundant"
        qtbot.mouseClick(field, Qt.MouseButton.LeftButton)
        assert window.docks.panels["doctor"].page.key == "redundancy"
        assert window.docks["doctor"].isVisible()
        wait(qtbot, lambda: not window.docks.panels["doctor"].busy)
        assert "3 of 20 rows" in window.docks.panels["doctor"].summary.text()
        window.act("run.wiggle")
        wait(qtbot, lambda: not window.docks.panels["doctor"].busy)
        choose(window.docks.panels["doctor"], items(window.docks.panels["doctor"])[0])
        qtbot.wait(80)
        assert window.viewport.view.has_ghost(PREVIEW)  # type: ignore[attr-defined]
        window.viewport.set_view_style(ghosts=False)  # type: ignore[attr-defined]
        window.session.preview.clear()
        assert not window.viewport.view.has_ghost(PREVIEW)  # type: ignore[attr-defined]
