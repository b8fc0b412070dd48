"""Clearance: how near the shapes of bodies come to each other along the motion, and which of them clash.

Shapes count as convex: balls, rods and capsules exactly, cylinders by a polygon of twenty-four sides, plates
by their hulls; meshes do not count. In the plane outlines count, whatever the layer. Bodies that a joint
connects are left out, as they touch there by design.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any

import numpy as np
from msgspec import Struct

from engine.analyses.answers.chart import Axis, Chart, Series
from engine.analyses.answers.result import Cell, Column, Mention, Result, Table
from engine.analyses.base import Analysis, Question
from engine.analyses.machines.convex_distance import Hull, distance
from engine.analyses.machines.followed import Followed, follow
from engine.compiled.layout import Array
from engine.elements.base import WORLD
from engine.elements.bodies.shapes import Box, Capsule, Cylinder, Mesh, Outline, Rod, Shape, Sphere
from engine.elements.fields import number, text
from engine.model.mass import rotation
from engine.model.resolve import resolve
from engine.system.compiling.mechanism import Mechanism

INSTANTS = 121
SIDES = 24  # of a cylinder
NEAREST = 12  # pairs in the table and the chart


class ClearanceOptions(Struct, frozen=True, kw_only=True):
    """Where and for how long."""

    wanted: Annotated[float, number("Clearance", "m", "what must be left between bodies", ge=0.0)] = 0.0
    duration: Annotated[float, number("Duration", "s", "0: that of the scene", ge=0.0)] = 0.0
    ignore: Annotated[str, text("Ignore", "bodies that do not count: a ; b")] = ""


def run(question: Question) -> Result:
    """The smallest gap of every pair of bodies, and when."""
    options = question.options
    assert isinstance(options, ClearanceOptions)
    question.stage(0.0, "following the motion")
    hulls, left_out = hulls_of(question)
    followed = follow(question, question.scene, options.duration, INSTANTS)
    ignored = {part.strip() for part in options.ignore.split(";")}
    pairs = [pair for pair in _pairs(followed.mechanism, list(hulls)) if not ignored & set(pair)]
    notes = [f"shapes of {', '.join(left_out)} are meshes, which do not count"] if left_out else []
    if not pairs:
        words = "No two bodies that could clash: those with shapes are joined to each other."
        return Result(words, notes=tuple(notes))
    gaps = np.full((len(pairs), len(followed.t)), np.inf)
    poses = {name: _poses(followed, name) for name in hulls}
    for i in range(len(followed.t)):
        question.stage(0.2 + 0.8 * i / len(followed.t), f"t = {followed.t[i]:.4g} s")
        placed = {
            name: [hull.moved(poses[name][0][i], poses[name][1][i]) for hull in of_body]
            for name, of_body in hulls.items()
        }
        for k, (a, b) in enumerate(pairs):
            gaps[k, i] = min(_gap(x, y) for x in placed[a] for y in placed[b])
    order = [int(k) for k in np.argsort(gaps.min(axis=1))]
    rows: list[tuple[Cell, ...]] = []
    for k in order[:NEAREST]:
        i = int(np.argmin(gaps[k]))
        least = float(gaps[k, i])
        word = "clash" if least <= 0.0 else "too near" if least < options.wanted else "clear"
        ends = tuple(name if name == WORLD else Mention("bodies", name) for name in pairs[k])
        rows.append((*ends, max(0.0, least), float(followed.t[i]), word))
    clashes = int(np.sum(gaps.min(axis=1) <= 0.0))
    near = int(np.sum(gaps.min(axis=1) < options.wanted)) - clashes if options.wanted else 0
    nearest = float(gaps.min())
    words = (
        f"{clashes} of {len(pairs)} pairs of bodies clash"
        if clashes
        else f"Nothing clashes; the smallest gap is {nearest:.4g} m"
    )
    words += f", {near} come nearer than {options.wanted:g} m" if near else ""
    columns = (
        Column("Body"),
        Column("Body"),
        Column("Smallest gap", "m"),
        Column("At", "s"),
        Column("Verdict"),
    )
    return Result(
        f"{words}.",
        tables=(Table("Clearances, nearest first", columns, tuple(rows)),),
        charts=(_chart(followed, pairs, gaps, order),),
        notes=tuple(notes),
    )


def hulls_of(question: Question) -> tuple[dict[str, list[Hull]], list[str]]:
    """Convex pieces of every body in its frame, and bodies that have meshes; fixed bodies are the world's."""
    resolved = resolve(question.scene)
    planar = resolved.space == "planar"
    found: dict[str, list[Hull]] = {}
    left_out = []
    for body in resolved.bodies:
        R_B, p_B = np.eye(3), np.zeros(3)
        name = body.name
        if body.fixed:
            name, p_B = WORLD, _three(body.position)
            R_B = rotation(body.orientation, float(body.angle))
        for shape in body.shapes:
            hull = _hull(shape)
            if hull is None:
                left_out.append(body.name)
                continue
            turned = rotation(shape.orientation, float(shape.angle))
            placed = hull.moved(turned, _three(shape.position)).moved(R_B, p_B)
            found.setdefault(name, []).append(_flat(placed) if planar else placed)
    return found, left_out


