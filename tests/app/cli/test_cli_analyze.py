"""`trammel analyze` and `trammel list analyses`: the registry of analyses on the command line."""

import json
from pathlib import Path

import pytest

from app.cli import run_command_line
from engine.analyses import ANALYSES


def told(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = run_command_line(list(words))
    return code, capsys.readouterr().out


def test_analyses_are_listed_with_their_options(capsys: pytest.CaptureFixture[str]) -> None:
    code, text = told(capsys, "list", "analyses", "--json")
    rows = {row["name"]: row for row in json.loads(text)["analyses"]}
    assert code == 0
    assert set(rows) == set(ANALYSES.names)
    assert rows["freedoms"]["anywhere"] is True
    (poses,) = rows["freedoms"]["options"]
    assert poses["name"] == "poses"
    assert poses["limits"] == {"ge": 0.0, "le": 50.0}
    code, text = told(capsys, "list", "analyses")
    assert "poses" in text


def test_an_answer_in_words_and_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, text = told(capsys, "analyze", "bricard", "freedoms", "--option", "poses=2")
    assert code == 0
    assert text.startswith("1 degree of freedom, 1 redundant row")
    assert "Redundant rows" in text
    code, text = told(capsys, "analyze", "bricard", "freedoms", "--json")
    answer = json.loads(text)
    assert answer["scene"] == "bricard"
    assert answer["analysis"] == "freedoms"
    assert answer["tables"][1]["rows"][0][0] == "Degrees of freedom"


def test_it_is_asked_at_another_instant(capsys: pytest.CaptureFixture[str]) -> None:
    code, text = told(capsys, "analyze", "four_bar", "freedoms", "--at", "0.2", "--json")
    assert code == 0
    assert json.loads(text)["at"] == 0.2


def test_tables_are_saved(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "answer.csv"
    assert told(capsys, "analyze", "four_bar", "freedoms", "--out", str(file))[0] == 0
    assert "Count,At this pose,In general" in file.read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nothing"], "there is no analysis 'nothing'"),
        (["freedoms", "--option", "pose=1"], "did you mean 'poses'?"),
        (["freedoms", "--option", "poses"], "is not NAME=VALUE"),
        (["freedoms", "--option", "poses=-1"], "must be at least 0"),
        (["freedoms", "--option", "poses=many"], "option 'poses'"),
        (["assembly", "--at", "1"], "is made at the start"),
        (["freedoms", "--out", "answer.txt"], "unknown ending"),
    ],
)
def test_bad_input_is_refused_with_a_cure(
    capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    assert run_command_line(["analyze", "four_bar", *words]) == 2
    assert said in capsys.readouterr().err


def test_a_linear_model_and_its_charts_are_saved(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    model, picture = tmp_path / "model.mat", tmp_path / "poles.svg"
    code, text = told(
        capsys, "analyze", "pendulum", "linearise", "--set", "parameters.L=2",
        "--out", str(model), "--plot", str(picture),
    )  # fmt: skip
    assert code == 0
    assert "2 states" in text
    assert model.stat().st_size > 100
    assert picture.read_text(encoding="utf-8").startswith("<?xml")
    code, _ = told(capsys, "analyze", "pendulum", "freedoms", "--plot", str(picture))
    assert code == 2


def test_rounding_noise_of_an_answer_is_zero(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The crank turns evenly: it has no acceleration, where differences of rounded speeds gave 5.6e-14."""
    scene = tmp_path / "four_bar.json"
    assert told(capsys, "new", "four_bar", "-o", str(scene))[0] == 0
    _, text = told(capsys, "analyze", str(scene), "kinematic", "--option", "duration=1")
    crank = next(line.split() for line in text.splitlines() if line.startswith("A "))
    assert crank[-1] == "0"


def test_unknown_words_are_told_with_the_usage_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        run_command_line(["analyze", "bricard", "freedoms", "--nonsense"])
    assert stop.value.code == 2
    words = capsys.readouterr().err
    assert "usage: trammel analyze" in words
    assert "unrecognized arguments: --nonsense" in words
