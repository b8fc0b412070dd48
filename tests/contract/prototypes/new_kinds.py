"""A joint and a force that no list of the program names, put into the registries before anything reads them.

Loaded as a plugin of pytest, so that the contract tests go through these kinds as through all others:
`pytest -p tests.contract.prototypes.new_kinds tests/contract/test_edits.py -k prototype`.
"""

from typing import Annotated

from msgspec.structs import replace

import engine.elements.forces as forces
import engine.elements.joints as joints
from engine.elements.arithmetic import negated
from engine.elements.base import Number, as_float
from engine.elements.fields import number
from engine.elements.forces.base import ForceBuilder, ForceKind, Output, TwoPointSpec
from engine.elements.joints.base import PARALLEL_AXES, POINT_ON_AXIS, CoordinateSpec, JointKind, Rows
from engine.elements.moving import Mover
from engine.elements.rows import Along, Angle, Combination, Distance, Row
from engine.registry import Registry
from tests.contract import examples
from tests.contract.examples import Example


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


class DashpotSpec(TwoPointSpec, frozen=True, kw_only=True, tag="prototype_dashpot"):
    """Two dampers in parallel."""

    damping: Annotated[Number, number("Damping", "N·s/m", ge=0.0)]


def laws(spec: DashpotSpec, build: ForceBuilder) -> None:
    gauge = build.between(spec.a, spec.b, Distance())
    for _ in range(2):
        build.line(gauge, damping=0.5 * as_float(spec.damping), sign=-1.0)


DASHPOT = ForceKind(
    spec=DashpotSpec,
    title="Dashpot",
    summary="Two dampers in parallel",
    symbol="coil",
    icon="force-spring",
    laws=laws,
    outputs=lambda spec, planar: (Output("first", "N", sign=-1.0), Output("second", "N", law=1, sign=-1.0)),
    defaults={"damping": 3.0},
)

joints.JOINTS = Registry("joint", *joints.JOINTS, HELIX)
forces.FORCES = Registry("force", *forces.FORCES, DASHPOT)
examples.JOINTS["prototype_helix"] = (Example({"lead": 0.31}, symmetric=True),)
examples.FORCES["prototype_dashpot"] = (Example(**examples.both(damping=1.7)),)