def _flat(hull: Hull) -> Hull:
    """In the plane bodies lie in layers of their own: only their outlines count."""
    points = hull.points.copy()
    points[:, 2] = 0.0
    return Hull(np.unique(points, axis=0), hull.radius)


def _three(vector: Any) -> Array:
    return np.append(np.array(vector, dtype=float), np.zeros(3))[:3]


def _hull(shape: Any) -> Hull | None:
    """A shape as a hull in its own frame; None for what does not count."""
    return HULLS[type(shape)](shape)


def _two_ends(shape: Capsule) -> Hull:
    return Hull(np.array([[0.0, 0.0, z * float(shape.length) / 2.0] for z in (-1, 1)]), float(shape.radius))


def _eight_corners(shape: Box) -> Hull:
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    return Hull(corners * np.array(shape.size, dtype=float) / 2.0, 0.0)


def _two_polygons(shape: Cylinder) -> Hull:
    turn = 2.0 * np.pi * np.arange(SIDES) / SIDES
    ring = float(shape.radius) * np.column_stack([np.cos(turn), np.sin(turn), np.zeros(SIDES)])
    half = np.array([0.0, 0.0, float(shape.length) / 2.0])
    return Hull(np.vstack([ring - half, ring + half]), 0.0)


def _two_faces(shape: Outline) -> Hull:
    flat = np.array([_three(point) for point in shape.points])
    half = np.array([0.0, 0.0, float(shape.thickness) / 2.0])
    return Hull(np.vstack([flat - half, flat + half]), 0.0)


HULLS: dict[type[Shape], Callable[[Any], Hull | None]] = {
    Box: _eight_corners,  # keep sorted
    Capsule: _two_ends,
    Cylinder: _two_polygons,
    Mesh: lambda shape: None,
    Outline: _two_faces,
    Rod: lambda shape: Hull(np.array([_three(shape.start), _three(shape.end)]), float(shape.radius)),
    Sphere: lambda shape: Hull(np.zeros((1, 3)), float(shape.radius)),
}


def _pairs(mechanism: Mechanism, names: list[str]) -> list[tuple[str, str]]:
    """Bodies that no joint connects."""
    moving = (*mechanism.bodies, WORLD)
    joined = set()
    for a, b in mechanism.joint_frames.values():
        joined.add(frozenset(moving[min(frame.body, len(moving) - 1)] for frame in (a, b)))
    return [(a, b) for i, a in enumerate(names) for b in names[i + 1 :] if frozenset((a, b)) not in joined]


def _poses(followed: Followed, name: str) -> tuple[Array, Array]:
    if name == WORLD:
        count = len(followed.t)
        return np.tile(np.eye(3), (count, 1, 1)), np.zeros((count, 3))
    return followed.rotation(name), followed.vector(f"body.{name}.pos")


def _gap(a: Hull, b: Hull) -> float:
    """The distance; that of the balls around where they are far apart."""
    (c, r), (d, s) = a.ball, b.ball
    apart = float(np.linalg.norm(c - d)) - r - s
    return apart if apart > 0.5 * (r + s) else distance(a, b)[0]


def _chart(followed: Followed, pairs: list[tuple[str, str]], gaps: Array, order: Sequence[int]) -> Chart:
    series = [
        Series(f"{pairs[k][0]} – {pairs[k][1]}", followed.t, np.maximum(gaps[k], 0.0), group=i)
        for i, k in enumerate(order[: NEAREST // 2])
    ]
    return Chart("Clearances", Axis("Time", "s"), Axis("Gap", "m"), tuple(series))


CLEARANCE = Analysis(
    name="clearance",
    title="Clash and clearance",
    summary="How near bodies come to each other along the motion, and which of them clash.",
    options=ClearanceOptions,
    run=run,
)
