"""Words and files that commands cannot use are refused with a reason, not called a mistake of the program."""

from pathlib import Path

import pytest

from app.cli import run_command_line
from tests.paths import ROOT

STUDY = ROOT / "docs" / "studies" / "quick_return.study.json"


def told(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert run_command_line(words) == 2
    return capsys.readouterr().err


def test_a_stream_of_a_scene_that_a_setting_broke(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "run.h5"
    text = told(["run", "four_bar", "--stream", str(file), "--set", "bodies.rocker.name=bar"], capsys)
    assert "there is no body 'rocker'" in text
    assert not list(tmp_path.iterdir())


def test_an_analysis_of_a_scene_that_a_setting_broke(capsys: pytest.CaptureFixture[str]) -> None:
    text = told(["analyze", "four_bar", "kinematic", "--set", "bodies.rocker.name=bar"], capsys)
    assert "there is no body 'rocker'" in text


def test_a_fit_to_a_table_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "measured.csv"
    table.write_text("t,x\n0,1\n0.1,a lot\n")
    text = told(["optimise", str(STUDY), "--fit", f"body.slider.pos.x={table}"], capsys)
    assert "measured.csv" in text
    assert "line 3" in text


def test_an_option_that_no_float_can_hold(capsys: pytest.CaptureFixture[str]) -> None:
    text = told(["analyze", "four_bar", "redundancy", "--option", f"poses={10**400}"], capsys)
    assert "option 'poses': must be between ±1e+09" in text
    assert len(text) < 600


def test_a_number_that_no_float_can_hold(capsys: pytest.CaptureFixture[str]) -> None:
    text = told(["new", "four_bar", "--set", f"crank={10**400}"], capsys)
    assert "this is no number" in text
    assert len(text) < 300


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--from", "1e9"], "no sample is chosen: the run goes from 0 s to 0.01 s"),
        (["--resample", "1e-300"], "more than 10000000 samples"),
    ],
)
def test_samples_that_there_are_not(
    words: list[str], reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for ending in (".h5", ".csv"):
        file = tmp_path / f"run{ending}"
        text = told(["run", "four_bar", "--duration", "0.01", "--out", str(file), *words], capsys)
        assert reason in text
    assert not list(tmp_path.iterdir())


def test_samples_that_never_come(capsys: pytest.CaptureFixture[str]) -> None:
    text = told(["run", "four_bar", "--set", f"simulation.sample_every={10**30}"], capsys)
    assert "give a whole number from 1 to 1000000000" in text
