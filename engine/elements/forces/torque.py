"""Torque: an applied torque on a body."""

from typing import Annotated, Literal

from msgspec import Meta

from engine.elements.base import Function
from engine.elements.fields import function, reference, text
from engine.elements.forces.base import ForceBuilder, ForceKind, ForceSpec


class TorqueSpec(ForceSpec, frozen=True, kw_only=True, tag="torque"):
    """Turn a body. In planar scenes only the z component counts."""

    body: Annotated[str, reference("Body", "bodies")]
    frame: Annotated[Literal["world", "body"], text("Axes of the components")] = "world"
    components: Annotated[
        tuple[Function, ...], Meta(min_length=3, max_length=3), function("Components", "N·m", "about x, y, z")
    ]


def laws(spec: TorqueSpec, build: ForceBuilder) -> None:
    build.applied(spec.body, spec.components, in_body=spec.frame == "body", torque=True)


KIND = ForceKind(
    spec=TorqueSpec,
    title="Torque",
    summary="Applied torque on a body",
    symbol="turn",
    icon="force-torque",
    laws=laws,
)
