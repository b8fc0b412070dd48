"""Screw: turning and sliding in a fixed ratio."""

from math import tau
from typing import Annotated

from msgspec.structs import replace

from engine.elements.arithmetic import negated
from engine.elements.base import Number, as_float
from engine.elements.coordinates.coordinate_functions import Along, Angle, Combination
from engine.elements.coordinates.relative_motion import Movement, Movements
from engine.elements.coordinates.rows import Row
from engine.elements.fields import number
from engine.elements.joints.base import PARALLEL_AXES, POINT_ON_AXIS, CoordinateSpec, JointKind, Rows, Weaker
from engine.elements.protocols.moving import Mover


class ScrewSpec(CoordinateSpec, frozen=True, kw_only=True, tag="screw"):
    """Let body B turn about an axis of body A and advance with each turn."""

    pitch: Annotated[Number, number("Pitch", "m", "advance per turn; negative for a left-hand thread")]


def rows(spec: ScrewSpec) -> Rows:
    advance = as_float(spec.pitch) / tau
    thread = Combination(((spec.name, "displacement", 1.0), (spec.name, "angle", -advance)))
    return (*POINT_ON_AXIS, *PARALLEL_AXES, Row(thread, "advance of the thread", "m", target=None))


def movements(spec: ScrewSpec) -> Movements:
    return (Movement("turn", advance=as_float(spec.pitch) / tau),)


def moved(spec: ScrewSpec, mover: Mover) -> ScrewSpec:
    """The mirror image of a right-hand thread is a left-hand one."""
    return replace(spec, pitch=negated(spec.pitch)) if mover.placing.mirrors else spec


KIND = JointKind(
    spec=ScrewSpec,
    title="Screw",
    summary="One rotation that advances along its axis by the pitch",
    symbol="screw",
    icon="joint-screw",
    rows=rows,
    coordinates={"angle": Angle(), "displacement": Along("z", "A")},
    movements=movements,
    defaults={"pitch": 0.01},
    moved=moved,
    swap_turns_axis=True,
    weaker=(Weaker("cylindrical"),),
)
