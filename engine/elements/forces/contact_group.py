"""Contact group: all bodies of a group may touch each other, or those of another group."""

from collections.abc import Iterator
from itertools import combinations
from typing import Annotated, Any

from engine.elements.bodies.shapes import SHAPES, touches
from engine.elements.contact import CONTACT_LAWS
from engine.elements.fields import reference, text
from engine.elements.forces.base import ForceBuilder, ForceKind
from engine.elements.forces.contact import outputs
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
from engine.errors import Problem

FOLLOWED = 300  # gaps that methods follow one by one; beyond, contacts are found anew in each step


class ContactGroupSpec(ContactSpec, frozen=True, kw_only=True, tag="contact_group"):
    """Keep many bodies out of each other, by the shapes that they have."""

    group: Annotated[
        str, reference("Group", "groups", "bodies that may touch; empty: all bodies", optional="all bodies")
    ] = ""
    other: Annotated[
        str,
        reference("Other group", "groups", "that may be touched; empty: each other", optional="each other"),
    ] = ""
    neighbours: Annotated[bool, text("Neighbours touch", "also bodies that a joint holds together")] = False
    friction: Friction = 0.0
    static_friction: StaticFriction = None
    smoothing_speed: SmoothingSpeed = 0.001


def laws(spec: ContactGroupSpec, build: ForceBuilder) -> None:
    from engine.elements.forces.contact_pairs import gaps_of_bodies, group_shapes  # compiled code
    from engine.elements.gaps.cores import meetings
    from engine.elements.gaps.shape_table import shape_table

    shapes = group_shapes(spec.group, spec.other, build)
    apart = frozenset() if spec.neighbours else build.joined()
    barred = [
        [
            k
            for k, other in enumerate(shapes)
            if other.body != shape.body and frozenset((shape.body, other.body)) in apart
        ]
        for shape in shapes
    ]
    pairs = [
        (a, b)
        for (i, a), (j, b) in combinations(enumerate(shapes), 2)
        if a.place.index != b.place.index
        and ((a.sides & 1 and b.sides & 2) or (a.sides & 2 and b.sides & 1))
        and j not in barred[i]
    ]
    rigid = CONTACT_LAWS[spec.law].pressure is None
    gaps = sum(
        sum(meeting.is_place for meeting in meetings(a.core, b.core, build.planar))
        for a, b in pairs[: FOLLOWED + 1]
    )
    if rigid and (len(pairs) > FOLLOWED or gaps > FOLLOWED):
        kinetic = float(spec.friction)
        static = kinetic if spec.static_friction is None else float(spec.static_friction)
        numbers = [float(spec.restitution), kinetic, static]
        build.law("contact_group", 0, reals=numbers, table=shape_table(shapes, barred))
        return
    for a, b in pairs:
        for place in gaps_of_bodies((a.body, b.body), [a.core], [b.core], build):
            one_sided(spec, build, place)


def check(spec: ContactGroupSpec, around: Around) -> Iterator[Problem]:
    yield from check_contact(spec)
    yield from check_static(spec)
    groups = {group.name: group for group in around.elements("groups")}
    if any(name and name not in groups for name in (spec.group, spec.other)):
        return  # told as a reference
    sides = [_members(name, groups, around) for name in (spec.group, spec.other or spec.group)]
    solid = [[body for body in side if any(touches(shape) for shape in body.shapes)] for side in sides]
    for field, side, found in zip(("group", "other"), sides, solid, strict=True):
        if not found and (field == "group" or spec.other):
            none = "no body of it has a shape that can touch" if side else "it has no bodies"
            remedy = f"give its bodies shapes ({', '.join(SHAPES.names)}), or another group"
            yield Problem(field, getattr(spec, field), none, remedy)
            return
    moving = [body for side in solid for body in side if not body.fixed]
    if len({body.name for side in solid for body in side}) < 2 or not moving:
        alone = "nothing in it can touch anything: it takes two bodies with shapes, one of which can move"
        yield Problem("group", spec.group, alone, "add bodies to the group, or give them shapes")


def _members(name: str, groups: dict[str, Any], around: Around) -> list[Any]:
    bodies = {body.name: body for body in around.elements("bodies")}
    if not name:
        return list(bodies.values())
    wanted = (
        member.removeprefix("bodies.") for member in groups[name].members if member.startswith("bodies.")
    )
    found = [bodies[body] for body in wanted if body in bodies]
    for member in groups[name].members:
        inner = member.removeprefix("groups.")
        if member.startswith("groups.") and inner in groups and inner != name:
            found += _members(inner, {k: g for k, g in groups.items() if k != name}, around)
    return found


KIND = ForceKind(
    spec=ContactGroupSpec,
    title="Contact group",
    summary="All bodies of a group touch, hit and slide on each other",
    symbol="contact",
    icon="force-contact",
    laws=laws,
    outputs=outputs,  # of groups whose gaps are followed one by one
    resists=touch_resists,
    loss=touch_loss,
    check=check,
    defaults={"stiffness": 1e5, "damping": 50.0},
)
