"""Lining up pins and linkages: on one line, or at equal distances."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from msgspec.structs import replace

from app.document.document import Edit, Ref
from app.edits.elements.copies import chosen
from app.edits.fields import set_start
from app.edits.geometry.joint_frames import anchored, frames_of, written
from app.edits.geometry.move_on_body import move_joint
from app.edits.geometry.move_together import linkages, move_together, whole_linkage
from app.edits.geometry.transform import shift
from engine.analyses.kinematics.poses import body_poses
from engine.compiled.layout import Array
from engine.elements.base import WORLD
from engine.errors import Problem, SceneError
from engine.model.poses import given_poses
from engine.model.scene import Scene
from engine.system.assembly.assemble import assemble
from engine.system.equations.evaluator import Evaluator
from engine.system.prepared import prepare

AXES = "xyz"
Line = Callable[[Array], Array]  # coordinates as they are → as they shall be


def align(scene: Scene, refs: Iterable[Ref], axis: str) -> Edit:
    """Give pins, or linkages, the coordinate "x", "y" or "z" of the first one; raises SceneError."""
    return _lined_up(scene, refs, axis, "Align", lambda at: np.full(len(at), at[0]), least=2)


def distribute(scene: Scene, refs: Iterable[Ref], axis: str) -> Edit:
    """Put pins, or linkages, at equal distances along an axis; the outermost stay. Raises SceneError."""

    def spread(at: Array) -> Array:
        order = np.argsort(at, kind="stable")
        places = np.empty_like(at)
        places[order] = np.linspace(at.min(), at.max(), len(at))
        return places

    return _lined_up(scene, refs, axis, "Distribute", spread, least=3)


def _lined_up(scene: Scene, refs: Iterable[Ref], axis: str, verb: str, place: Line, *, least: int) -> Edit:
    if axis not in AXES[: 2 if scene.space == "planar" else 3]:
        raise _refused(axis, f"there is no axis {axis!r} here", "choose x or y")
    given = chosen(scene, refs)
    pins = [ref for ref in given if ref.where == "joints"]
    groups = linkages(scene, given)
    i = AXES.index(axis)
    if len(groups) < least and len(pins) >= least:
        return _pins(scene, pins, i, verb, place)
    if len(groups) < least:
        raise _refused(*_too_few(groups, verb, least))
    poses = given_poses(scene)
    at = np.array([np.mean([poses[ref.name][0][i] for ref in group]) for group in groups])
    after = scene
    for group, step in zip(groups, place(at) - at, strict=True):
        d = [0.0, 0.0, 0.0]
        d[i] = float(step)
        after = move_together(after, whole_linkage(after, group), shift(tuple(d))).after
    return Edit(f"{verb} {len(groups)} linkages along {axis}", after)


def _pins(scene: Scene, pins: list[Ref], i: int, verb: str, place: Line) -> Edit:
    """Pins at other places: of the ground where they are on it, else of both bodies; the linkage follows."""
    found = []
    for ref in pins:
        joint = anchored(scene, ref)
        if joint is None:
            raise _refused(ref.name, f"{ref.name} has no place of its own", "select pins and sliders only")
        found.append((ref, joint, frames_of(scene, joint)[0].p_W))
    at = np.array([float(p[i]) for _, _, p in found])
    after = scene
    for (ref, joint, p), step in zip(found, place(at) - at, strict=True):
        d = np.zeros(3)
        d[i] = float(step)
        if not d.any():
            continue
        side = next((side for side in ("a", "b") if getattr(joint, side).body == WORLD), None)
        if side is None:
            after = move_joint(after, ref, d, np.eye(3), p).after
        else:
            other = _kept(after, joint, "b" if side == "a" else "a")
            anchor = replace(getattr(joint, side), point=written(p + d, scene.space == "planar"))
            after = after.replace(replace(joint, **{side: anchor, **other}))
    return Edit(f"{verb} {len(pins)} joints along {AXES[i]}", _closed(after))


def _kept(scene: Scene, joint: Any, side: str) -> dict[str, Any]:
    """The other side of a joint, which stays where it is on its body, however that is written."""
    anchor, frame = getattr(joint, side), frames_of(scene, joint)[0 if side == "a" else 1]
    if anchor.point is not None:
        return {}
    return {side: replace(anchor, point=written(frame.p_B, scene.space == "planar"))}


def _closed(scene: Scene) -> Scene:
    """The scene with its joints closed; raises SceneError where they cannot be."""
    mechanism = prepare(scene).refuse_problems().mechanism
    evaluator = Evaluator(mechanism)
    start = assemble(mechanism, evaluator=evaluator)
    return set_start(scene, body_poses(evaluator, start.q)).after


def _too_few(groups: list[tuple[Ref, ...]], verb: str, least: int) -> tuple[object, str, str]:
    if groups and len(groups[0]) > 1:
        names = ", ".join(ref.name for ref in groups[0])
        return names, f"{names} belong to one linkage, whose joints place them", "select pins instead"
    what = f"{least} bodies or {least} pins"
    return len(groups), f"{verb} needs {what}", f"select {what}"


def _refused(value: object, message: str, remedy: str) -> SceneError:
    return SceneError([Problem("align", value, message, remedy)])
