"""Joints and a force that no list of the program names, put into the registries before anything reads them.

One joint is made of what is there, one has a primitive of its own, the force has a law of its own.

Loaded as a plugin of pytest, so that the contract tests go through these kinds as through all others:
`pytest -p tests.contract.prototypes.new_kinds tests/contract/test_edits.py -k prototype`.
"""

from dataclasses import dataclass
from typing import Annotated

from msgspec.structs import replace

import engine.elements.forces as forces
import engine.elements.joints as joints
import engine.elements.laws as law_kinds
import engine.elements.primitives as primitives
from engine.elements.arithmetic import negated
from engine.elements.base import Number, as_float
from engine.elements.coordinates.coordinate_functions import (
    Along,
    Angle,
    Combination,
    CoordinateFunction,
    CoordinateFunctionBuilder,
    Distance,
    Frame,
    Made,
)
from engine.elements.coordinates.rows import Row
from engine.elements.fields import number
from engine.elements.forces.base import ForceBuilder, ForceKind, Output, TwoPointSpec
from engine.elements.joints.base import (
    PARALLEL_AXES,
    POINT_ON_AXIS,
    POINT_ON_POINT,
    AnchoredSpec,
    CoordinateSpec,
    JointKind,
    Rows,
    same,
)
from engine.elements.protocols.moving import Mover
from engine.registry import Registry
from tests.contract import examples
from tests.contract.examples import Example
from tests.contract.prototypes.new_kernels import CUBIC, MEAN_ANGLE


class HelixSpec(CoordinateSpec, frozen=True, kw_only=True, tag="prototype_helix"):
    """A screw by its lead per radian."""

    lead: Annotated[Number, number("Lead", "m/rad", "advance per radian")]


def rows(spec: HelixSpec) -> Rows:
    thread = Combination(((spec.name, "displacement", 1.0), (spec.name, "angle", -as_float(spec.lead))))
    return (*POINT_ON_AXIS, *PARALLEL_AXES, Row(thread, "advance of the helix", "m", target=None))


def moved(spec: HelixSpec, mover: Mover) -> HelixSpec:
    return replace(spec, lead=negated(spec.lead)) if mover.placing.mirrors else spec


HELIX = JointKind(
    spec=HelixSpec,
    title="Helix",
    summary="A screw by its lead per radian",
    symbol="screw",
    icon="joint-screw",
    rows=rows,
    coordinates={"angle": Angle(), "displacement": Along("z", "A")},
    defaults={"lead": 0.02},
    moved=moved,
    swap_turns_axis=True,
)


@dataclass(frozen=True)
class MeanAngle(CoordinateFunction):
    """(θ_A + θ_B)/2 of two planar bodies [rad], by a primitive of its own."""

    def made(self, build: CoordinateFunctionBuilder, a: Frame, b: Frame) -> Made:
        mean = 0.5 * (build.planar_angle(a.body) + build.planar_angle(b.body))
        return Made("prototype_mean_angle", value=mean)


class DifferentialSpec(AnchoredSpec, frozen=True, kw_only=True, tag="prototype_differential"):
    """Planar bodies that turn against each other; in space they are hinged."""


DIFFERENTIAL = JointKind(
    spec=DifferentialSpec,
    title="Differential",
    summary="Two bodies turn by opposite angles",
    symbol="gear",
    icon="joint-gear",
    rows=same(POINT_ON_POINT + PARALLEL_AXES),
    planar_rows=same((Row(MeanAngle(), "mean of the angles", "rad", target=None),)),
)


class CubicSpringSpec(TwoPointSpec, frozen=True, kw_only=True, tag="prototype_cubic_spring"):
    """Pull two points together with k·length³."""

    stiffness: Annotated[Number, number("Stiffness", "N/m³", ge=0.0)]


def laws(spec: CubicSpringSpec, build: ForceBuilder) -> None:
    coordinate_function = build.between(spec.a, spec.b, Distance())
    build.law("prototype_cubic", coordinate_function, reals=[as_float(spec.stiffness)])


CUBIC_SPRING = ForceKind(
    spec=CubicSpringSpec,
    title="Cubic spring",
    summary="Two points pulled together with the cube of their distance",
    symbol="coil",
    icon="force-spring",
    laws=laws,
    outputs=lambda spec, planar: (Output("tension", "N", sign=-1.0), Output("length", "m", "coordinate")),
    defaults={"stiffness": 3.0},
)

joints.JOINTS = Registry("joint", *joints.JOINTS, HELIX, DIFFERENTIAL)
forces.FORCES = Registry("force", *forces.FORCES, CUBIC_SPRING)
primitives.PRIMITIVES = Registry("primitive", MEAN_ANGLE, *primitives.PRIMITIVES)
law_kinds.LAWS = Registry("force law", *law_kinds.LAWS, CUBIC)
examples.JOINTS["prototype_helix"] = (Example({"lead": 0.31}, symmetric=True),)
examples.JOINTS["prototype_differential"] = (Example(**examples.both(), absolute=True),)
examples.FORCES["prototype_cubic_spring"] = (Example(**examples.both(stiffness=1.7)),)
