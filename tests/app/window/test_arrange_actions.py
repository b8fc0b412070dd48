"""Copy, paste, mirror, patterns, groups and joints by the actions of the window."""

from itertools import combinations
from pathlib import Path

import msgspec
import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLineEdit, QListWidget, QMenu
from pytestqt.qtbot import QtBot

from app.cli.driving.private_window import in_front
from app.document.document import Ref
from app.platform.resources import scene_paths
from app.tools.base import Pointer
from app.tools.move.subjects import subject_of
from app.window.main_window import MainWindow
from engine import Scene, load_scene
from engine.model.poses import given_poses
from engine.model.resolve import resolve
from engine.templates import TEMPLATES
from tests.app.window.windows import open_window, wait

CRANK, COUPLER = Ref("bodies", "crank"), Ref("bodies", "coupler")


@pytest.fixture(scope="module")
def window(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory):
    with open_window(tmp_path_factory.mktemp("arrange"), warm=False) as made:
        yield made


@pytest.fixture(autouse=True)
def four_bar(window: MainWindow) -> None:
    window.session.document.load(load_scene(scene_paths()["four_bar"]))


def answer(qtbot: QtBot, *keys: tuple[str, str]) -> None:
    """Type into fields of the dialog that will open, then Return."""

    def go() -> None:
        dialog = in_front()
        for name, text in keys:
            line = dialog.findChild(QLineEdit, name)
            line.selectAll()
            qtbot.keyClicks(line, text)
        qtbot.keyClick(dialog, Qt.Key.Key_Return)

    QTimer.singleShot(50, go)


