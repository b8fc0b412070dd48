"""Torque: an applied torque on a body."""

from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from engine.elements.base import Function
from engine.elements.fields import function, reference, text
from engine.elements.forces.base import ForceBuilder, ForceKind, ForceSpec, Output
from engine.elements.protocols.moving import Mover


class TorqueSpec(ForceSpec, frozen=True, kw_only=True, tag="torque"):
    """Turn a body. In planar scenes only the z component counts."""

    body: Annotated[str, reference("Body", "bodies")]
    frame: Annotated[Literal["world", "body"], text("Axes of the components")] = "world"
    components: Annotated[
        tuple[Function, ...],
        Meta(min_length=3, max_length=3),
        function("Components", "N·m", "about x, y, z", turns=True),
    ]


def laws(spec: TorqueSpec, build: ForceBuilder) -> None:
    build.applied(spec.body, spec.components, in_body=spec.frame == "body", torque=True)


def outputs(spec: TorqueSpec, planar: bool) -> tuple[Output, ...]:
    """In world axes."""
    axes = ((2, "z"),) if planar else tuple(enumerate("xyz"))
    meaning = "torque on the body, world axes"
    return tuple(Output(f"t{axis}", "N·m", "torque", axis=i, meaning=meaning) for i, axis in axes)


def moved(spec: TorqueSpec, mover: Mover) -> TorqueSpec:
    placing = mover.placing
    along = spec.frame == "body" and mover.takes(spec.body)
    turned = placing.local_spin(spec.components) if along else placing.spin(spec.components)
    return replace(spec, components=turned)


KIND = ForceKind(
    spec=TorqueSpec,
    title="Torque",
    summary="Applied torque on a body",
    symbol="turn",
    icon="force-torque",
    laws=laws,
    outputs=outputs,
    moved=moved,
    defaults={"components": (0.0, 0.0, 1.0)},
)
