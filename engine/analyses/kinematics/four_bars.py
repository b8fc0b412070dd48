"""Four-bar loops of a planar scene: their lengths, Grashof's class, the transmission angle.

A loop is world – X – Y – Z – world, joined by four hinges A, B, C, D. With s the shortest, l the longest and
p, q the other two lengths, a bar can turn fully against the others only if s + l ≤ p + q (Grashof). The
transmission angle is that between coupler and output bar at C; by the law of cosines

    cos μ = (b² + c² − a² − d² + 2 a d cos φ) / (2 b c)

with the input a at the angle φ from the ground d, the coupler b and the output c.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from engine.compiled.layout import Array
from engine.elements.base import WORLD
from engine.elements.joints.revolute import RevoluteSpec
from engine.model.resolve import resolve_leniently
from engine.model.scene import Scene
from engine.system.compiling.frames import Frames

MAX_HINGES = 60  # of a scene that is looked through
EQUAL = 1e-9  # of the longest: sums that differ by less are equal


@dataclass(frozen=True, eq=False)
class FourBar:
    """Bodies and hinges in order from the input on, and where the hinges are at the given pose [m].

    Lengths are those of the bars themselves: the given pose need not be closed, as after an edit on the way.
    """

    bodies: tuple[str, str, str]  # input, coupler, output
    joints: tuple[str, str, str, str]  # A, B, C, D
    places: Array  # (4, 3), of frames A
    lengths: tuple[float, float, float, float]  # input, coupler, output, ground [m]

    @property
    def sums(self) -> tuple[float, float]:
        """Shortest and longest bar together, and the other two [m]: what Grashof's condition compares."""
        s, p, q, longest = sorted(self.lengths)
        return s + longest, p + q

    @property
    def grashof(self) -> tuple[str, str]:
        """The class, and the reason for it in words."""
        lengths = self.lengths
        names = (*self.bodies, "the ground")
        order = np.argsort(lengths, kind="stable")
        both, rest = self.sums
        shortest = int(order[0])
        sums = f"shortest + longest = {both:.4g} m"
        if abs(both - rest) <= EQUAL * both:
            return "change point", f"{sums} is equal to the sum of the others: all bars can come into line"
        if both > rest:
            return "triple rocker", f"{sums} is more than the others' {rest:.4g} m: no bar turns fully"
        why = f"{sums} is less than the others' {rest:.4g} m, and the shortest is {names[shortest]}"
        if shortest == 3:
            return "double crank", f"{why}: both bars on it turn fully"
        if shortest == 1:
            return "double rocker", f"{why}, the coupler: it turns fully, both bars on the ground rock"
        rocker = 2 if shortest == 0 else 0
        return "crank-rocker", f"{why}: it turns fully, {names[rocker]} rocks"


def transmission_axes(scene: Scene, loop: FourBar) -> tuple[Array, Array]:
    """Directions from C to B on the coupler and from C to D on the output, each in the axes of its body."""
    resolved, _ = resolve_leniently(scene)
    known = Frames(resolved).places
    _, B, C, D = loop.places
    return known[loop.bodies[1]].R_WB.T @ (B - C), known[loop.bodies[2]].R_WB.T @ (D - C)


def four_bars(scene: Scene) -> list[FourBar]:
    """All loops of four hinges, with the driven bar, or else the shorter of the two on the ground, first."""
    if scene.space != "planar":
        return []
    resolved, _ = resolve_leniently(scene)
    frames = Frames(resolved)
    hinges: dict[str, tuple[str, str]] = {}
    places: dict[str, Array] = {}
    ends: dict[tuple[str, str], Array] = {}  # where a hinge is on each of its bodies
    for joint in resolved.joints:
        if isinstance(joint, RevoluteSpec):
            try:
                A, B = (frame.p_W for frame in frames.of_joint(joint))
            except (KeyError, TypeError, ValueError):
                continue
            hinges[joint.name] = (joint.a.body, joint.b.body)
            places[joint.name] = A
            ends[joint.name, joint.a.body], ends[joint.name, joint.b.body] = A, B
    if len(hinges) > MAX_HINGES:
        return []
    driven = {getattr(item, "joint", "") for item in (*scene.motions, *scene.forces)}
    found: dict[frozenset[str], FourBar] = {}
    for bodies, joints in _loops(hinges):
        between = zip((*bodies, WORLD), joints, (*joints[1:], joints[0]), strict=True)
        a, b, c, d = (float(np.linalg.norm(ends[q, body] - ends[p, body])) for body, p, q in between)
        if not min(a, b, c, d) > 0.0:
            continue
        at = np.array([places[name] for name in joints])
        loop = FourBar(bodies, joints, at, (a, b, c, d))
        other = FourBar(bodies[::-1], joints[::-1], at[::-1], (c, b, a, d))
        drives = [joints[0] in driven, joints[3] in driven]
        first = loop if drives[0] != drives[1] and drives[0] else other
        if drives[0] == drives[1]:
            first = loop if loop.lengths[0] <= loop.lengths[2] else other
        found.setdefault(frozenset(joints), first)
    return list(found.values())


def _loops(
    hinges: dict[str, tuple[str, str]],
) -> Iterator[tuple[tuple[str, str, str], tuple[str, str, str, str]]]:
    def across(body: str, but: tuple[str, ...]) -> Iterator[tuple[str, str]]:
        for name, ends in hinges.items():
            if body in ends and name not in but:
                yield name, ends[1] if ends[0] == body else ends[0]

    for A, x in across(WORLD, ()):
        for B, y in across(x, (A,)):
            if y in (WORLD, x):
                continue
            for C, z in across(y, (A, B)):
                if z in (WORLD, x, y):
                    continue
                for D, end in across(z, (A, B, C)):
                    if end == WORLD:
                        yield (x, y, z), (A, B, C, D)