def test_copy_and_paste_between_windows(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    session = window.session
    session.selection.set([CRANK, COUPLER])
    window.act("edit.copy")
    assert '"trammel-scene"' in QGuiApplication.clipboard().text()
    with open_window(tmp_path, warm=False) as other:
        other.act("edit.paste")
        scene = other.session.document.scene
        assert [body.name for body in scene.bodies] == ["crank", "coupler"]
        assert scene.space == "planar"
        assert scene.joint("B").b.body == "coupler"
    window.act("edit.paste")
    assert session.document.scene.joint("B 2").a.body == "crank 2"
    assert Ref("bodies", "crank 2") in session.selection.refs
    session.document.stack.undo()
    window.act("edit.cut")
    QGuiApplication.clipboard().setText("no elements")
    said = []
    session.message.connect(lambda level, text, ref: said.append(text))
    window.act("edit.paste")
    assert "no elements" in said[-1]


def test_cut_takes_away_and_names_its_step(window: MainWindow) -> None:
    document = window.session.document
    window.session.selection.set([COUPLER])
    window.act("edit.cut")
    assert [body.name for body in document.scene.bodies] == ["crank", "rocker"]
    assert document.stack.undoText() == "Cut coupler"


def test_the_dialogs_make_what_they_say(window: MainWindow, qtbot: QtBot) -> None:
    document = window.session.document
    for id, keys, count in (
        ("edit.mirror", (("mirror.through.0", "0.5"),), 2),
        ("edit.row", (("row.count", "3"), ("row.step.0", "0.25")), 3),
        ("edit.circle", (("circle.count", "6"), ("circle.angle", "60")), 6),
    ):
        window.session.selection.set([CRANK])
        answer(qtbot, *keys)
        window.act(id)
        assert len(document.scene.bodies) == 3 + count - 1, id
        assert sum(joint.a.body == "world" for joint in document.scene.joints) == 2 + count - 1
        if id == "edit.mirror":
            assert document.scene.body("crank 2").position == (1.0, 0.0)
        document.stack.undo()


def test_a_number_that_cannot_be_is_said_and_escape_leaves_all_as_it_was(
    window: MainWindow, qtbot: QtBot
) -> None:
    from app.dialogs.arranging.copy_pattern import RowDialog

    scene = window.session.document.scene
    window.session.selection.set([CRANK])
    dialog = RowDialog(window, scene, (CRANK,), window.look)
    qtbot.addWidget(dialog)
    dialog.show()
    line = dialog.findChild(QLineEdit, "row.count")
    line.selectAll()
    qtbot.keyClicks(line, "1")
    assert "no pattern" in dialog.preview.text()
    assert not dialog.buttons.buttons()[0].isEnabled()
    line.selectAll()
    qtbot.keyClicks(line, "5")
    assert dialog.preview.text() == "Adds 4 bodies, 4 joints."
    qtbot.keyClick(line, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert window.session.document.scene is scene


def test_the_kind_of_a_joint_is_chosen_from_a_menu(window: MainWindow, qtbot: QtBot) -> None:
    document = window.session.document
    window.session.selection.set([Ref("joints", "C")])

    def choose() -> None:
        menu = in_front()
        assert isinstance(menu, QMenu)
        entry = next(e for e in menu.actions() if e.objectName() == "kind.spherical")
        menu.setActiveAction(entry)
        qtbot.keyClick(menu, Qt.Key.Key_Return)

    QTimer.singleShot(50, choose)
    window.act("edit.kind")
    assert document.scene.joint("C").__struct_config__.tag == "spherical"
    window.act("edit.swap")
    assert document.scene.joint("C").a.body == "rocker"
    document.stack.undo()
    document.stack.undo()
    assert document.scene == load_scene(scene_paths()["four_bar"])


def test_a_group_is_in_the_tree_and_its_members_can_be_changed(window: MainWindow, qtbot: QtBot) -> None:
    session, document = window.session, window.session.document
    session.selection.set([CRANK, COUPLER])
    window.act("edit.group")
    (ref,) = session.selection.refs
    assert ref == Ref("groups", "Group")
    leaf = window.docks.panels["tree"]._items[ref]
    assert [leaf.child(i).text(0) for i in range(leaf.childCount())] == ["crank", "coupler"]
    view = window.docks.panels["inspector"].findChild(QListWidget, "inspector.members")
    view.item(0).setSelected(True)
    view.parent().remove_chosen()
    assert document.scene.groups[0].members == ("bodies.coupler",)
    window.act("edit.isolate")
    assert [body.visible for body in document.scene.bodies] == [False, True, False]
    window.act("edit.show_all")
    window.act("edit.visible")
    assert [body.visible for body in document.scene.bodies] == [True, False, True]
    window.act("edit.members")
    assert session.selection.refs == (COUPLER,)
    session.selection.set([ref])
    window.act("edit.ungroup")
    assert document.scene.groups == ()


def test_issue_18_a_duplicate_is_seen_beside_its_original(window: MainWindow) -> None:
    document = window.session.document
    window.session.selection.set([CRANK])
    window.act("edit.duplicate")
    window.act("edit.duplicate")  # of the copy, which is selected now
    places = [given_poses(document.scene)[name][0] for name in ("crank", "crank 2", "crank 3")]
    size = window.viewport.view.stage.extent
    for one, other in combinations(places, 2):
        assert np.linalg.norm(one - other) > 0.02 * size
    document.stack.undo()
    document.stack.undo()
    assert [body.name for body in document.scene.bodies].count("crank 2") == 0


def test_a_copy_stands_as_the_original_is_seen(window: MainWindow, qtbot: QtBot) -> None:
    """Closing the loop turns a coupler that is written at another angle; copies were taken as written."""
    session, document = window.session, window.session.document
    scene = document.scene
    bodies = tuple(
        msgspec.structs.replace(body, angle=f"0.2 + ({body.angle})") if body.name == "coupler" else body
        for body in scene.bodies
    )
    document.load(msgspec.structs.replace(scene, bodies=bodies))
    wait(qtbot, lambda: session.state == "ready" and session.current is not None)
    seen = session.poses()["coupler"][1]
    assert not np.allclose(seen, given_poses(document.scene)["coupler"][1], atol=1e-3)
    session.selection.set([COUPLER])
    window.act("edit.duplicate")
    np.testing.assert_allclose(given_poses(document.scene)["coupler 2"][1], seen, atol=1e-8)
    assert document.scene.body("coupler") == bodies[1]  # the original stays as it is written
    document.stack.undo()
    wait(qtbot, lambda: session.state == "ready")
    session.selection.set([COUPLER])
    window.act("edit.copy")
    window.act("edit.paste")
    np.testing.assert_allclose(given_poses(document.scene)["coupler 2"][1], seen, atol=1e-8)


def test_the_history_lists_named_steps_and_a_click_goes_there(window: MainWindow, qtbot: QtBot) -> None:
    document, view = window.session.document, window.docks.panels["history"].view
    first = document.scene
    window.session.selection.set([CRANK])
    window.act("edit.duplicate")
    window.act("edit.group")
    window.act("edit.history")
    names = [view.model().index(row, 0).data() for row in range(view.model().rowCount())]
    assert names == ["As it was opened", "Duplicate crank", "Group crank 2"]
    last = document.scene
    qtbot.mouseClick(
        view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(view.model().index(0, 0)).center()
    )
    assert document.scene == first
    qtbot.mouseClick(
        view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(view.model().index(2, 0)).center()
    )
    assert document.scene == last
    window.docks["history"].hide()


def linked(window: MainWindow) -> list[Ref]:
    """The whole four-bar, selected."""
    scene = window.session.document.scene
    refs = [Ref(where, item.name) for where in ("bodies", "joints") for item in getattr(scene, where)]
    window.session.selection.set(refs)
    return refs


def test_what_is_pasted_lies_beside_follows_the_pointer_and_is_one_step(
    window: MainWindow, qtbot: QtBot
) -> None:
    session, viewport = window.session, window.viewport
    linked(window)
    window.act("edit.copy")
    window.act("edit.paste")
    scene = resolve(session.document.scene)
    assert scene.body("crank 2").position != scene.body("crank").position  # it is seen at once
    assert viewport.tool.id == "place"
    spot = QPoint(viewport.width() // 3, viewport.height() // 3)
    viewport.tool.hover(Pointer(QPointF(spot)))
    shown = session.poses()["crank 2"][0]
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=spot)
    after = resolve(session.document.scene)
    assert after.body("crank 2").position[:2] == pytest.approx(tuple(shown[:2]))
    assert np.hypot(*(viewport.pixel_of(Ref("bodies", "crank 2")) - QPointF(spot)).toTuple()) < 120.0
    step = np.subtract(after.body("crank 2").position, after.body("crank").position)
    pins = [np.array(after.joint(name).a.point, float) for name in ("A", "A 2")]
    assert pins[1] - pins[0] == pytest.approx(step)  # ground pins too
    assert viewport.tool.id == "select"
    session.document.stack.undo()
    assert len(session.document.scene.bodies) == 3


def test_escape_takes_back_what_was_pasted(window: MainWindow, qtbot: QtBot) -> None:
    linked(window)
    window.act("edit.copy")
    window.act("edit.paste")
    qtbot.keyClick(window.viewport, Qt.Key.Key_Escape)
    assert len(window.session.document.scene.bodies) == 3
    assert window.viewport.tool.id == "select"


def test_the_move_tool_takes_the_whole_selection_or_says_why_not(window: MainWindow, qtbot: QtBot) -> None:
    session, viewport = window.session, window.viewport
    session.selection.set([CRANK, COUPLER])
    window.act("insert.move")
    assert "which is not selected" in viewport.tool.hint
    linked(window)
    assert viewport.tool.hint.startswith("3 bodies")
    subject = subject_of(viewport, session)
    subject.move(np.array([0.1, 0.05, 0.0]))
    before, moved = resolve(session.document.scene), resolve(subject.commit().after)
    subject.cancel()
    for name in ("crank", "rocker"):
        step = np.subtract(moved.body(name).position, before.body(name).position)
        assert step[:2] == pytest.approx((0.1, 0.05))
    assert np.subtract(moved.joint("D").a.point, before.joint("D").a.point)[:2] == pytest.approx((0.1, 0.05))


def test_scale_asks_for_the_factor(window: MainWindow, qtbot: QtBot) -> None:
    linked(window)
    before = resolve(window.session.document.scene).joint("D").a.point
    answer(qtbot, ("scale.factor", "3"))
    window.act("edit.scale")
    assert resolve(window.session.document.scene).joint("D").a.point[0] == pytest.approx(3.0 * before[0])
    assert window.session.document.stack.undoText() == "Scale 7 elements by 3"


def test_a_coupling_has_no_place_to_be_moved_or_to_have_arrows(window: MainWindow) -> None:
    hinges = ("J1", "J2")
    scene = Scene(space="planar")
    for i, name in enumerate(hinges):
        scene = scene.with_body(f"wheel {i}", mass=1.0, inertia=[0.1], position=[0.2 * i, 0.0])
        a = {"body": "world", "point": [0.2 * i, 0.0]}
        scene = scene.with_joint("revolute", name, a=a, b={"body": f"wheel {i}"})
    window.session.document.load(scene.with_joint("gear", "G", joint_a="J1", joint_b="J2", ratio=1.0))
    gears = [j.name for j in window.session.document.scene.joints if not hasattr(j, "a")]
    window.session.selection.set([Ref("joints", gears[0])])
    window.act("insert.move")
    assert "Select a body" in window.viewport.tool.hint
    with pytest.raises(KeyError, match="no place of its own"):
        window.viewport.view.queries.position_of(Ref("joints", gears[0]))


def test_issue_18_a_motor_goes_with_what_is_pasted(window: MainWindow, qtbot: QtBot) -> None:
    """Its symbol stood where the copy had been pasted, while the bodies followed the pointer."""
    document, view = window.session.document, window.viewport.view
    document.load(TEMPLATES["four_bar"].make().scene)
    wait(qtbot, lambda: window.session.state == "ready")
    window.act("edit.select_all")
    window.act("edit.copy")
    window.act("edit.paste")
    assert Ref("motions", "drive 2") in view.visuals

    def shown(name: str) -> bool:
        return any(part.visible for part in view.visuals[Ref("motions", name)].parts)

    assert shown("drive 2")
    place = QPointF(window.viewport.width() / 2, window.viewport.height() / 2)
    window.viewport.tool.hover(Pointer(place))
    assert not shown("drive 2")  # in the hand
    assert shown("drive")
    window.viewport.tool.click(Pointer(place))
    assert shown("drive 2")
