"""Bushing: an elastic connection in all directions."""

from typing import Annotated

from engine.elements.base import ZERO, Directions, Vec
from engine.elements.coordinates.coordinate_functions import Along, Angle, Axis, Twist
from engine.elements.fields import vec
from engine.elements.forces.base import ForceBuilder, ForceKind, Output, TwoPointSpec


class BushingSpec(TwoPointSpec, frozen=True, kw_only=True, tag="bushing"):
    """Join two frames by springs and dampers along and about the axes of A."""

    stiffness: Annotated[Vec, vec("Stiffness", "N/m", "along x, y, z of A", ge=0.0)] = ZERO
    damping: Annotated[Vec, vec("Damping", "N·s/m", "along x, y, z of A", ge=0.0)] = ZERO
    rotational_stiffness: Annotated[
        Vec, vec("Rotational stiffness", "N·m/rad", "about x, y, z of A", ge=0.0)
    ] = ZERO
    rotational_damping: Annotated[
        Vec, vec("Rotational damping", "N·m·s/rad", "about x, y, z of A", ge=0.0)
    ] = ZERO


AXES: tuple[Axis, ...] = ("x", "y", "z")


def laws(spec: BushingSpec, build: ForceBuilder) -> None:
    for i, axis in enumerate(AXES):
        if build.planar and axis == "z":
            turn = build.between(spec.a, spec.b, Angle())
        else:
            along = build.between(spec.a, spec.b, Along(axis, "A"))
            build.line(along, stiffness=spec.stiffness[i], damping=spec.damping[i])
            if build.planar:
                continue
            turn = build.between(spec.a, spec.b, Twist(axis))
        build.line(turn, stiffness=spec.rotational_stiffness[i], damping=spec.rotational_damping[i])


FORCE = "force on body B, axes of frame A"
TORQUE = "torque on body B, axes of frame A"


def outputs(spec: BushingSpec, planar: bool) -> tuple[Output, ...]:
    """Force and torque on B along and about the axes of A, in the order of the laws."""
    if planar:
        return (
            Output("fx", "N", meaning=FORCE),
            Output("fy", "N", law=1, meaning=FORCE),
            Output("tz", "N·m", law=2, meaning=TORQUE),
        )
    pairs = (
        (
            Output(f"f{axis}", "N", law=2 * i, meaning=FORCE),
            Output(f"t{axis}", "N·m", law=2 * i + 1, meaning=TORQUE),
        )
        for i, axis in enumerate(AXES)
    )
    return tuple(output for pair in pairs for output in pair)


KIND = ForceKind(
    spec=BushingSpec,
    title="Bushing",
    summary="Elastic connection of two frames in all directions",
    symbol="bushing",
    icon="force-bushing",
    laws=laws,
    outputs=outputs,
    directions=Directions.FRAME,
    defaults={
        "stiffness": (1000.0,) * 3,
        "damping": (10.0,) * 3,
        "rotational_stiffness": (1.0,) * 3,
        "rotational_damping": (0.05,) * 3,
    },
)
