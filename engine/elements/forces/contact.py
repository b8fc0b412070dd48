"""Contact of two bodies: shapes that touch, hit, bounce, slide and stick."""

from collections.abc import Iterator
from math import tau
from typing import Annotated, Any, Literal

from msgspec.structs import replace

from engine.elements.arithmetic import negated
from engine.elements.base import Anchor, Directions, Number
from engine.elements.bodies.shapes import Mesh, touches
from engine.elements.contact import CONTACT_LAWS
from engine.elements.fields import number, text
from engine.elements.forces.base import ForceBuilder, ForceKind, Output
from engine.elements.forces.contact_spec import (
    ContactSpec,
    Friction,
    SmoothingSpeed,
    StaticFriction,
    check_contact,
    check_static,
    one_sided,
    touch_loss,
    touch_resists,
)
from engine.elements.protocols.checking import Around
from engine.elements.protocols.moving import Mover
from engine.errors import Problem

ShapeName = Literal["arc", "bore", "capsule", "plane", "point", "shapes", "slot", "sphere"]
HOLES = frozenset({"bore", "slot"})
BENT = frozenset({"arc", "slot"})
LONG = BENT | {"capsule"}  # shapes that have a length
ROUND = LONG | {"sphere", "bore"}  # shapes that have a radius
SHAPES_WORDS = "shapes: those of the body; plane: beyond the axis of the frame nothing is solid"
RADIUS_WORDS = "of a sphere or bore; half of the width of a capsule, arc or slot"
LENGTH_WORDS = "of the middle line of a capsule, arc or slot, between the middles of its round ends"
BEND_WORDS = (
    "radius of the middle line of an arc or slot; above 0 to its left, below to its right, 0: straight"
)


class BodyContactSpec(ContactSpec, frozen=True, kw_only=True, tag="contact"):
    """Keep two bodies out of each other, by a law of contact, with friction."""

    friction: Friction = 0.0
    static_friction: StaticFriction = None
    smoothing_speed: SmoothingSpeed = 0.001
    a: Annotated[Anchor, text("Frame A")]
    b: Annotated[Anchor, text("Frame B")]
    shape_a: Annotated[ShapeName, text("Shape of A", SHAPES_WORDS)] = "shapes"
    shape_b: Annotated[ShapeName, text("Shape of B", SHAPES_WORDS)] = "shapes"
    radius_a: Annotated[Number, number("Radius of A", "m", RADIUS_WORDS, gt=0.0)] = 0.05
    radius_b: Annotated[Number, number("Radius of B", "m", RADIUS_WORDS, gt=0.0)] = 0.05
    length_a: Annotated[Number, number("Length of A", "m", LENGTH_WORDS, ge=0.0)] = 0.1
    length_b: Annotated[Number, number("Length of B", "m", LENGTH_WORDS, ge=0.0)] = 0.1
    bend_a: Annotated[Number, number("Bend of A", "m", BEND_WORDS)] = 0.0
    bend_b: Annotated[Number, number("Bend of B", "m", BEND_WORDS)] = 0.0

    def unread(self) -> frozenset[str]:
        sides = {"a": self.shape_a, "b": self.shape_b}
        sizes = {"radius": ROUND, "length": LONG, "bend": BENT}
        none = {
            f"{name}_{side}" for side, is_ in sides.items() for name, of in sizes.items() if is_ not in of
        }
        return super().unread() | none


def laws(spec: BodyContactSpec, build: ForceBuilder) -> None:
    from engine.elements.forces.contact_pairs import cores_of_side, gaps_between  # compiled code

    sides = [cores_of_side(spec, side, build) for side in "ab"]
    for place in gaps_between(spec, sides[0], sides[1], build):
        one_sided(spec, build, place)


def outputs(spec: ContactSpec, planar: bool) -> tuple[Output, ...]:
    """The push of all places of contact together, and the smallest gap."""
    law = "limit" if CONTACT_LAWS[spec.law].pressure is None else "pressure"
    return (
        Output("force", "N", law=law, meaning="sum of the pushes at all places of contact"),
        Output("gap", "m", "least", law=law, meaning="smallest gap; below 0 the shapes overlap"),
    )


def swapped(spec: BodyContactSpec, axes_A: Any) -> BodyContactSpec:
    names = ("shape", "radius", "length", "bend")
    ours, theirs = ({n: getattr(spec, f"{n}_{side}") for n in names} for side in "ab")
    return replace(spec, **{f"{n}_a": theirs[n] for n in names}, **{f"{n}_b": ours[n] for n in names})


