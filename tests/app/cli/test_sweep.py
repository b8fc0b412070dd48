"""`trammel sweep`: the study of the documentation, its files, and what is refused."""

import csv
import json
import math
import shutil
import sys
from pathlib import Path
from typing import Any

import h5py
import pytest

from app.cli import run_command_line
from engine import load_scene
from tests.engine.studies.mechanisms import START, near_end, stroke
from tests.paths import ROOT

ROD = 0.2


@pytest.fixture
def study(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "docs" / "studies", tmp_path, dirs_exist_ok=True)
    return tmp_path / "stroke.study.json"


def told(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_the_worked_study_gives_the_closed_forms(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["sweep", str(study), "--workers", "0", "--json"]
    assert run_command_line([*arguments, "--export", "csv", "--export", "h5"]) == 0
    facts = told(capsys)
    assert facts["runs"] == facts["planned"] == 6
    assert facts["failed"] == 0
    for row in facts["rows"]:
        r, h = row["parameters.r"], row["parameters.h"]
        assert row["stroke"] == pytest.approx(stroke(r, ROD, h), rel=1e-5)  # between samples: ω² dt² / 8
        assert row["near end"] == pytest.approx(near_end(r, ROD, h), abs=1e-8)
    # files hold the same numbers, bit by bit
    with open(study.with_name("stroke.csv"), encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["stroke [m]"]) for row in rows] == [row["stroke"] for row in facts["rows"]]
    assert {"near end [s]", "guide force [N]", "status", "seconds [s]"} <= set(rows[0])
    with h5py.File(study.with_name("stroke.h5")) as file:
        assert file["near end"][()].tolist() == [row["near end"] for row in facts["rows"]]
        assert file["near end"].attrs["role"] == "objective"
        assert (file["near end"].attrs["unit"], file["guide force"].attrs["unit"]) == ("s", "N")
        assert file["status"].attrs["unit"] == ""
    # nothing is run twice: even the times are those of the first sweep
    assert run_command_line(arguments) == 0
    assert told(capsys)["rows"] == facts["rows"]


def test_people_get_a_table(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command_line(["sweep", str(study), "--workers", "0"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:2] == ["parameters.r", "parameters.h"]
    assert "0.08095" in lines[4]


@pytest.mark.parametrize(
    ("option", "words"),
    [
        (["--scheduler", "tcp://127.0.0.1:1"], 'pip install "trammel[sweep]"'),
        (["--export", "parquet"], 'pip install "trammel[parquet]"'),
    ],
)
def test_an_extra_that_is_missing_is_told_with_its_command(
    study: Path,
    option: list[str],
    words: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("distributed", "pyarrow"):
        monkeypatch.setitem(sys.modules, name, None)
    assert run_command_line(["sweep", str(study), *option]) == 2
    assert words in capsys.readouterr().err


def test_a_bad_study_and_a_store_that_is_none_are_refused(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (study.parent / "other.sqlite").write_text("this is no database, it is a text that somebody wrote")
    assert run_command_line(["sweep", str(study), "--out", str(study.parent / "other.sqlite")]) == 2
    assert "choose another file" in capsys.readouterr().err
    study.write_text(study.read_text(encoding="utf-8").replace("parameters.r", "parameters.radius"))
    assert run_command_line(["sweep", str(study), "--json"]) == 2
    assert told(capsys)["problems"][0]["path"] == "vary[0].path"


def test_the_quick_return_is_tuned(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Stroke and share of the working stroke, which is 1/2 + (asin h/(l + r) − asin h/(l − r))/2π."""
    tuned = study.with_name("tuned.json")
    file = str(study.with_name("quick_return.study.json"))
    arguments = [
        "optimise",
        file,
        "--search",
        "least_squares",
        "--workers",
        "0",
        "--out",
        str(tuned),
        "--json",
    ]
    assert run_command_line(arguments) == 0
    values = told(capsys)["values"]
    r, h = values["parameters.r"], values["parameters.h"]
    assert stroke(r, ROD, h) == pytest.approx(0.09, abs=1e-5)
    share = 0.5 + (math.asin(h / (ROD + r)) - math.asin(h / (ROD - r))) / (2.0 * math.pi)
    assert share == pytest.approx(0.45, abs=2e-4)  # the step of the share is smooth over 2 mm/s
    assert load_scene(tuned) != load_scene(study.with_name("offset_slider_crank.json"))


def test_a_fit_to_a_table(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    r, h = 0.045, 0.03
    times = [0.1, 0.3, 0.5, 0.7, 0.9]
    angle = [START + 2.0 * math.pi * t for t in times]
    x = [r * math.cos(a) + math.sqrt(ROD**2 - (h - r * math.sin(a)) ** 2) for a in angle]
    lines = "\n".join(f"{t},{value!r}" for t, value in zip(times, x, strict=True))
    study.with_name("measured.csv").write_text(f"t [s],x [m]\n{lines}\n")
    plain = json.loads(study.with_name("quick_return.study.json").read_text())
    plain |= {"goal": [], "limits": [], "vary": plain["vary"][:1]}
    file = study.with_name("fit.study.json")
    file.write_text(json.dumps(plain))
    table = f"body.slider.pos.x={study.with_name('measured.csv')}"
    code = run_command_line(
        ["optimise", str(file), "--search", "least_squares", "--workers", "0", "--fit", table, "--json"]
    )
    assert code == 0
    assert told(capsys)["values"]["parameters.r"] == pytest.approx(r, abs=1e-6)


def test_sensitivities_are_told(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command_line(["sweep", str(study), "--sensitivity", "--workers", "0", "--json"]) == 0
    found = told(capsys)["sensitivity"]
    assert len(found) == 6
    assert {"objective", "variable", "derivative", "error"} <= set(found[0])


def test_a_study_without_a_goal_is_refused(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command_line(["optimise", str(study)]) == 2
    assert "no goal" in capsys.readouterr().err


def test_a_scene_is_swept_without_a_file(
    study: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(study.parent)
    scene = str(study.with_name("offset_slider_crank.json"))
    vary = ["--vary", "parameters.r=0.02:0.06:3", "--vary", "parameters.h=0,0.03"]
    asked = ["--probe", "range:body.slider.pos.x", "--probe", "body.crank.angle"]
    assert run_command_line(["sweep", scene, *vary, *asked, "--workers", "0", "--json"]) == 0
    facts = told(capsys)
    assert facts["runs"] == 6
    for row in facts["rows"]:
        found = row["range:body.slider.pos.x"]
        assert found == pytest.approx(stroke(row["parameters.r"], ROD, row["parameters.h"]), rel=1e-5)
        assert row["body.crank.angle"] == pytest.approx(2 * math.pi + START, abs=1e-6)
    assert (study.parent / "offset_slider_crank.sqlite").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "none is named"),
        (["--vary", "parameters.L1=1:2"], "is not FROM:TO:N"),
        (["--vary", "parameters.L1"], "is not PATH=FROM:TO:N"),
        (["--vary", "parameters.L1=1:nan:3"], "is not FROM:TO:N"),
        (["--vary", "parameters.L9=1:2:3"], "there is no 'L9'"),
        (["--vary", "parameters.L1=0.1:0.2:2", "--probe", "maxi:energy.error"], "there is no 'maxi'"),
    ],
)
def test_what_varies_is_refused_with_the_reason(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command_line(["sweep", "four_bar", *arguments, "--workers", "0"]) != 0
    assert words in capsys.readouterr().err
