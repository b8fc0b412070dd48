"""The position problem: the pose nearest to a guess at which all joints are closed.

Levenberg–Marquardt on r(q) = 0, where r stacks Φ(q, t) and the wanted joint coordinates, without units:

    x = −Aᵀ(AAᵀ + μ)⁻¹ r,   q ← q ⊕ D x,   μ = κ |r|² + floor,   A = ∂r/∂q D

Damping that vanishes with |r|² keeps the convergence quadratic also where
rows are dependent, without a decision about the rank: off the constraints redundant rows only look
independent. D holds the characteristic length of translations; small numbers make a body move last. Steps
are short, so that the branch is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import scipy

from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.layout import Array
from engine.elements.coordinates.coordinate_functions import Dot
from engine.elements.joints import JOINTS
from engine.system.assembly.damped_rows import DampedRows, DenseDampedRows, SparseDampedRows
from engine.system.assembly.scaling import LARGE, Scales
from engine.system.compiling.mechanism import Mechanism, RowInfo
from engine.system.equations.evaluator import Evaluator
from engine.system.equations.pose_table import rotations

CLOSED = 1e-12  # a joint is closed when its rows, over their sizes, are below this
MAX_STEP = 0.2  # largest step: rad, or characteristic lengths
DAMPING = 1e-2  # κ at the start
HARDER, SOFTER = 4.0, 0.25  # factors of κ after a step that failed or succeeded
MILDEST = 1e-4  # smallest κ
FLOOR = 1e-8  # singular values (over the largest) far below this do not act
TRIALS = 15  # of one step, each with more damping
LIMIT = 200  # steps
STALLED = 2e-3  # share of |r| that a full step must gain, on the average of the last ones
PATIENCE = 8
STATIONARY = 1e-6  # slope of |r|, without units, at which a pose is as good as its neighbours
ROUNDING = 1e-2  # share of what counts as closed at which nothing more is to be gained
ASKEW = 0.5  # cosine between axes that shall be parallel
OPPOSITE = -0.9  # cosine: axes given like this are meant to be opposite
EPSILON = float(np.finfo(float).eps)


@dataclass(frozen=True)
class Target:
    """A wanted value of a coordinate, of a joint as a rule."""

    joint: str
    coordinate: str
    coordinate_function: int
    value: float
    size: float  # by which a miss is divided
    unit: str
    owner: str = "joint"  # or "body", when a motion drives a coordinate of a body of this name


@dataclass(frozen=True)
class Pose:
    """A pose with the references of its tracked angles, and what is open at it."""

    q: Array
    angles: Array
    open: float  # largest violation over its size, wanted coordinates included
    closed: bool
    steps: int = 0  # that led to it


class PositionProblem:
    """Evaluates and solves r(q) = 0 for one mechanism at one instant."""

    def __init__(self, evaluator: Evaluator, scales: Scales, t: float) -> None:
        self.evaluator = evaluator
        self.mechanism = evaluator.mechanism
        self.scales = scales
        self.t = t
        self._aligning: list[Parallel] = []
        self._acts = np.array([not info.velocity for info in self.mechanism.rows], dtype=bool)

    @cached_property
    def _parallel(self) -> list[Parallel]:
        return _parallel_axes(self.mechanism)

    def without_motions(self) -> PositionProblem:
        """The same problem for the joints alone."""
        return self._where(lambda info: info.owner == "joint")

    def without(self, *names: str) -> PositionProblem:
        """The same problem without these joints or motions."""
        return self._where(lambda info: info.name not in names)

    def _where(self, kept: Callable[[RowInfo], bool]) -> PositionProblem:
        other = PositionProblem(self.evaluator, self.scales, self.t)
        other._acts = self._acts & np.array([kept(info) for info in self.mechanism.rows], dtype=bool)
        return other

    def residual(self, q: Array, angles: Array, targets: Sequence[Target]) -> Array:
        """r: rows over their sizes, then the misses of the wanted coordinates."""
        found = self.evaluator.at(self.t, q, angles=angles)
        value = found.work.coordinate[:, COORDINATE_VALUE.VALUE]
        phi = np.where(self._acts, found.phi / self.scales.row, 0.0)
        if self._aligning:
            self._align(phi)
        misses = [(value[target.coordinate_function] - target.value) / target.size for target in targets]
        return np.concatenate([phi, misses])

    def values(self) -> Array:
        """Tracked angles at the last evaluation."""
        return np.array(self.evaluator.work.coordinate[self.evaluator.system.tracked, COORDINATE_VALUE.VALUE])

    def matrix(self, targets: Sequence[Target], columns: Array) -> Array:
        """A at the last evaluation, its columns multiplied by their sizes."""
        A = self.evaluator.jacobian / self.scales.row[:, None]
        A[~self._acts] = 0.0
        if self._aligning:
            self._align(np.zeros(len(A)), A)
        if targets:
            gradients = self.evaluator.coordinate_gradients
            A = np.vstack([A, [gradients[target.coordinate_function] / target.size for target in targets]])
        return np.asarray(A * columns)

    def _damped_rows(self, targets: Sequence[Target], columns: Array, weights: Array) -> DampedRows | None:
        """A at the last evaluation, ready for steps; None where it is not finite."""
        if len(columns) > LARGE and not self._aligning:
            sparse = self._sparse_matrix(targets, columns).multiply(weights[:, None]).tocsr()
            structure = None if targets else self.evaluator.row_structure
            return SparseDampedRows(sparse, structure) if np.isfinite(sparse.data).all() else None
        A = self.matrix(targets, columns) * weights[:, None]
        return DenseDampedRows(A) if np.isfinite(A).all() else None

    def _sparse_matrix(self, targets: Sequence[Target], columns: Array) -> Any:
        """The same as `matrix`, in compressed rows."""
        A = self.evaluator.sparse_jacobian
        sizes = np.where(self._acts, 1.0 / self.scales.row, 0.0)
        A.data *= np.repeat(sizes, np.diff(A.indptr))
        rows = [
            scipy.sparse.csr_array(self.evaluator.coordinate_gradient(t.coordinate_function)[None] / t.size)
            for t in targets
        ]
        return scipy.sparse.vstack([A, *rows], format="csr").multiply(columns[None]).tocsr()

    def rounding(self, q: Array, targets: Sequence[Target]) -> float:
        """What is left of r at a closed pose, at most."""
        largest = max([float(np.max(np.abs(q), initial=0.0)) / self.scales.length, 1.0])
        largest = max([largest, *(abs(target.value) / target.size for target in targets)])
        return max(CLOSED, 32.0 * EPSILON * largest)

    def pose(self, q: Array, angles: Array, targets: Sequence[Target]) -> Pose:
        """What is open at a pose."""
        r = self.residual(q, angles, targets)
        size = float(np.max(np.abs(r), initial=0.0))
        return Pose(q, self.values(), size, size <= self.rounding(q, targets))

    def solve(
        self, q: Array, angles: Array, *, targets: Sequence[Target] = (), columns: Array, weight: float = 1.0
    ) -> Pose:
        """The nearest closed pose, or the one at which least is open. A zero column keeps its coordinate."""
        steps = 0
        askew = [
            pair
            for pair, cosine in zip(self._parallel, self.cosines(q), strict=True)
            if OPPOSITE < cosine < ASKEW
        ]
        if askew and not self._aligning:
            # axes far from parallel: first a problem that has no solution with an axis turned over
            self._aligning = askew
            near = self.solve(q, angles, targets=targets, columns=columns, weight=weight)
            self._aligning = []
            q, angles, steps = near.q, near.angles, near.steps
        weights = np.concatenate([np.ones(len(self.scales.row)), np.full(len(targets), weight)])
        if not len(weights) or not len(columns):
            return self.pose(q, angles, targets)
        r = self.residual(q, angles, targets) * weights
        angles = self.values()
        kappa, history = DAMPING, [float(np.linalg.norm(r))]
        rounding = self.rounding(q, targets)
        far = max((abs(t.value) for t in targets), default=0.0)  # whole turns are walked
        for _ in range(LIMIT + int(2.0 * far / MAX_STEP)):
            if float(np.max(np.abs(r))) <= ROUNDING * rounding:
                break
            damped = self._damped_rows(targets, columns, weights)
            if damped is None:
                break  # a pose without derivatives, such as a wheel that lies flat
            accepted = False
            if damped.slope(r) <= STATIONARY * damped.largest * history[-1]:
                break
            for _ in range(TRIALS):
                mu = damped.largest**2 * FLOOR**2 + kappa * float(r @ r)
                step = columns * damped.step(r, mu)
                longest = float(np.max(np.abs(step / self.scales.column)))
                step *= min(1.0, MAX_STEP / max(longest, EPSILON))
                trial = self.evaluator.retract(q, step)
                r_trial = self.residual(trial, angles, targets) * weights
                if float(np.linalg.norm(r_trial)) < history[-1]:
                    accepted = True
                    break
                kappa *= HARDER
            if not accepted:
                break
            q, r, angles, steps = trial, r_trial, self.values(), steps + 1
            kappa = max(MILDEST, SOFTER * kappa)
            history.append(float(np.linalg.norm(r)))
            stalled = (1.0 - STALLED) ** PATIENCE * history[max(-PATIENCE - 1, -len(history))]
            if longest <= MAX_STEP and len(history) > PATIENCE and history[-1] > stalled:
                break
        return replace(self.pose(self.evaluator.normalised(q), angles, targets), steps=steps)

    # the rows of parallel axes also hold where one axis is turned over, which no real joint allows

    def cosines(self, q: Array) -> Array:
        """Of the largest angle between axes that a joint keeps parallel, one number per such joint."""
        rotation = self._rotations(q)
        return np.array([min(pair.cosines(rotation)) for pair in self._parallel])

    def askew(self, q: Array) -> dict[str, float]:
        """Joint → angle by which axes that it keeps parallel differ [rad]."""
        rotation = self._rotations(q)
        return {pair.joint: float(np.linalg.norm(pair.error(rotation)[0])) for pair in self._parallel}

    def turned_over(self, q: Array, given: Array) -> list[str]:
        """Joints closed the wrong way round; the given pose says which axes are meant to be opposite."""
        cosines = zip(self._parallel, self.cosines(q), self.cosines(given), strict=True)
        return sorted(pair.joint for pair, now, before in cosines if now < 0.0 and before > OPPOSITE)

    def _rotations(self, q: Array) -> Array:
        return rotations(self.evaluator.at(self.t, q).work.pose)

    def _align(self, r: Array, A: Array | None = None) -> None:
        """Replace dot products of parallel axes by the missing rotation, which grows up to half a turn."""
        rotation = rotations(self.evaluator.work.pose)
        for pair in self._aligning:
            error, directions = pair.error(rotation)
            r[pair.rows] = directions @ error
            if A is not None:
                A[pair.rows] = 0.0
                for body, sign in ((pair.a, -1.0), (pair.b, 1.0)):
                    at = self.mechanism.system.bodies[body, BODY.V]
                    if at >= 0:
                        A[pair.rows, at + 3 : at + 6] = sign * directions @ rotation[body]


@dataclass(frozen=True)
class Parallel:
    """Axes that a joint keeps parallel by dot products: z alone, or all three."""

    joint: str
    rows: list[int]
    a: int
    axes_A: Array  # columns, in axes of body A
    b: int
    axes_B: Array

    def cosines(self, rotation: Array) -> list[float]:
        A, B = rotation[self.a] @ self.axes_A, rotation[self.b] @ self.axes_B
        which = range(3) if len(self.rows) == 3 else (2,)
        return [float(A[:, k] @ B[:, k]) for k in which]

    def error(self, rotation: Array) -> tuple[Array, Array]:
        """Rotation vector from A to B (of the axis, or of the frame), and the directions that count."""
        A, B = rotation[self.a] @ self.axes_A, rotation[self.b] @ self.axes_B
        if not (np.isfinite(A).all() and np.isfinite(B).all()):
            return np.full(3, np.nan), A.T[: len(self.rows)]  # a trial beyond all numbers, which is dropped
        if len(self.rows) == 3:
            return scipy.spatial.transform.Rotation.from_matrix(B @ A.T).as_rotvec(), A.T
        across = np.cross(A[:, 2], B[:, 2])
        sine = float(np.linalg.norm(across))
        angle = float(np.arctan2(sine, A[:, 2] @ B[:, 2]))
        return (across * angle / sine if sine > EPSILON else angle * A[:, 0]), A[:, :2].T


def _parallel_axes(mechanism: Mechanism) -> list[Parallel]:
    found = []
    for joint in mechanism.scene.joints:
        frames = mechanism.joint_frames.get(joint.name)
        if frames is None or mechanism.planar:
            continue
        A, B = frames
        kind = JOINTS[str(joint.__struct_config__.tag)]
        first = mechanism.joint_rows[joint.name].begin
        dots = [
            first + i
            for i, row in enumerate(kind.rows_in(mechanism.scene.space, joint))
            if isinstance(row.coordinate_function, Dot)
            and row.coordinate_function.a != row.coordinate_function.b
        ]
        if len(dots) > 1:
            found.append(Parallel(joint.name, dots, A.body, A.axes, B.body, B.axes))
    return found
