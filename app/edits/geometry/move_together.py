"""Moving several bodies as one: with their joints, their pins on the ground, and what acts on them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from app.document.document import Edit, Ref, find
from app.edits.elements.copies import chosen, words
from app.edits.elements.references import used_by
from app.edits.geometry.transform import Placing
from app.edits.geometry.transformed import Mover
from engine.elements.base import WORLD
from engine.errors import Problem, SceneError
from engine.model.scene import Scene

GOING_ALONG = ("joints", "forces", "motions")  # lists whose elements go with the bodies that they act on


def move_together(
    scene: Scene, refs: Iterable[Ref], placing: Placing, verb: str = "Move", key: object = None
) -> Edit:
    """The chosen bodies at another place, with all that holds them on the ground; raises SceneError."""
    given = chosen(scene, refs)
    mover = Mover(scene, placing, frozenset(going(scene, given)))
    after = scene
    for ref in mover.moved:
        after = after.replace(mover(find(scene, ref)))
    return Edit(f"{verb} {words(given)}", after, key=key, made=given)


def going(scene: Scene, refs: Iterable[Ref]) -> tuple[Ref, ...]:
    """What moves with the bodies among these elements; raises SceneError where a joint would be torn open."""
    bodies = tuple(ref for ref in chosen(scene, refs) if ref.where == "bodies")
    if not bodies:
        raise _refused("", None, "no body is selected", "select the bodies that shall move")
    found = set(bodies)
    for where in GOING_ALONG:
        for item in getattr(scene, where):
            needs = used_by(item)
            if needs and needs <= found:
                found.add(Ref(where, item.name))
    names = {ref.name for ref in bodies}
    for joint in scene.joints:
        ends = _bodies(joint)
        if len(ends) == 2 and len(ends & names) == 1 and WORLD not in ends:
            (inside,), (outside,) = ends & names, ends - names
            raise _refused(
                f"joints.{joint.name}",
                outside,
                f"{joint.name} joins {inside} to {outside}, which is not selected",
                f"select {outside} too, or one body alone: then its linkage follows it",
            )
    return tuple(found)


def _bodies(joint: Any) -> set[str]:
    sides = (getattr(joint, side, None) for side in ("a", "b"))
    return {side.body for side in sides if side is not None}


def _refused(path: str, value: object, message: str, remedy: str) -> SceneError:
    return SceneError([Problem(path, value, message, remedy)])


def linkages(scene: Scene, refs: Iterable[Ref]) -> list[tuple[Ref, ...]]:
    """The bodies among these elements, those of one linkage together, in the order of choosing."""
    bodies = [ref.name for ref in chosen(scene, refs) if ref.where == "bodies"]
    group = {body.name: body.name for body in scene.bodies}

    def root(name: str) -> str:
        while group[name] != name:
            name = group[name]
        return name

    for joint in scene.joints:
        ends = [name for name in _bodies(joint) if name in group]
        if len(ends) == 2:
            group[root(ends[0])] = root(ends[1])
    found: dict[str, list[Ref]] = {}
    for name in bodies:
        found.setdefault(root(name), []).append(Ref("bodies", name))
    return [tuple(refs) for refs in found.values()]


def whole_linkage(scene: Scene, refs: Iterable[Ref]) -> tuple[Ref, ...]:
    """All bodies that joints tie to these."""
    names = {ref.name for ref in refs}
    every = linkages(scene, [Ref("bodies", body.name) for body in scene.bodies])
    return tuple(ref for group in every if any(ref.name in names for ref in group) for ref in group)
