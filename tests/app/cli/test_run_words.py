"""What `trammel run` tells people: units, one line per event, and a word after Ctrl-C."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from app.cli import run_command_line, simulated_run
from app.cli.commands import compare
from app.cli.failure import BAD_INPUT, INTERRUPTED
from app.cli.run_words import SHOWN, write_run
from tests.paths import ROOT


@contextmanager
def pressed() -> Iterator[Callable[[], bool]]:
    yield lambda: True


def test_events_are_lines_and_numbers_have_units(capsys: pytest.CaptureFixture[str]) -> None:
    happened = [{"t": 0.1 * i, "element": "floor", "what": "touches"} for i in range(SHOWN + 3)]
    write_run({"dt": 0.001, "not_unique": [], "happened": happened}, "a word about the end")
    lines = capsys.readouterr().out.splitlines()
    assert lines[:4] == [
        "dt [s]      0.001",
        "not_unique  none",
        f"{SHOWN + 3} events",
        "  0 s: floor touches",
    ]
    assert lines[-2:] == ["  and 3 more; --json has all", "a word about the end"]


def test_a_second_run_that_was_stopped_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(simulated_run, "cancel_on_interrupt", pressed)
    trajectory: Any = type("Run", (), {})()
    monkeypatch.setattr("engine.benchmarks.error_estimate.error_by_second_run", lambda *run, **told: None)
    assert not simulated_run.estimate_error(trajectory)
    assert capsys.readouterr().err == "stopped; the error of the positions is not estimated\n"


def test_a_comparison_that_was_stopped_says_so_and_tells_no_nan(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(compare, "cancel_on_interrupt", pressed)
    assert run_command_line(["compare", "pendulum", "--methods", "rk4", "--duration", "0.1"]) == INTERRUPTED
    told = capsys.readouterr()
    assert told.err.startswith("stopped;")
    assert "nan" not in told.out


@pytest.mark.parametrize("span", [["--from", "2", "--to", "1"], ["--from", "2", "--to", "2.5"]])
def test_a_film_of_no_instant_is_refused(
    span: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It was a film of one picture, of an instant nobody had asked for."""
    saved, film = tmp_path / "run.npz", tmp_path / "film.mp4"
    assert run_command_line(["run", "pendulum", "--duration", "0.1", "--out", str(saved)]) == 0
    assert run_command_line(["render", str(saved), "--out", str(film), *span]) == BAD_INPUT
    assert "--from" in capsys.readouterr().err
    assert not film.exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
def test_standard_output_on_a_full_disk_is_told() -> None:
    """With --json the message about it was written there, too, and failed with a traceback."""
    words = [sys.executable, "-m", "app", "list", "scenes", "--json"]
    with Path("/dev/full").open("w") as full:
        told = subprocess.run(words, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert told.returncode == BAD_INPUT
    assert "No space left" in told.stderr
    assert "Traceback" not in told.stderr


@pytest.mark.parametrize(
    "words",
    [["--every", "2"], ["--to", "0.05"], ["--from", "0"], ["--resample", "0.01"], ["--channels", "t"]],
)
def test_a_choice_of_samples_without_a_file_is_refused(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """It was passed over without a word."""
    assert run_command_line(["run", "pendulum", "--duration", "0.1", *words]) == BAD_INPUT
    assert f"{words[0]} chooses what --out saves" in capsys.readouterr().err
