"""What one process of a race computes: the scene as a lane has it, and how often it is recorded."""

from __future__ import annotations

from dataclasses import dataclass, replace

import msgspec

from engine.benchmarks.comparison import REFERENCE, REFERENCE_TOLERANCE
from engine.elements.base import Number
from engine.model.races import Lane
from engine.model.resolve import resolve
from engine.model.scene import Scene
from engine.model.set_value import set_value
from engine.simulation.checks.run_times import check_times
from engine.solvers.catalogue import find_method

SAMPLES = 2000  # of a whole race, at most about so many per lane: pictures and curves need no more
REFERENCE_SAMPLES = 20_000  # at most, of the reference


@dataclass(frozen=True)
class Entry:
    """A scene that says by itself how it is run."""

    name: str
    scene: Scene
    method: str  # in full
    dt: float
    duration: float
    every: int  # steps between two samples


def entry_of(scene: Scene, lane: Lane, duration: float | None = None) -> Entry:
    """The entry of a lane; raises SceneError for values, a method or a step that there cannot be."""
    changed = msgspec.structs.replace(scene, view={}, races=())
    for path, value in lane.values.items():
        changed = set_value(changed, path, value)
    method = find_method(lane.method or changed.simulation.method)
    own = {name: value for name, value in changed.simulation.options.items() if method.knows(name)}
    options = {**own, **lane.options}
    step = changed.simulation.dt if lane.dt is None else lane.dt
    changed = changed.with_simulation(method=method.name, options=options, dt=step)
    settings = resolve(changed).simulation
    method.numbers({name: float(value) for name, value in settings.options.items()})
    dt = float(settings.dt)
    length = float(settings.duration) if duration is None else duration
    check_times(dt, length, 1)
    return Entry(lane.name, changed, method.name, dt, length, max(1, int(length / SAMPLES / dt)))


def reference_of(scene: Scene, duration: float | None = None) -> Entry:
    """The tight run that the others are measured by."""
    tight: dict[str, Number] = {"rtol": REFERENCE_TOLERANCE, "atol": REFERENCE_TOLERANCE}
    entry = entry_of(scene, Lane(name="Reference", method=REFERENCE, options=tight), duration)
    # it takes its own steps between two samples; fast motion needs many samples to be compared with
    dt = max(entry.dt, entry.duration / REFERENCE_SAMPLES)
    return replace(entry, scene=entry.scene.with_simulation(dt=dt), dt=dt, every=1)
