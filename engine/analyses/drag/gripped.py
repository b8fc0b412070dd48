"""A linkage that is held at some of its points, at a closed pose: in which ways the points can move there.

With A = Φ_q D (D: sizes of the coordinates, heavy bodies count as larger) a factor of A gives the null space
N, in which the linkage moves, and the shortest way back to the constraints across it (`tangent_space.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy

from engine.analyses.drag.grips import Grip, linkage, reach
from engine.analyses.drag.limits import limits_of
from engine.analyses.drag.tangent_space import (
    DenseTangentSpace,
    NoTangentSpace,
    SparseTangentSpace,
    TangentSpace,
)
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import body_reals as BODY_REAL
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import rows as ROW
from engine.compiled.layout import Array, Ints
from engine.maths.rotations import cross_matrix
from engine.maths.sparse.symbolic import Symbolic, analyse
from engine.system.assembly.row_factor import with_diagonal
from engine.system.assembly.scaling import LARGE, scales_of
from engine.system.compiling.mechanism import Mechanism
from engine.system.equations.evaluator import Evaluator
from engine.system.equations.pose_table import point, rotation

CLOSED = 1e-12  # rows over their sizes
MAX_STEP = 0.15  # longest step: rad or characteristic lengths
CORRECTIONS = 10  # with one factor
MOVES = 1e-6  # share of the largest gain below which a degree of freedom does not move the point
PROBE = 1e-6  # rad or lengths, for the derivative of the gradient
LIGHT = 0.2  # least share of the mean mass that a body counts with


class GrippedLinkage:
    """At a pose; motions hold unless without them the first point could not move at all."""

    def __init__(
        self,
        mechanism: Mechanism,
        grips: Sequence[Grip],
        *,
        t: float,
        q: Array,
        angles: Array | None = None,
        evaluator: Evaluator | None = None,
    ) -> None:
        self.mechanism, self.grips, self.t = mechanism, tuple(grips), t
        self._evaluator = evaluator or Evaluator(mechanism)
        self._scales = scales_of(mechanism)
        self.length = self._scales.length if mechanism.rows else reach(mechanism)
        nb = len(mechanism.bodies)
        linked, bodies_of_row = linkage(mechanism, self.grips[0].body)
        self.bodies = tuple(mechanism.bodies[b] for b in linked)
        self._indices = dict(zip(self.bodies, linked, strict=True))
        width = 3 if mechanism.planar else 6
        alone = not any(set(linked) & bodies for bodies in bodies_of_row)
        per_body = range(2 if mechanism.planar else 3) if alone else range(width)  # alone: it does not turn
        if len(self.grips) > 1:
            per_body = range(width)
        self._columns = np.array([b * width + c for b in linked for c in per_body], dtype=np.int64)
        own = set(linked)
        rows = mechanism.system.rows[: len(mechanism.rows)]
        active = rows[:, ROW.ACTIVE] != 0
        self._all = np.array(
            [r for r, found in enumerate(bodies_of_row) if found & own and active[r]], dtype=np.int64
        )
        velocity = rows[:, ROW.VELOCITY] != 0
        self._velocity_rows = velocity
        self._large = len(self._columns) > LARGE and len(self._all) > 0
        self._sizes = self._weights(width, nb)[self._columns]
        self._angles = angles
        self.q = np.array(q, dtype=float)
        self.released: tuple[str, ...] = ()
        self._tangent: TangentSpace = NoTangentSpace(len(self._columns), len(self._all))
        self._directions: Array = np.zeros((0, 3))
        self._rows: Ints = self._all
        self._structured: tuple[Ints, Symbolic] | None = None
        self._limits = limits_of(mechanism)
        self.evaluate(self.q)
        self.closed = self.gap() <= CLOSED or self._close_first()
        self.factor()
        if (not self.closed or not len(self.directions)) and self._motions():
            # held motions would block the drag: let go of them
            self.released = self._motions()
            self._rows = np.array(
                [r for r in self._all if mechanism.rows[r].owner != "motion"], dtype=np.int64
            )
            self.evaluate(self.q)
            self.closed = self.gap() <= CLOSED or self._close_first()
            self.factor()

    # what is known of the degrees of freedom

    @property
    def dof(self) -> int:
        """Of the linkage that the point belongs to, at this pose."""
        return self._tangent.dof

    @property
    def basis(self) -> Array:
        """Directions in which the linkage is led, orthonormal columns."""
        return self._tangent.basis

    @property
    def directions(self) -> Array:
        """Unit vectors in which the first point can move, the freest first, shape (k, 3)."""
        return self._directions

    @property
    def places(self) -> Array:
        """Of the grips, in the world."""
        pose = self._evaluator.work.pose
        return np.array([point(pose, grip.body, grip.point) for grip in self.grips]).reshape(-1, 3)

    def poses(self) -> dict[str, tuple[Array, Array]]:
        """Origins (3,) and rotations (3, 3) of the bodies that are led along."""
        pose, found = self._evaluator.work.pose, {}
        for name in self.bodies:
            b = self._indices[name]
            found[name] = (point(pose, b, -self.mechanism.com[b]), rotation(pose, b).copy())
        return found

    @property
    def angles(self) -> Array:
        """Tracked angles at this pose, whole turns counted."""
        return np.array(
            self._evaluator.work.coordinate[self.mechanism.system.tracked, COORDINATE_VALUE.VALUE]
        )

    @property
    def violation(self) -> float:
        """Largest |Φ| of the rows that hold [m, rad]."""
        return float(np.max(np.abs(self._evaluator.phi[self._rows]), initial=0.0))

    def beyond(self) -> float:
        """How far stops and ropes are passed at this pose, all together [rad, m]."""
        values = self._evaluator.work.coordinate[self._limits.functions, COORDINATE_VALUE.VALUE]
        return float(np.maximum(self._limits.sides * (values - self._limits.limits), 0.0).sum())

    def effective_mass(self) -> float:
        """What the first point weighs in the direction in which it gives way most easily [kg]; 0: nothing.

        1/μ, μ the largest eigenvalue of G (NᵀMN)⁻¹ Gᵀ.
        """
        blocks = self._evaluator.mass_blocks()
        width = blocks.shape[1]
        null = np.zeros((self.mechanism.nv, self.basis.shape[1]))
        null[self._columns] = self.basis * self._sizes[:, None]
        M = null.T @ (blocks @ null.reshape(len(blocks), width, -1)).reshape(null.shape)
        gains = self.point_jacobian()[:3] @ self.basis
        if not gains.size or not np.isfinite(M).all():
            return 0.0
        mobility = gains @ np.linalg.pinv(M, hermitian=True) @ gains.T
        largest = float(np.linalg.eigvalsh(mobility)[-1])
        return 1.0 / largest if largest > 0.0 else 0.0

    @property
    def mass(self) -> float:
        """Of all bodies that come along [kg]."""
        own = [self._indices[name] for name in self.bodies]
        return float(self.mechanism.system.body_reals[own, BODY_REAL.MASS].sum())

    def coordinate_function(self, number: int) -> float:
        """Value of a coordinate function at this pose."""
        return float(self._evaluator.work.coordinate[number, COORDINATE_VALUE.VALUE])

    @property
    def held(self) -> tuple[str, ...]:
        """Motions that hold while the point is led."""
        return self._motions()

    def _motions(self) -> tuple[str, ...]:
        rows = [self.mechanism.rows[r] for r in self._rows]
        return tuple(dict.fromkeys(row.name for row in rows if row.owner == "motion"))

    # the pose

    def evaluate(self, q: Array) -> Array:
        """Look at another pose; that of the linkage stays."""
        self._evaluator.at(self.t, q, angles=self._angles)
        return q

    def restore(self, q: Array) -> None:
        self.q = q
        self.evaluate(q)

    def move(self, q: Array, *, turned: float) -> bool:
        """To a closed pose that is evaluated; False, and back, where the tangent space turns too far.

        `turned` is the least cosine between the ways to move before and after.
        """
        before, tangent, directions, angles = self.q, self._tangent, self._directions, self._angles
        self._angles = self.angles
        self.q = self._evaluator.normalised(q)
        self.evaluate(self.q)
        self.factor()
        if self._tangent.dof == tangent.dof and self._tangent.holds(tangent.basis) >= turned:
            return True
        self._tangent, self._directions, self._angles = tangent, directions, angles
        self.restore(before)
        return False

    @property
    def can_move(self) -> bool:
        return len(self._columns) > 0

    @property
    def has_limits(self) -> bool:
        return len(self._limits.functions) > 0

    def retract(self, q: Array, x: Array) -> Array:
        step = np.zeros(self.mechanism.nv)
        step[self._columns] = self._sizes * x
        return self._evaluator.retract(q, step)

    def longest(self, x: Array) -> float:
        """Largest part of a step: rad or lengths."""
        plain = np.abs(x * self._sizes / self._plain)
        return float(np.max(plain, initial=0.0))

    def _residual(self) -> Array:
        """Violation of the position rows, over their sizes."""
        rows = self._rows
        return np.where(self._velocity_rows[rows], 0.0, self._evaluator.phi[rows] / self._scales.row[rows])

    def gap(self) -> float:
        """Largest violation of the position rows over their sizes; infinite where it is no number."""
        found = float(np.max(np.abs(self._residual()), initial=0.0))
        return found if np.isfinite(found) else np.inf

    def _close_first(self) -> bool:
        """Bring the given pose to the constraints; small gaps only."""
        q = self.q
        for _ in range(CORRECTIONS):
            self.factor()
            y = self.correction()
            if not self.longest(y) <= MAX_STEP:
                break
            q = self.retract(q, y)
            self.evaluate(q)
            if self.gap() <= CLOSED:
                self.q = self._evaluator.normalised(q)
                self._angles = self.angles
                self.evaluate(self.q)
                return True
        self.evaluate(self.q)
        return False

    # derivatives

    def _matrix(self) -> Any:
        """A at the evaluated pose, rows that hold over velocities of the linkage; of a large one sparse."""
        rows = self._rows
        if self._large:
            J = self._evaluator.sparse_jacobian[rows][:, self._columns]
            return J.multiply(1.0 / self._scales.row[rows, None]).multiply(self._sizes[None]).tocsr()
        J = self._evaluator.jacobian[rows][:, self._columns]
        return np.asarray(J / self._scales.row[rows, None] * self._sizes)

    def factor(self) -> None:
        """Factor the rows at the evaluated pose: null space, and directions of the point."""
        A = self._matrix()
        points = self.point_jacobian()
        if not np.isfinite(A.data if self._large else A).all():
            self._tangent = NoTangentSpace(len(self._columns), len(self._rows))
        elif self._large:
            self._tangent = SparseTangentSpace(A, points, self._structure(A))
        else:
            self._tangent = DenseTangentSpace(A)
        gains = points[:3] @ self.basis
        self._directions = np.zeros((0, 3))
        if gains.size:
            U, singular, _ = np.linalg.svd(gains, full_matrices=False)
            self._directions = U.T[singular > MOVES * self.length]

    def _structure(self, A: Any) -> Symbolic:
        """Of the factor of A Aᵀ, which stays as long as the same rows hold."""
        if self._structured is None or self._structured[0] is not self._rows:
            blocks = scipy.sparse.csr_array((np.ones_like(A.data), A.indices, A.indptr), shape=A.shape)
            self._structured = self._rows, analyse(with_diagonal(blocks @ blocks.T))
        return self._structured[1]

    def correction(self) -> Array:
        """Shortest x with A x = −r, by the last factor."""
        return self._tangent.shortest(self._residual())

    def point_jacobian(self) -> Array:
        """∂p/∂x of all grips, shape (3k, n)."""
        system, pose = self.mechanism.system, self._evaluator.work.pose
        full = np.zeros((3 * len(self.grips), self.mechanism.nv))
        for i, grip in enumerate(self.grips):
            at = int(system.bodies[grip.body, BODY.V])
            R = rotation(pose, grip.body)
            lines = slice(3 * i, 3 * i + 3)
            if self.mechanism.planar:
                arm = R @ grip.point
                full[lines, at : at + 2] = np.eye(3)[:, :2]
                full[lines, at + 2] = (-arm[1], arm[0], 0.0)
            else:
                full[lines, at : at + 3] = np.eye(3)
                full[lines, at + 3 : at + 6] = -R @ cross_matrix(grip.point)
        return np.asarray(full[:, self._columns] * self._sizes)

    def gradient(self, weighted: Array) -> Array:
        """J_pᵀ W e."""
        return np.asarray(self.point_jacobian().T @ weighted.ravel())

    def curvature(self, weighted: Array, full: Array) -> Array:
        """Nᵀ ∂(J_pᵀ W e + Aᵀλ)/∂x N with W e and λ kept, by differences along the null space."""
        null, q = self.basis, self.q
        multipliers = self._tangent.multipliers(full)
        here = full + self._matrix().T @ multipliers
        changes = np.zeros((len(self._columns), null.shape[1]))
        for i in range(null.shape[1]):
            step = PROBE / max(self.longest(null[:, i]), np.finfo(float).tiny)
            self.evaluate(self.retract(q, step * null[:, i]))
            changes[:, i] = (self.gradient(weighted) + self._matrix().T @ multipliers - here) / step
        self.evaluate(q)
        return np.asarray(null.T @ changes)

    def _weights(self, width: int, nb: int) -> Array:
        """Size of every coordinate: lengths and radians, smaller for heavy bodies."""
        # many short links move as a whole rather than by a kink: translations count for less
        length = (
            np.sqrt(self.length * max(self.length, reach(self.mechanism))) if self._large else self.length
        )
        plain = np.tile([length, length, 1.0] if width == 3 else [length] * 3 + [1.0] * 3, nb)
        mass = self.mechanism.system.body_reals[:nb, BODY_REAL.MASS]
        share = mass / mass.mean() if nb and mass.mean() > 0.0 else np.ones(nb)
        self._plain_all = plain
        sizes = plain / np.sqrt(LIGHT + np.repeat(share, width))
        return np.asarray(sizes)

    @property
    def _plain(self) -> Array:
        return np.asarray(self._plain_all[self._columns])
