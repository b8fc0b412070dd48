"""The first hour: starting points, the guided build, offers for the selection, and a scene that falls."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from app.document.document import EMPTY, Ref
from app.edits import Meeting, Placement, add_motor, add_trace, draw, drawn_bar, ground
from app.tools.suggestions import direct, suggestions
from app.window.overlays.falling import falling_body
from app.window.overlays.first_build import STEPS, ticks
from engine.model.scene import Scene
from engine.model.validate import validate
from tests.app.window.windows import open_window, wait

LEFT = Qt.MouseButton.LeftButton
IDLE = SimpleNamespace(playing=False, t=0.0)


def bar(scene: Scene, x: float, *meetings: Meeting) -> Scene:
    return draw(scene, drawn_bar(Placement(np.array([x, 0.0, 0.0])), 0.4, 0.4, 0.01, meetings)).after


def chain() -> Scene:
    """Three bars in a row, pinned to the ground at both ends."""
    scene = bar(EMPTY, 0.0, Meeting("A", point=(0.0, 0.0)))
    scene = bar(scene, 0.4, Meeting("A", "bar 1", "B"))
    return bar(scene, 0.8, Meeting("A", "bar 2", "B"), Meeting("B", point=(1.2, 0.0)))


def test_the_guided_build_ticks_what_is_done() -> None:
    scene = EMPTY
    counts = [sum(ticks(scene, "select", IDLE)), sum(ticks(scene, "bar", IDLE))]
    for step in (lambda s: bar(s, 0.0, Meeting("A", point=(0.0, 0.0))), lambda _: chain()):
        scene = step(scene)
        counts.append(sum(ticks(scene, "bar", IDLE)))
    scene = add_trace(scene, "bar 2", "A").after  # out of turn: not yet
    counts.append(sum(ticks(scene, "select", IDLE)))
    scene = add_motor(scene, "revolute 1").after
    counts.append(sum(ticks(scene, "select", IDLE)))
    counts.append(sum(ticks(scene, "select", SimpleNamespace(playing=True, t=0.1))))
    assert counts == [0, 1, 2, 4, 4, 6, len(STEPS)]


def test_what_falls() -> None:
    free = bar(bar(EMPTY, 0.0), 0.4, Meeting("A", "bar 1", "B"))
    assert falling_body(free) == "bar 1"
    assert falling_body(ground(free, "bar 2").after) == ""
    assert falling_body(chain()) == ""
    assert falling_body(EMPTY) == ""


@pytest.mark.parametrize(
    ("refs", "words"),
    [
        ([Ref("joints", "revolute 1")], "Motor"),
        ([Ref("joints", "revolute 1"), Ref("joints", "revolute 2")], "Gear pair of both joints"),
        ([Ref("bodies", "bar 2")], "Trace of A"),
        ([Ref("bodies", "bar 2", "B")], "Pin B to the ground"),
        ([Ref("bodies", "bar 1"), Ref("bodies", "bar 2")], "Fixed at B"),
        ([Ref("bodies", "bar 1"), Ref("bodies", "bar 3")], "Spring from B to A"),
    ],
)
def test_offers_for_the_selection(refs: list[Ref], words: str) -> None:
    scene = chain()
    found = suggestions(scene, tuple(refs))
    assert words in [suggestion.text for suggestion in found]
    for suggestion in found:  # whatever is offered can be done
        after = suggestion.make(scene).after
        assert after != scene
        assert validate(after) == []


def test_nothing_is_offered_where_nothing_is_possible() -> None:
    assert suggestions(chain(), ()) == []
    assert suggestions(EMPTY, (Ref("bodies", "gone"),)) == []
    assert direct(chain(), (Ref("bodies", "bar 2"),), "trace") is None  # two points: the user chooses


def test_an_empty_scene_and_one_that_nothing_holds(qtbot: QtBot, tmp_path: Path) -> None:
    with open_window(tmp_path) as window:
        session, viewport = window.session, window.viewport
        QApplication.processEvents()

        # starting points: there while nothing is, out of the way while drawing
        assert window.overlays.start_card.isVisible()
        QTest.mouseClick(window.overlays.start_card.findChild(QToolButton, "start_card.insert.bar"), LEFT)
        assert viewport.tool.id == "bar"
        assert not window.overlays.start_card.isVisible()
        assert window.overlays.tool_strip.isVisible()
        QTest.keyClick(viewport, Qt.Key.Key_Escape)
        assert window.overlays.start_card.isVisible()
        QTest.mouseClick(window.overlays.start_card.findChild(QToolButton, "start_card.insert.spatial"), LEFT)
        assert session.document.scene.space == "spatial"

        # the guided build goes back to the plane
        window.act("help.first_build")
        assert window.overlays.first_build.isVisible()
        assert session.document.scene.space == "planar"
        assert not window.overlays.start_card.isVisible()
        window.overlays.first_build.leave()

        # a bar that nothing holds falls, the view goes along, and grounding it is one step
        session.document.load(bar(EMPTY, 0.0))
        wait(qtbot, lambda: session.state == "ready")
        session.transport.play()
        wait(qtbot, lambda: session.t > 1.0)
        session.transport.pause()
        QApplication.processEvents()
        assert session.poses()["bar 1"][0][1] < -4.0  # fallen by g t²/2 = 4.9 m
        assert viewport.rect().contains(viewport.pixel_of(Ref("bodies", "bar 1")).toPoint())
        assert window.overlays.notice.isVisible()
        QTest.mouseClick(window.overlays.notice.button, LEFT)
        assert session.document.scene.body("bar 1").fixed
        assert session.document.stack.count() == 1
        assert viewport.view.followed == ""
        session.document.stack.undo()
        assert not session.document.scene.body("bar 1").fixed
