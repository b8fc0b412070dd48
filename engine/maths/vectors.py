"""Vectors of three numbers as tuples, for use inside kernels: no array, no allocation.

A rotation is the nine numbers of its matrix, row by row. `rotate` takes body components to world ones,
`unrotate` back.
"""

import numpy as np
from numpy.typing import NDArray

from engine.compiled.kernel import kernel

Vector = tuple[float, float, float]
Rotation = tuple[float, float, float, float, float, float, float, float, float]

ZERO = (0.0, 0.0, 0.0)


@kernel
def add(a: Vector, b: Vector) -> Vector:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@kernel
def sub(a: Vector, b: Vector) -> Vector:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@kernel
def scale(k: float, a: Vector) -> Vector:
    return (k * a[0], k * a[1], k * a[2])


@kernel
def mix(h: float, a: Vector, k: float, b: Vector) -> Vector:
    """The combination h·a + k·b."""
    return (h * a[0] + k * b[0], h * a[1] + k * b[1], h * a[2] + k * b[2])


@kernel
def dot(a: Vector, b: Vector) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def cross(a: Vector, b: Vector) -> Vector:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


@kernel
def rotate(R: Rotation, a: Vector) -> Vector:
    return (
        R[0] * a[0] + R[1] * a[1] + R[2] * a[2],
        R[3] * a[0] + R[4] * a[1] + R[5] * a[2],
        R[6] * a[0] + R[7] * a[1] + R[8] * a[2],
    )


@kernel
def unrotate(R: Rotation, a: Vector) -> Vector:
    return (
        R[0] * a[0] + R[3] * a[1] + R[6] * a[2],
        R[1] * a[0] + R[4] * a[1] + R[7] * a[2],
        R[2] * a[0] + R[5] * a[1] + R[8] * a[2],
    )


@kernel
def load(table: NDArray[np.float64], row: int, column: int) -> Vector:
    """Three numbers of a table row, as a vector."""
    return (table[row, column], table[row, column + 1], table[row, column + 2])
