"""The interactive page: its data put the mechanism where the run has it, its script computes rightly."""

import base64
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtQml import QJSEngine
from pytestqt.qtbot import QtBot
from scipy.spatial.transform import Rotation, Slerp

from app.cli import run_command_line
from app.dialogs.exporting.page import PageDialog
from app.exchange.interactive.page import PagePlan, save_page
from app.exchange.runs.opening import replay_of
from app.session.recorded.run import Run
from engine import Scene, load_scene, simulate
from engine.progress import Cancelled
from tests.paths import ROOT

ASSETS = ROOT / "assets" / "interactive"
SINGLE = 1e-6  # of single precision, in metres and rotations of order one


def data_of(page: Path) -> dict[str, Any]:
    text = page.read_text(encoding="utf-8")
    (found,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    made: dict[str, Any] = json.loads(found)
    return made


def numbers(text: str, kind: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), dtype=kind)


def run_of(scene: Scene, duration: float) -> Run:
    return replay_of(simulate(scene, duration=duration), 1, name="run")


@pytest.fixture
def spatial() -> Run:
    return run_of(load_scene(ROOT / "scenes" / "spatial_slider_crank.json"), 0.2)


def test_every_frame_has_the_bodies_where_the_run_has_them(spatial: Run, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    count = save_page(spatial, PagePlan(), file)
    data = data_of(file)
    (section,) = data["sections"]
    tracks = [
        numbers(track["numbers"], "<f4").reshape(count, 7) for track in section["tracks"] if track["rigid"]
    ]
    instants = np.linspace(data["begin"], data["end"], count)
    drawn = [body.name for body in spatial.scene.bodies if body.shapes]
    assert drawn
    for i in (0, count // 3, count - 1):
        poses = spatial.poses_at(float(instants[i]))
        for name in drawn:
            p, R = poses[name]
            if not p.any() and (np.eye(3) == R).all():
                continue  # stands at the world's frame: no track
            off = [
                max(
                    np.abs(track[i, :3] - p).max(),
                    np.abs(Rotation.from_quat(track[i, 3:]).as_matrix() - R).max(),
                )
                for track in tracks
            ]
            assert min(off) < SINGLE, name


def test_curves_and_paths_are_those_of_the_run(tmp_path: Path) -> None:
    run = run_of(load_scene(ROOT / "scenes" / "four_bar.json"), 0.5)
    file = tmp_path / "page.html"
    save_page(run, PagePlan(channels=("joint.A.angle",)), file)
    data = data_of(file)
    energy, angle = data["plots"]
    assert [curve["name"] for curve in energy["curves"]] == [
        "energy.kinetic",
        "energy.potential",
        "energy.total",
    ]
    assert (angle["title"], angle["unit"]) == ("joint.A.angle", "rad")
    t, values = run.channel("joint.A.angle")
    read = numbers(angle["curves"][0]["values"], "<f8")
    assert np.abs(np.interp(t, numbers(angle["curves"][0]["t"], "<f4"), read) - values).max() < SINGLE
    assert len(data["paths"]) == len([trace for trace in run.scene.traces if trace.visible])
    low, high = map(np.array, data["box"])
    for path in data["paths"]:
        points = numbers(path["points"], "<f4").reshape(-1, 3)
        assert (points >= low - 0.1).all()
        assert (points <= high + 0.1).all()


def test_what_bends_is_kept_to_a_65535th_of_its_room(tmp_path: Path) -> None:
    run = run_of(load_scene(ROOT / "scenes" / "four_bar_spring_damper.json"), 0.2)
    file = tmp_path / "page.html"
    save_page(run, PagePlan(), file)
    (section,) = data_of(file)["sections"]
    assert section["flexibles"]
    for each in section["flexibles"]:
        steps = numbers(each["points"], "<u2").reshape(-1, each["count"], 3)
        points = np.array(each["low"]) + np.array(each["step"]) * steps
        assert np.isfinite(points).all()
        assert steps.max() == 65535


def test_no_text_of_the_scene_becomes_part_of_the_page(tmp_path: Path) -> None:
    evil = '</script><script>alert("1")</script><!--'
    scene = Scene(title=evil, description=evil, space="planar")
    scene = scene.with_body("bob", mass=1, com=[0, 0], inertia=[1]).with_trace("path", body="bob")
    file = tmp_path / "page.html"
    save_page(run_of(scene, 0.01), PagePlan(message=evil), file)
    assert evil not in file.read_text(encoding="utf-8")
    assert len(data_of(file)["paths"]) == 1


def test_a_page_stays_small_and_can_be_cancelled(tmp_path: Path) -> None:
    run = run_of(load_scene(ROOT / "scenes" / "shock_chain.json"), 0.05)
    file = tmp_path / "page.html"
    save_page(run, PagePlan(), file)
    assert file.stat().st_size < 12e6
    file.unlink()
    with pytest.raises(Cancelled):
        save_page(run, PagePlan(), file, cancel=lambda: True)
    assert list(tmp_path.iterdir()) == []


def test_the_command_writes_a_page_and_refuses_what_it_cannot(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "page.html"
    assert run_command_line(["page", "four_bar", "--to", "0.05", "--out", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["frames"] == 301
    assert run_command_line(["page", "four_bar", "--out", str(tmp_path / "page.doc")]) == 2
    assert ".html" in capsys.readouterr().err
    command = ["page", "four_bar", "--to", "0.05", "--out", str(file), "--plots", "nothing"]
    assert run_command_line(command) == 2
    assert "no such channel" in capsys.readouterr().err


def test_the_dialog_writes_the_page_of_a_run(qtbot: QtBot, tmp_path: Path, spatial: Run) -> None:
    dialog = PageDialog(None, spatial, {}, ["joint.A.angle"], tmp_path, dark=True)
    qtbot.addWidget(dialog)
    dialog.end.setValue(0.1)
    file = tmp_path / "run.html"
    dialog.start(file)
    qtbot.waitUntil(lambda: dialog.saved == file, timeout=60_000)
    assert data_of(file)["end"] == pytest.approx(0.1)
    assert 'class="dark"' in file.read_text(encoding="utf-8")


# the script, without a browser


@pytest.fixture
def script(qapp: object) -> Callable[[str], Any]:
    engine = QJSEngine()
    code = (ASSETS / "geometry.js").read_text(encoding="utf-8").replace('"use strict";', "")
    assert not engine.evaluate(code).isError()

    def value(text: str) -> Any:
        found = engine.evaluate(text)
        assert not found.isError(), found.toString()
        return json.loads(engine.evaluate(f"JSON.stringify({text})").toString())

    return value


@pytest.mark.parametrize("flipped", [1, -1])
def test_between_two_frames_a_body_turns_as_it_should(script: Callable[[str], Any], flipped: int) -> None:
    turns = Rotation.from_rotvec([[0.1, -0.2, 0.3], [0.16, -0.1, 0.38]])
    a, b = turns.as_quat()
    track = np.array([0.0, 1.0, 2.0, *a, 1.0, 3.0, 5.0, *(flipped * b)]).tolist()
    found = script(f"Array.from(poseAt({{rigid: true, numbers: {track}}}, 0, 0.25))")
    pose = np.array(found).reshape(4, 4).T
    assert np.abs(pose[:3, :3] - Slerp([0, 1], turns)(0.25).as_matrix()).max() < 1e-4  # nlerp for small turns
    assert np.abs(pose[:3, :3] @ pose[:3, :3].T - np.eye(3)).max() < SINGLE
    assert pose[:3, 3] == pytest.approx([0.25, 1.5, 2.75])


def test_a_stretched_arrow_is_interpolated_number_by_number(script: Callable[[str], Any]) -> None:
    rows = np.arange(24.0)
    found = script(f"Array.from(poseAt({{rigid: false, numbers: {rows.tolist()}}}, 0, 0.5))")
    expected = np.vstack([(rows[:12] + 6.0).reshape(3, 4), [0, 0, 0, 1]])
    assert pytest.approx(expected) == np.array(found).reshape(4, 4).T


def test_the_camera_maps_what_it_looks_at_to_the_middle(script: Callable[[str], Any]) -> None:
    view = "viewMatrix([1, 2, 12], [1, 0, 0], [0, 1, 0], [0, 0, 1])"
    for lens in ("perspective(0.5, 1.5, 1, 20)", "orthographic(4, 1.5, 1, 20)"):
        clip = np.array(script(f"Array.from(product({lens}, {view}))")).reshape(4, 4).T @ [1, 2, 2, 1]
        assert clip[:2] / clip[3] == pytest.approx([0, 0])
        assert -1 < clip[2] / clip[3] < 1


def test_values_between_samples_and_round_numbers(script: Callable[[str], Any]) -> None:
    assert script("valueAt([0, 1, 3], [5, 7, 1], 2)") == 4
    assert script("valueAt([0, 1, 3], [5, 7, 1], -1)") == 5
    assert script("valueAt([0, 1, 3], [5, 7, 1], 9)") == 1
    assert script("placeOf([0, 1, 1, 3], 1)") == 2
    assert script("roundNumbers(-0.03, 1.07, 4)") == pytest.approx([0, 0.5, 1])
    assert script("roundNumbers(0, 3, 4)") == pytest.approx([0, 1, 2, 3])
    assert script("written(0.30000000000000004, 1)") == "0.3"
    assert script("written(1e-17, 1)") == "0"
    assert script("written(1234567, 1e6)") == "1.23e6"


@pytest.mark.parametrize("name", ["geometry.js", "drawing.js", "plots.js", "page.js"])
def test_scripts_are_well_formed(qapp: object, name: str) -> None:
    code = (ASSETS / name).read_text(encoding="utf-8")
    found = QJSEngine().evaluate(f"(function () {{ {code} }})")
    assert not found.isError(), found.toString()
