"""A pose that lets bodies begin to move and not go on: to first order the rows repeat each other, to second
order they do not. With w a combination of rows that vanishes, wᵀJ = 0, accelerations need wᵀγ = 0.
"""

from __future__ import annotations

import numpy as np

from engine.compiled.layout import Array
from engine.errors import Problem, SceneEdit
from engine.simulation.stepping.method_driver import Driver
from engine.system.assembly.scaling import scales_of, subspaces
from engine.system.equations.evaluator import Evaluator

NEAR_ZERO = 1e-4  # singular values up to this share of the largest count as zero next to a pose that closes
UNMET = 1e-3  # of the largest γ
AS_LARGE = 0.999  # of the largest part: rows as deep in it, of which the one that comes last is named
MAX_VELOCITIES = 600  # singular values are dense


def shaky_pose(driver: Driver, sample: Array) -> Problem | None:
    """The joint or motion that has the largest part in it, or None where accelerations can be had."""
    mechanism = driver.mechanism
    if not mechanism.rows or mechanism.nv > MAX_VELOCITIES:
        return None
    t, q, v, angles, _ = driver.layout.state(sample)
    evaluator, scales = Evaluator(mechanism).at(t, q, v, angles), scales_of(mechanism)
    gamma = evaluator.gamma / scales.row
    repeated = subspaces(scales.jacobian(evaluator.jacobian), tolerance=NEAR_ZERO).left_null
    missed = np.abs(repeated @ (repeated.T @ gamma))
    if not np.max(missed, initial=0.0) > UNMET * np.max(np.abs(gamma)):
        return None
    row = mechanism.rows[int(np.flatnonzero(missed >= AS_LARGE * np.max(missed))[-1])]
    text = (
        f"{row.owner} {row.name!r} ({row.label}) and others let the bodies begin to move at t = {t:.6g} s, "
        "but not go on: the pose is singular, and locked a little further"
    )
    path = f"{row.owner}s.{row.name}"
    remedy = "take it away, or start at rest or at another pose"
    return Problem(path, None, text, remedy, (SceneEdit(path, remove=True),))
