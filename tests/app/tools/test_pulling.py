"""Pulling with the mouse while it runs: the body follows, the run remembers, the document does not."""

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from pytestqt.qtbot import QtBot

from app.tools.drag.mouse_pull import MousePull
from tests.app.tools.test_dragging import Mouse, pixel, shown, world
from tests.linkages import linkage

PATIENCE = 150_000


def until(session: Any, qtbot: QtBot, condition: Any) -> None:
    def ready() -> bool:
        session.tick()
        return bool(condition())

    qtbot.waitUntil(ready, timeout=PATIENCE)


@pytest.fixture
def pendulum(qtbot: QtBot, tmp_path: Any) -> Any:
    bars = {"rod": {"P": (0.0, 0.0), "T": (0.0, -0.8)}}
    with shown(qtbot, linkage(bars, {"P": (0.0, 0.0)}), tmp_path) as viewport:
        session = viewport._session
        until(session, qtbot, lambda: session.state == "ready")
        MousePull.strength = 1.0
        yield viewport
        MousePull.strength = 1.0


def test_a_pull_is_an_event_and_a_channel_of_the_run_and_shows_again(pendulum: Any, qtbot: QtBot) -> None:
    session, mouse = pendulum._session, Mouse(pendulum, qtbot)
    session.transport.play()
    until(session, qtbot, lambda: session.t > 0.02)
    scene, before = session.document.scene, world(session, "rod", "T")
    mouse.press(pixel(pendulum, before))
    mouse.move(pixel(pendulum, before + np.array([0.5, 0.3, 0.0])))
    assert "Pulling rod" in pendulum.tool.hint
    until(session, qtbot, lambda: session.shown.pulled() is not None and session.t > 0.5)
    assert world(session, "rod", "T")[0] > 0.1  # the pendulum hung still before
    pulled = session.shown.pulled()
    np.testing.assert_allclose(pulled.place, world(session, "rod", "T"), atol=0.01)  # of the pointer
    assert np.linalg.norm(pulled.force) > 0.0
    harder = pendulum.tool._hand
    middle = QPointF(400.0, 300.0)
    nothing = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
    pendulum.wheelEvent(QWheelEvent(middle, middle, QPoint(), QPoint(0, 120), *nothing, False))
    assert harder.strength == 1.25
    pendulum.grab()  # paints the arrow
    during = session.t
    mouse.release()
    until(session, qtbot, lambda: session.shown.pulled() is None)
    session.transport.pause()
    until(session, qtbot, lambda: session.state == "paused")

    run = session.current
    assert [text for _, text in run.events] == ["pulled at rod", "let go of rod"]
    assert session.document.scene is scene
    assert session.document.stack.count() == 0
    session.transport.seek(during)
    assert session.shown.pulled() is not None
    t, force = run.channel("mouse.force")
    assert force[t < 0.02].max(initial=0.0) == 0.0
    assert force.max() > 1.0
    _, table = run.table(("energy.total", "energy.work.mouse", "energy.error"))
    assert abs(table[-1, 1]) > 0.01
    np.testing.assert_allclose(table[:, 0] - table[0, 0], table[:, 1], atol=1e-6)
    assert np.abs(table[:, 2]).max() < 1e-6


def test_escape_and_pause_let_go(pendulum: Any, qtbot: QtBot) -> None:
    session, mouse = pendulum._session, Mouse(pendulum, qtbot)
    session.transport.play()
    until(session, qtbot, lambda: session.t > 0.02)
    at = world(session, "rod", "T")
    mouse.press(pixel(pendulum, at))
    mouse.move(pixel(pendulum, at + np.array([0.4, 0.2, 0.0])))
    until(session, qtbot, lambda: session.shown.pulled() is not None)
    qtbot.keyClick(pendulum, Qt.Key.Key_Escape)
    until(session, qtbot, lambda: session.shown.pulled() is None)
    mouse.release()
    at = world(session, "rod", "T")
    mouse.press(pixel(pendulum, at))
    mouse.move(pixel(pendulum, at + np.array([-0.4, 0.2, 0.0])))
    until(session, qtbot, lambda: session.shown.pulled() is not None)
    session.transport.pause()
    until(session, qtbot, lambda: session.state == "paused")
    mouse.move(pixel(pendulum, at))
    mouse.release()
    session.transport.play()
    until(session, qtbot, lambda: session.shown.pulled() is None)
    assert session.document.stack.count() == 0
