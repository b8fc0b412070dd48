"""Sliders by hand: a slider-crank needs a block in a guide, and no joint locks a linkage in silence."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton

from app.document.document import Ref
from engine.analyses.check import check_scene
from engine.analyses.kinematics.travels import travels
from engine.analyses.kinematics.whole_motion import whole_motion
from engine.model.validate import validate
from engine.system.prepared import prepare
from tests.app.tools.sheet import LEFT, Sheet

CRANK, ROD = 0.1, 0.3


def crank_and_rod(sheet: Sheet) -> float:
    """A crank, upright at the origin, and a rod that ends level with its pivot; where it ends."""
    end = float(np.sqrt(ROD**2 - CRANK**2))
    sheet.take("bar")
    sheet.click(0.0, 0.0)
    sheet.type("0.1", "90")
    sheet.type("0.3", str(-np.degrees(np.arcsin(CRANK / ROD))))
    QTest.keyClick(sheet.viewport, Qt.Key.Key_Escape)
    return end


def part(sheet: Sheet, kind: type, name: str):
    return sheet.viewport.findChild(kind, f"joint_card.{name}")


def make(sheet: Sheet) -> None:
    QTest.mouseClick(part(sheet, QPushButton, "take"), LEFT)


def test_a_slider_at_the_end_of_a_rod_is_a_block_in_a_guide(sheet: Sheet) -> None:
    told: list[str] = []
    sheet.session.message.connect(lambda level, text, ref: told.append(text))
    end = crank_and_rod(sheet)
    sheet.take("joint.prismatic")
    sheet.click(end, 0.0)
    assert part(sheet, QComboBox, "slides").currentText() == "a block, pinned to bar 2"
    assert part(sheet, QComboBox, "axis").currentText() == "x"  # towards the pivot of the crank
    assert not part(sheet, QLabel, "note").isVisible()
    make(sheet)
    assert validate(sheet.scene) == []
    assert [body.name for body in sheet.scene.bodies] == ["bar 1", "bar 2", "block 1"]
    guide, pin = sheet.scene.joint("prismatic 1"), sheet.scene.joints[-2]
    assert (guide.a.body, guide.b.body) == ("world", "block 1")
    assert (pin.a.body, pin.a.point, pin.b.body) == ("bar 2", "B", "block 1")
    assert check_scene(sheet.scene).mobility.dof == 1
    assert "1 degree of freedom" in told[-1]
    # the stroke of an in-line slider-crank is twice the crank
    low, high = whole_motion(prepare(sheet.scene).mechanism).travel("prismatic 1", "displacement")
    assert high - low == pytest.approx(2.0 * CRANK, rel=1e-4)
    assert high + end == pytest.approx(CRANK + ROD, rel=1e-4)
    sheet.session.document.stack.undo()  # one step
    assert len(sheet.scene.bodies) == 2


def test_what_would_lock_the_linkage_is_told_before_and_after(sheet: Sheet) -> None:
    told: list[tuple[str, str]] = []
    sheet.session.message.connect(lambda level, text, ref: told.append((level, text)))
    end = crank_and_rod(sheet)
    sheet.take("joint.prismatic")
    sheet.click(end, 0.0)
    slides = part(sheet, QComboBox, "slides")
    slides.setCurrentIndex(1)
    slides.activated.emit(1)
    note = part(sheet, QLabel, "note")
    assert note.isVisible()
    assert "locks bar 1, bar 2" in note.text()
    assert "block that is pinned to bar 2" in note.text()
    make(sheet)
    assert check_scene(sheet.scene).mobility.dof == 0
    assert told[-1][0] == "warning"
    assert "cannot move any more" in told[-1][1]


def test_a_body_that_nothing_holds_slides_itself_and_an_empty_place_gets_a_block(sheet: Sheet) -> None:
    sheet.viewport.drafting.set(grounding=False)
    sheet.take("bar")
    sheet.click(0.0, 0.0)
    sheet.type("0.3", "0")
    sheet.take("joint.prismatic")
    sheet.click(0.3, 0.0)
    assert sheet.viewport.tool.proposal.block is False
    make(sheet)
    assert [body.name for body in sheet.scene.bodies] == ["bar 1"]
    sheet.take("joint.prismatic")
    sheet.click(0.1, 0.2)
    make(sheet)
    joint = sheet.scene.joints[-1]
    assert (joint.a.body, joint.b.body) == ("world", "block 1")
    assert sheet.scene.body("block 1").position == pytest.approx((0.1, 0.2))


def test_a_block_on_another_bar_slides_along_that_bar(sheet: Sheet) -> None:
    """Quick return: the pin of a crank drives a rocker through a block."""
    sheet.take("bar")
    sheet.click(0.0, 0.0)
    sheet.type("0.1", "0")
    QTest.keyClick(sheet.viewport, Qt.Key.Key_Escape)
    QTest.keyClick(sheet.viewport, Qt.Key.Key_Escape)
    sheet.take("bar")
    sheet.click(0.1, -0.2)
    sheet.type("0.35", "90")
    QTest.keyClick(sheet.viewport, Qt.Key.Key_Escape)
    sheet.take("joint.prismatic")
    sheet.click(0.1, 0.0)
    proposal = sheet.viewport.tool.proposal
    assert {proposal.a, proposal.b} == {"bar 1", "bar 2"}
    assert proposal.block
    make(sheet)
    assert check_scene(sheet.scene).mobility.dof == 1


def test_the_guide_is_drawn_as_long_as_the_travel(sheet: Sheet) -> None:
    end = crank_and_rod(sheet)
    sheet.take("joint.prismatic")
    sheet.click(end, 0.0)
    make(sheet)
    view = sheet.viewport.view
    view.set_travels(travels(sheet.scene))
    rails = view.visuals[Ref("joints", "prismatic 1")].parts[0].world_points()[:, 0]
    block = view.visuals[Ref("bodies", "block 1")].parts[0].world_points()[:, 0]
    half = 0.5 * float(np.ptp(block))
    assert rails.min() == pytest.approx(ROD - CRANK - half, abs=0.012)
    assert rails.max() == pytest.approx(ROD + CRANK + half, abs=0.012)
    before = rails.copy()
    view.set_poses({"block 1": (np.array([0.25, 0.0, 0.0]), np.eye(3))})  # the guide stays with the ground
    assert view.visuals[Ref("joints", "prismatic 1")].parts[0].world_points()[:, 0] == pytest.approx(before)
