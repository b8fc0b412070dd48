"""Every shipped scene loads, survives saving unchanged, compiles and runs."""

import numpy as np
import pytest

from engine import compile_scene, load_scene, save_scene, simulate
from engine.compiled.layout import StepStatus
from engine.model.resolve import resolve
from engine.system.assembly.assemble import assemble
from scenes import generators
from scenes.make import is_current
from tests.paths import ROOT

CLOSED = 1e-14  # over the size of the row
CLOSED_RATE = 1e-12  # 1/s: the fast ones (top, bicycle) carry speeds of hundreds

LOOKED_AT, LONGEST_PLAY = 3.0, 25.0  # s of wall time
SEEN_WAY, SEEN_TURN = 0.02, np.radians(15.0)  # of the size of the mechanism, rad

FOLDER = ROOT / "scenes"
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


@pytest.mark.smoke
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
def test_the_first_play_shows_a_motion(path):
    """In the first seconds at its own speed a body moves or turns so far that it is seen."""
    scene = load_scene(path)
    settings = resolve(scene).simulation
    seconds = float(settings.duration) / float(settings.speed)
    assert seconds <= LONGEST_PLAY
    run = simulate(scene, duration=min(LOOKED_AT, seconds) * float(settings.speed))
    bodies = [body.name for body in scene.bodies if not body.fixed]
    known = set(run.names())

    def vectors(body: str, quantity: str) -> np.ndarray:
        names = [f"body.{body}.{quantity}.{axis}" for axis in "xyz"]
        return np.array([run.channel(name) for name in names if name in known])

    places = np.array([vectors(body, "com") for body in bodies])  # (bodies, 2 or 3, samples)
    ways = np.linalg.norm(places - places[:, :, :1], axis=1).max()
    joints = np.concatenate([places[:, :, 0], np.zeros((1, places.shape[1]))])
    size = np.linalg.norm(np.ptp(joints, axis=0))
    if "camera" in scene.view:
        size = 2.0 * scene.view["camera"]["scale"]  # what is seen of it
    turns = [np.trapezoid(np.linalg.norm(vectors(body, "omega"), axis=0), run.t) for body in bodies]
    assert ways > SEEN_WAY * size or max(turns) > SEEN_TURN


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_joints_are_closed_as_written(path):
    # the generators give poses and velocities in closed form: assembly has nothing to do
    start = assemble(compile_scene(load_scene(path)))
    assert start.violation_before < CLOSED
    assert start.rate_before < CLOSED_RATE


@pytest.mark.parametrize("name", list(generators.SCENES))
def test_the_file_is_what_its_generator_gives(name):
    assert is_current(name)
