"""What the doctor shows in the viewport: arrows of rows, and ghosts that are wholly seen."""

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from app.document.document import Document, Ref
from app.panels.doctor.doctor import DoctorPanel
from app.platform.appearance import Look
from app.platform.resources import scene_paths
from app.session.session import Session
from app.tools.interactive_viewport import ViewportWidget
from app.viewport.annotations.row_arrow_paint import FIRST, lines_of
from app.viewport.session_picture import PREVIEW
from engine.analyses.instant.row_arrows import RowArrow
from tests.app.panels.test_doctor_panel import examine, items

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture(scope="module")
def desk(
    tmp_path_factory: pytest.TempPathFactory, qapp: object
) -> Iterator[tuple[DoctorPanel, ViewportWidget]]:
    session = Session(Document(autosave=tmp_path_factory.mktemp("autosave")), warm=False)
    viewport, panel = ViewportWidget(session), DoctorPanel(session, Look())
    viewport.resize(640, 480)
    panel.resize(900, 300)
    for widget in (viewport, panel):
        widget.show()
    yield panel, viewport
    assert panel.shutdown()
    for widget in (panel, viewport):
        widget.hide()
    viewport.shutdown()
    session.close()
    for widget in (panel, viewport):
        widget.deleteLater()


def click(panel: DoctorPanel, qtbot: QtBot, item: object) -> None:
    """On the first word of a line."""
    panel.view.scrollToItem(item)
    area: QRect = panel.view.visualItemRect(item)
    qtbot.mouseClick(panel.view.viewport(), LEFT, pos=area.center())


def close_to(image: object, color: QColor, x: float, y: float, reach: int = 3) -> bool:
    """Whether a pixel near a place has a colour."""
    for i in range(-reach, reach + 1):
        for j in range(-reach, reach + 1):
            found = image.pixelColor(round(x) + i, round(y) + j)
            if max(abs(found.red() - color.red()), abs(found.green() - color.green())) < 40:
                return True
    return False


def test_a_row_that_is_clicked_is_drawn_as_an_arrow(
    desk: tuple[DoctorPanel, ViewportWidget], qtbot: QtBot
) -> None:
    panel, viewport = desk
    session = panel._session
    session.document.open(scene_paths()["spatial_four_bar"])
    viewport.fit_all()
    examine(panel, qtbot, "redundancy")
    held = next(item for item in items(panel) if item.text(0) == "Held more than once")
    click(panel, qtbot, held.child(0))  # which of equal rows is named redundant is left to rounding
    assert len(session.preview.arrows) == 1 + held.child(0).childCount()
    row = next(item for item in items(panel) if item.text(0) == "D: translation along z")
    click(panel, qtbot, row)
    first, *_ = session.preview.arrows
    assert not first.turns
    # along the hinges' axis, through D, both in the world
    assert abs(first.direction[2]) == pytest.approx(1.0)
    D = viewport.view.queries.position_of(Ref("joints", "D"))
    np.testing.assert_allclose(first.point, D, atol=1e-12)
    ends = viewport.view.camera.project_all(lines_of(first, None, viewport.view.camera.per_pixel))
    for share in (0.25, 0.75):
        x, y = (1.0 - share) * ends[0] + share * ends[-1]
        assert close_to(viewport.grab().toImage(), QColor(FIRST[0]), x, y)
    panel.view.clearSelection()
    assert session.preview.arrows == ()
    click(panel, qtbot, row)
    panel._stop.click()
    assert session.preview.arrows == ()


def test_an_arrow_goes_along_with_its_body() -> None:
    arrow = RowArrow("bar", (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), turns=False)
    R = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    line = lines_of(arrow, (np.array([5.0, 0.0, 0.0]), R), 0.01)
    np.testing.assert_allclose(line[1], [5.0, 1.0, 0.0], atol=1e-15)
    np.testing.assert_allclose(np.cross(line[-1] - line[0], [1.0, 0.0, 0.0]), 0.0, atol=1e-15)
    ring = lines_of(RowArrow("world", (0.0, 0.0, 2.0), (0.6, 0.0, 0.8), turns=True), None, 0.01)
    about = ring - np.array([0.0, 0.0, 2.0])
    np.testing.assert_allclose(about @ np.array([0.6, 0.0, 0.8]), 0.0, atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(about, axis=1), np.linalg.norm(about[0]))


def test_the_view_steps_back_for_a_ghost_and_returns(
    desk: tuple[DoctorPanel, ViewportWidget], qtbot: QtBot
) -> None:
    panel, viewport = desk
    session, view = panel._session, viewport.view
    session.document.open(scene_paths()["four_bar"])
    view.framing.fit(points=None, refs=[Ref("bodies", "coupler"), Ref("bodies", "crank")])
    before = view.camera.state()
    examine(panel, qtbot, "branches")
    other = items(panel)[1]
    click(panel, qtbot, other)
    assert session.preview.active
    assert view.framing.frames(view.ghost_points(PREVIEW))
    assert view.framing.frames_all()
    assert view.camera.state() != before
    panel._stop.click()
    assert view.camera.state() == before
    # who has turned the camera meanwhile keeps what he sees
    panel.view.clearSelection()
    click(panel, qtbot, other)
    viewport.zoom(0.8)
    chosen = view.camera.state()
    panel._stop.click()
    assert view.camera.state() == chosen
    # and what is accepted stays in sight
    view.camera.restore(before)
    panel.view.clearSelection()
    click(panel, qtbot, other)
    qtbot.mouseClick(panel.view.itemWidget(other, 3), LEFT)
    assert session.document.stack.undoText() == "Take branch 1"
    assert view.framing.frames_all()
    qtbot.waitUntil(lambda: not panel.busy, timeout=60_000)
