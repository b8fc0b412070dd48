"""The rows of a driven motion at one instant, without units: J x = b with one solution.

Small mechanisms have singular values. Large ones have a sparse factor of as many independent rows as there
are velocities, chosen at the start: rows that repeat them say nothing new on the way, and what they ask for
is checked when a pose is closed. The smallest singular value comes from a few inverse iterations.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Protocol

import numpy as np
import scipy

from engine.compiled.layout import Array, Ints
from engine.system.assembly.row_factor import RowFactor
from engine.system.assembly.scaling import RANK, Scales, subspaces
from engine.system.equations.evaluator import Evaluator

ITERATIONS = 4  # inverse ones: the smallest singular value to some per cent, which is all that is asked
TWICE = 2  # solutions: the second takes out what rounding left of the first


class DrivenRows(Protocol):
    """What a factor of the rows gives."""

    @property
    def regular(self) -> bool:
        """Whether every velocity is determined."""
        ...

    @property
    def reserve(self) -> float:
        """Smallest singular value over the largest: how far from a singular configuration."""
        ...

    @property
    def weakest(self) -> Array:
        """Shares of the rows in the combination that is nearest to vanish."""
        ...

    @property
    def null(self) -> Array:
        """What is left open: orthonormal columns."""
        ...

    @property
    def left_null(self) -> Any:
        """Combinations z of rows with zᵀJ = 0: columns."""
        ...

    def solve(self, b: Array) -> Array:
        """x with J x = b."""
        ...

    def solve_transposed(self, b: Array) -> Array:
        """The shortest λ with Jᵀλ = b."""
        ...

    def same_branch(self, other: Any) -> bool:
        """Whether det J has kept its sign since other rows."""
        ...

    def release(self) -> None:
        """Let go what takes much memory; `regular`, `reserve` and `weakest` are still known."""
        ...


class DenseDrivenRows:
    """By singular values."""

    def __init__(self, J: Array) -> None:
        self._J, self._space = J, subspaces(J)
        self.null, self.left_null, self.weakest = self._space.null, self._space.left_null, self._space.weakest
        self.solve, self.solve_transposed = self._space.solve, self._space.solve_transposed

    @property
    def regular(self) -> bool:
        return bool(self._space.rank == self._J.shape[1])

    @property
    def reserve(self) -> float:
        return float(self._space.singular[self._J.shape[1] - 1] / self._space.singular[0])

    def same_branch(self, other: DenseDrivenRows) -> bool:
        # J⁺ of the other times J is near 1 on the same branch
        return bool(np.linalg.slogdet(other.solve(self._J))[0] > 0.0)

    def release(self) -> None:
        pass  # few numbers


class SparseDrivenRows:
    """By an LU factor of the rows that were chosen, `kept`; fewer rows than velocities determine nothing."""

    def __init__(self, J: Any, kept: Ints) -> None:
        self._kept, self._shape = kept, J.shape
        self._J, self._K = J, J[kept].tocsc()
        self._lu = None
        if self._K.shape[0] == self._K.shape[1] and np.isfinite(self._K.data).all():
            try:
                self._lu = scipy.sparse.linalg.splu(self._K)
            except RuntimeError:  # exactly singular
                self._lu = None

    @cached_property
    def regular(self) -> bool:
        return self._lu is not None and self.reserve > RANK

    @property
    def reserve(self) -> float:
        return self._weak[0]

    @property
    def weakest(self) -> Array:
        found = np.zeros(self._shape[0])
        found[self._kept] = self._weak[1]
        return found

    @cached_property
    def _weak(self) -> tuple[float, Array]:
        """Smallest singular value over a bound of the largest, and its combination of rows."""
        K = abs(self._K)
        largest = float(np.sqrt(K.sum(axis=0).max(initial=0.0) * K.sum(axis=1).max(initial=0.0)))
        z = np.random.default_rng(5).normal(size=self._K.shape[0])
        if self._lu is None:
            return 0.0, z
        size = np.inf
        for _ in range(ITERATIONS):
            z = self._lu.solve(self._lu.solve(z / np.linalg.norm(z)), trans="T")
            size = float(np.linalg.norm(z))
        return 1.0 / (np.sqrt(size) * largest), z / size

    @cached_property
    def _rows(self) -> RowFactor:
        return RowFactor(self._J)

    @property
    def null(self) -> Array:
        width = self._J.shape[1]
        random = np.random.default_rng(4).normal(size=(width, width - self._rows.rank))
        return np.asarray(scipy.linalg.qr(self._rows.tangential(random), mode="economic")[0])

    @property
    def left_null(self) -> Any:
        return self._rows.left_null

    def solve(self, b: Array) -> Array:
        if self._lu is None:
            return self._rows.shortest(b)
        wanted = b[self._kept]
        x = self._lu.solve(wanted)
        return np.asarray(x + self._lu.solve(wanted - self._K @ x))

    def solve_transposed(self, b: Array) -> Array:
        # the shortest is a combination of the columns: λ = J y, JᵀJ y = b
        found = np.zeros(self._shape[0])
        for _ in range(TWICE):
            found += self._J @ self._normal.solve(b - self._J.T @ found)
        return found

    @cached_property
    def _normal(self) -> Any:
        return scipy.sparse.linalg.splu((self._J.T @ self._J).tocsc())

    def same_branch(self, other: SparseDrivenRows) -> bool:
        return self._sign == other._sign

    def release(self) -> None:
        assert self.regular is not None  # found while the factor is there
        for name in ("_rows", "_normal"):
            self.__dict__.pop(name, None)
        self._J = self._K = self._lu = None

    @cached_property
    def _sign(self) -> int:
        """Of det K."""
        assert self._lu is not None
        negative = int(np.sum(self._lu.U.diagonal() < 0.0))
        return -1 if (negative + _odd(self._lu.perm_r) + _odd(self._lu.perm_c)) % 2 else 1


def driven_rows(evaluator: Evaluator, scales: Scales, kept: Ints | None) -> DrivenRows:
    """At the last evaluation; `kept`, for a large mechanism, are rows that `independent_rows` has found."""
    if kept is not None:
        return SparseDrivenRows(scales.sparse_jacobian(evaluator.sparse_jacobian), kept)
    return DenseDrivenRows(scales.jacobian(evaluator.jacobian))


def independent_rows(evaluator: Evaluator, scales: Scales) -> Ints:
    """Rows of a large mechanism that do not repeat others, at the last evaluation."""
    rows = RowFactor(scales.sparse_jacobian(evaluator.sparse_jacobian), evaluator.row_structure)
    return np.flatnonzero(rows.independent)


def _odd(permutation: Ints) -> int:
    """1 for an odd permutation: as many exchanges as there are places less cycles."""
    left, cycles = np.asarray(permutation).tolist(), 0
    for i in range(len(left)):
        if left[i] >= 0:
            cycles += 1
            while left[i] >= 0:
                left[i], i = -1, left[i]
    return (len(left) - cycles) % 2
