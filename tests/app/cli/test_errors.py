"""`trammel errors`: a run beside a reference whose distance is known."""

import json
import math
from pathlib import Path

import pytest

from app.cli import run_command_line


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """A sine and the same one per cent too large, on other instants."""
    reference = ["t,body.a.pos.x [m],energy.total [J]"]
    reference += [f"{k / 200},{math.sin(k / 200)},1" for k in range(401)]
    run = [
        "t,body.a.pos.x [m],energy.total [J]",
        *(f"{k / 10},{1.01 * math.sin(k / 10)},3" for k in range(16)),
    ]
    names = []
    for name, lines in (("run", run), ("reference", reference)):
        (tmp_path / f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        names.append(str(tmp_path / f"{name}.csv"))
    return names[0], names[1]


def test_a_per_cent_is_a_per_cent(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command_line(["errors", *files, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert list(told["channels"]) == ["body.a.pos.x"]  # the motion, not the energy
    assert told["instants"] == 16
    # at t = 0 both are zero, so fifteen of sixteen instants are off by a hundredth
    assert told["total"] == pytest.approx(0.01 * math.sqrt(15 / 16), rel=1e-6)


def test_chosen_channels(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command_line(["errors", *files, "--channel", "energy.total"]) == 0
    assert "energy.total" in capsys.readouterr().out
    assert run_command_line(["errors", *files, "--channel", "energy.totl"]) == 2
    assert "no such channel" in capsys.readouterr().err


@pytest.mark.parametrize("threshold", ["0", "-1", "nan"])
def test_thresholds_that_divide_by_zero(
    files: tuple[str, str], threshold: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command_line(["errors", *files, "--threshold", threshold]) == 2
    assert "above 0" in capsys.readouterr().err


def test_a_file_that_is_not_there(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command_line(["errors", files[0], "nowhere.csv"]) == 2
    assert "nowhere.csv" in capsys.readouterr().err


@pytest.mark.parametrize("ending", [".npz", ".h5", ".csv"])
def test_every_format_of_saved_runs_is_read(
    ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The files of `trammel run --out`, with states or without: a run beside itself is not off."""
    file = str(tmp_path / f"run{ending}")
    assert run_command_line(["run", "pendulum", "--duration", "0.02", "--out", file]) == 0
    capsys.readouterr()
    assert run_command_line(["errors", file, file, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["total"] == 0.0
    assert told["instants"] == 21
    assert "body.bob.pos.x" in told["channels"]


def test_an_unknown_ending_is_told_with_those_that_are_known(
    files: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.txt").write_text("t,x\n0,1\n")
    assert run_command_line(["errors", files[0], str(tmp_path / "x.txt")]) == 2
    told = capsys.readouterr().err
    assert ".npz" in told
    assert ".csv" in told


@pytest.mark.parametrize("heads", ["t [ms],body.a.pos.x [mm]", "t (ms),body.a.pos.x (mm)"])
def test_units_in_headings_count(
    heads: str, files: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Millimetres beside metres were off by a factor of 999, milliseconds met at one instant alone."""
    lines = [heads, *(f"{100 * k},{1000.0 * math.sin(k / 10)!r}" for k in range(16))]
    (tmp_path / "small.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert run_command_line(["errors", str(tmp_path / "small.csv"), files[1], "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["instants"] == 16
    assert told["total"] < 1e-12


def test_a_first_column_that_is_no_time_is_told(
    files: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.csv").write_text("x [mm],body.a.pos.x [m]\n0,1\n1,2\n", encoding="utf-8")
    assert run_command_line(["errors", str(tmp_path / "x.csv"), files[1]]) == 2
    assert "no time: it is in mm" in capsys.readouterr().err
