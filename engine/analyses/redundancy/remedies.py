"""Remedies of redundancy: small sets of changes after which no row is redundant and all moves as
before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from engine.analyses.mobility.continuation import Continuation, ContinuationPoint
from engine.analyses.mobility.mobility import Dependency
from engine.analyses.redundancy.candidate_rows import CandidateRows, Outcome
from engine.analyses.redundancy.replacements import Change, changes_of
from engine.model.scene import Scene, kind_of
from engine.system.compiling.mechanism import Mechanism

MAX_SEARCHED_SET = 3  # changes in a set that is searched for; larger sets are put together greedily
TRIED = 6000  # sets whose rank is looked at, in a mechanism of up to SMALL_MECHANISM velocities
SMALL_MECHANISM = 30
MIN_TRIED_SETS = 200  # sets that are tried in any mechanism
JUDGED = 24  # sets that are followed along the motion
SINGLE = 80  # changes that are followed one by one
OFFERED = 10  # sets that are shown
JUDGED_LOOSE = 6  # of those that add degrees of freedom, to see whether they are idle spins
JOINTS_LOOKED_AT = 30
LATER = 1e-4  # cost per place that an element stands before the last


@dataclass(frozen=True)
class Remedy:
    """Changes that go together, and what they do."""

    changes: tuple[Change, ...]
    outcome: Outcome
    dof_before: int
    redundant_before: int

    @property
    def title(self) -> str:
        return "; ".join(change.words for change in self.changes)

    @property
    def keeps_dof(self) -> bool:
        return self.outcome.dof == self.dof_before

    @property
    def idle_only(self) -> bool:
        """Whether all that is new are idle spins."""
        added = self.outcome.dof - self.dof_before
        return 0 < added == len(self.outcome.spins)

    @property
    def singular(self) -> bool:
        return bool(self.outcome.singular_at)

    @property
    def exact(self) -> bool:
        return self.outcome.redundant == 0

    @property
    def good(self) -> bool:
        return self.keeps_dof and not self.singular

    @property
    def mark(self) -> str:
        """A warning in a few words; empty for a remedy without side effects."""
        words = []
        if self.idle_only:
            words.append("adds an idle spin")
        elif not self.keeps_dof:
            words.append("changes the degrees of freedom")
        if self.singular:
            words.append("goes singular on the way")
        return ", ".join(words)

    @property
    def effect(self) -> str:
        """What it changes, in a sentence."""
        found = self.outcome
        many = f"{found.redundant} of {self.redundant_before} redundant rows left"
        left = "no redundant row is left" if self.exact else many
        words = [left]
        if self.keeps_dof:
            words.append(f"still {_dof_words(found.dof)}")
        else:
            words.append(
                f"{_dof_words(self.dof_before)} become{'s' if self.dof_before == 1 else ''} {found.dof}"
            )
        words += found.spins
        if self.singular:
            words.append(f"singular {found.singular_at}: there it lets go")
        elif found.poses > 1 and self.keeps_dof:
            words.append(f"not singular at {found.poses} poses along the motion")
        return "; ".join(words)

    @property
    def order(self) -> tuple[float, ...]:
        """Better remedies come first."""
        return (
            not self.exact,
            not self.keeps_dof,
            self.singular,
            _cost(self.changes),
            -round(self.outcome.weakest, 3),
        )


def _dof_words(n: int) -> str:
    return "1 degree of freedom" if n == 1 else f"{n} degrees of freedom"


@dataclass(frozen=True)
class Remedies:
    """`sets` make the mechanism exact, best first; `single` is what each change does by itself."""

    sets: tuple[Remedy, ...]
    single: tuple[Remedy, ...]
    complete: bool  # whether all sets of up to MAX_SEARCHED_SET changes were looked at


def find_remedies(
    scene: Scene,
    mechanism: Mechanism,
    dependencies: Sequence[Dependency],
    continuation: Continuation,
    way: Sequence[ContinuationPoint],
    told: Callable[[float], object],
) -> Remedies:
    """Remedies of dependencies that hold at all poses."""
    always = [dependency for dependency in dependencies if dependency.generic]
    changes, complete = _candidates(scene, mechanism, always)
    if not changes:
        return Remedies((), (), True)
    candidates = CandidateRows(scene, changes, continuation, way, continuation.t)
    before = candidates.before
    if not before.redundant:
        return Remedies((), (), True)

    def remedy(chosen: tuple[Change, ...]) -> Remedy:
        in_order = tuple(sorted(chosen, key=changes.index))
        return Remedy(in_order, candidates.outcome(in_order), before.dof, before.redundant)

    single: list[Remedy] = []
    useful: list[Change] = []
    for k, change in enumerate(changes):
        told(0.5 * k / len(changes))
        counts = candidates.counts((change,))
        wanted = counts.redundant < before.redundant and (change.spec or candidates.keeps(counts))
        if wanted and len(single) < SINGLE:
            single.append(remedy((change,)))
        if counts.redundant < before.redundant and candidates.keeps(counts):
            useful.append(change)
    search = _Search(candidates, useful, told)
    exact, loose = search.run()
    judged = []
    for k, chosen in enumerate([*exact[:JUDGED], *loose[:JUDGED_LOOSE]]):
        told(0.8 + 0.2 * k / (JUDGED + JUDGED_LOOSE))
        judged.append(remedy(chosen))
    fitting = [found for found in judged if found.keeps_dof or found.idle_only]
    sets = sorted(fitting, key=lambda found: found.order)[:OFFERED]
    shown = {found.changes for found in sets}
    rest = [found for found in single if found.changes not in shown]
    rest.sort(key=lambda found: (not found.keeps_dof, found.outcome.redundant, found.order))
    return Remedies(tuple(sets), tuple(rest), complete and search.complete)


def _candidates(
    scene: Scene, mechanism: Mechanism, dependencies: Sequence[Dependency]
) -> tuple[list[Change], bool]:
    """Changes of all elements that take part, and whether all were considered."""
    rows = [row for dependency in dependencies for row in dependency.rows]
    names = list(dict.fromkeys(row.name for row in rows if row.owner == "joint"))
    by_name = {joint.name: joint for joint in scene.joints}
    found: list[Change] = []
    for name in names[:JOINTS_LOOKED_AT]:
        found += changes_of(scene, mechanism, by_name[name])
    for name in dict.fromkeys(row.name for row in rows if row.owner == "motion"):
        found.append(Change("motions", name, None, f"remove the motion {name}", 1.2))
    found += _spare_bodies(scene, mechanism, set(names))
    # what came last is rather one too many than what came first
    found = [
        change if change.spec else replace(change, cost=change.cost + LATER * (len(found) - k))
        for k, change in enumerate(found)
    ]
    return found, len(names) <= JOINTS_LOOKED_AT


def _spare_bodies(scene: Scene, mechanism: Mechanism, joints: set[str]) -> list[Change]:
    """Links between two joints that take part: one may be one too many."""
    ends: dict[int, list[str]] = {}
    for joint, pair in mechanism.joint_frames.items():
        for frame in pair:
            ends.setdefault(frame.body, []).append(joint)
    moved = {kind_of(motion).moves(motion)[:2] for motion in scene.motions}
    read = {name for name in joints if ("joint", name) in moved}
    return [
        Change("bodies", name, None, f"remove {name} with its joints", 1.9)
        for b, name in enumerate(mechanism.bodies)
        if len(ends.get(b, [])) == 2 and set(ends[b]) <= joints and not read & set(ends[b])
    ]


class _Search:
    """Sets of changes that keep the degrees of freedom and leave no redundant row."""

    def __init__(
        self, candidates: CandidateRows, changes: list[Change], told: Callable[[float], object]
    ) -> None:
        self._candidates, self._told = candidates, told
        self._changes = sorted(changes, key=lambda change: change.cost)
        self._tried = 0
        size = max(candidates.matrices.shape[2], SMALL_MECHANISM)
        self._limit = max(MIN_TRIED_SETS, int(TRIED * (SMALL_MECHANISM / size) ** 2.5))
        self.complete = True

    def run(self) -> tuple[list[tuple[Change, ...]], list[tuple[Change, ...]]]:
        """Sets after which nothing is redundant, cheapest first: that keep the degrees of freedom, that add
        some."""
        exact: list[tuple[Change, ...]] = []
        loose: list[tuple[Change, ...]] = []
        for size in range(1, MAX_SEARCHED_SET + 1):
            for chosen in combinations(self._changes, size):
                if _one_element_twice(chosen) or _contains(chosen, exact):
                    continue
                self._tried += 1
                if self._tried > self._limit:
                    self.complete = False
                    break
                if self._tried % 50 == 0:
                    self._told(0.5 + 0.3 * min(1.0, self._tried / self._limit))
                counts = self._candidates.counts(chosen)
                if not counts.redundant:
                    (exact if self._candidates.keeps(counts) else loose).append(chosen)
        if not exact:
            exact = self._greedy()
        return sorted(exact, key=_cost), sorted(loose, key=_cost)

    def _greedy(self) -> list[tuple[Change, ...]]:
        """Change after change, each the one that helps most for its cost; empty when that leads nowhere."""
        chosen: tuple[Change, ...] = ()
        left = self._candidates.before.redundant
        while left:
            self._told(0.8)
            taken = {(change.where, change.name) for change in chosen}
            gains = []
            for change in self._changes:
                if (change.where, change.name) in taken:
                    continue
                counts = self._candidates.counts((*chosen, change))
                if self._candidates.keeps(counts) and counts.redundant < left:
                    gains.append(((left - counts.redundant) / change.cost, change, counts.redundant))
            if not gains:
                return []
            k = int(np.argmax([gain for gain, _, _ in gains]))
            _, change, left = gains[k]
            chosen = (*chosen, change)
        self.complete = False
        return [chosen]


def _cost(chosen: tuple[Change, ...]) -> float:
    return sum(change.cost for change in chosen)


def _one_element_twice(chosen: tuple[Change, ...]) -> bool:
    return len({(change.where, change.name) for change in chosen}) < len(chosen)


def _contains(chosen: tuple[Change, ...], found: Sequence[tuple[Change, ...]]) -> bool:
    """Whether a part of the set does already."""
    return any(set(small) <= set(chosen) for small in found)
