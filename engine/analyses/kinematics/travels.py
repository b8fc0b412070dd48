"""How far sliders go, from the joints alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.analyses.kinematics.whole_motion import whole_motion
from engine.elements.joints import JOINTS
from engine.errors import SceneError
from engine.model.scene import Scene
from engine.system.prepared import prepare

MAX_BODIES = 60  # of a scene whose motion is worked out unasked

Travels = Mapping[str, tuple[float, float]]  # joint → smallest and largest displacement [m]


def travels(scene: Scene, wanted: Callable[[], bool] = lambda: True) -> Travels:
    """How far the sliders of a planar scene go, where its joints alone tell."""
    if scene.space != "planar" or len(scene.bodies) > MAX_BODIES or not _slides(scene):
        return {}
    try:
        found = whole_motion(prepare(scene).refuse_problems().mechanism, wanted=wanted)
    except SceneError:
        return {}
    if found is None:
        return {}
    return {
        joint: found.travel(joint, coordinate)
        for joint, coordinate in found.mechanism.coordinates
        if coordinate == "displacement"
    }


def _slides(scene: Scene) -> bool:
    """Whether there is anything whose travel could be known."""
    kinds = {str(joint.__struct_config__.tag) for joint in scene.joints}
    return any("displacement" in JOINTS[kind].coordinates_in("planar") for kind in kinds)
