"""Rotational spring: spring, damper and actuator on a joint angle."""

from typing import Annotated

from msgspec.structs import replace

from engine.elements.arithmetic import negated, reversed_law
from engine.elements.base import Function, Number
from engine.elements.fields import function, number, reference
from engine.elements.forces.base import ForceBuilder, ForceKind, ForceSpec, Output
from engine.elements.protocols.moving import Reversed


class RotationalSpringSpec(ForceSpec, frozen=True, kw_only=True, tag="rotational_spring"):
    """Torque on B: -(k(x - x0) + c v + preload) + torque(t, x, v)."""

    joint: Annotated[str, reference("Joint", "joints", coordinate="angle")]
    stiffness: Annotated[Number, number("Stiffness", "N·m/rad", ge=0.0)] = 0.0
    damping: Annotated[Number, number("Damping", "N·m·s/rad", ge=0.0)] = 0.0
    free_angle: Annotated[Number, number("Free angle", "rad")] = 0.0
    preload: Annotated[Number, number("Preload", "N·m", "resisting torque at the free angle")] = 0.0
    torque: Annotated[Function, function("Torque", "N·m", "added; x is the angle", of=("t", "x", "v"))] = 0.0


def laws(spec: RotationalSpringSpec, build: ForceBuilder) -> None:
    build.line(
        build.coordinate(spec.joint, "angle"),
        stiffness=spec.stiffness,
        damping=spec.damping,
        free=spec.free_angle,
        preload=spec.preload,
        function=spec.torque,
    )


def outputs(spec: RotationalSpringSpec, planar: bool) -> tuple[Output, ...]:
    """The torque is that on B."""
    return (
        Output("torque", "N·m", meaning="torque on body B about the axis of the joint; A feels the opposite"),
        Output("angle", "rad", "coordinate", meaning="angle of the joint"),
        Output("speed", "rad/s", "speed", meaning="rate of the angle"),
    )


def reversed_(spec: RotationalSpringSpec, is_reversed: Reversed) -> RotationalSpringSpec:
    if not is_reversed(spec.joint, "angle"):
        return spec
    return replace(
        spec,
        free_angle=negated(spec.free_angle),
        preload=negated(spec.preload),
        torque=reversed_law(spec.torque),
    )


KIND = ForceKind(
    spec=RotationalSpringSpec,
    title="Rotational spring",
    summary="Spring, damper and actuator on a joint angle",
    symbol="spiral",
    icon="force-rotational-spring",
    laws=laws,
    outputs=outputs,
    family="spring",
    reversed=reversed_,
    defaults={"stiffness": 1.0, "damping": 0.05},
)
