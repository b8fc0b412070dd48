"""Every shipped scene opens, plays at its own speed, scrubs back, resets and closes without an error."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.platform.resources import scene_paths
from tests.app.window.windows import BREAKS, open_window, play_through

GROUPS = 4  # so that several processes can share them
NAMES = [list(scene_paths())[i::GROUPS] for i in range(GROUPS)]


def played(names: list[str], seconds: float, qtbot: QtBot, folder: Path) -> None:
    errors: list[tuple[str, str]] = []
    with open_window(folder) as window:
        for name in names:
            window.session.message.connect(
                lambda level, text, ref, name=name: errors.append((name, text)) if level == "error" else None
            )
            play_through(window, qtbot, name, seconds)
    assert [(name, text) for name, text in errors if BREAKS.get(name, "\0") not in text] == []


@pytest.mark.parametrize("names", NAMES, ids=range(GROUPS))
def test_it_plays(names: list[str], qtbot: QtBot, tmp_path: Path) -> None:
    played(names, 0.3, qtbot, tmp_path)


@pytest.mark.soak
@pytest.mark.parametrize("name", list(scene_paths()))
def test_it_plays_for_ten_seconds(name: str, qtbot: QtBot, tmp_path: Path) -> None:
    played([name], 10.0, qtbot, tmp_path)
