"""Remedies in large mechanisms, loop by loop.

A joint that closes a loop repeats what the other joints of that loop hold: the bodies and joints that take
part in its dependencies are a small mechanism of their own, in which remedies are looked for as in any. What
holds there holds in the whole. A remedy puts weaker joints in the place of some, so its rows lie in the space
of the old ones; with the same rank in the small mechanism they span the same space, and so do all rows of the
whole: its degrees of freedom stay, and as many redundant rows are gone as there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from engine.analyses.mobility.mobility import Dependency, Mobility
from engine.analyses.redundancy.remedies import Remedies, Remedy
from engine.errors import SceneError
from engine.model.scene import Scene

LOOPS = 8  # that are looked at; the others are named
SHOWN = 3  # remedies of each


def local_remedies(
    scene: Scene,
    found: Mobility,
    remedies_of: Callable[[Scene], Remedies],
    told: Callable[[float], object],
) -> tuple[Remedies, str]:
    """Remedies of the first loops, and a note about the others; `remedies_of` asks about a small scene."""
    loops = _loops(found.dependencies)
    sets: list[Remedy] = []
    single: list[Remedy] = []
    for number, joints in enumerate(loops[:LOOPS]):
        told(number / min(len(loops), LOOPS))
        try:
            own = remedies_of(_cut_out(scene, joints))
        except SceneError:  # something in it needs what was left out
            continue
        sets += [_in_whole(remedy, found) for remedy in own.sets[:SHOWN]]
        single += [_in_whole(remedy, found) for remedy in own.single[:SHOWN]]
    left = len(loops) - LOOPS
    note = "Remedies are those of single loops: each takes away the redundant rows of its own."
    if left > 0:
        note += f" {left} further loops, from that of {loops[LOOPS][0]} on, were not looked at."
    return Remedies(tuple(sets), tuple(single), True), note


def _loops(dependencies: Sequence[Dependency]) -> list[list[str]]:
    """Joints of every loop, the one that closes it first."""
    found: dict[str, dict[str, None]] = {}
    for dependency in dependencies:
        if dependency.generic and dependency.removable.owner == "joint":
            own = found.setdefault(dependency.removable.name, {dependency.removable.name: None})
            own.update((row.name, None) for row in dependency.rows if row.owner == "joint")
    return [list(joints) for joints in found.values()]


def _cut_out(scene: Scene, joints: Sequence[str]) -> Scene:
    """The scene of some joints and the bodies that they join, without what acts on them."""
    kept = tuple(joint for joint in scene.joints if joint.name in joints)
    names = {
        anchor.body
        for joint in kept
        for anchor in (getattr(joint, "a", None), getattr(joint, "b", None))
        if anchor is not None
    }
    empty: dict[str, Any] = dict.fromkeys(("forces", "motions", "traces", "measures", "groups", "races"), ())
    return msgspec.structs.replace(
        scene,
        bodies=tuple(body for body in scene.bodies if body.name in names),
        joints=kept,
        simulation=msgspec.structs.replace(scene.simulation, stop_when=()),
        **empty,
    )


def _in_whole(remedy: Remedy, whole: Mobility) -> Remedy:
    """The same remedy with the counts of the whole mechanism."""
    gone = remedy.redundant_before - remedy.outcome.redundant
    outcome = replace(
        remedy.outcome,
        dof=whole.mobility + remedy.outcome.dof - remedy.dof_before,
        redundant=whole.generic_redundant - gone,
    )
    return Remedy(remedy.changes, outcome, whole.mobility, whole.generic_redundant)
