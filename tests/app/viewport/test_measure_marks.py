"""Measures in the picture: where their lines lie, what they say, and that they follow a hand."""

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from app.document.document import Edit
from app.session.session import Session
from app.tools.interactive_viewport import ViewportWidget
from app.viewport.annotations.measure_marks import ARC, marks
from engine import Scene
from engine.model.poses import given_poses
from engine.model.resolve import resolve

PER_PIXEL = 1e-3


def scene() -> Scene:
    return (
        Scene(space="planar")
        .with_body("crank", mass=1.0, angle=np.radians(30.0), points=[{"name": "B", "position": [0.2, 0.0]}])
        .with_body("block", mass=1.0, position=[0.5, 0.1])
        .with_joint("revolute", "A", a={"body": "world"}, b={"body": "crank"})
        .with_measure("distance", "gap", a={"body": "crank", "point": "B"}, b={"body": "block"})
        .with_measure("angle", "swing", a={"body": "world"}, b={"body": "crank"})
    )


def test_a_dimension_and_an_arc_with_their_values() -> None:
    made = resolve(scene())
    gap, swing = marks(made, given_poses(made), PER_PIXEL)
    tip = 0.2 * np.array([np.cos(np.pi / 6.0), np.sin(np.pi / 6.0), 0.0])
    np.testing.assert_allclose(gap.line, [tip, [0.5, 0.1, 0.0]], atol=1e-12)
    assert gap.value == pytest.approx(np.hypot(0.5 - tip[0], 0.1 - tip[1]))
    assert swing.value == pytest.approx(np.pi / 6.0)
    np.testing.assert_allclose(np.linalg.norm(swing.line, axis=1), ARC * PER_PIXEL)  # about the pin
    np.testing.assert_allclose(swing.line[0], [ARC * PER_PIXEL, 0.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(swing.line[-1], ARC * PER_PIXEL * tip / 0.2, atol=1e-12)


@pytest.fixture
def viewport(qtbot: QtBot) -> Iterator[ViewportWidget]:
    session = Session(warm=False)
    widget = ViewportWidget(session)
    widget.resize(640, 480)
    widget.show()
    yield widget
    widget.hide()
    widget.shutdown()
    session.close()
    widget.deleteLater()


def test_issue_18_the_picture_shows_measures_and_follows_a_hand(viewport: ViewportWidget) -> None:
    session = viewport._session
    session.document.apply(Edit("Open", scene()))
    viewport.fit_all()

    def grabbed(**style: bool) -> np.ndarray:
        viewport.set_view_style(**style)
        picture = viewport.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
        return (
            np.frombuffer(picture.constBits(), np.uint8).reshape(picture.height(), picture.width(), 4).copy()
        )

    without, drawn = grabbed(measures=False), grabbed(measures=True)
    assert (without != drawn).any(axis=2).sum() > 300  # px of lines and words
    poses = session.poses()
    session.shown.pose_by_hand({**poses, "block": (np.array([0.3, 0.4, 0.0]), np.eye(3))})
    moved = grabbed(measures=True)
    assert (moved != grabbed(measures=False)).any(axis=2).sum() > 300
    gap = marks(resolve(session.scene), session.poses(), PER_PIXEL)[0]
    np.testing.assert_allclose(gap.line[1], [0.3, 0.4, 0.0])
