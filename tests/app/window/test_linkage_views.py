"""Instant centres, polygons, Grashof's class and families of curves in the real window."""

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.document.document import Ref
from app.panels.inspector.present_card import PresentCard
from app.panels.polygons import PolygonsPanel
from app.platform.resources import scene_paths
from app.viewport.annotations.centre_marks import centres
from app.window.main_window import MainWindow
from engine import load_scene
from tests.app.window.windows import open_window, wait


@pytest.fixture(scope="module")
def window(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory):
    with open_window(tmp_path_factory.mktemp("linkages"), warm=False) as made:
        yield made


def ready(window: MainWindow, qtbot: QtBot, name: str) -> None:
    window.session.document.load(load_scene(scene_paths()[name]))
    wait(qtbot, lambda: window.session.state == "ready")


def test_a_linkage_shows_its_centres_its_class_and_its_polygons(window: MainWindow, qtbot: QtBot) -> None:
    ready(window, qtbot, "driven_four_bar")
    session, run = window.session, window.session.current
    segment, sample = run.sample_at(0.0)
    evaluation = segment.channels.evaluation(sample[None])
    found = {centre.title: centre.place for centre in centres(evaluation, ["crank", "coupler", "rocker"])}
    assert len(found) == 5  # the crank lies along the ground: coupler and rocker turn about D as one
    pins = {
        name: np.asarray(window.viewport.view.queries.position_of(Ref("joints", name))) for name in "ABCD"
    }
    np.testing.assert_allclose(found["crank"][:2], pins["A"][:2], atol=1e-9)
    np.testing.assert_allclose(found["crank, coupler"][:2], pins["B"][:2], atol=1e-9)
    np.testing.assert_allclose(found["coupler"][:2], pins["D"][:2], atol=1e-9)
    window.act("view.centres")
    session.selection.set([Ref("bodies", "coupler")])
    window.viewport.grab()
    card = window.findChild(PresentCard, "inspector.now")
    assert "crank-rocker" in card.text()
    assert "shortest + longest = " in card.toolTip()
    panel = window.docks.panel(PolygonsPanel)
    window.act("window.polygons")
    velocities, _ = panel.drawn()
    assert set(velocities.tips) == set("ABCD")
    panel.grab()
    window.act("insert.transmission")
    assert session.document.scene.measures[-1].a.body == "coupler"
    window.act("view.centres")


def test_a_family_of_curves_is_drawn_without_a_run_and_follows_an_edit(
    window: MainWindow, qtbot: QtBot
) -> None:
    ready(window, qtbot, "four_bar")
    session = window.session
    session.whole_motion.show_family(session.document.scene, "L3")
    wait(qtbot, lambda: session.whole_motion.curves)
    traces = len(session.document.scene.traces)
    assert len(session.whole_motion.curves) == 7 * traces
    assert len(window.viewport.view._paths.paths) == 7 * traces
    window.viewport.grab()
    session.whole_motion.show_family(session.document.scene, "")
    assert window.viewport.view._paths.paths == ()
