"""How far sliders go, from joints and prescribed positions alone: without a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from engine.analyses.kinematics.whole_motion import whole_motion
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import rows as ROW
from engine.elements.joints import JOINTS
from engine.errors import SceneError
from engine.model.scene import Scene, kind_of
from engine.system.compiling.mechanism import Mechanism
from engine.system.equations.evaluator import Evaluator
from engine.system.prepared import prepare

INSTANTS = 400  # of a run, at which motions are asked where they lead
MAX_BODIES = 60  # of a scene whose motion is worked out unasked

Travels = Mapping[str, tuple[float, float]]  # joint → smallest and largest displacement [m]


def travels(scene: Scene, wanted: Callable[[], bool] = lambda: True) -> Travels:
    """How far the sliders of a planar scene go: as far as joints let them, or as motions lead them."""
    if scene.space != "planar" or len(scene.bodies) > MAX_BODIES or not _slides(scene):
        return {}
    try:
        found = whole_motion(prepare(scene).refuse_problems().mechanism, wanted=wanted)
    except SceneError:
        return {}
    if found is None:
        return {}
    led = _led(found.mechanism)
    return {
        joint: found.travel(joint, coordinate, led)
        for joint, coordinate in found.mechanism.coordinates
        if coordinate == "displacement"
    }


def _led(mechanism: Mechanism) -> dict[tuple[str, str], tuple[float, float]]:
    """Joint coordinates whose positions motions prescribe, with the span that they lead them through."""
    scene, rows = mechanism.scene, mechanism.system.rows
    moved = {motion.name: kind_of(motion).moves(motion)[1:] for motion in scene.motions}
    prescribed = np.flatnonzero((rows[:, ROW.PROGRAM] >= 0) & (rows[:, ROW.VELOCITY] == 0))
    named = {int(row): moved.get(mechanism.rows[row].name, ("", "")) for row in prescribed}
    known = {row: name for row, name in named.items() if name in mechanism.coordinates}
    if not known:
        return {}
    evaluator = Evaluator(mechanism)
    times = np.linspace(0.0, float(scene.simulation.duration), INSTANTS)
    values = np.array([evaluator.at(t, mechanism.q).work.row[list(known), ROW_VALUE.F] for t in times])
    return {
        (joint, coordinate): (float(values[:, k].min()), float(values[:, k].max()))
        for k, (joint, coordinate) in enumerate(known.values())
        if np.all(np.isfinite(values[:, k]))
    }


def _slides(scene: Scene) -> bool:
    """Whether there is anything whose travel could be known."""
    kinds = {str(joint.__struct_config__.tag) for joint in scene.joints}
    return any("displacement" in JOINTS[kind].coordinates_in("planar") for kind in kinds)
