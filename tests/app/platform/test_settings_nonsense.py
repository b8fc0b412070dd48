"""Whatever stands in the settings file, the program starts, and dialogs begin where files of the user are."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from app.platform.resources import scene_paths
from app.platform.settings import Preferences, Settings
from app.window.main_window import MainWindow
from tests.app.window.windows import open_window

NONSENSE = ("nan", "inf", "-1e999", "", "@Invalid()", "@ByteArray(\\x0\\xff)", "a, b, 3", "%%%", "1e300")
KEYS = (
    *(f"preferences/{name}" for name in ("theme", "navigation", "memory", "font_size", "autosave", "units")),
    "recent",
    "recent_methods",
    "folder",
    "palette/folded",
    "view/arrow_scale",
    "view/grid",
    "window/2/geometry",
    "window/2/state",
    "templates/last",
)


def write(path: Path, value: str) -> None:
    groups: dict[str, list[str]] = {}
    for key in KEYS:
        group, _, name = key.partition("/") if "/" in key else ("General", "", key)
        groups.setdefault(group, []).append(f"{name.replace('/', chr(92))}={value}")
    path.write_text("\n".join(f"[{group}]\n" + "\n".join(rows) for group, rows in groups.items()))


@pytest.mark.parametrize("value", NONSENSE)
def test_issue_17_nonsense_counts_as_never_set(value: str, tmp_path: Path) -> None:
    path = tmp_path / "settings.ini"
    write(path, value)
    settings = Settings(path)
    preferences = settings.preferences
    assert 0.1 <= preferences.memory <= 64.0
    assert 5.0 <= preferences.autosave <= 3600.0
    assert 0.0 <= preferences.font_size <= 24.0
    assert settings.recent == []
    assert settings.folder.is_dir()


def test_a_unit_that_nobody_knows_is_left_out(tmp_path: Path) -> None:
    settings = Settings(tmp_path / "settings.ini")
    settings.set_value("preferences/units", "m=furlong;rad=deg;x")
    assert settings.preferences.units == {"rad": "deg"}


def test_issue_17_the_window_opens_with_nonsense(qtbot: QtBot, tmp_path: Path) -> None:
    write(tmp_path / "settings.ini", "nan")
    with open_window(tmp_path, warm=False) as window:
        assert window.settings.preferences.memory == Preferences().memory


def test_a_settings_folder_that_cannot_be_made_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert Settings(tmp_path / "file" / "settings.ini").preferences == Preferences()


def test_issue_17_dialogs_begin_where_the_files_of_the_user_are(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents, own = tmp_path / "documents", tmp_path / "own"
    documents.mkdir()
    own.mkdir()
    monkeypatch.setattr("app.platform.settings.store.user_documents_path", lambda: documents)
    asked: list[str] = []

    def ask(parent: object, title: str, start: str, *_: object) -> tuple[str, str]:
        asked.append(start)
        return str(own / "mine.json") if len(asked) == 1 else "", ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", ask)
    with open_window(tmp_path / "state", warm=False) as window:
        _save_and_open(window)
    assert [Path(start).parent for start in asked] == [documents, own, own]


def _save_and_open(window: MainWindow) -> None:
    window.open_path(scene_paths()["pendulum"])  # a shipped scene lies in the program's own folder
    window.act("file.save_as")
    window.act("file.save_as")  # beside the scene of the user
    window.session.document.new()
    window.act("file.save_as")  # where the last one was
