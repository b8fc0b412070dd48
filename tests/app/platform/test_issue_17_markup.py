"""Titles and names of strangers: no markup is drawn, and no terminal obeys them."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.cli import run_command_line
from app.cli.commands import compare
from app.cli.output import printable
from app.platform.appearance import label
from app.platform.plain_text import as_plain, capitalised

EVIL = "<h1>Your licence has expired</h1><a href='http://evil.example/'>Renew</a>"


def test_labels_and_messages_show_markup_as_text(qtbot: QtBot) -> None:
    shown = label(EVIL)
    qtbot.addWidget(shown)
    assert shown.textFormat() == Qt.TextFormat.PlainText
    assert "<h1>" not in as_plain(EVIL)
    assert "&lt;h1&gt;" in as_plain(EVIL)
    assert as_plain("J3 stays open\n→ move it") == "J3 stays open\n→ move it"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("joint 'B' is open", "Joint 'B' is open"),
        ("x_t.npz: its times are not finite", "x_t.npz: its times are not finite"),
        ("scene.json: 1 problem", "scene.json: 1 problem"),
        ("scene: 1 problem", "Scene: 1 problem"),
        ("lagrange/rk4 crawls", "lagrange/rk4 crawls"),
        ("", ""),
        (" ", " "),
    ],
)
def test_a_name_at_the_front_of_a_sentence_is_not_spelt_anew(text: str, shown: str) -> None:
    assert capitalised(text) == shown


def test_no_escape_sequence_reaches_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = {"name": "b", "mass": 1, "inertia": [1, 1, 1]}
    title = "\x1b[2J\x1b]0;pwn\x07\x9b31mhello\u202e"
    scene = tmp_path / "ansi.json"
    scene.write_text(json.dumps({"format": "trammel-scene", "version": 1, "title": title, "bodies": [body]}))
    assert run_command_line(["check", str(scene)]) == 0
    told = capsys.readouterr().out
    assert "hello" in told
    assert not set(told) & set("\x1b\x07\x9b\u202e")
    assert run_command_line(["check", str(scene), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["bodies"] == 1


def test_json_stays_the_same_json() -> None:
    text = json.dumps({"title": "\x1b[2J\x9b\u202e é\n"}, ensure_ascii=False, indent=2)
    assert json.loads(printable(text)) == json.loads(text)


def test_a_table_that_cannot_be_written_names_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("engine.results.files.whole_file.os.fsync", full)
    with pytest.raises(OSError, match="nothing was saved") as told:
        compare._write_csv(tmp_path / "table.csv", ["a"], [[1.0]])
    assert told.value.filename == str(tmp_path / "table.csv")
    assert not list(tmp_path.iterdir())
