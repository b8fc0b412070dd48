"""What a user does with a motion, a measure, an analysis, a command and a format that a test has registered.

Run by `test_new_kinds.py` in a process of its own, with `new_files` as a plugin of pytest.
"""

import json
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app.cli import build_parser, run_command_line
from app.dialogs.exporting.run import ExportDialog
from app.document.document import Document, Ref, refs_of
from app.edits import add_motion, duplicate, measure_between
from app.exchange.runs.opening import open_run
from app.panels.analyses.analyses import AnalysesPanel
from app.platform.appearance import Look
from app.platform.resources import scene_paths
from app.session.session import Session
from app.tools import TOOLS
from app.window.actions import ACTIONS
from app.window.handlers.file import _opened
from engine import dumps, load_scene, load_trajectory, loads, simulate, validate
from engine.elements.base import Anchor
from engine.model.scene import Scene

PATIENCE = 100_000  # ms


@pytest.fixture
def pendulum() -> Scene:
    return load_scene(scene_paths()["pendulum"])


def swinging() -> Scene:
    """A bar on a hinge; the other end of the actuator is on the ground."""
    bar = {"mass": 1.0, "inertia": [0.1], "points": [{"name": "tip", "position": [1.0, 0.0]}]}
    scene = Scene(space="planar", gravity=(0.0, -9.81)).with_body("bar", **bar)
    return scene.with_joint("revolute", "O", a={"body": "world"}, b={"body": "bar", "point": [0.0, 0.0]})


def test_a_motion_is_inserted_saved_copied_and_followed() -> None:
    ends = Anchor(body="world", point=(0.0, 2.0)), Anchor(body="bar", point="tip")
    scene = add_motion(swinging(), "prototype_actuator", a=ends[0], b=ends[1]).after
    [motion] = scene.motions
    assert motion.function == f"{np.sqrt(5.0):.12g} + 0.05*sin(2*t)"  # from where it is
    assert not validate(scene)
    assert loads(dumps(scene)) == scene
    scene = measure_between(scene, "distance", ("world", (0.0, 2.0, 0.0)), ("bar", "tip")).after
    run = simulate(scene, duration=0.5, dt=1e-3)
    reached = run.channel("measure.distance 1")
    assert np.allclose(reached, np.sqrt(5.0) + 0.05 * np.sin(2.0 * run.t), rtol=0.0, atol=1e-9)
    assert f"motion.{motion.name}.effort" in run.names()
    copied = duplicate(scene, refs_of(scene)).after
    assert len(copied.motions) == 2


def test_a_measure_is_inserted_and_read() -> None:
    scene = measure_between(swinging(), "prototype_width", ("world", (0.0, 0.0, 0.0)), ("bar", "tip")).after
    assert loads(dumps(scene)) == scene
    run = simulate(scene, duration=0.3, dt=1e-3)
    width = run.channel("measure.prototype width 1")
    assert run.unit("measure.prototype width 1") == "m"
    assert np.allclose(width, np.abs(np.cos(run.channel("body.bar.angle"))), rtol=0.0, atol=1e-12)


def test_motion_and_measure_have_tools_and_actions() -> None:
    for id in ("motion.prototype_actuator", "measure.prototype_width"):
        assert id in TOOLS
        assert any(action.id == f"insert.{id}" for action in ACTIONS)


def test_an_analysis_stands_in_the_panel_and_on_the_command_line(
    qtbot: QtBot, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = Session(Document(autosave=tmp_path), warm=False)
    session.document.open(scene_paths()["four_bar"])
    panel = AnalysesPanel(session, Look())
    qtbot.addWidget(panel)
    panel.choose("prototype_count")
    panel.run()
    qtbot.waitUntil(lambda: not panel.busy, timeout=PATIENCE)
    assert "3 bodies move." in panel.answer.toPlainText()
    assert panel.shutdown()
    session.close()
    assert run_command_line(["analyze", "four_bar", "prototype_count"]) == 0
    assert "3 bodies move." in capsys.readouterr().out
    assert run_command_line(["list", "analyses"]) == 0
    assert "prototype_count" in capsys.readouterr().out


def test_a_command_stands_in_the_help_and_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert "count the joints of a scene" in build_parser().format_help()
    assert run_command_line(["prototype", "four_bar", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"joints": 4}
    assert run_command_line(["prototype", "no such scene"]) == 2


def test_a_format_is_offered_saves_and_opens_again(pendulum: Scene, qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "run.prototype"
    given = ["run", "pendulum", "--duration", "0.2", "--out", str(file)]
    assert run_command_line(given) == 0
    assert file.exists()
    again = load_trajectory(file)
    direct = simulate(pendulum, duration=0.2)
    assert np.array_equal(again.channel("energy.total"), direct.channel("energy.total"))
    replay = open_run(file, 1)
    assert replay.kind == "replay"
    assert replay.t_last == 0.2
    assert "*.prototype" in _opened()
    dialog = ExportDialog(None, replay, [])
    qtbot.addWidget(dialog)
    assert dialog.format.findData(".prototype") >= 0


def test_elements_of_new_kinds_can_be_named() -> None:
    scene = measure_between(swinging(), "prototype_width", ("world", (0.0, 0.0, 0.0)), ("bar", "tip")).after
    assert Ref("measures", "prototype width 1") in refs_of(scene)
