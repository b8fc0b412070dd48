"""Rows of B: which joint coordinates, or else velocities of bodies, are taken as independent ones at a pose.

ż = B v with the gradients of the chosen coordinates; [J; B] then fixes all velocities [Antón 2015, eq. 3.8].
In an open chain all joint coordinates are independent. Elsewhere those are chosen whose gradients differ most
from each other among the velocities that the constraints leave, by pivoted QR.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy

from engine.analyses.answers.result import Mention
from engine.analyses.base import Question
from engine.errors import Problem, SceneError
from engine.system.assembly.scaling import scales_of

MAX_VELOCITIES = 1200  # velocities; a null space of more is not computed here
BODY_WORTH = 1e-3  # of a body's velocity beside a joint coordinate: taken only where none of these is left


@dataclass(frozen=True)
class Independent:
    """Rows of B (sparse), and the element each belongs to."""

    rows: Any
    lines: tuple[Mention, ...]
    notes: tuple[str, ...] = ()


def independent_rows(question: Question, J: Any) -> Independent:
    """At the pose where the evaluator stands; J is that of the pose."""
    mechanism, evaluator = question.mechanism, question.evaluator
    n = mechanism.nv
    names = list(mechanism.coordinates)
    gradients = (
        np.array([evaluator.coordinate_gradient(mechanism.coordinates[name]) for name in names])
        if names
        else np.zeros((0, n))
    )
    lines = [Mention("joints", joint, f"{joint}: {word}") for joint, word in names]
    if len(names) == n - J.shape[0]:
        together = scipy.sparse.vstack([J, scipy.sparse.csr_array(gradients)])
        if n and np.isfinite(gradients).all() and _regular(together):
            return Independent(scipy.sparse.csr_array(gradients), tuple(lines))
    if n > MAX_VELOCITIES:
        reason = f"with {n} velocities and loops the choice of independent coordinates takes too long here"
        remedy = f"look at another matrix, or at a mechanism with at most {MAX_VELOCITIES} velocities"
        raise SceneError([Problem("options.matrix", "independent", reason, remedy)])
    scales = scales_of(mechanism)
    space = scipy.linalg.null_space(scales.jacobian(J.toarray())) if J.shape[0] else np.eye(n)
    free = space.shape[1]
    if not free:
        return Independent(scipy.sparse.csr_array((0, n)), ())
    candidates = np.vstack([gradients, np.eye(n)]) * scales.column
    sizes = np.linalg.norm(candidates, axis=1)
    worth = np.append(np.ones(len(names)), np.full(n, BODY_WORTH)) / np.where(sizes > 0.0, sizes, 1.0)
    _, pivots = scipy.linalg.qr(((candidates * worth[:, None]) @ space).T, mode="r", pivoting=True)
    chosen = sorted(int(k) for k in pivots[:free])
    own = [k for k in chosen if k < len(names)]
    width = 3 if mechanism.planar else 6
    body = [k - len(names) for k in chosen if k >= len(names)]
    lines += [Mention("bodies", mechanism.bodies[c // width]) for c in body]
    notes = (
        (f"{len(body)} of {free} independent velocities are those of bodies: no more joint coordinates fit",)
        if body
        else ()
    )
    rows = np.vstack([gradients[own], np.eye(n)[body]])
    every = [lines[k] for k in own] + lines[len(names) :]
    return Independent(scipy.sparse.csr_array(rows), tuple(every), notes)


def _regular(matrix: Any) -> bool:
    try:
        scipy.sparse.linalg.splu(scipy.sparse.csc_array(matrix))
    except RuntimeError:
        return False
    return True
