"""References: every name that is used exists and is of the right sort."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from engine.elements.base import WORLD
from engine.elements.fields import Field, fields_of
from engine.elements.joints import JOINTS
from engine.elements.joints.base import JointSpec
from engine.errors import Problem, shorten
from engine.maths.expressions import ExpressionError, parse
from engine.maths.rings import rings
from engine.model.checks.context import Context
from engine.model.scene import LISTS, kind_of, noun_of
from engine.spelling import Spelling, did_you_mean

CHANNELS = {
    "body": "bodies",
    "joint": "joints",
    "motion": "motions",
    "measure": "measures",
    "spring": "forces",
}
MAX_RING = 400  # characters of a ring that is told


def check(context: Context) -> Iterator[Problem]:
    for path, part in context.parts:
        for field in fields_of(type(part)):
            if field.role == "reference":
                yield from _reference(context, f"{path}.{field.name}", part, field)
            elif field.role == "expression":
                yield from _channels(context, f"{path}.{field.name}", getattr(part, field.name))
        if isinstance(getattr(part, "point", None), str):
            yield from _point(context, f"{path}.point", part.body, part.point)
        if hasattr(part, "joint") and hasattr(part, "coordinate"):
            slips = part.__struct_config__.tag == "friction"
            yield from _coordinate(context, f"{path}.coordinate", part.joint, part.coordinate, slips=slips)
    for path, joint in context.items("joints"):
        yield from _sides(context, path, joint)
        yield from _start(context, path, joint)
    for path, force in context.items("forces"):
        yield from _sides(context, path, force)
    yield from _rings(context)
    yield from _coupled_twice(context)
    yield from _groups(context)


def _reference(context: Context, path: str, part: Any, field: Field) -> Iterator[Problem]:
    name, where = getattr(part, field.name), field.extra["to"]
    if not name and "optional" in field.extra:
        return
    if where == "bodies" and name == WORLD:
        if not field.extra.get("ground"):
            yield Problem(path, name, "the world cannot move or be pushed", "name a body")
        return
    if not context.knows(where, name):
        yield _unknown(path, name, noun_of(where), context.spellings[where])
    elif "coordinate" in field.extra:
        yield from _coordinate(context, path, name, field.extra["coordinate"])


def _unknown(path: str, name: str, noun: str, known: Spelling) -> Problem:
    text = f"there is no {noun} {shorten(name)!r}{known.hint(name)}"
    nothing = "there is none to name: make one, or remove what names it"
    return Problem(path, name, text, f"use a name that exists: {known.listed}" if known.listed else nothing)


def _point(context: Context, path: str, body: str, name: str) -> Iterator[Problem]:
    if body in context.points:
        if name not in context.points[body]:
            yield _unknown(path, name, f"point on body {body!r} named", Spelling(context.points[body]))
    elif body == WORLD:
        yield Problem(path, name, "the world has no named points", "write coordinates such as [0, 0, 0]")


def _coordinate(
    context: Context, path: str, name: str, coordinate: str, *, slips: bool = False
) -> Iterator[Problem]:
    """A coordinate that a joint must have; or, for friction, one of its slips."""
    if name not in context.joints:
        return
    joint = context.joints[name]
    space = context.scene.space
    known = (*context.coordinates(joint), *(kind_of(joint).rubs_in(space) if slips else ()))
    if coordinate not in known:
        has = f"it has {' and '.join(known)}" if known else "it has no coordinates"
        text = f"joint {name!r} ({kind_of(joint).name}) has no {coordinate}; {has}"
        able = [
            kind.name for kind in JOINTS if coordinate in (*kind.coordinates_in(space), *kind.rubs_in(space))
        ]
        other = (
            f"no joint of a {space} scene has one: use {' or '.join(known or ('an angle', 'a displacement'))}"
        )
        yield Problem(
            path, name, text, f"use a joint with {coordinate}: {', '.join(able)}" if able else other
        )


def _start(context: Context, path: str, joint: Any) -> Iterator[Problem]:
    known = context.coordinates(joint)
    for coordinate in getattr(joint, "start", {}):
        if coordinate not in known:
            text = f"the joint has no coordinate {shorten(coordinate)!r}{did_you_mean(coordinate, known)}"
            remedy = f"use {' or '.join(known)}" if known else "remove it"
            yield Problem(f"{path}.start.{shorten(coordinate)}", coordinate, text, remedy)


def _sides(context: Context, path: str, item: Any) -> Iterator[Problem]:
    if not (hasattr(item, "a") and hasattr(item, "b")):
        return
    a, b = item.a.body, item.b.body
    noun = "joint" if isinstance(item, JointSpec) else "force"
    if a == b != WORLD:
        yield Problem(f"{path}.b.body", b, f"the {noun} joins body {b!r} to itself", "name another body")
    elif context.is_ground(a) and context.is_ground(b):
        text = f"both sides of the {noun} are ground ({a!r} and {b!r})"
        yield Problem(f"{path}.b.body", b, text, "name a body that can move on one side")


def _uses(joint: Any) -> list[str]:
    """Joints that a coupler refers to."""
    names = [getattr(joint, f.name) for f in fields_of(type(joint)) if f.role == "reference"]
    return names + [term.joint for term in getattr(joint, "terms", ())]


def _rings(context: Context) -> Iterator[Problem]:
    """Couplers that refer to themselves, directly or through others; each ring is told once."""
    uses = {name: _uses(joint) for name, joint in context.joints.items()}
    paths = {joint.name: path for path, joint in context.items("joints")}
    for ring in rings(uses):
        text = f"the coupler refers to itself: {shorten(' → '.join((*ring, ring[0])), MAX_RING)}"
        yield Problem(paths[ring[0]], ring[0], text, "couple joints that have an angle or a displacement")


def _coupled_twice(context: Context) -> Iterator[Problem]:
    """Couplings of a coordinate with itself: they lock the joint instead of coupling it."""
    for path, joint in context.items("joints"):
        known = [f for f in fields_of(type(joint)) if f.role == "reference" and f.extra["to"] == "joints"]
        uses = [(getattr(joint, f.name), f.extra.get("coordinate")) for f in known]
        uses += [(term.joint, term.coordinate) for term in getattr(joint, "terms", ())]
        twice = next((use for use, count in Counter(uses).items() if count > 1), None)
        if twice is not None:
            name, coordinate = twice
            kind = kind_of(joint).name
            text = f"the {kind} couples the {coordinate} of joint {name!r} with itself, which locks it"
            yield Problem(path, name, text, "name two joints; to hold one still, give it a motion of 0")


def _groups(context: Context) -> Iterator[Problem]:
    for path, group in context.items("groups"):
        for i, member in enumerate(group.members):
            where, _, name = member.partition(".")
            if where not in LISTS or not context.knows(where, name):
                text = f"there is no element {shorten(member)!r}"
                yield Problem(f"{path}.members[{i}]", member, text, "write list and name: bodies.crank")


def _channels(context: Context, path: str, value: Any) -> Iterator[Problem]:
    for text in (value,) if isinstance(value, str) else value:
        try:
            names = parse(text).names
        except ExpressionError:  # told when the numbers were resolved
            continue
        for name in sorted(names):
            first, _, rest = name.partition(".")
            where, element = CHANNELS.get(first), rest.split(".")[0]
            if where is not None and not context.knows(where, element):
                yield _unknown(path, element, first, context.spellings[where])
