"""Any instant of a run can become the start: the motion that follows is the one that followed."""

from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app.edits import start_here, start_now
from app.platform.resources import scene_paths
from app.session.recorded.run import Run
from engine import Scene, load_scene, validate
from engine.compiled.layout import StepStatus
from engine.simulation.live.live_simulation import LiveSimulation, Record
from tests.app.window.windows import open_window, wait

HERE, LATER = 0.2, 0.1  # s
BY_ITSELF = ("four_bar", "bricard", "slider_crank")
BY_THE_CLOCK = ("driven_four_bar", "spinning_top", "forced_oscillator", "walking")  # functions of time


def run_for(scene: Scene, seconds: float) -> Run:
    record = Record()
    simulation = LiveSimulation(scene, record=record)
    while simulation.t < seconds - 1e-12:
        assert simulation.advance(seconds) is StepStatus.OK, simulation.message
    return Run(1, scene, record=record)


@pytest.mark.parametrize("name", [*BY_ITSELF, *BY_THE_CLOCK])
def test_the_motion_goes_on_from_the_new_start(name: str) -> None:
    scene = load_scene(scene_paths()[name])
    step = float(scene.simulation.dt)
    here, later = (step * round(instant / step) for instant in (HERE, LATER))  # recorded, not between samples
    run = run_for(scene, here + later + step)
    segment, sample = run.sample_at(here)
    edit = start_now(scene, segment.poses(sample), segment.velocities(sample), here)
    assert validate(edit.after) == []
    again = run_for(edit.after, later + step)
    for body, (place, turned) in run.poses_at(here + later).items():
        found, rotation = again.poses_at(later)[body]
        assert np.abs(found - place).max() < 1e-8, body
        assert np.abs(rotation - turned).max() < 1e-7, body


def test_a_pose_alone_keeps_the_velocities_of_the_scene() -> None:
    scene = load_scene(scene_paths()["double_pendulum"])
    run = run_for(scene, HERE)
    edit = start_here(scene, run.poses_at(HERE))
    assert [body.velocity for body in edit.after.bodies] == [body.velocity for body in scene.bodies]
    start = run_for(edit.after, 0.01).poses_at(0.0)
    for body, (place, _) in run.poses_at(HERE).items():
        assert np.abs(start[body][0] - place).max() < 1e-9


def test_from_the_menu_it_is_one_step(qtbot: QtBot, tmp_path: Path) -> None:
    with open_window(tmp_path) as window:
        session = window.session
        assert window.open_path(scene_paths()["double_pendulum"])
        wait(qtbot, lambda: session.state == "ready")
        window.act("run.toggle")
        wait(qtbot, lambda: session.t > HERE)
        session.transport.pause()
        session.transport.seek(HERE)
        shown, before = session.poses(), session.document.scene
        window.act("run.start_pose")
        wait(qtbot, lambda: session.state == "ready" and session.t == 0.0)
        for body, (place, _) in shown.items():
            assert np.abs(session.poses()[body][0] - place).max() < 1e-9
        assert session.document.stack.undoText() == "Use this pose as start"
        window.act("edit.undo")
        assert session.document.scene == before
