"""Small files that asked for minutes or gigabytes."""

import resource
import sys
from functools import partial
from typing import Any

import numpy as np
import pytest

from engine.analyses.check import check_scene
from engine.errors import SceneError
from engine.model.files.json_text import write_json
from engine.model.files.scene_file import loads
from engine.results.assessment import conditioning
from engine.results.assessment.conditioning import Conditioning
from engine.results.recorder import Budget, Recorder
from engine.simulation.simulation import simulate
from tests.engine.simulation.scenes import rod_pendulum


def scene(**parts: Any) -> Any:
    return loads(write_json({"format": "trammel-scene", "version": 1, **parts}))


def pushed(period: float, **simulation: float) -> Any:
    table = {"points": [[0, 0], [0.5 * period, 1], [period, 0]], "outside": "periodic"}
    force = {"name": "f", "kind": "force", "body": "b", "components": [table, 0]}
    body = {"name": "b", "mass": 1, "inertia": [1]}
    return scene(space="planar", bodies=[body], forces=[force], simulation=simulation)


def test_a_table_of_five_kilohertz_pushes_with_its_mean() -> None:
    run = simulate(pushed(2e-4, duration=0.2, dt=0.001))
    assert run.channel("body.b.vel.x")[-1] == pytest.approx(0.5 * 0.2, rel=1e-9)


def test_a_period_that_no_step_can_follow_is_refused() -> None:
    with pytest.raises(SceneError, match="repeats every 2e-12 s"):
        simulate(pushed(2e-12, duration=1, dt=0.001))


def test_two_thousand_free_bodies_are_counted_without_matrices_of_their_square() -> None:
    bodies = [{"name": f"b{i}", "mass": 1, "inertia": [1, 1, 1], "position": [i, 0, 0]} for i in range(2000)]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert check_scene(scene(bodies=bodies)).mobility.dof == 12_000
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 500_000 * (1024 if sys.platform == "darwin" else 1)  # KiB, B on macOS; 11 GB before


@pytest.mark.parametrize(("bodies", "shapes"), [(2, 70), (30, 12)])
def test_rigid_shapes_of_a_body_that_touch_at_thousands_of_places_are_refused(
    bodies: int, shapes: int
) -> None:
    """Each place has an entry with each in the matrix of the rows: 70 balls on 70 asked for 10 GB."""
    balls = [{"kind": "sphere", "radius": 0.01, "position": [0.03 * i, 0, 0]} for i in range(shapes)]
    solid = [
        {"name": f"b{k}", "mass": 1, "inertia": [1, 1, 1], "position": [0, 0, k], "shapes": balls}
        for k in range(bodies)
    ]
    touching = [
        {
            "name": f"c{k}",
            "kind": "contact",
            "a": {"body": "b0"},
            "b": {"body": f"b{k}"},
            "shape_a": "shapes",
            "shape_b": "shapes",
            "law": "rigid",
            "friction": 0.3,
        }
        for k in range(1, bodies)
    ]
    with pytest.raises(SceneError, match=r"at more places than can be followed .*\n.*elastic law"):
        check_scene(scene(bodies=solid, forces=touching))


def test_few_samples_of_a_long_run_tell_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    run = simulate(rod_pendulum(), dt=0.001, duration=1.0)
    whole = Conditioning(run.mechanism, run.samples)
    monkeypatch.setattr(conditioning, "MAX_WORK", 0.0)
    some = Conditioning(run.mechanism, run.samples)
    assert (some.rank, some.redundant, some.near_singular.sum()) == (whole.rank, whole.redundant, 0)
    np.testing.assert_allclose(some.smallest, whole.smallest, rtol=1e-2)


def test_a_run_holds_every_sample_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory of 2000 bodies over 10,000 steps was three times their samples; now the surplus lies on disk."""
    run = simulate(rod_pendulum(), duration=1.0)
    assert np.shares_memory(run.samples, run.segments[0].samples)
    monkeypatch.setattr("engine.simulation.simulation.Budget", lambda: Budget(1 << 16))
    small_chunks = partial(Recorder, chunk_bytes=1 << 12)
    monkeypatch.setattr("engine.simulation.simulation.Recorder", small_chunks)
    on_disk = simulate(rod_pendulum(), duration=1.0)
    assert np.array_equal(on_disk.samples, run.samples)
    assert on_disk.summary()["energy_error_max"] == run.summary()["energy_error_max"]


def test_large_mechanisms_are_looked_at_in_shorter_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    run = simulate(rod_pendulum(), duration=0.5)
    whole = run.channel("energy.error")
    monkeypatch.setattr("engine.results.channels.SLICE_BYTES", 1 << 12)
    monkeypatch.setattr("engine.results.trajectory.KEPT", 0)
    again = simulate(rod_pendulum(), duration=0.5)
    assert again.segments[0].channels.slice < 50
    assert np.array_equal(again.channel("energy.error"), whole)
