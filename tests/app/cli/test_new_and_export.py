"""Scenes from templates, and scenes as scripts, on the command line."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import engine
from app.cli import run_command_line
from engine import TEMPLATES, load_scene
from engine.model.files.script import to_python


def test_a_scene_from_a_template_is_saved(tmp_path, capsys):
    file = tmp_path / "mine.json"
    command = ["new", "four_bar", "--set", "crank=0.1", "--set", "branch=crossed", "--out", str(file)]
    assert run_command_line([*command, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["mobility"] == 1
    assert told["facts"][0] == {"title": "Grashof class", "value": "crank-rocker", "unit": ""}
    assert load_scene(file) == TEMPLATES["four_bar"].make(crank=0.1, branch=1).scene
    assert run_command_line(command[:-2]) == 0
    assert "Grashof class: crank-rocker" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["fourbar"], "did you mean 'four_bar'"),
        (["four_bar", "--set", "crnk=1"], "did you mean 'crank'"),
        (["four_bar", "--set", "crank=long"], "no number"),
        (["four_bar", "--set", "coupler=1.9"], "it lies between"),
        (["four_bar", "--set", "crank"], "NAME=VALUE"),
        (["four_bar", "--out", "scene.txt"], "unknown ending"),
    ],
)
def test_wrong_wishes_are_told(arguments, told, capsys):
    assert run_command_line(["new", *arguments]) == 2
    assert told in capsys.readouterr().err.replace("PATH=VALUE", "NAME=VALUE")


def test_templates_are_listed_with_their_parameters(capsys):
    assert run_command_line(["list", "templates", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["templates"]
    assert [row["name"] for row in listed] == list(TEMPLATES.names)
    assert listed[0]["options"][0]["name"] == "ground"
    assert run_command_line(["list", "templates"]) == 0
    assert "klann_leg" in capsys.readouterr().out


def test_the_script_of_a_scene_is_printed_and_saved(tmp_path, capsys):
    script = to_python(load_scene("scenes/pendulum.json"))
    assert run_command_line(["export", "pendulum"]) == 0
    assert capsys.readouterr().out.strip() == script.strip()
    file = tmp_path / "pendulum.py"
    assert run_command_line(["export", "pendulum", "--out", str(file)]) == 0
    assert file.read_text(encoding="utf-8") == script
    copy = tmp_path / "pendulum.json"
    assert run_command_line(["export", "pendulum", "--out", str(copy), "--json"]) == 0
    assert load_scene(copy) == load_scene("scenes/pendulum.json")
    assert run_command_line(["export", "pendulum", "--out", str(tmp_path / "pendulum.txt")]) == 2


def test_the_script_runs_on_its_own(tmp_path):
    file = tmp_path / "pendulum.py"
    assert run_command_line(["export", "pendulum", "--out", str(file)]) == 0
    environment = {**os.environ, "PYTHONPATH": str(Path(engine.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, str(file)], capture_output=True, text=True, check=True, env=environment
    )
    assert done.stdout.startswith("FINISHED at t = 10.0 s")
