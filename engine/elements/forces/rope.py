"""Rope or strut: elastic or rigid limits of the distance between two points."""

from collections.abc import Iterator
from typing import Annotated

from engine.elements.base import Anchor, Number
from engine.elements.coordinates.coordinate_functions import Distance
from engine.elements.fields import number, text
from engine.elements.forces.base import ForceBuilder, ForceKind, Output
from engine.elements.forces.contact_spec import (
    ContactSpec,
    check_contact,
    check_order,
    contact_laws,
    contact_loss,
    contact_resists,
)
from engine.elements.protocols.checking import Around, ends_apart
from engine.errors import Problem


class RopeSpec(ContactSpec, frozen=True, kw_only=True, tag="rope"):
    """Hold the distance of two points below the longest (a rope) or above the shortest (a strut).

    Where neither is given, it is a rope as long as the given pose.
    """

    a: Annotated[Anchor, text("Frame A")]
    b: Annotated[Anchor, text("Frame B")]
    longest: Annotated[
        Number | None, number("Longest", "m", "pulls beyond it, slack below; null: never", gt=0.0)
    ] = None
    shortest: Annotated[
        Number | None, number("Shortest", "m", "pushes below it, loose beyond; null: never", gt=0.0)
    ] = None


def laws(spec: RopeSpec, build: ForceBuilder) -> None:
    made = [build.between(spec.a, spec.b, Distance())]
    by_pose = spec.shortest is None and spec.longest is None
    longest = build.at_pose(made[0]) if by_pose else spec.longest

    def length() -> int:
        return made.pop() if made else build.between(spec.a, spec.b, Distance())

    contact_laws(spec, build, length, "m", spec.shortest, longest)


def outputs(spec: RopeSpec, planar: bool) -> tuple[Output, ...]:
    """Tension is positive."""
    return (
        Output(
            "force", "N", law=None, sign=-1.0, meaning="tension: positive where it pulls its ends together"
        ),
        Output("length", "m", "coordinate", meaning="distance of its ends"),
        Output("speed", "m/s", "speed", meaning="rate of the distance"),
    )


def check(spec: RopeSpec, around: Around) -> Iterator[Problem]:
    yield from check_contact(spec)
    yield from check_order(("shortest", spec.shortest), ("longest", spec.longest), "m")
    yield from ends_apart(spec, around, "the rope or strut", "acts")


KIND = ForceKind(
    spec=RopeSpec,
    title="Rope or strut",
    summary="Holds two points together until it is slack, or apart as a strut that only pushes",
    symbol="rope",
    icon="force-rope",
    laws=laws,
    outputs=outputs,
    resists=contact_resists,
    loss=contact_loss,
    check=check,
    defaults={"stiffness": 1000.0, "damping": 1.0},
)
