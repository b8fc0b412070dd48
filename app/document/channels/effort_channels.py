"""What a drive costs: which channels are its effort and the coordinate that it moves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from app.document.channels.channel_prefix import channel_prefix
from app.document.document import Ref, find
from engine.elements.forces import FORCES
from engine.model.scene import Scene, kind_of


class Cost(NamedTuple):
    """Names of channels, and words for a plot of one over the other."""

    coordinate: str
    effort: str
    title: str


def cost_of(scene: Scene, refs: Iterable[Ref]) -> Cost | None:
    """Of the first drive among these elements, or that of a joint; of the first one at all without any."""
    chosen = [ref for ref in refs if ref.where in ("motions", "forces", "joints")]
    for ref in chosen:
        item = find(scene, ref)
        if item is None:
            continue  # an undo has just taken it away
        drives = _drives(scene) if ref.where == "joints" else [(ref, item)]
        for own, drive in drives:
            if ref.where == "joints" and getattr(drive, "joint", "") != ref.name:
                continue
            found = _cost(scene, own, drive)
            if found is not None:
                return found
    if chosen:
        return None
    return next((found for ref, item in _drives(scene) if (found := _cost(scene, ref, item))), None)


def _drives(scene: Scene) -> list[tuple[Ref, Any]]:
    return [
        (Ref(where, item.name), item) for where in ("motions", "forces") for item in getattr(scene, where)
    ]


def _cost(scene: Scene, ref: Ref, item: Any) -> Cost | None:
    prefix = channel_prefix(scene, ref)
    joint, coordinate = getattr(item, "joint", None), getattr(item, "coordinate", "angle")
    word = "Torque" if coordinate == "angle" else "Force"
    if joint is not None:
        if ref.where == "forces" and FORCES[str(item.__struct_config__.tag)].drives(item) is None:
            return None  # a spring
        title = f"{word} of {ref.name} over {coordinate} of {joint}"
        return Cost(f"joint.{joint}.{coordinate}", f"{prefix}.effort", title)
    body = getattr(item, "body", None)
    if ref.where == "motions" and body is not None and coordinate == "angle":
        return Cost(f"body.{body}.angle", f"{prefix}.effort", f"{word} of {ref.name} over angle of {body}")
    if ref.where == "motions" and kind_of(item).moves(item).owner == "motion":
        return Cost(f"{prefix}.length", f"{prefix}.effort", f"Force of {ref.name} over its length")
    if kind_of(item).symbol == "cylinder_rod":
        return Cost(f"{prefix}.length", f"{prefix}.force", f"Force of {ref.name} over its length")
    return None
