"""A four-bar with a motor from an empty scene: at most 12 clicks on what is visible, and typed numbers.

The coupler curve that the viewport draws is compared with the kinematics of the four-bar in closed form.
"""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.app.window.windows import open_window, wait

Array = NDArray[np.float64]

CRANK, CRANK_ANGLE = 0.1, 90.0  # m, degrees
COUPLER, COUPLER_ANGLE = 0.4, 20.0
GROUND = 0.4  # m, from pin to pin
SPEED = 2.0  # rad/s, of a new motor
MAX_CLICKS = 12
SECONDS = 1.0  # of the motion that are compared


class Hand:
    """A mouse and a keyboard: it only reaches what is on the screen, and counts its clicks."""

    def __init__(self, window: QWidget) -> None:
        self.window, self.clicks = window, 0

    def button(self, name: str) -> None:
        """Click a button where it is on the screen."""
        button = self.window.findChild(QWidget, name)
        assert button is not None, name
        assert self._click(button.mapToGlobal(button.rect().center())) is button

    def at(self, widget: QWidget, x: float, y: float, modifier: Qt.KeyboardModifier | None = None) -> None:
        self._click(widget.mapToGlobal(QPoint(round(x), round(y))), modifier)

    def _click(self, at: QPoint, modifier: Qt.KeyboardModifier | None = None) -> QWidget:
        # the topmost widget there; the offscreen screen is smaller than the window
        under = self.window.childAt(self.window.mapFromGlobal(at))
        assert under is not None, at
        assert under.isVisible(), under.objectName()
        assert under.isEnabled(), under.objectName()
        place = under.mapFromGlobal(at)
        QTest.mouseMove(under, place)
        modifiers = modifier if modifier is not None else Qt.KeyboardModifier.NoModifier
        QTest.mouseClick(under, Qt.MouseButton.LeftButton, modifiers, place)
        self.clicks += 1
        QApplication.processEvents()
        return under

    def type(self, *texts: str) -> None:
        """Type into what has the keyboard: texts with Tab between them, then Enter."""
        for i, text in enumerate(texts):
            if i:
                QTest.keyClick(self._keyboard(), Qt.Key.Key_Tab)
            QTest.keyClicks(self._keyboard(), text)
        QTest.keyClick(self._keyboard(), Qt.Key.Key_Return)
        QApplication.processEvents()

    def _keyboard(self) -> QWidget:
        """What keys go to; without a window manager no window is active, but each has its own focus."""
        return QApplication.focusWidget() or self.window.focusWidget() or self.window


def coupler_middle(t: Array, rocker: float) -> Array:
    """Middle of the coupler, shape (n, 2).

    With crank angle φ: B = L1 (cos φ, sin φ), D = (L4, 0), r = |D - B|. In the triangle B C D the angle at B
    is acos((L2² + r² - L3²)/(2 L2 r)), so the coupler points along atan2(D - B) plus it: C lies above BD.
    """
    phi = np.radians(CRANK_ANGLE) + SPEED * t
    B = CRANK * np.column_stack([np.cos(phi), np.sin(phi)])
    way = np.array([GROUND, 0.0]) - B
    r = np.linalg.norm(way, axis=1)
    at_B = np.arccos((COUPLER**2 + r**2 - rocker**2) / (2.0 * COUPLER * r))
    psi = np.arctan2(way[:, 1], way[:, 0]) + at_B
    return np.asarray(B + 0.5 * COUPLER * np.column_stack([np.cos(psi), np.sin(psi)]))


def test_a_four_bar_in_twelve_clicks(qtbot: QtBot, tmp_path: Path) -> None:
    with open_window(tmp_path) as window:
        qtbot.waitExposed(window)
        hand, viewport, session = Hand(window), window.viewport, window.session
        hand.button("toolbar.file.new")
        middle = viewport.rect().center()

        # bars: each goes on from the last; the first place and the last one are pinned to the ground
        hand.button("palette.insert.bar")
        hand.at(viewport, middle.x(), middle.y())
        hand.type(f"{CRANK}", f"{CRANK_ANGLE}")
        hand.type(f"{1000 * COUPLER} mm", f"{COUPLER_ANGLE} deg")
        pixel = viewport.view.camera.per_pixel  # how far to the right the second ground pin is on the screen
        hand.at(viewport, middle.x() + GROUND / pixel, middle.y(), Qt.KeyboardModifier.ControlModifier)

        # motor on the first pin, trace of the middle of the coupler
        hand.button("palette.insert.motor")
        hand.at(viewport, middle.x(), middle.y())
        hand.button("palette.insert.trace")
        turn = np.radians(COUPLER_ANGLE)
        x, y = 0.5 * COUPLER * np.cos(turn), CRANK + 0.5 * COUPLER * np.sin(turn)
        hand.at(viewport, middle.x() + x / pixel, middle.y() - y / pixel)
        wait(qtbot, lambda: session.state == "ready")
        hand.button("transport.play")
        assert hand.clicks <= MAX_CLICKS

        wait(qtbot, lambda: session.t > SECONDS)
        session.transport.pause()
        times, paths = viewport.traced
        (path,) = paths.values()
        assert len(path) > 20
        assert times[-1] > SECONDS
        C = np.array([0.0, CRANK]) + COUPLER * np.array([np.cos(turn), np.sin(turn)])
        rocker = float(np.hypot(C[0] - GROUND, C[1]))
        np.testing.assert_allclose(path[:, :2], coupler_middle(times, rocker), rtol=0.0, atol=1e-6)

        # drawing edits the start: it is on show at once, and what has run is kept
        hand.button("palette.insert.bar")
        assert session.t == 0.0
        wait(qtbot, lambda: session.state == "ready")
        assert [run.kind for run in session.runs] == ["finished", "live"]

        # every step of it is one step to undo
        texts = [session.document.stack.text(i) for i in range(session.document.stack.count())]
        assert texts == [
            "Draw bar 1",
            "Draw bar 2",
            "Draw bar 3",
            "Add motor 1 to revolute 1",
            "Trace bar 2",
        ]
        assert len(session.document.scene.joints) == 4


@pytest.mark.parametrize("t", [0.0, 0.7, 2.0])
def test_the_closed_form_closes(t: float) -> None:
    """The lengths of coupler and rocker are those given, at any crank angle."""
    rocker = 0.3
    P = coupler_middle(np.array([t]), rocker)[0]
    phi = np.radians(CRANK_ANGLE) + SPEED * t
    B = CRANK * np.array([np.cos(phi), np.sin(phi)])
    C = 2.0 * P - B
    assert np.linalg.norm(C - B) == pytest.approx(COUPLER)
    assert np.linalg.norm(C - (GROUND, 0.0)) == pytest.approx(rocker)
