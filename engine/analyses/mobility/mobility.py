"""Mobility: how many ways a mechanism can move, and which constraint rows say what others have said already.

The rank of J is found at the assembled pose and at other poses that satisfy the constraints: steps along
the null space, closed again. (Off the constraints redundant rows look independent.) A column z of the
left null space, zᵀJ = 0, is a dependency; all rows with z ≠ 0 take part in it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from engine.analyses.mobility.passive_rotations import passive_rotations
from engine.analyses.mobility.visited_poses import POSES, PoseWalk, SparsePose
from engine.compiled.layout import Array
from engine.system.assembly.assemble import Start
from engine.system.assembly.scaling import LARGE, Subspaces, scales_of
from engine.system.compiling.mechanism import Mechanism, RowInfo
from engine.system.equations.evaluator import Evaluator

# a later row is dropped rather than an earlier one if its pivot is at least this share of the best
NEAR_BEST = 0.5
TAKES_PART = 1e-6  # smallest coefficient of a row in a dependency, the largest being about 1


@dataclass(frozen=True)
class Dependency:
    """Rows of which one follows from the others."""

    rows: tuple[RowInfo, ...]  # that take part
    removable: (
        RowInfo  # the rest stays well conditioned without it, and without those of the other dependencies
    )
    generic: bool  # at all visited poses, not only at the assembled one

    @property
    def text(self) -> str:
        others = dict.fromkeys(row.name for row in self.rows if row.name != self.removable.name)
        return f"{self.removable} repeats {', '.join(others) or 'the other rows of this joint'}"


NOTHING_MOVES = "nothing can move: the joints leave no degree of freedom; take one away, or let it leave more"


@dataclass(frozen=True)
class Mobility:
    """Degrees of freedom and redundancy at the assembled pose, and in general."""

    rows: int
    gruebler: int  # degrees of freedom of the bodies less rows of the joints
    dof: int  # of velocity at this pose, motions counted as constraints
    mobility: int  # the same without motions
    redundant: int  # rows less rank, at this pose
    generic_dof: int
    generic_redundant: int
    poses: int  # visited
    dependencies: tuple[Dependency, ...]
    notes: tuple[str, ...]

    @property
    def singular_pose(self) -> bool:
        return self.redundant != self.generic_redundant


def mobility(
    mechanism: Mechanism,
    start: Start,
    *,
    evaluator: Evaluator | None = None,
    poses: int = POSES,
    visit: Callable[[float], object] | None = None,
    t: float = 0.0,
) -> Mobility:
    """Count at the start, at time t, and at poses around it; `visit` is told the share that is done."""
    if not mechanism.rows:  # nothing to walk along; a matrix of all directions would grow with their square
        nv = mechanism.nv
        return Mobility(0, nv, nv, nv, 0, nv, 0, 1, (), tuple(_loose(mechanism)))
    evaluator = evaluator or Evaluator(mechanism)
    scales = scales_of(mechanism)
    of_joints = np.array([row.owner == "joint" for row in mechanism.rows], dtype=bool)
    walk = PoseWalk(evaluator, scales, t, start.q, start.angles)
    if mechanism.nv > LARGE:
        sparse = walk.sparse(poses, visit)
        ranks = [pose.rows.rank for pose in sparse]
        rank_of_joints = sparse[0].part(of_joints).rank
        dependencies = _sparse_dependencies(mechanism, sparse)
    else:
        full = walk.full(poses, visit)
        ranks = [pose.rows.rank for pose in full]
        rank_of_joints = full[0].part(of_joints).rank
        dependencies = _dependencies(mechanism, [pose.rows for pose in full])
    m, nv, generic = len(mechanism.rows), mechanism.nv, max(ranks)
    J = scales.sparse_jacobian(evaluator.at(t, start.q, angles=start.angles).sparse_jacobian)
    return Mobility(
        rows=m,
        gruebler=nv - int(np.sum(of_joints)),
        dof=nv - ranks[0],
        mobility=nv - rank_of_joints,
        redundant=m - ranks[0],
        generic_dof=nv - generic,
        generic_redundant=m - generic,
        poses=len(ranks),
        dependencies=dependencies,
        notes=(
            *([NOTHING_MOVES] if rank_of_joints == nv else []),
            *(str(spin) for spin in passive_rotations(mechanism, evaluator, J, scales)),
            *_loose(mechanism),
        ),
    )


def generic_ranks(mechanism: Mechanism, t: float, q: Array, angles: Array) -> tuple[int, int]:
    """Independent rows at a generic pose, and how many of them are position rows.

    Null-space methods keep these numbers through singular configurations, also when the run begins at one.
    The ranks of a live run follow from its pose: `q` satisfies the constraints.
    """
    if not mechanism.rows:
        return 0, 0
    of_positions = np.array([not row.velocity for row in mechanism.rows], dtype=bool)
    walk = PoseWalk(Evaluator(mechanism), scales_of(mechanism), t, q, angles)
    visited = walk.sparse(POSES) if mechanism.nv > LARGE else walk.full(POSES)
    ranks = [(pose.rows.rank, pose.part(of_positions).rank) for pose in visited]
    return max(rank for rank, _ in ranks), max(rank for _, rank in ranks)


def _dependencies(mechanism: Mechanism, visited: list[Subspaces]) -> tuple[Dependency, ...]:
    """One dependency per redundant row at the assembled pose, in as few rows as that row allows."""
    generic = min(space.left_null.shape[1] for space in visited)
    here = visited[0].left_null
    dropped = _pivots([space.left_null for space in visited], generic, [])
    dropped = _pivots([here], here.shape[1], dropped)
    if not dropped:
        return ()
    # reduced echelon form: every dropped row stands in its own dependency only
    reduced = here @ np.linalg.inv(here[dropped])
    found = []
    for k, pivot in enumerate(dropped):
        column = np.abs(reduced[:, k])
        rows = [int(r) for r in np.flatnonzero(column > TAKES_PART * np.max(column))]
        infos = tuple(mechanism.rows[r] for r in rows)
        found.append((pivot, Dependency(infos, mechanism.rows[pivot], k < generic)))
    return tuple(dependency for _, dependency in sorted(found, key=lambda item: item[0]))


def _sparse_dependencies(mechanism: Mechanism, visited: Sequence[SparsePose]) -> tuple[Dependency, ...]:
    """The same for large mechanisms; the row that is dropped is the last one in the order of elimination."""
    always = set.intersection(*(set(np.flatnonzero(~pose.rows.kept).tolist()) for pose in visited))
    found = []
    for dropped, lines, shares in visited[0].rows.dependencies():
        rows = np.sort(lines[np.abs(shares) > TAKES_PART * np.max(np.abs(shares))])
        infos = tuple(mechanism.rows[r] for r in rows)
        found.append((dropped, Dependency(infos, mechanism.rows[dropped], dropped in always)))
    return tuple(dependency for _, dependency in sorted(found, key=lambda item: item[0]))


def _pivots(nulls: list[Array], count: int, chosen: list[int]) -> list[int]:
    """Rows that can be dropped together at all poses.

    What is left is well conditioned exactly when the dropped rows of the left null spaces are, hence large
    pivots; among good ones the last, so that messages say what repeats what came before.
    """
    chosen = list(chosen)
    rests = [null.copy() for null in nulls]

    def remove(row: int) -> None:
        for k, rest in enumerate(rests):
            size = float(np.linalg.norm(rest[row]))
            if size > 0.0:
                direction = rest[row] / size
                rests[k] = rest - np.outer(rest @ direction, direction)

    for row in chosen:
        remove(row)
    while len(chosen) < count:
        sizes = np.min([np.linalg.norm(rest, axis=1) for rest in rests], axis=0)
        sizes[chosen] = 0.0
        row = int(np.flatnonzero(sizes >= NEAR_BEST * np.max(sizes))[-1])
        chosen.append(row)
        remove(row)
    return chosen


def _loose(mechanism: Mechanism) -> list[str]:
    """Bodies that nothing holds."""
    joined = {frame.body for pair in mechanism.joint_frames.values() for frame in pair}
    return [f"{body} has no joint" for b, body in enumerate(mechanism.bodies) if b not in joined]
