"""Edits of the races that a scene keeps."""

from __future__ import annotations

import itertools

from msgspec.structs import replace

from app.document.document import Edit
from engine.model.races import MAX_LANES, Lane, Race
from engine.model.scene import Scene


def add_race(scene: Scene, race: Race) -> Edit:
    """One more race, under a name that none has yet."""
    taken = {known.name for known in scene.races}
    names = itertools.chain([race.name], (f"{race.name} {n}" for n in itertools.count(2)))
    named = replace(race, name=next(name for name in names if name not in taken))
    return Edit(f"Add race {named.name}", replace(scene, races=(*scene.races, named)))


def change_race(scene: Scene, name: str, race: Race) -> Edit:
    """Another race in the place of the one of that name."""
    races = tuple(race if known.name == name else known for known in scene.races)
    return Edit(f"Change race {race.name}", replace(scene, races=races))


def remove_race(scene: Scene, name: str) -> Edit:
    races = tuple(known for known in scene.races if known.name != name)
    return Edit(f"Remove race {name}", replace(scene, races=races))


def set_lane(scene: Scene, race: Race, lane: Lane, index: int | None = None) -> Edit:
    """A lane in the place of another, or one more at the end; ValueError when there are eight."""
    if index is None and len(race.lanes) >= MAX_LANES:
        raise ValueError(f"a race has at most {MAX_LANES} lanes; remove one first")
    lanes = list(race.lanes)
    if index is None:
        lanes.append(lane)
    else:
        lanes[index] = lane
    return change_race(scene, race.name, replace(race, lanes=tuple(lanes)))


def remove_lanes(scene: Scene, race: Race, indices: set[int]) -> Edit:
    lanes = tuple(lane for i, lane in enumerate(race.lanes) if i not in indices)
    return change_race(scene, race.name, replace(race, lanes=lanes))


def first_race(scene: Scene) -> Race:
    """Where to begin: the scene as it is, with twice its step, and with the joints left to drift."""
    dt = scene.simulation.dt
    twice = f"2*({dt})" if isinstance(dt, str) else 2.0 * dt
    lanes = (
        Lane(name="as it is"),
        Lane(name="twice the step", dt=twice),
        Lane(name="half the step", dt=f"({dt})/2" if isinstance(dt, str) else dt / 2.0),
        Lane(name="Baumgarte", method="lagrange/rk4/baumgarte"),
    )
    return Race(name="Race", lanes=lanes)
