"""Which channels redundancy leaves open.

Where constraint rows repeat each other, zᵀJ = 0 for some z ≠ 0, multipliers λ and λ + z move the mechanism
alike: the motion is unique, but what single joints carry is not. A channel that changes with such a z is one
of many possible values. Poses that are singular only for a moment do not count: they are reported by sample.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.compiled.layout import Array
from engine.maths.sparse.symbolic import Symbolic
from engine.results.assessment.conditioning import Conditioning
from engine.results.channels import Channels
from engine.system.assembly.row_factor import RowFactor
from engine.system.assembly.scaling import LARGE, scales_of, subspaces
from engine.system.equations.evaluator import Evaluator

POSES = 5  # looked at along a run
MIXTURES = 4  # of vanishing combinations that are tried in a large mechanism
CHANGES = 1e-6  # smallest change of a channel that counts, of the size of the z that is added


def not_unique(channels: Channels, samples: Array) -> frozenset[str]:
    """Names of the channels that are one of many; `samples` must satisfy the constraints."""
    mechanism, layout = channels.mechanism, channels.layout
    if not mechanism.rows or not len(samples):
        return frozenset()
    poses = samples[np.unique(np.linspace(0, len(samples) - 1, POSES).astype(int))]
    if Conditioning(mechanism, poses).rank == len(mechanism.rows):
        return frozenset()  # pivots take far less time than the subspaces of a large mechanism
    evaluator, scales = Evaluator(mechanism), scales_of(mechanism)
    structure = evaluator.row_structure if mechanism.nv > LARGE else None
    found = []
    for pose in poses:
        evaluator.at(pose[layout.t], pose[layout.q], angles=pose[layout.angles])
        found.append(_vanishing(scales.sparse_jacobian(evaluator.sparse_jacobian), structure))
    generic = max(rank for rank, _ in found)
    return _changed(
        channels,
        [
            (pose, combinations.T / scales.row)
            for pose, (rank, combinations) in zip(poses, found, strict=True)
            if rank == generic and combinations.shape[1]
        ],
    )


def _vanishing(J: Any, structure: Symbolic | None) -> tuple[int, Array]:
    """Rank of J, and combinations z of its rows that vanish (columns).

    All of them for few velocities, some at random for many: a channel that one of them changes is changed by
    nearly every mixture of them.
    """
    if structure is not None:
        rows = RowFactor(J, structure)
        if rows.clear:
            return rows.rank, rows.vanishing(MIXTURES if rows.rank < J.shape[0] else 0)
    space = subspaces(J.toarray())
    return space.rank, space.left_null


def _changed(channels: Channels, poses: Sequence[tuple[Array, Array]]) -> frozenset[str]:
    """Channels that differ at a pose when one of its combinations of multipliers is added."""
    if not poses:
        return frozenset()
    multipliers = channels.layout.permanent
    # all poses in one table: calling a channel costs more than its values
    samples: list[Array] = []
    before: list[int] = []
    sizes: list[float] = []
    for pose, combinations in poses:
        size = max(1.0, float(np.abs(pose[multipliers]).max()))
        rows = np.repeat(pose[None], 1 + len(combinations), axis=0)
        rows[1:, multipliers] += size * combinations
        before += [len(before)] * len(rows)  # the row of the pose itself
        sizes += [size] * len(rows)
        samples.append(rows)
    names, evaluation = channels.names(), channels.evaluation(np.concatenate(samples))
    with np.errstate(all="ignore"):  # measures may divide by what is zero here
        table = channels.table(names, [evaluation])
        differs = np.any(np.abs(table - table[before]) > CHANGES * np.array(sizes)[:, None], axis=0)
    return frozenset(names[k] for k in np.flatnonzero(differs))
