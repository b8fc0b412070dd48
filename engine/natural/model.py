"""A mechanism in mixed coordinates: points, unit vectors, joint angles and distances, some of them held.

Items come by name. A triple (point or vector) has the coordinates `P.x`, `P.y`, `P.z`, a relative coordinate
its own name. Constraints are added row by row; their values at the start are the constants that they keep.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.natural.terms import ALWAYS, COSINE, SINE

Vector = NDArray[np.float64]
AXES = "xyz"
Direction = Sequence[str]  # ("u",) a vector, ("P", "Q") the one from P to Q


@dataclass
class Row:
    """One constraint: products of coordinates with their factors, by form, and what it defines."""

    label: str
    terms: list[tuple[int, float, tuple[str, ...]]] = field(default_factory=list)  # form, factor, coordinates
    closure: bool = False  # closes a loop: a hint for orderings
    angle: str = ""  # the relative coordinate that it defines by a sine or cosine
    amplitude: float = 0.0
    form: int = ALWAYS  # the one form it has; ALWAYS: both


@dataclass(frozen=True)
class Spring:
    """A force −k (x − rest) − c ẋ on one coordinate."""

    coordinate: str
    stiffness: float
    damping: float = 0.0
    rest: float = 0.0


@dataclass(frozen=True)
class Moved:
    """A body as a combination of items: p = Σ ξ_k Σ_i matrix_ki x_i; moments Γ of ξ = (1, ξ₁, ξ₂, ξ₃)."""

    parts: tuple[tuple[tuple[str, Vector], ...], ...]  # of every ξ: items with their 3 × 3 matrices
    moments: Vector  # Γ, shape (4, 4) [kg]


@dataclass
class NaturalModel:
    """Coordinates, constraints, bodies and springs. `NaturalEquations` makes arrays of it."""

    values: dict[str, Vector] = field(default_factory=dict)
    held: set[str] = field(default_factory=set)
    rows: list[Row] = field(default_factory=list)
    bodies: list[Moved] = field(default_factory=list)
    springs: list[Spring] = field(default_factory=list)
    relative: set[str] = field(default_factory=set)
    gravity: Vector = field(default_factory=lambda: np.zeros(3))

    # items

    def add(self, name: str, value: ArrayLike, *, held: bool = False) -> None:
        """A point or vector."""
        self.values[name] = np.array(value, dtype=float)
        if held:
            self.held.add(name)

    def add_relative(self, name: str, value: float, *, held: bool = False) -> None:
        """An angle or a distance."""
        self.add(name, [value], held=held)
        self.relative.add(name)

    def __getitem__(self, name: str) -> Vector:
        return self.values[name]

    def coordinates(self) -> list[str]:
        """All, in the order of their items."""
        return [c for name in self.values for c in self._parts(name)]

    def free(self) -> list[str]:
        return [c for name in self.values if name not in self.held for c in self._parts(name)]

    def _parts(self, name: str) -> list[str]:
        return [f"{name}.{c}" for c in AXES] if len(self.values[name]) == 3 else [name]

    def place(self, name: str, axis: int) -> str:
        return self._parts(name)[axis]

    # constraints

    def direction(self, of: Direction) -> Vector:
        return self[of[0]] if len(of) == 1 else self[of[1]] - self[of[0]]

    @staticmethod
    def _signed(of: Direction) -> tuple[tuple[str, float], ...]:
        return ((of[0], 1.0),) if len(of) == 1 else ((of[1], 1.0), (of[0], -1.0))

    def row(self, label: str, *, closure: bool = False) -> Row:
        made = Row(label, closure=closure)
        self.rows.append(made)
        return made

    def dot(self, a: Direction, b: Direction, *, closure: bool = False) -> None:
        """The product of two vectors keeps its value."""
        row = self.row(f"{'→'.join(a)} · {'→'.join(b)}", closure=closure)
        self._dot_terms(row, a, b, ALWAYS)

    def distance(self, a: str, b: str, *, closure: bool = False) -> None:
        self.dot((a, b), (a, b), closure=closure)

    def _dot_terms(self, row: Row, a: Direction, b: Direction, form: int) -> None:
        for i in range(3):
            for x, s in self._signed(a):
                for y, t in self._signed(b):
                    row.terms.append((form, s * t, (self.place(x, i), self.place(y, i))))

    def angle(self, a: Direction, b: Direction, axis: Direction, theta: str, *, form: int = ALWAYS) -> None:
        """θ from a to b about the axis: (a × b)·u = |a||b| sin θ, a·b = |a||b| cos θ; a, b ⟂ u for both."""
        row = self.row(f"angle {theta}")
        row.angle, row.form = theta, form
        row.amplitude = float(np.linalg.norm(self.direction(a)) * np.linalg.norm(self.direction(b)))
        for i in range(3):
            j, k = (i + 1) % 3, (i + 2) % 3
            for x, s in self._signed(a):
                for y, t in self._signed(b):
                    for u, w in self._signed(axis):
                        f = s * t * w  # ε_ijk a_i b_j u_k
                        names = self.place(x, i), self.place(y, j), self.place(u, k)
                        row.terms.append((SINE, f, names))
                        row.terms.append((SINE, -f, (self.place(x, j), self.place(y, i), self.place(u, k))))
        self._dot_terms(row, a, b, COSINE)

    def combination(
        self, name: str, base: Sequence[str], weights: Sequence[float], *, closure: bool = False
    ) -> None:
        """x = Σ w_k x_k + constant, component by component."""
        for i in range(3):
            row = self.row(f"{name}.{AXES[i]}", closure=closure)
            row.terms.append((ALWAYS, 1.0, (self.place(name, i),)))
            row.terms += [(ALWAYS, -w, (self.place(b, i),)) for w, b in zip(weights, base, strict=True)]

    def linear(
        self, name: str, base: Sequence[str], vectors: Sequence[str] = (), *, point: bool = True
    ) -> None:
        """The item is a fixed combination of the base as it is now; of points, an affine one."""
        affine = [0.0 if b in vectors else 1.0 for b in base]
        columns = np.vstack([np.array([self[b] for b in base]).T, affine])
        weights = np.linalg.lstsq(columns, np.append(self[name], float(point)), rcond=None)[0]
        self.combination(name, base, weights.tolist())

    def coincide(self, a: str, b: str) -> None:
        """Two items are one: a loop closes."""
        self.combination(a, (b,), (1.0,), closure=True)

    def along(self, end: str, start: str, axis: str, length: str) -> None:
        """end = start + length · axis."""
        for i in range(3):
            row = self.row(f"{length}.{AXES[i]}")
            row.terms.append((ALWAYS, 1.0, (self.place(end, i),)))
            row.terms.append((ALWAYS, -1.0, (self.place(start, i),)))
            row.terms.append((ALWAYS, -1.0, (length, self.place(axis, i))))

    # inertia

    def body(
        self,
        origin: str,
        directions: Sequence[Sequence[tuple[str, ArrayLike]]],
        mass: float,
        centre: ArrayLike,
        inertia: ArrayLike,
    ) -> None:
        """A rigid body whose points are origin + ξ₁ d₁ + ξ₂ d₂ + ξ₃ d₃, with d = Σ matrix · item.

        `centre` [m] and `inertia` about it [kg·m²] are those of the pose at which it is added, in the world.
        """
        parts: list[tuple[tuple[str, Vector], ...]] = [((origin, np.eye(3)),)]
        columns = []
        for direction in directions:
            made = tuple((n, _matrix(m)) for n, m in direction)
            parts.append(made)
            columns.append(sum((m @ self[n] for n, m in made), np.zeros(3)))
        D = np.linalg.inv(np.array(columns).T)
        d = np.asarray(centre, float) - self[origin]
        tensor = np.asarray(inertia, float)
        # ∫ x xᵀ dm about the centre, then about the origin
        second = 0.5 * np.trace(tensor) * np.eye(3) - tensor + mass * np.outer(d, d)
        moments = np.zeros((4, 4))
        moments[0, 0] = mass
        moments[0, 1:] = moments[1:, 0] = D @ (mass * d)
        moments[1:, 1:] = D @ second @ D.T
        self.bodies.append(Moved(tuple(parts), moments))


def _matrix(given: ArrayLike) -> Vector:
    """3 × 3; a number is that many times the unit matrix."""
    made = np.asarray(given, float)
    return made * np.eye(3) if made.ndim == 0 else made
