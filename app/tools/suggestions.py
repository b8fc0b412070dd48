"""What can be added to the selection at once: joints, motors, forces, traces, measures. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any

import numpy as np

from app.document.document import Edit, Ref, find
from app.edits.building.actuator_drive import WORDS, drive_actuator, drive_of, is_actuator
from app.edits.building.bars.length_parameter import has_plain_length, length_parameter
from app.edits.building.connect import (
    add_force,
    add_motion,
    add_motor,
    add_trace,
    coordinates_of,
    couple_joints,
    ground,
    insert_joint,
    measure_between,
)
from app.edits.building.contact import add_contact
from engine.elements.base import WORLD, ZERO, Anchor
from engine.elements.forces import FORCES
from engine.elements.joints import JOINTS
from engine.maths.round_numbers import tidy
from engine.model.poses import given_poses
from engine.model.scene import Scene, kind_of

MEET = 1e-6  # m: nearer than this, two points are at one place
SPOT_JOINTS = ("revolute", "fixed", "spherical")  # that need no axis to be chosen
MAX_POINTS = 4  # points of a body that are offered


@dataclass(frozen=True)
class Suggestion:
    """One click on the selection. `tool` is the id of the tool that does the same by clicks."""

    text: str
    icon: str
    make: Callable[[Scene], Edit]
    tool: str
    group: str = ""  # what offers for several points have in common
    short: str = ""  # which of the group it is


def suggestions(scene: Scene, refs: tuple[Ref, ...]) -> list[Suggestion]:
    """What makes sense for these elements, most likely first."""
    refs = tuple(dict.fromkeys(ref for ref in refs if find(scene, ref.element) is not None))
    if len(refs) == 1 and is_actuator(scene, refs[0]):
        return list(_of_actuator(scene, refs[0]))
    joints = [ref.name for ref in refs if ref.where == "joints"]
    bodies = [ref for ref in refs if ref.where == "bodies"]
    if len(joints) + len(bodies) != len(refs):
        return []
    if len(joints) == 1 and not bodies:
        return list(_of_joint(scene, joints[0]))
    if len(joints) == 2 and not bodies:
        return list(_of_joints(scene, (joints[0], joints[1])))
    if len(bodies) == 1 and not joints:
        return list(_of_body(scene, bodies[0]))
    if len(bodies) == 2 and not joints and bodies[0].name != bodies[1].name:
        return list(_of_bodies(scene, bodies[0], bodies[1]))
    return []


def grouped(found: list[Suggestion]) -> list[list[Suggestion]]:
    """Offers that differ in their point alone, together."""
    return [list(some) for _, some in groupby(found, lambda one: one.group or one.text)]


def direct(scene: Scene, refs: tuple[Ref, ...], tool: str) -> Suggestion | None:
    """The one thing that a tool can do with the selection; None when there is none, or a choice."""
    fit = [suggestion for suggestion in suggestions(scene, refs) if suggestion.tool == tool]
    return fit[0] if len(fit) == 1 else None


def _of_actuator(scene: Scene, ref: Ref) -> Iterator[Suggestion]:
    """The other ways to drive it."""
    for by, words in WORDS.items():
        if by != drive_of(scene, ref):
            make = partial(drive_actuator, ref=ref, by=by)
            yield Suggestion(f"Drive by {words}", "linear-actuator", make, "")


def _of_joint(scene: Scene, name: str) -> Iterator[Suggestion]:
    known = coordinates_of(scene, name)
    if not known:
        return
    if all(kind_of(motion).moves(motion)[:2] != ("joint", name) for motion in scene.motions):
        yield Suggestion("Motor", "force-motor", lambda s: add_motor(s, name), "motor")
    if "angle" in known:
        yield Suggestion(
            "Rotational spring",
            "force-rotational-spring",
            lambda s: add_force(s, "rotational_spring", joint=name),
            "force.rotational_spring",
        )
    yield Suggestion(
        "Controlled motor",
        "force-motor",
        lambda s: add_force(s, "motor", joint=name, coordinate=known[0]),
        "force.motor",
    )
    for kind in ("friction", "stop"):
        yield Suggestion(
            FORCES[kind].title,
            f"force-{kind}",
            partial(add_force, kind=kind, joint=name, coordinate=known[0]),
            f"force.{kind}",
        )


def _of_joints(scene: Scene, names: tuple[str, str]) -> Iterator[Suggestion]:
    known = [set(coordinates_of(scene, name)) for name in names]
    if not all(known):
        return
    wanted = []
    if all("angle" in has for has in known):
        wanted += ["gear", "belt"]
    if ("angle" in known[0] and "displacement" in known[1]) or (
        "angle" in known[1] and "displacement" in known[0]
    ):
        wanted.append("rack_pinion")
    for kind in (*wanted, "coupler"):
        title, icon = JOINTS[kind].title, JOINTS[kind].icon
        yield Suggestion(
            f"{title} of both joints",
            icon,
            partial(couple_joints, kind=kind, joints=names),
            f"joint.{kind}",
        )


def _of_body(scene: Scene, ref: Ref) -> Iterator[Suggestion]:
    body = scene.body(ref.name)
    names = [ref.part] if ref.part else [point.name for point in body.points][:MAX_POINTS]
    if not body.fixed:
        for point in names:
            place = _world(scene, ref.name, point)
            if place is not None and not _held(scene, ref.name, point, by_ground=bool(ref.part)):
                yield Suggestion(
                    f"Pin {point} to the ground",
                    "joint-revolute",
                    _pinned(ref.name, point, place),
                    "pin",
                    "Pin to the ground",
                    point,
                )
    if not ref.part and has_plain_length(scene, ref.name):
        yield Suggestion(
            "Vary its length by a slider", "parameters", partial(length_parameter, name=ref.name), ""
        )
    if not body.fixed:
        for point in names:
            yield Suggestion(
                f"Trace of {point}",
                "trace",
                partial(add_trace, body=ref.name, point=point),
                "trace",
                "Trace of",
                point,
            )
        at = names[0] if ref.part else ()
        if ref.part:
            yield Suggestion(
                f"Force at {at}",
                "force",
                lambda s: add_force(s, "force", body=ref.name, point=at),
                "force.force",
            )
            yield Suggestion(
                f"Motion of {at}",
                "motion",
                lambda s: add_motion(s, "body_motion", body=ref.name, point=at),
                "motion.body_motion",
            )
        yield Suggestion(
            "Torque",
            "force-torque",
            lambda s: add_force(s, "torque", body=ref.name),
            "force.torque",
        )
        yield Suggestion("Ground", "ground", lambda s: ground(s, ref.name), "ground")


def _of_bodies(scene: Scene, one: Ref, two: Ref) -> Iterator[Suggestion]:
    first, second = _points(scene, one), _points(scene, two)
    pairs = [(float(np.linalg.norm(p - q)), a, b) for a, p in first.items() for b, q in second.items()]
    if pairs:
        gap, a, b = min(pairs, key=lambda pair: pair[0])
        chosen = bool(one.part and two.part)
        if gap <= MEET or chosen:
            for kind in SPOT_JOINTS:
                if scene.space == "planar" and kind == "spherical":
                    continue
                where = f"at {a}" if gap <= MEET else f"of {a} and {b}"
                yield Suggestion(
                    f"{JOINTS[kind].title} {where}",
                    JOINTS[kind].icon,
                    _joined(kind, one, a, two, b),
                    f"joint.{kind}",
                )
        if gap > MEET:
            between = f"from {a} to {b}"
            yield Suggestion(
                f"Spring {between}",
                "force-spring",
                lambda s: add_force(
                    s, "spring", a=Anchor(body=one.name, point=a), b=Anchor(body=two.name, point=b)
                ),
                "force.spring",
            )
            yield Suggestion(
                f"Distance rod {between}",
                "joint-distance",
                _joined("distance", one, a, two, b),
                "joint.distance",
            )
            yield Suggestion(
                f"Measure {between}",
                "measure-distance",
                lambda s: measure_between(s, "distance", (one.name, a), (two.name, b)),
                "measure.distance",
            )
    yield Suggestion(
        "Contact", "force-contact", lambda s: add_contact(s, one.name, two.name), "force.contact"
    )
    yield Suggestion(
        "Measure the angle",
        "measure-angle",
        lambda s: measure_between(s, "angle", (one.name, ZERO), (two.name, ZERO)),
        "measure.angle",
    )


def _joined(kind: str, one: Ref, a: str, two: Ref, b: str) -> Callable[[Scene], Edit]:
    return lambda scene: insert_joint(scene, kind, **_sides(one, a, two, b))


def _sides(one: Ref, a: str, two: Ref, b: str) -> dict[str, Anchor]:
    return {"a": Anchor(body=one.name, point=a), "b": Anchor(body=two.name, point=b)}


def _pinned(body: str, point: str, place: Any) -> Callable[[Scene], Edit]:
    def make(scene: Scene) -> Edit:
        at = tuple(map(tidy, place[:2] if scene.space == "planar" else place))
        return insert_joint(scene, "revolute", Anchor(body=WORLD, point=at), Anchor(body=body, point=point))

    return make


def _points(scene: Scene, ref: Ref) -> dict[str, Any]:
    body = scene.body(ref.name)
    names = [ref.part] if ref.part else [point.name for point in body.points]
    found = {name: _world(scene, ref.name, name) for name in names}
    return {name: place for name, place in found.items() if place is not None}


def _world(scene: Scene, body: str, point: str) -> Any:
    """Where a named point is at the start; None when it cannot be told."""
    from engine.model.resolve import resolve_leniently

    resolved, _ = resolve_leniently(scene)
    known = next((other for other in resolved.bodies if other.name == body), None)
    pose = given_poses(scene).get(body)
    if known is None or pose is None or all(other.name != point for other in known.points):
        return None
    local = np.array([*known.point(point).position, 0.0][:3], float)
    return pose[0] + pose[1] @ local


def _held(scene: Scene, body: str, point: str, *, by_ground: bool) -> bool:
    """Whether a joint holds the point already: pinned to the ground as well, a linkage would lock.

    Who has chosen this very point means it; only a second pin to the ground is then not offered.
    """
    for joint in scene.joints:
        a, b = getattr(joint, "a", None), getattr(joint, "b", None)
        if a is None or b is None:
            continue
        for own, other in ((a, b), (b, a)):
            if own.body == body and own.point == point and (other.body == WORLD or not by_ground):
                return True
    return False
