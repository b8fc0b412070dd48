"""Ghosts of earlier runs: where they are, that they only move, and that they can be hidden."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.document.document import Ref
from app.edits import remove
from app.panels.runs import GHOST, RunsPanel
from app.platform.appearance import Look
from app.platform.resources import scene_paths
from app.session.session import Session
from app.tools.interactive_viewport import ViewportWidget
from app.viewport.session_picture import ghost_text

PATIENCE = 90_000  # ms; a first run may have to compile


@pytest.fixture
def viewport(qtbot: QtBot) -> Iterator[ViewportWidget]:
    session = Session(warm=False)
    session.document.open(scene_paths()["four_bar"])
    widget = ViewportWidget(session)
    widget.resize(640, 480)
    yield widget
    widget.shutdown()
    session.close()
    widget.deleteLater()


def until(qtbot: QtBot, session: Session, condition: Any) -> None:
    def ticked() -> bool:
        session.tick()
        return bool(condition())

    qtbot.waitUntil(ticked, timeout=PATIENCE)


def run_once(qtbot: QtBot, session: Session, t: float = 0.3) -> None:
    """A run that gets to t and then stays as an earlier one."""
    until(qtbot, session, lambda: session.state == "ready")
    session.transport.set_speed(math.inf)
    session.transport.play()
    until(qtbot, session, lambda: session.t >= t or session.state == "paused")
    session.lifecycle.reset()
    until(qtbot, session, lambda: session.state == "ready" and session.t == 0.0)


def test_a_ghost_stands_where_its_run_was_at_that_time(viewport: ViewportWidget, qtbot: QtBot) -> None:
    session = viewport._session
    run_once(qtbot, session)
    earlier = session.runs[0]
    assert not viewport.view._ghosts
    session.runs.set_ghost(earlier)
    ghost = viewport.view._ghosts[earlier.id]
    actors = [part.actor for part in ghost.parts]
    assert actors
    assert all(actor.GetProperty().GetOpacity() < 0.5 for actor in actors)
    session.transport.play()
    until(qtbot, session, lambda: session.t >= 0.2)
    session.transport.pause()
    session.transport.seek(0.1)  # a fast run may have left the earlier one behind, and its ghost with it
    ghost = viewport.view._ghosts[earlier.id]
    actors = [part.actor for part in ghost.parts]
    session.transport.seek(0.15)
    poses = earlier.poses_at(0.15)
    assert viewport.view._ghosts[earlier.id] is ghost  # only moved
    assert [part.actor for part in ghost.parts] == actors
    matrix = np.array(ghost._stage.matrices["crank"].GetData()).reshape(4, 4)
    np.testing.assert_allclose(matrix[:3, :3], poses["crank"][1])
    np.testing.assert_allclose(matrix[:3, 3], poses["crank"][0])


def test_ghosts_are_seen_never_picked_and_can_be_hidden(viewport: ViewportWidget, qtbot: QtBot) -> None:
    session = viewport._session
    run_once(qtbot, session)
    earlier = session.runs[0]
    session.transport.play()
    until(qtbot, session, lambda: session.t >= 0.2)
    session.transport.pause()
    session.transport.seek(0.0)
    before = viewport.view.render().copy()
    earlier.poses_at = lambda t: type(earlier).poses_at(earlier, 0.25)  # elsewhere than the present run
    session.runs.set_ghost(earlier)
    shown = viewport.view.render().copy()
    assert np.count_nonzero(np.any(before != shown, axis=2)) > 300
    viewport.set_view_style(ghosts=False)
    np.testing.assert_array_equal(viewport.view.render(), before)
    viewport.set_view_style(ghosts=True, dark=True)  # built anew
    assert earlier.id in viewport.view._ghosts
    earlier.visible = False
    session.runs.changed.emit()
    assert not viewport.view._ghosts


def test_the_runs_panel_switches_them(viewport: ViewportWidget, qtbot: QtBot) -> None:
    session = viewport._session
    run_once(qtbot, session)
    panel = RunsPanel(session, Look())
    qtbot.addWidget(panel)
    rows = [panel.view.topLevelItem(i) for i in range(panel.view.topLevelItemCount())]
    marks = [row.data(GHOST, Qt.ItemDataRole.CheckStateRole) for row in rows]
    assert marks[0] is None  # the present run is no ghost
    assert Qt.CheckState(marks[1]) == Qt.CheckState.Unchecked
    rows[1].setCheckState(GHOST, Qt.CheckState.Checked)
    assert session.runs.ghosts() == [session.runs[0]]
    panel.view.topLevelItem(1).setSelected(True)
    panel.ghost()
    assert session.runs.ghosts() == []


def test_issue_18_a_ghost_goes_where_its_run_ends(viewport: ViewportWidget, qtbot: QtBot) -> None:
    session = viewport._session
    run_once(qtbot, session, 0.1)
    earlier = session.runs[0]
    session.runs.set_ghost(earlier)
    session.transport.play()
    until(qtbot, session, lambda: session.t > earlier.t_last + 0.1)
    session.transport.pause()
    assert not viewport.view._ghosts
    # but its trace stays, and the legend says since when it is over
    paths = viewport.view._paths.paths
    assert {path.color for path in paths} == {earlier.color}
    assert all(len(path.points) > 2 for path in paths)
    assert ghost_text(earlier, session.t) == f"{earlier.name}: over since {earlier.t_last:.4g} s"
    session.transport.seek(0.5 * earlier.t_last)
    assert earlier.id in viewport.view._ghosts
    assert ghost_text(earlier, session.t) == earlier.name
    # what it says is painted: the upper right corner differs without the ghost
    shown = viewport.grab().toImage().copy(440, 0, 200, 40)
    session.runs.set_ghost(earlier, False)
    assert viewport.grab().toImage().copy(440, 0, 200, 40) != shown


def test_issue_18_the_picture_shows_the_scene_of_the_instant(viewport: ViewportWidget, qtbot: QtBot) -> None:
    session = viewport._session
    document = session.document
    document.apply(remove(document.scene, [Ref("bodies", "rocker")]))
    run_once(qtbot, session, 0.1)
    session.transport.play()
    until(qtbot, session, lambda: session.t >= 0.1)
    session.transport.pause()
    until(qtbot, session, lambda: not session.busy)
    document.stack.undo()
    until(qtbot, session, lambda: "rocker" in session.poses())
    assert Ref("bodies", "rocker") in viewport.view.visuals
    assert not viewport.shows_the_past
    session.transport.seek(0.05)
    assert viewport.shows_the_past
    assert Ref("bodies", "rocker") not in viewport.view.visuals
    traces = viewport.traced[1]
    assert all(np.isfinite(path).all() for path in traces.values())
    assert max(map(len, traces.values())) > 2
    session.transport.go_live()
    assert Ref("bodies", "rocker") in viewport.view.visuals
