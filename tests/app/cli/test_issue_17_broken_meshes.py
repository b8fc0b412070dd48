"""A scene whose mesh file is broken: every command that reads the scene says the same as `check`."""

import json
from pathlib import Path

import pytest

from app.cli import run_command_line


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    (tmp_path / "part.obj").write_text("v 0 0 0\nv 1 0 0\nf 1 2 999999999\n", encoding="utf-8")
    shape = {"kind": "mesh", "file": "part.obj"}
    body = {"name": "part", "mass": 1, "inertia": [1, 1, 1], "shapes": [shape]}
    simulation = {"duration": 0.01, "dt": 0.001}
    path = tmp_path / "scene.json"
    content = {"format": "trammel-scene", "version": 1, "bodies": [body], "simulation": simulation}
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "words",
    [
        ["check"],
        ["run"],
        ["run", "--stream", "run.h5"],
        ["compare", "--methods", "rk4", "--dts", "0.001"],
        ["analyze", "modes"],
        ["render", "--out", "picture.png"],
        ["report", "--out", "report.html"],
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_it_is_refused_with_file_and_line(
    words: list[str], scene: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(scene.parent)
    assert run_command_line([words[0], str(scene), *words[1:]]) == 2
    told = "".join(capsys.readouterr())
    assert "part.obj: line 3: a corner at point 999999999" in told
    assert "leave it out: bodies.part.shapes=[]" in told
    assert [path.name for path in scene.parent.iterdir() if path.name not in ("part.obj", "scene.json")] == []


@pytest.mark.parametrize("command", ["sweep", "optimise"])
def test_so_it_is_in_a_study(command: str, scene: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The mesh is named from the folder of the scene, not from that of the study."""
    study = {
        "format": "trammel-study",
        "version": 1,
        "scene": f"{scene.parent.name}/{scene.name}",
        "vary": [{"kind": "choices", "path": "bodies.part.mass", "values": [1, 2]}],
        "objectives": [{"name": "end", "expression": "body.part.pos.z"}],
        "goal": [{"objective": "end"}],
    }
    path = scene.parent.parent / f"{scene.parent.name}.study.json"
    path.write_text(json.dumps(study), encoding="utf-8")
    assert run_command_line([command, str(path), "--workers", "0"]) == 2
    assert "part.obj: line 3: a corner at point 999999999" in capsys.readouterr().err
    (scene.parent / "part.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", encoding="utf-8")
    assert run_command_line([command, str(path), "--workers", "0", "--json"]) == 0


def test_the_remedy_can_be_followed(scene: Path) -> None:
    assert run_command_line(["run", str(scene), "--set", "bodies.part.shapes=[]"]) == 0
