"""A result is not written over what it is computed from: the scene, the study or the rows would be lost."""

import shutil
from pathlib import Path

import pytest

from app.cli import run_command_line
from app.cli.failure import BAD_INPUT
from app.platform.resources import find_scene
from tests.paths import ROOT

STUDIES = ROOT / "docs" / "studies"


@pytest.mark.parametrize(
    "words", [["run", "{}", "--duration", "0.01", "-o", "{}"], ["analyze", "{}", "freedoms", "-o", "{}"]]
)
def test_a_scene_is_kept(words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scene = tmp_path / "mine.json"
    shutil.copy(find_scene("pendulum"), scene)
    before = scene.read_bytes()
    assert run_command_line([word.format(scene) for word in words]) == BAD_INPUT
    assert f"--out {scene}: this is the file that is read" in capsys.readouterr().err
    assert scene.read_bytes() == before


def test_a_study_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("quick_return.study.json", "offset_slider_crank.json"):
        shutil.copy(STUDIES / name, tmp_path)
    study = tmp_path / "quick_return.study.json"
    before = study.read_bytes()
    words = ["optimise", str(study), "--budget", "2", "--workers", "0", "-o", str(study)]
    assert run_command_line(words) == BAD_INPUT
    assert "this is the file that is read" in capsys.readouterr().err
    assert study.read_bytes() == before


def test_rows_are_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = tmp_path / "rows.csv"
    words = ["sweep", "pendulum", "--vary", "simulation.duration=0.01,0.02", "--out", str(rows)]
    assert run_command_line([*words, "--workers", "0", "--export", "csv"]) == BAD_INPUT
    assert "written over the rows" in capsys.readouterr().err
    assert not rows.exists()
