"""A sheet to draw on, one for all tests of a file, empty for each."""

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.session.session import Session
from app.tools.interactive_viewport import ViewportWidget
from tests.app.tools.sheet import Sheet


@pytest.fixture(scope="module")
def paper() -> Iterator[Sheet]:
    QApplication.instance() or QApplication([])
    session = Session(warm=False)
    viewport = ViewportWidget(session)
    viewport.resize(800, 600)
    viewport.show()
    QApplication.processEvents()
    yield Sheet(session, viewport)
    viewport.hide()  # the next file's sheet lies at the same place of the screen
    viewport.shutdown()
    session.close()
    viewport.deleteLater()


@pytest.fixture
def sheet(paper: Sheet, qtbot: QtBot) -> Sheet:
    paper.session.document.new()
    paper.viewport.drafting.set(
        snapping=True, joining=True, grounding=True, adding=False, plane="xy", through=np.zeros(3)
    )
    paper.viewport.use_tool(None)
    return paper
