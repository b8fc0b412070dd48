"""Bushing: an elastic connection in all directions."""

from typing import Annotated

from engine.elements.base import ZERO, Vec
from engine.elements.fields import vec
from engine.elements.forces.base import ForceBuilder, ForceKind, TwoPointSpec
from engine.elements.rows import Along, Angle, Axis, Twist


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


KIND = ForceKind(
    spec=BushingSpec,
    title="Bushing",
    summary="Elastic connection of two frames in all directions",
    symbol="bushing",
    icon="force-bushing",
    laws=laws,
)
