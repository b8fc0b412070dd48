"""The window driven from outside: every line of a script is answered, without a screen."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app.cli import run_command_line
from app.cli.driving.dumps import DUMPS
from app.platform.resources import scene_paths
from engine import load_scene, simulate
from tests.paths import ROOT

PATIENCE = 180  # s; a first run may have to compile

SCRIPT: tuple[dict[str, Any], ...] = (
    {"open": "four_bar"},
    {"wait_idle": 150},
    {"project": {"ref": ["joints", "A"]}},
    {"click": {"ref": ["bodies", "crank"]}},
    {"dump": "selection"},
    {"key": "Space"},
    {"wait_run": 0.3},
    {"key": "Space"},
    {"wait_idle": 20, "state": "paused"},
    {"dump": "playhead"},
    {"dump": "runs"},
    {"act": "edit.find"},
    {"type": "coupl"},
    {"dump": "text"},
    {"act": "help.about"},
    {"screenshot": "about.png"},
    {"key": "Esc"},
    {"act": "insert.template"},
    {"click": {"widget": "template.list", "item": "Klann leg"}},
    {"click": {"widget": "template.cancel"}},
    {"drag": {"from": {"widget": "viewport", "x": 2, "y": 2}, "by": [780, 480]}},
    {"dump": "selection"},
    {"key": "Space"},  # the window hears keys again after a dialog
    {"wait_idle": 20, "state": "playing"},
    {"act": "no.such"},
    {"act": "edit.undo"},
    {"click": {"widget": "nothing"}},
    {"screenshot": {"file": "a.png"}},
    {"dump": "scene"},
    {"act": "run.analyse"},
    {"click": {"widget": "analyses.choice", "item": "Wiggle"}},  # a list that is closed
    {"wait": 0.2},
    {"dump": "values"},
    {"size": [1100, 720]},
)


def answers(script: str, folder: Path) -> tuple[int, list[dict[str, Any]]]:
    """What the program says to a script, in a process of its own."""
    root = str(ROOT)
    done = subprocess.run(
        [sys.executable, "-m", "app", "drive", "-", "--offscreen"],
        input=script,
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=PATIENCE,
        env={**os.environ, "PYTHONPATH": root},
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def test_a_script_runs_the_real_window(tmp_path: Path) -> None:
    code, found = answers("\n".join(map(json.dumps, SCRIPT)), tmp_path)
    assert len(found) == len(SCRIPT)
    told = {json.dumps(line): answer for line, answer in zip(SCRIPT, found, strict=True)}
    failed = [SCRIPT[i] for i, answer in enumerate(found) if not answer["ok"]]
    wrong = [{"act": "no.such"}, {"act": "edit.undo"}, {"click": {"widget": "nothing"}}]
    assert failed == [*wrong, {"screenshot": {"file": "a.png"}}], found
    assert "name of a file" in told['{"screenshot": {"file": "a.png"}}']["error"]
    assert code == 1

    assert found[2]["inside"]
    assert found[4]["selection"]["refs"] == [["bodies", "crank"]]
    playhead = told['{"dump": "playhead"}']["playhead"]
    assert playhead["t"] > 0.0
    assert playhead["state"] == "paused"
    (run,) = told['{"dump": "runs"}']["runs"]
    assert run["current"]
    assert run["t_last"] == pytest.approx(playhead["t"])
    texts = {row["widget"]: row["text"] for row in told['{"dump": "text"}']["text"]}
    assert "coupl" in texts.values()
    assert "About" in told['{"act": "help.about"}']["front"]
    assert (tmp_path / "about.png").stat().st_size > 10_000
    assert "template" in told['{"act": "insert.template"}']["front"]
    assert len(found[21]["selection"]["refs"]) > 1
    assert told['{"dump": "scene"}']["scene"]["format"] == "trammel-scene"
    assert found[-1]["size"] == [1100, 720]


def test_bad_lines_are_answered_and_the_script_goes_on(tmp_path: Path) -> None:
    lines = ["{", '{"fly": 1}', "", "# a remark", '{"open": "no_such_scene"}', '{"dump": "actions"}']
    lines.append('{"act": "insert.spatial"}')  # unsaved work at the end: nobody is asked about it
    code, found = answers("\n".join(lines), tmp_path)
    assert code == 1
    assert [answer["ok"] for answer in found] == [False, False, False, True, True]
    assert [answer["line"] for answer in found] == [1, 2, 5, 6, 7]
    assert all(answer["error"] for answer in found[:3])


def test_a_missing_script_is_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command_line(["drive", str(tmp_path / "none.jsonl"), "--offscreen"]) == 2
    assert "none.jsonl" in capsys.readouterr().err


def test_dumps_are_sorted() -> None:
    assert list(DUMPS) == sorted(DUMPS)


def test_issue_17_a_press_that_opens_a_menu_and_a_saved_run_are_answered(tmp_path: Path) -> None:
    simulate(load_scene(scene_paths()["pendulum"]), duration=0.02).save(tmp_path / "run.npz")
    lines = (
        {"open": "four_bar"},
        {"drag": {"from": {"widget": "tree"}, "by": [60, 30], "button": "right"}},
        {"key": "Esc"},
        {"open": str(tmp_path / "run.npz")},
    )
    code, found = answers("\n".join(map(json.dumps, lines)), tmp_path)
    assert [answer["ok"] for answer in found] == [True] * len(lines), found
    assert found[1]["front"].startswith("menu")
    assert code == 0
