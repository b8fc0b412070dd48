"""Every shipped scene loads, survives saving unchanged, compiles and runs."""

from pathlib import Path

import numpy as np
import pytest

from engine import compile_scene, load_scene, save_scene, simulate
from engine.problems import StepStatus
from engine.system.assembly import assemble
from scenes import generators
from scenes.make import is_current

CLOSED = 1e-14  # over the size of the row
CLOSED_RATE = 1e-12  # 1/s: the fast ones (top, bicycle) carry speeds of hundreds

FOLDER = Path(__file__).parents[2] / "scenes"
SCENES = sorted(FOLDER.glob("*.json"))


def test_all_are_there():
    assert {path.stem for path in SCENES} == set(generators.SCENES)


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_saving_changes_nothing(path, tmp_path):
    scene = load_scene(path)
    save_scene(scene, tmp_path / path.name)
    assert load_scene(tmp_path / path.name) == scene
    assert scene.title
    assert scene.description
    assert scene.source


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_it_compiles_and_runs(path):
    scene = load_scene(path)
    mechanism = compile_scene(scene)
    assert len(mechanism.bodies) > 0
    duration = min(0.2, 500 * float(mechanism.scene.simulation.dt))
    run = simulate(scene, duration=duration)
    assert run.status is StepStatus.FINISHED, run.message
    assert run.t[-1] == duration
    table = run.table(run.names())
    assert np.isfinite(table).all()
    assert run.channel("violation.position").max() < 1e-9
    assert run.channel("violation.velocity").max() < 1e-7


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_joints_are_closed_as_written(path):
    # the generators give poses and velocities in closed form: assembly has nothing to do
    start = assemble(compile_scene(load_scene(path)))
    assert start.violation_before < CLOSED
    assert start.rate_before < CLOSED_RATE


@pytest.mark.parametrize("name", list(generators.SCENES))
def test_the_file_is_what_its_generator_gives(name):
    assert is_current(name)
