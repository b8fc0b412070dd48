"""Problems that assembly finds are shown at the element, as those of the file are."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.document.document import Document, Edit, Ref
from app.document.problem_elements import problems_by_element, ref_of
from app.panels.messages import MessagesPanel
from app.panels.tree import NAME, TreePanel
from app.platform.appearance import Look
from app.platform.resources import scene_paths
from app.session.session import Session
from engine import load_scene, set_value
from engine.errors import Problem

PATIENCE = 300_000  # ms; a first run may have to compile, on a busy machine


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Iterator[Session]:
    made = Session(Document(autosave=tmp_path), warm=False)
    yield made
    assert made.close()


def settled(session: Session, qtbot: QtBot) -> None:
    def done() -> bool:
        session.tick()
        return not session.busy

    qtbot.waitUntil(done, timeout=PATIENCE)


def test_both_ways_of_writing_a_path_name_the_element() -> None:
    scene = load_scene(scene_paths()["four_bar"])
    joint = scene.joints[2].name
    for path in (f"joints.{joint}", f"joints.{joint}.start.angle", f'joints[2] "{joint}".a'):
        assert ref_of(scene, Problem(path, None, "", "")) == Ref("joints", joint)
    by = problems_by_element(
        scene, [Problem("joints.nobody", 0, "", ""), Problem("simulation.dt", 0, "", "")]
    )
    assert list(by) == [None]


def test_a_loop_that_cannot_be_closed_has_badges(session: Session, qtbot: QtBot) -> None:
    session.document.open(scene_paths()["four_bar"])
    tree, messages = TreePanel(session, Look()), MessagesPanel(session, Look())
    qtbot.addWidget(tree)
    qtbot.addWidget(messages)
    settled(session, qtbot)
    assert not session.faults.problems
    scene = session.document.scene
    ground = next(joint for joint in scene.joints if joint.a.body == "world")
    session.document.apply(Edit("Too far", set_value(scene, f"joints.{ground.name}.a.point", (9.0, 0.0))))
    settled(session, qtbot)
    refs = {ref_of(session.document.scene, problem) for problem in session.faults.problems}
    assert refs
    assert None not in refs
    for ref in refs:
        assert "stays open" in tree._items[ref].toolTip(NAME)
    assert any("stays open" in text for text in messages.texts())
    session.document.stack.undo()
    settled(session, qtbot)
    assert not session.faults.problems
    for ref in refs:
        assert "stays open" not in tree._items[ref].toolTip(NAME)
