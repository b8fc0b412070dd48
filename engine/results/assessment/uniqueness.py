"""Which channels redundancy leaves open.

Where constraint rows repeat each other, zᵀJ = 0 for some z ≠ 0, multipliers λ and λ + z move the mechanism
alike: the motion is unique, but what single joints carry is not. A channel that changes with such a z is one
of many possible values. Poses that are singular only for a moment do not count: they are reported by sample.
"""

from __future__ import annotations

import numpy as np

from engine.compiled.layout import Array
from engine.results.assessment.conditioning import Conditioning
from engine.results.channels import Channels
from engine.system.assembly.scaling import scales_of, subspaces
from engine.system.equations.evaluator import Evaluator

POSES = 5  # looked at along a run
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
    found = [
        subspaces(
            scales.jacobian(evaluator.at(pose[layout.t], pose[layout.q], angles=pose[layout.angles]).jacobian)
        )
        for pose in poses
    ]
    generic = max(space.rank for space in found)
    changed: set[str] = set()
    for pose, space in zip(poses, found, strict=True):
        if space.rank == generic and space.left_null.shape[1]:
            changed |= _changed(channels, pose, space.left_null.T / scales.row)
    return frozenset(changed)


def _changed(channels: Channels, pose: Array, combinations: Array) -> set[str]:
    """Channels that differ at one pose when one of the combinations of multipliers is added."""
    multipliers = channels.layout.multipliers
    size = max(1.0, float(np.abs(pose[multipliers]).max()))
    samples = np.repeat(pose[None], 1 + len(combinations), axis=0)
    samples[1:, multipliers] += size * combinations
    names, evaluation = channels.names(), channels.evaluation(samples)
    with np.errstate(all="ignore"):  # measures may divide by what is zero here
        table = channels.table(names, [evaluation])
        differs = np.abs(table[1:] - table[0]) > CHANGES * size
    return {name for name, any_row in zip(names, differs.any(axis=0), strict=True) if any_row}
