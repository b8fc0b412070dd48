"""Options of a method on the command line, beside --probe and in comparisons."""

import json

import pytest

from app.cli import run_command_line


def test_a_probe_goes_with_options_of_another_method(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--method", "hht", "--set", "simulation.options.alpha=-0.1", "--duration", "0.01", "--json"]
    assert run_command_line(["run", "pendulum", "--probe", "energy.total", *words]) == 0
    assert json.loads(capsys.readouterr().out)["method"] == "hht"


def test_compare_and_bench_try_values_of_an_option(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--methods", "hht", "--option", "alpha=-0.05,-0.3", "--json"]
    assert run_command_line(["compare", "pendulum", "--duration", "0.1", *words]) == 0
    runs = json.loads(capsys.readouterr().out)["runs"]
    assert [run["method"] for run in runs] == ["hht (alpha = -0.05)", "hht (alpha = -0.3)"]
    run_command_line(["bench", "A01", "--dt", "0.01", *words])
    outcomes = json.loads(capsys.readouterr().out)["outcomes"]
    assert len({outcome["error"] for outcome in outcomes}) == 2


def test_an_option_without_numbers_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command_line(["compare", "pendulum", "--methods", "hht", "--option", "alpha=much"]) == 2
    assert "NAME=NUMBER" in capsys.readouterr().err
