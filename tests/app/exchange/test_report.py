"""The report is one page that needs nothing else."""

import base64
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from app.cli import run_command_line
from app.platform.resources import scene_paths
from engine import load_scene, loads


class Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.figures = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.figures += tag == "figure"
        self.links += [value or "" for name, value in attrs if name in ("src", "href")]


def test_a_report_holds_all_of_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "run.html"
    command = ["report", "double_pendulum", "--duration", "0.2", "--out", str(file)]
    assert run_command_line([*command, "--plots", "joint.B.angle", "--json"]) == 0
    assert '"believed": true' in capsys.readouterr().out
    text = file.read_text(encoding="utf-8")
    reader = Reader()
    reader.feed(text)
    assert reader.figures == 3
    outside = [link for link in reader.links if not link.startswith(("data:", "#"))]
    assert not outside
    scene = re.search(r'href="data:application/json;base64,([^"]+)"', text)
    assert scene is not None
    assert loads(base64.b64decode(scene[1]).decode()) == load_scene(scene_paths()["double_pendulum"])
    assert "to be believed" in text
    assert "0 of what is exchanged" not in text  # rounding
    picture = re.search(r'src="data:image/png;base64,([^"]+)"', text)
    assert picture is not None
    assert base64.b64decode(picture[1]).startswith(b"\x89PNG")
    assert run_command_line([*command, "--plots", "nothing"]) == 2
    assert run_command_line(["report", "double_pendulum", "--out", str(tmp_path / "a.doc")]) == 2


def test_issue_18_a_report_of_a_saved_run_has_the_name_of_the_run(tmp_path: Path) -> None:
    saved, file = tmp_path / "run.npz", tmp_path / "run.html"
    assert run_command_line(["run", "double_pendulum", "--duration", "0.1", "--out", str(saved)]) == 0
    assert run_command_line(["report", str(saved), "--out", str(file), "--name", "Long arm"]) == 0
    assert '<p class="muted">Long arm, ' in file.read_text(encoding="utf-8")
    assert run_command_line(["report", str(saved), "--out", str(file)]) == 0
    assert '<p class="muted">run.npz, ' in file.read_text(encoding="utf-8")


def test_issue_17_texts_of_a_scene_are_no_markup_in_a_report(tmp_path: Path) -> None:
    evil = (
        "<script>alert(1)</script><img src='http://evil.example/a.png'><a href='http://evil.example/'>b</a>"
    )
    scene = json.loads(scene_paths()["pendulum"].read_text(encoding="utf-8"))
    scene |= dict.fromkeys(("title", "description", "category", "source", "author", "notes"), evil)
    scene["parameters"][0]["note"] = evil
    scene["measures"] = [{"kind": "expression", "name": "m", "expression": "t", "unit": evil}]
    path, file = tmp_path / "evil.json", tmp_path / "evil.html"
    path.write_text(json.dumps(scene), encoding="utf-8")
    words = ["report", str(path), "--duration", "0.02", "--plots", "measure.m", "--name", evil]
    assert run_command_line([*words, "--out", str(file)]) == 0
    text = file.read_text(encoding="utf-8")
    reader = Reader()
    reader.feed(text)
    assert not [link for link in reader.links if not link.startswith(("data:", "#"))]
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert" in text
