"""Limits by hand: stops are dragged in the picture, and kept when a linkage is dragged."""

import math
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from pytestqt.qtbot import QtBot

from app.document.document import Ref
from app.tools.base import Pointer
from app.tools.drag.limit_drag import coordinate_under
from app.tools.select import SelectTool
from engine.analyses.drag.dragging import Dragging
from engine.analyses.drag.gripped import GrippedLinkage
from engine.analyses.drag.grips import Grip
from engine.model.scene import Scene
from engine.system.compiling.compile import compile_scene
from tests.app.tools.test_dragging import shown


def pendulum(**stop: object) -> Scene:
    scene = Scene(space="planar").with_body("rod", com=[0.2, 0.0], mass=1.0, inertia=[0.01])
    ends = {"a": {"body": "world", "point": [0, 0]}, "b": {"body": "rod", "point": [0, 0]}}
    scene = scene.with_joint("revolute", "hinge", **ends)
    return scene.with_force("stop", "stop", joint="hinge", **stop)


@pytest.mark.parametrize("law", [{"law": "rigid"}, {"stiffness": 100.0}])
def test_a_stop_is_kept_when_the_linkage_is_dragged(law: dict[str, object]) -> None:
    mechanism = compile_scene(pendulum(lower=-0.5, upper=0.6, **law))
    grip = Grip(0, np.array([0.2, 0.0, 0.0]))
    hand = Dragging(GrippedLinkage(mechanism, [grip], t=0.0, q=mechanism.q.copy()))
    for angle, kept in ((0.3, 0.3), (1.4, 0.6), (-1.2, -0.5), (0.1, 0.1)):
        target = np.array([0.4 * math.cos(angle), 0.4 * math.sin(angle), 0.0])
        for _ in range(20):
            if hand.follow(target).arrived:
                break
        x, y, _ = hand.linkage.places[0]
        assert math.atan2(y, x) == pytest.approx(kept, abs=1e-4)
        assert -0.5 - 1e-8 <= math.atan2(y, x) <= 0.6 + 1e-8


def test_a_limit_follows_the_pointer_and_is_one_step_to_undo(qtbot: QtBot, tmp_path: Path) -> None:
    with shown(qtbot, pendulum(lower=-0.5, upper=0.6, law="rigid"), tmp_path) as widget:
        session, view = widget._session, widget.view
        stop = Ref("forces", "stop")
        part = view.visuals[stop].parts[0]
        points = part.world_points()
        angles = np.arctan2(points[:, 1], points[:, 0])
        bar = points[np.argmax(angles)]  # the upper bar is the last along the arc
        tool = widget.tool
        assert isinstance(tool, SelectTool)
        ratio = widget.devicePixelRatioF()

        def pixel(angle: float) -> Pointer:
            radius = float(np.hypot(bar[0], bar[1]))
            x, y = view.camera.project([radius * math.cos(angle), radius * math.sin(angle), bar[2]])
            return Pointer(QPointF(x / ratio, y / ratio))

        start = pixel(0.6)
        assert stop in widget.refs_at(start.position)
        tool.grab(start)
        for angle in np.linspace(0.6, 1.0, 5):
            tool.drag(pixel(float(angle)))
        tool.drop(pixel(1.0))
        found = session.document.scene.forces[0]
        assert found.upper == pytest.approx(math.radians(round(math.degrees(1.0))), abs=math.radians(1.1))
        assert found.lower == -0.5
        session.document.stack.undo()
        assert session.document.scene.forces[0].upper == 0.6


def test_what_a_line_of_sight_means_for_a_coordinate() -> None:
    down, above = np.array([0.0, 0.0, -1.0]), np.array([0.3, 0.4, 5.0])
    place, axes = np.array([0.1, 0.1, 0.0]), np.eye(3)
    turned = coordinate_under(above, down, place, axes, turns=True, planar=True)
    assert turned == pytest.approx(math.atan2(0.3, 0.2))
    assert coordinate_under(above, down, place, axes, turns=False, planar=True) == pytest.approx(0.2)
    assert coordinate_under(above, down, place, axes, turns=False, planar=False) is None  # into the picture
