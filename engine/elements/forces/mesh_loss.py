"""Mesh loss: what a gear pair, rack, belt or thread loses of the power that goes through it."""

from collections.abc import Iterator
from typing import Annotated

from engine.elements.base import Number, as_float
from engine.elements.field_units import coordinate_unit
from engine.elements.fields import number, reference
from engine.elements.forces.base import ForceBuilder, ForceKind, ForceSpec, Output
from engine.elements.protocols.checking import Around
from engine.errors import Problem

COUPLINGS = ("belt", "coupler", "gear", "rack_pinion", "screw")


class MeshLossSpec(ForceSpec, frozen=True, kw_only=True, tag="mesh_loss"):
    """Let a joint that couples two coordinates pass on a share of the power alone, each way its own."""

    joint: Annotated[str, reference("Joint", "joints", "gear pair, rack and pinion, belt, screw or coupler")]
    efficiency: Annotated[
        Number,
        number("Efficiency", "", "where A drives B, the pinion the rack, the thread its nut", gt=0.0, le=1.0),
    ] = 0.95
    efficiency_back: Annotated[
        Number | None,
        number("Efficiency back", "", "the other way; null: the same", gt=0.0, le=1.0),
    ] = None


def laws(spec: MeshLossSpec, build: ForceBuilder) -> None:
    forth = as_float(spec.efficiency)
    back = forth if spec.efficiency_back is None else as_float(spec.efficiency_back)
    mesh, terms = build.relation(spec.joint)
    first, second = sorted(terms, key=lambda term: term[1] != "angle")  # what turns drives what slides
    on_second = build.own_coordinate(*second[:2])
    build.own_coordinate(*first[:2])
    row = build.row(build.own_coordinate(*second[:2]), coordinate_unit(second[1]))
    reals = [1.0 - forth, 1.0 - back, first[2], second[2], 0.0]
    build.law("mesh_loss", on_second, integers=[0, row, mesh, mesh + 1, 2], reals=reals)


def outputs(spec: MeshLossSpec, planar: bool) -> tuple[Output, ...]:
    """The power, which is minus what is lost, is the channel that all forces have."""
    return ()


def check(spec: MeshLossSpec, around: Around) -> Iterator[Problem]:
    joint = next((joint for joint in around.elements("joints") if joint.name == spec.joint), None)
    if joint is None:
        return
    kind = str(joint.__struct_config__.tag)
    if kind not in COUPLINGS or (kind == "coupler" and len(joint.terms) != 2):
        no = f"joint {spec.joint!r} ({kind}) does not couple two coordinates"
        yield Problem(
            "joint", spec.joint, no, "name a gear pair, a rack, a belt, a screw or a coupler of two"
        )


KIND = ForceKind(
    spec=MeshLossSpec,
    title="Mesh loss",
    summary="Efficiency of gears, racks, belts and threads, each way",
    symbol="brake",
    icon="force-mesh-loss",
    laws=laws,
    outputs=outputs,
    resists=lambda spec: True,
    loss=lambda spec: "friction",
    check=check,
)
