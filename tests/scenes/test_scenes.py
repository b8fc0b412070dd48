"""Every shipped scene loads, survives saving unchanged, compiles and runs."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from engine import compile_scene, load_scene, save_scene, simulate
from engine.problems import StepStatus

FOLDER = Path(__file__).parents[2] / "scenes"
SCENES = sorted(FOLDER.glob("*.json"))
NAMES = [
    "andrews",
    "bicycle",
    "bricard",
    "cardan_shaft",
    "double_four_bar",
    "double_pendulum",
    "flyball_governor",
    "four_bar",
    "pantograph",
    "parallelogram",
    "pendulum",
    "slider_crank",
    "spatial_four_bar",
    "spatial_slider_crank",
    "spinning_top",
    "stewart_platform",
]


def test_all_are_there():
    assert set(NAMES) <= {path.stem for path in SCENES}


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


def test_the_files_are_what_the_script_writes():
    script = [sys.executable, str(FOLDER / "make_scenes.py"), "--check"]
    done = subprocess.run(script, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
