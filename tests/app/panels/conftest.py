"""An inspector on a document, with a stand-in for the session: no engine, so edits are all there is."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from pytestqt.qtbot import QtBot

from app.panels.inspector.inspector import InspectorPanel
from app.platform.appearance import Look
from tests.app.panels.desk import Desk, hands_on


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.fixture
def inspector(desk: Desk, qtbot: QtBot) -> InspectorPanel:
    panel = InspectorPanel(desk, Look())
    qtbot.addWidget(panel)
    panel.resize(300, 900)
    panel.show()
    return panel


@pytest.fixture
def hand(inspector: InspectorPanel) -> SimpleNamespace:
    return hands_on(inspector)