def moved(spec: BodyContactSpec, mover: Mover) -> BodyContactSpec:
    """The mirror image of what bends to the left bends to the right."""
    if not mover.placing.mirrors:
        return spec
    return replace(spec, bend_a=negated(spec.bend_a), bend_b=negated(spec.bend_b))


def check(spec: BodyContactSpec, around: Around) -> Iterator[Problem]:
    yield from check_contact(spec)
    yield from check_static(spec)
    for side in "ab":
        yield from _check_side(spec, side, around)
    flat = {"plane", *HOLES}
    if spec.shape_a in flat and spec.shape_b in flat:
        nothing = f"a {spec.shape_a} and a {spec.shape_b} have no corners that could touch"
        yield Problem("shape_b", spec.shape_b, nothing, "choose another shape for one of the two")
    yield from _check_fit(spec)
    if spec.a.body == spec.b.body or (around.is_ground(spec.a.body) and around.is_ground(spec.b.body)):
        same = "both sides belong to one body, which cannot touch itself"
        yield Problem("b.body", spec.b.body, same, "choose another body for one of them")


def _check_side(spec: Any, side: str, around: Around) -> Iterator[Problem]:
    anchor, shape = getattr(spec, side), getattr(spec, f"shape_{side}")
    if shape in BENT:
        yield from _check_bend(spec, side, around)
    if shape != "shapes":
        if anchor.point is None and side == "b":
            missing = f"b.point is left out, so that nothing says where the {shape} is"
            yield Problem("b.point", None, missing, "write where it is on b")
        return
    body = next((body for body in around.elements("bodies") if body.name == anchor.body), None)
    if body is None or not any(touches(shape) for shape in body.shapes):
        none = f"body {anchor.body!r} has no shape that can touch"
        meshes = [] if body is None else [shape.file for shape in body.shapes if isinstance(shape, Mesh)]
        if meshes:
            none += f": the mesh {meshes[0]!r} has no hull"
        remedy = f'give it a shape, or choose another "shape_{side}", as "sphere", "plane" or "point"'
        if meshes:
            remedy = "give it a box, sphere, capsule or outline to touch with; hulls are made of meshes that "
            remedy += "are neither flat nor needle-shaped, when a scene is opened"
        yield Problem(f"shape_{side}", "shapes", none, remedy)


def _check_bend(spec: Any, side: str, around: Around) -> Iterator[Problem]:
    shape = getattr(spec, f"shape_{side}")
    radius, length, bend = (float(getattr(spec, f"{name}_{side}")) for name in ("radius", "length", "bend"))
    if not around.planar:
        flat = f"a shape of kind {shape!r} lies in a plane, and this scene is spatial"
        remedy = (
            "make the scene planar, or choose a capsule or plane"
            if shape == "arc"
            else ("make the scene planar, or choose a bore, or planes for the walls")
        )
        yield Problem(f"shape_{side}", shape, flat, remedy)
    if bend and radius >= abs(bend):
        tight = f"it bends with {abs(bend):g} m, less than its half width of {radius:g} m allows"
        yield Problem(f"bend_{side}", bend, tight, f"give a bend above {radius:g} m, or 0 for a straight one")
    elif bend and length > tau * abs(bend) * (1.0 + 1e-12):
        longer = f"its length of {length:g} m goes more than once around its bend of {abs(bend):g} m"
        remedy = f"at most {tau * abs(bend):g} m"
        yield Problem(f"length_{side}", length, longer, remedy)


def _check_fit(spec: Any) -> Iterator[Problem]:
    """What is round fits into its hole."""
    for hole, pin in ("ab", "ba"):
        kinds = getattr(spec, f"shape_{hole}"), getattr(spec, f"shape_{pin}")
        radii = float(getattr(spec, f"radius_{hole}")), float(getattr(spec, f"radius_{pin}"))
        if kinds[0] in HOLES and kinds[1] in {"arc", "capsule", "sphere"} and radii[1] >= radii[0]:
            thick = (
                f"the {kinds[1]} of radius {radii[1]:g} m does not fit into the {kinds[0]} of {radii[0]:g} m"
            )
            yield Problem(f"radius_{pin}", radii[1], thick, f"give it a radius below {radii[0]:g} m")


KIND = ForceKind(
    spec=BodyContactSpec,
    title="Contact",
    summary="Two bodies touch, hit, bounce and slide on each other",
    symbol="contact",
    icon="force-contact",
    laws=laws,
    outputs=outputs,
    resists=touch_resists,
    loss=touch_loss,
    check=check,
    swapped=swapped,
    moved=moved,
    directions=Directions.FRAME,
    defaults={"stiffness": 1e5, "damping": 50.0, "shape_a": "plane", "shape_b": "sphere"},
)
