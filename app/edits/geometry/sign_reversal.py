"""Joint coordinates that count the other way: what drives or couples them is changed to do the same."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from msgspec.structs import replace

from app.edits.arithmetic import negated, reversed_law
from engine.elements.drivers.joint_motion import JointMotionSpec
from engine.elements.forces.motor import MotorSpec
from engine.elements.forces.rotational_spring import RotationalSpringSpec
from engine.elements.joints.coupler import CouplerSpec
from engine.elements.joints.rack_pinion import RackPinionSpec


def with_reversed(item: Any, joints: Collection[str], coordinates: Collection[str]) -> Any:
    """The element when these coordinates of these joints have changed their sign."""

    def hit(joint: str, coordinate: str) -> bool:
        return joint in joints and coordinate in coordinates

    start = getattr(item, "start", None)
    if start and item.name in joints:
        item = replace(
            item,
            start={
                name: replace(value, value=negated(value.value), speed=negated(value.speed))
                if name in coordinates
                else value
                for name, value in start.items()
            },
        )
    if isinstance(item, JointMotionSpec) and hit(item.joint, item.coordinate):
        return replace(item, function=negated(item.function))
    if isinstance(item, MotorSpec) and hit(item.joint, item.coordinate):
        return replace(item, effort=reversed_law(item.effort), speed=negated(item.speed))
    if isinstance(item, RotationalSpringSpec) and hit(item.joint, "angle"):
        return replace(
            item,
            free_angle=negated(item.free_angle),
            preload=negated(item.preload),
            torque=reversed_law(item.torque),
        )
    if isinstance(item, CouplerSpec):
        terms = tuple(
            replace(term, factor=negated(term.factor)) if hit(term.joint, term.coordinate) else term
            for term in item.terms
        )
        return item if terms == item.terms else replace(item, terms=terms)
    if isinstance(item, RackPinionSpec) and hit(item.pinion, "angle") != hit(item.rack, "displacement"):
        return replace(item, radius=negated(item.radius))
    return item
