"""The rows of all joints and of all that may stand in for them, at poses along the motion.

Stand-ins are compiled as further joints of one mechanism, so a remedy is a choice of rows: its rank, its
degrees of freedom and its weakest singular value along the motion are linear algebra on lines of stored
matrices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
import numpy as np

from engine.analyses.mobility.continuation import Continuation, ContinuationPoint, joint_rows
from engine.analyses.mobility.passive_rotations import passive_rotations
from engine.analyses.redundancy.replacements import Change
from engine.compiled.layout import Array
from engine.elements.joints.base import JointSpec
from engine.model.scene import Scene
from engine.system.assembly.scaling import RANK, scales_of
from engine.system.compiling.compile import compile_scene
from engine.system.compiling.mechanism import Mechanism, Span
from engine.system.equations.evaluator import Evaluator

WEAK = 0.35  # of the median: a dip of the weakest singular value below this is looked at closely
SINGULAR = 1e-4  # of what it is for the mechanism itself: a pose at which the remedy lets go
OWN = 1e-3  # of its median: poses at which the mechanism itself is singular are not the remedy's fault
GOLDEN = (np.sqrt(5.0) - 1.0) / 2.0
NARROWINGS = 30


@dataclass(frozen=True)
class Counts:
    """Degrees of freedom of the joints and redundant rows at a generic pose."""

    dof: int
    redundant: int


@dataclass(frozen=True)
class Outcome:
    """What a set of changes does, found at poses along the motion."""

    dof: int
    redundant: int
    spins: tuple[str, ...]  # idle spins that come with it
    singular_at: str  # where it goes singular although the mechanism does not; empty: nowhere
    weakest: float  # smallest share of the strength that the mechanism itself has
    poses: int


class CandidateRows:
    """Judges sets of changes of one mechanism."""

    def __init__(
        self,
        scene: Scene,
        changes: Sequence[Change],
        continuation: Continuation,
        way: Sequence[ContinuationPoint],
        t: float,
    ) -> None:
        mechanism = continuation.evaluator.mechanism
        self._names: dict[Change, str] = {}
        extra: list[JointSpec] = []
        for change in changes:
            if change.spec is not None:
                name = f"{change.name}~{len(extra)}"
                extra.append(msgspec.structs.replace(change.spec, name=name))
                self._names[change] = name
        whole = compile_scene(msgspec.structs.replace(scene, joints=(*scene.joints, *extra)))
        self._whole, self._evaluator = whole, Evaluator(whole)
        self._scales = scales_of(whole)
        self._t, self._continuation, self._way = t, continuation, list(way)
        self._of_joints = joint_rows(whole.rows)
        self._own = [*mechanism.joint_rows, *mechanism.motion_rows]
        self._width = 3 if mechanism.planar else 6
        self._touching = _touching(mechanism)
        self.matrices = np.array([self._matrix(point.q) for point in way])
        self._coordinate = self._widest()
        every = self.rows(())
        sizes = self._sizes(self.matrices, every)
        ranks = _ranks(sizes)
        # where the mechanism is farthest from singular its ranks are the generic ones
        self._rank = int(np.max(ranks))
        strength = sizes[:, self._rank - 1] if self._rank else np.ones(len(sizes))
        self._strength = strength
        self._reference = int(np.argmax(strength))
        self.before = self.counts(())

    # choosing rows

    def rows(self, changes: Sequence[Change]) -> Array:
        """Indices of the rows that hold after the changes."""
        gone = {(change.where, change.name) for change in changes}
        bodies = {name for where, name in gone if where == "bodies"}
        chosen: list[int] = []
        for name in self._own:
            where = "motions" if name in self._whole.motion_rows else "joints"
            if (where, name) in gone or bodies & self._touching.get(name, set()):
                continue
            chosen += _range(self._span(name))
        for change in changes:
            if change.spec is not None:
                chosen += _range(self._whole.joint_rows[self._names[change]])
        return np.array(chosen, dtype=int)

    def _span(self, name: str) -> Span:
        found = self._whole.motion_rows.get(name)
        return found if found is not None else self._whole.joint_rows[name]

    def counts(self, changes: Sequence[Change]) -> Counts:
        """At the reference pose, which is generic."""
        J, rows = self.matrices[self._reference], self.rows(changes)
        of_joints = rows[self._of_joints[rows]]
        rank = _rank(J[rows])
        rank_of_joints = rank if len(of_joints) == len(rows) else _rank(J[of_joints])
        free = J.shape[1] - self._vanished(changes)
        return Counts(free - rank_of_joints, len(rows) - rank)

    def keeps(self, counts: Counts) -> bool:
        """Whether the mechanism moves as before."""
        return counts.dof == self.before.dof

    def _vanished(self, changes: Sequence[Change]) -> int:
        """Velocities of the bodies that are removed."""
        return self._width * sum(change.where == "bodies" for change in changes)

    # along the motion

    def outcome(self, changes: Sequence[Change]) -> Outcome:
        rows, counts = self.rows(changes), self.counts(changes)
        rank = len(rows) - counts.redundant
        spins = self._spins(changes)
        weakest, where = 1.0, ""
        if rank and self.keeps(counts):
            shares = self._shares(self._sizes(self.matrices, rows)[:, rank - 1], self._strength)
            best = float(np.nanmax(shares))
            shares = shares / best
            weakest = float(np.nanmin(shares))
            for i in _dips(shares):
                share, q = self._closer(i, rows, rank)
                weakest = min(weakest, share / best)
                if weakest < SINGULAR:
                    where = self._words(q)
                    break
        return Outcome(counts.dof, counts.redundant, spins, where, weakest, len(self._way))

    def _shares(self, own: Array, strength: Array) -> Array:
        """Strength of the remedy over that of the mechanism; NaN where the mechanism has none itself."""
        good = strength > OWN * float(np.median(self._strength))
        return np.where(good, own / np.where(good, strength, 1.0), np.nan)

    def _closer(self, i: int, rows: Array, rank: int) -> tuple[float, Array]:
        """The smallest share about a point by golden section, and its pose."""
        every = self.rows(())
        here = self._way[i]
        low = self._way[i - 1].s - here.s if i else 0.0
        high = self._way[i + 1].s - here.s if i + 1 < len(self._way) else 0.0
        seen: dict[float, tuple[float, Array]] = {}

        def share(size: float) -> float:
            point = self._continuation.step(here, size) if size else here
            if point is None:
                return np.inf
            J = self._matrix(point.q)
            own, all_of_it = self._sizes(J[None], rows)[0], self._sizes(J[None], every)[0]
            found = self._shares(own[rank - 1 : rank], all_of_it[self._rank - 1 : self._rank])[0]
            seen[size] = (float(found) if np.isfinite(found) else np.inf, point.q)
            return seen[size][0]

        share(0.0)
        a, b = low, high
        x, y = b - GOLDEN * (b - a), a + GOLDEN * (b - a)
        fx, fy = share(x), share(y)
        for _ in range(NARROWINGS):
            if fx < fy:
                b, y, fy = y, x, fx
                x = b - GOLDEN * (b - a)
                fx = share(x)
            else:
                a, x, fx = x, y, fy
                y = a + GOLDEN * (b - a)
                fy = share(y)
            if min(fx, fy) < 0.1 * SINGULAR:
                break
        return min(seen.values(), key=lambda pair: pair[0])

    def _spins(self, changes: Sequence[Change]) -> tuple[str, ...]:
        """Idle spins that the mechanism has after the changes only."""
        q = self._way[self._reference].q
        J = self._matrix(q)
        names = {self._names[change]: change.name for change in changes if change.spec is not None}

        def found(chosen: Sequence[Change]) -> dict[str, str]:
            gone = {change.name for change in chosen}
            joints = [name for name in self._own if name not in gone]
            joints += [self._names[change] for change in chosen if change.spec is not None]
            spins = passive_rotations(
                self._whole, self._evaluator, J[self.rows(chosen)], self._scales, joints
            )
            words = {}
            for spin in spins:
                through = " and ".join(names.get(joint, joint) for joint in spin.joints)
                words[spin.body] = f"{spin.body} spins idly about the line through {through}"
            return words

        before = found(())
        return tuple(words for body, words in found(changes).items() if body not in before)

    # pieces

    def _matrix(self, q: Array) -> Array:
        return self._scales.jacobian(self._evaluator.at(self._t, q).jacobian)

    @staticmethod
    def _sizes(matrices: Array, rows: Array) -> Array:
        if not len(rows):
            return np.ones((len(matrices), 1))
        return np.asarray(np.linalg.svd(matrices[:, rows], compute_uv=False), dtype=float)

    def _widest(self) -> tuple[str, str, int] | None:
        """The joint coordinate that goes through the widest range: it tells where a pose is."""
        mechanism = self._continuation.evaluator.mechanism
        if not mechanism.coordinates:
            return None
        coordinate_functions = list(mechanism.coordinates.items())
        values = np.array([self._values(point) for point in self._way])
        width = np.ptp(values[:, [g for _, g in coordinate_functions]], axis=0)
        # ties go to the first: the input of a mechanism is usually given first
        k = int(np.flatnonzero(width >= 0.99 * np.max(width))[0])
        (joint, coordinate), coordinate_function = coordinate_functions[k]
        return joint, coordinate, coordinate_function

    def _values(self, point: ContinuationPoint) -> Array:
        evaluator = self._continuation.evaluator
        return evaluator.at(self._t, point.q, angles=point.angles).coordinate_functions[:, 0]

    def _words(self, q: Array) -> str:
        """Where a pose is, by the coordinate with the widest range."""
        if self._coordinate is None:
            return "on the way"
        joint, coordinate, coordinate_function = self._coordinate
        evaluator = self._continuation.evaluator
        value = float(
            evaluator.at(self._t, q, angles=self._way[0].angles).coordinate_functions[coordinate_function, 0]
        )
        if coordinate == "angle":
            degrees = np.degrees(np.arctan2(np.sin(value), np.cos(value)))
            return f"near {joint} = {degrees:.0f}°"
        return f"near {coordinate} of {joint} = {value:.3g} m"


def _range(span: Span) -> list[int]:
    return list(range(span.begin, span.end))


def _rank(A: Array) -> int:
    if 0 in A.shape:
        return 0
    return int(_ranks(np.asarray(np.linalg.svd(A, compute_uv=False)[None], dtype=float))[0])


def _ranks(singular: Array) -> Array:
    return np.asarray(np.sum(singular > RANK * singular[:, :1], axis=1))


def _dips(shares: Array) -> list[int]:
    """Points at which the shares have a low minimum."""
    filled = np.where(np.isfinite(shares), shares, np.inf)
    low = WEAK * float(np.nanmedian(shares))
    padded = np.concatenate([[np.inf], filled, [np.inf]])
    return [i for i, x in enumerate(filled) if x < low and x <= padded[i] and x <= padded[i + 2]]


def _touching(mechanism: Mechanism) -> dict[str, set[str]]:
    """Joint → the bodies it holds on to."""
    names = (*mechanism.bodies, "")
    return {
        joint: {names[frame.body] for frame in pair} - {""} for joint, pair in mechanism.joint_frames.items()
    }
