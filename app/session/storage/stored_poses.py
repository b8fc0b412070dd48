"""Stored runs: the poses of a shipped scene over time, to be shown while its kernels are being compiled.

`python -m app.session.storage.stored_poses SCENE …` writes those of shipped scenes anew.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import msgspec
import numpy as np

from app.platform.resources import data_folder, find_scene
from app.platform.user_error import InputError
from app.session.recorded.run import Run
from engine.elements.fields import fields_of
from engine.model.files.scene_file import dumps, load_scene
from engine.model.scene import Scene
from engine.results.sample_layout import SampleLayout
from engine.simulation.live.live_simulation import LiveSimulation, Record
from engine.solvers.catalogue import find_method
from engine.system.prepared import prepare

FOLDER = "runs"  # among the assets
_WORDS = (
    "title",
    "description",
    "category",
    "source",
    "author",
    "notes",
    "groups",
    "traces",
    "measures",
    "view",
)
_EMPTY = {field.name: getattr(Scene(), field.name) for field in fields_of(Scene)}
RATE = 60.0  # samples per second: as many as a screen shows


def store_run(run: Run, path: Path) -> None:
    """Write time, coordinates and velocities of a run that has one segment."""
    (segment,) = run.segments
    layout = SampleLayout(segment.mechanism)
    begin, end = run.t_first, run.t_last
    times = np.linspace(begin, end, max(2, round((end - begin) * RATE) + 1))
    rows = np.array([segment.recorder.at(t)[: layout.v.stop] for t in times])
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(path, rows=rows.astype(np.float32), scene=fingerprint(run.scene))


def stored_run(scene: Scene, name: str, run_id: int) -> Run | None:
    """The stored run of a shipped scene; None when there is none, or when the scene has changed since."""
    try:
        path = data_folder("assets") / FOLDER / f"{name}.npz"
        with np.load(path, allow_pickle=False) as file:
            if str(file["scene"]) != fingerprint(scene):
                return None
            rows = file["rows"].astype(float)
    except (InputError, OSError, KeyError, ValueError):
        return None
    mechanism = prepare(scene).mechanism
    layout = SampleLayout(mechanism)
    if rows.ndim != 2 or rows.shape[1] != layout.v.stop:
        return None
    record = Record()
    settings = mechanism.scene.simulation
    segment = record.begin(scene, mechanism, find_method(settings.method), float(settings.dt), 0.0)
    samples = np.zeros((len(rows), layout.width))
    samples[:, : layout.v.stop] = rows
    segment.recorder.append(samples)
    run = Run(run_id, scene, record=record, kind="replay", name=f"{scene.title or name} (stored)")
    run.has_channels = False
    return run


def fingerprint(scene: Scene) -> str:
    """Changes when the motion of the scene may change: with all but its words and how it is looked at."""
    bare = msgspec.structs.replace(scene, **{name: _EMPTY[name] for name in _WORDS})
    return hashlib.sha256(dumps(bare).encode()).hexdigest()[:16]


def main(names: list[str]) -> None:
    """Run shipped scenes to their end and store what they did."""
    for name in names:
        scene = load_scene(find_scene(name))
        simulation = LiveSimulation(scene)
        end = float(simulation.mechanism.scene.simulation.duration)
        while simulation.t < end and not simulation.done:
            simulation.advance(end)
        run = Run(1, scene, record=simulation.record)
        store_run(run, data_folder("assets") / FOLDER / f"{name}.npz")


if __name__ == "__main__":
    main(sys.argv[1:])
