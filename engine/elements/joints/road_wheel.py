"""Wheel on a road: a wheel of any convex outline rolls without slip on a road of any height, which may move.

Its axle stays parallel to z of frame A, as that of a `roller`; height and slip are those of the place where
wheel and road touch (`engine/elements/primitives/road_contact.py`). [Urkullu 2019, §6.3.7] names a radius
that varies and bodies that both move as variants of its rolling pair, without equations.
"""

import math
from dataclasses import dataclass
from typing import Annotated

from msgspec.structs import replace

from engine.compiled import composite_forms as FORM
from engine.elements.arithmetic import mirrored
from engine.elements.base import Directions, Function, Table
from engine.elements.coordinates.coordinate_functions import (
    Along,
    Angle,
    CoordinateFunction,
    CoordinateFunctionBuilder,
    Made,
    composite,
)
from engine.elements.coordinates.frames import Frame
from engine.elements.coordinates.rows import Row
from engine.elements.fields import function
from engine.elements.joints.base import PARALLEL_AXES, CoordinateSpec, JointKind, Rows
from engine.elements.protocols.moving import Mover
from engine.errors import CompileError, Problem

DEGREES = 720  # places around the wheel where its outline is looked at
CORNER = 0.05  # of the radius per rad: what its slope may jump by between two of these places
CLOSED = 1e-6  # of the radius: ends of the outline that differ by less meet


class RoadWheelSpec(CoordinateSpec, frozen=True, kw_only=True, tag="road_wheel"):
    """Let a wheel of body B roll along y of frame A, on a road whose height is along x of frame A."""

    radius: Annotated[Function, function("Radius", "m", "x is the angle from x of frame B [rad]", of=("x",))]
    road: Annotated[
        Function, function("Road", "m", "its height; x is the way along y of frame A [m]", of=("x",))
    ] = 0.0


@dataclass(frozen=True)
class OnRoad(CoordinateFunction):
    """Gap between wheel and road [m], or speed of slip where they touch [m/s]."""

    radius: Function
    road: Function
    slip: bool

    def made(self, build: CoordinateFunctionBuilder, a: Frame, b: Frame) -> Made:
        for name, given in (("radius", self.radius), ("road", self.road)):
            if isinstance(given, Table) and given.interpolation == "linear":
                text = "straight pieces meet in corners, over which nothing rolls"
                raise _fault(build, name, None, text, 'write "interpolation": "cubic"')
        road, wheel = build.program(self.road, ("x",)), build.program(self.radius, ("x",))
        form = FORM.ROAD_SLIP if self.slip else FORM.ROAD_HEIGHT
        return composite(
            build, a, b, form, _mean_radius(build, wheel), Along("x", "A"), Along("y", "A"), Angle(),
            programs=(road, wheel),
        )  # fmt: skip


def _mean_radius(build: CoordinateFunctionBuilder, wheel: int) -> float:
    """Of an outline that is closed and bends one way only; raises CompileError for any other."""
    import numpy as np

    angles = np.linspace(0.0, 2.0 * math.pi, DEGREES + 1)
    r, r1, r2 = build.jets(wheel, angles).T if wheel >= 0 else np.zeros((3, len(angles)))
    low = int(np.argmin(np.where(np.isfinite(r), r, -math.inf)))
    if not r[low] > 0.0:
        place = f"{math.degrees(angles[low]):g}°"
        raise _fault(
            build, "radius", float(r[low]), f"the radius is {r[low]:g} m at {place}", "write one above 0"
        )
    mean = float(np.mean(r))
    if max(abs(r[-1] - r[0]), abs(r1[-1] - r1[0])) > CLOSED * mean:
        text = (
            f"the outline does not close: r = {r[0]:g} m at 0°, {r[-1]:g} m at 360°, or it has a corner there"
        )
        raise _fault(
            build,
            "radius",
            None,
            text,
            "write a smooth function with the period 2 pi, as 0.1 + 0.01*cos(2*x)",
        )
    jumps = np.abs(np.diff(r1) - 0.5 * (angles[1] - angles[0]) * (r2[1:] + r2[:-1]))
    worst = int(np.argmax(jumps))
    if jumps[worst] > CORNER * mean:
        text = f"the outline has a corner at {math.degrees(angles[worst]):g}°"
        raise _fault(build, "radius", None, text, "write a smooth function, as 0.1 + 0.01*cos(2*x)")
    bend = r * r + 2.0 * r1 * r1 - r * r2
    hollow = int(np.argmin(bend))
    if not bend[hollow] > 0.0:
        text = f"the outline is hollow or has a corner at {math.degrees(angles[hollow]):g}°"
        raise _fault(
            build,
            "radius",
            None,
            text,
            "let the radius change less: a wheel that is hollow touches at two places",
        )
    return mean


def _fault(
    build: CoordinateFunctionBuilder, field: str, value: float | None, text: str, remedy: str
) -> CompileError:
    return CompileError(
        [Problem(f"joints.{build.joint}.{field}", value, f"joint {build.joint!r}: {text}", remedy)]
    )


def planar_rows(spec: RoadWheelSpec) -> Rows:
    return (
        Row(OnRoad(spec.radius, spec.road, slip=False), "height over the road", "m"),
        Row(OnRoad(spec.radius, spec.road, slip=True), "slip on the road", "m/s", level="velocity"),
    )


def rows(spec: RoadWheelSpec) -> Rows:
    return (*PARALLEL_AXES, Row(Along("z", "A"), "translation along z", "m"), *planar_rows(spec))


def moved(spec: RoadWheelSpec, mover: Mover) -> RoadWheelSpec:
    """In a mirror image the wheel rolls along −y and turns the other way."""
    if not mover.placing.mirrors:
        return spec
    return replace(spec, radius=mirrored(spec.radius), road=mirrored(spec.road))


COORDINATES = {"angle": Angle(), "displacement": Along("y", "A")}
KIND = JointKind(
    spec=RoadWheelSpec,
    title="Wheel on a road",
    summary="A wheel of B, round or not, rolls without slip on a road of A, even or not",
    symbol="road",
    icon="joint-road-wheel",
    rows=rows,
    planar_rows=planar_rows,
    coordinates=COORDINATES,
    planar_coordinates=COORDINATES,
    own_point=True,
    on_wheel=True,
    defaults={"radius": 0.1},
    directions=Directions.FRAME,
    moved=moved,
)
