"""Force: an applied force at a point of a body."""

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from engine.elements.base import ZERO, Function, Vec
from engine.elements.fields import function, reference, text, vec
from engine.elements.forces.base import ForceBuilder, ForceKind, ForceSpec, Output
from engine.elements.protocols.checking import Around, out_of_plane
from engine.elements.protocols.moving import Mover
from engine.errors import Problem


class AppliedForceSpec(ForceSpec, frozen=True, kw_only=True, tag="force"):
    """Push a body at one of its points, or at a point of the world that moves as given."""

    body: Annotated[str, reference("Body", "bodies")]
    point: Annotated[
        Vec | str, vec("Point", "m", "in the body frame, or the name of a point", frame="plane")
    ] = ZERO
    frame: Annotated[Literal["world", "body"], text("Axes of the components")] = "world"
    components: Annotated[
        tuple[Function, ...], Meta(min_length=2, max_length=3), function("Components", "N", "along x, y, z")
    ]
    application: Annotated[
        Annotated[tuple[Function, ...], Meta(min_length=2, max_length=3)] | None,
        function("Application", "m", "world point of application; null: the point of the body"),
    ] = None


def laws(spec: AppliedForceSpec, build: ForceBuilder) -> None:
    build.applied(
        spec.body,
        spec.components,
        in_body=spec.frame == "body",
        point=spec.point,
        application=spec.application,
    )


def outputs(spec: AppliedForceSpec, planar: bool) -> tuple[Output, ...]:
    """In world axes."""
    axes = enumerate("xy" if planar else "xyz")
    meaning = "force on the body, world axes"
    return tuple(Output(f"f{axis}", "N", "force", axis=i, meaning=meaning) for i, axis in axes)


def moved(spec: AppliedForceSpec, mover: Mover) -> AppliedForceSpec:
    placing = mover.placing
    along = spec.frame == "body" and mover.takes(spec.body)
    return replace(
        spec,
        point=mover.point(spec.body, spec.point),
        components=placing.local(spec.components) if along else placing.vector(spec.components),
        application=None if spec.application is None else placing.point(spec.application),
    )


def check(spec: AppliedForceSpec, around: Around) -> Iterator[Problem]:
    if around.planar:
        yield from out_of_plane("components[2]", spec.components[2])


KIND = ForceKind(
    spec=AppliedForceSpec,
    title="Force",
    summary="Applied force at a point of a body",
    symbol="arrow",
    icon="force-force",
    laws=laws,
    outputs=outputs,
    moved=moved,
    check=check,
    defaults={"components": (10.0, 0.0, 0.0)},
    planar_defaults={"components": (10.0, 0.0)},
)
