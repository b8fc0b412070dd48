"""What a change of the scene means to the engine, and in words."""

from __future__ import annotations

from typing import Any

import msgspec

from app.document.document import MOVING, SceneChange, difference
from app.document.element_ref import SETTINGS, Ref, find
from engine.model.scene import Scene

START_FIELDS = ("position", "angle", "orientation", "velocity", "angular_velocity", "hold", "start")
SETTINGS_SEEN = ("space", "gravity")  # fields of the scene that the engine sees


def engine_sees(change: SceneChange) -> bool:
    """Whether the motion depends on anything that changed."""
    if change.structural:
        return True
    if {p.name: p.value for p in change.before.parameters} != {
        p.name: p.value for p in change.after.parameters
    }:
        return True
    if any(ref.where in MOVING for ref in (*change.added, *change.removed)):
        return True
    if any(ref.where == "measures" for ref in (*change.added, *change.removed, *change.changed)):
        return bool(change.after.simulation.stop_when)
    for ref in change.changed:
        if ref.where == SETTINGS and ref.name in SETTINGS_SEEN:
            return True
        if ref.where in MOVING and _bare(find(change.before, _before(change, ref))) != _bare(
            find(change.after, ref)
        ):
            return True
    one, two = change.before.simulation, change.after.simulation
    seen = ("method", "options", "dt", "stop_when", "sample_every", "matrices", "ordering")
    return any(getattr(one, name) != getattr(two, name) for name in seen)


def same_motion(one: Scene, other: Scene) -> bool:
    """Whether two scenes differ in looks and words at most: what was computed of one is true of the other."""
    return one is other or not engine_sees(difference(one, other))


def _before(change: SceneChange, ref: Ref) -> Ref:
    """The reference that an element had before the change."""
    for old, new in change.renamed.items():
        if not old.part and old.where == ref.where and new == ref.name:
            return old
    return ref


def _bare(item: Any) -> Any:
    """An element without its looks."""
    if item is None:
        return None
    looks: dict[str, Any] = dict(color="", opacity=1.0, layer=0, visible=True, notes="")
    if hasattr(item, "shapes"):
        looks["shapes"] = tuple(
            msgspec.structs.replace(shape, **{k: v for k, v in looks.items() if hasattr(shape, k)})
            for shape in item.shapes
        )
    return msgspec.structs.replace(item, **looks)


def start_changed(change: SceneChange) -> bool:
    """Whether the start was edited: poses, velocities or start values of what was there before."""
    for ref in change.changed:
        if ref.where not in ("bodies", "joints"):
            continue
        old, new = find(change.before, _before(change, ref)), find(change.after, ref)
        # a kind of joint without start values starts like one that has none set
        if any(
            (getattr(old, name, None) or None) != (getattr(new, name, None) or None) for name in START_FIELDS
        ):
            return True
    return False


def what_changed(change: SceneChange) -> str:
    """A few words for the timeline."""
    if change.before.simulation.method != change.after.simulation.method:
        return f"method {change.after.simulation.method}"
    if change.before.simulation.dt != change.after.simulation.dt:
        return f"step {change.after.simulation.dt} s"
    for word, refs in (("added", change.added), ("removed", change.removed)):
        if refs:
            return f"{word} {', '.join(ref.name for ref in refs[:3])}"
    if change.renamed:
        return f"renamed {', '.join(change.renamed.values())}"
    return f"changed {', '.join(dict.fromkeys(ref.name or ref.where for ref in change.changed[:3]))}"
