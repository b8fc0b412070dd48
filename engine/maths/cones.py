"""Contacts with Coulomb friction at one instant: impulses within their cones, by projection.

    w = G z + q;   normals    z ≥ 0, w ≥ 0, w z = 0
                   tangents   |z_t| ≤ µ z_n, and where w_t ≠ 0:  z_t = −µ z_n w_t/|w_t|
                   held       |z| ≤ F, and where w ≠ 0:  z = −F w/|w|;  one to three components

Gauss–Seidel over the contacts, each part projected on its set [Jean 1999]: exact cones, no polygons, and one
of the solutions where there are many. The sweeps end when nothing moves any more.
"""

from typing import Final

import numpy as np
from numba import types

from engine.compiled.kernel import compiled, kernel
from engine.compiled.layout import F1, F2, I2, Array, Ints

# columns of the parts: first line, number of lines, sort, line of the normal
LINE: Final = 0
LINES: Final = 1
SORT: Final = 2
NORMAL: Final = 3
ONE_SIDED: Final = 0  # sorts
IN_CONE: Final = 1
SLIDING: Final = 2  # along a given direction: z_t = −µ z_n d
BOUNDED: Final = 3
SWEEPS: Final = 200_000
# of G: less is left where friction lifts a contact by what it presses (Painlevé): no push
STEEP: Final = 1e-9
SINGULAR: Final = 1e-12  # of the product of its diagonal: a block whose determinant is less is not inverted
STILL: Final = 1e-15  # of the largest: what still moves


@kernel
def _in_ball(
    G: Array, i: int, z: Array, first: float, second: float, third: float, limit: float
) -> tuple[float, float, float]:
    """Three components of a friction that is held, which stops its slip where the bound allows it."""
    a, b, c = G[i, i], G[i, i + 1], G[i, i + 2]
    d, e, f = G[i + 1, i + 1], G[i + 1, i + 2], G[i + 2, i + 2]
    A, B, C = d * f - e * e, c * e - b * f, b * e - c * d
    det = a * A + b * B + c * C
    if det > SINGULAR * a * d * f:
        x = z[i] - (A * first + B * second + C * third) / det
        y = z[i + 1] - (B * first + (a * f - c * c) * second + (b * c - a * e) * third) / det
        w = z[i + 2] - (C * first + (b * c - a * e) * second + (a * d - b * b) * third) / det
        if x * x + y * y + w * w <= limit * limit:
            return x, y, w
    step = 1.0 / (a + d + f)
    x, y, w = z[i] - step * first, z[i + 1] - step * second, z[i + 2] - step * third
    size = np.sqrt(x * x + y * y + w * w)
    share = limit / size if size > limit else 1.0
    return x * share, y * share, w * share


@kernel
def sweep(G: Array, q: Array, parts: Ints, bound: Array, along: Array, z: Array) -> int:
    """Solve into z; bound: µ, or F; along: the direction of what slides. Returns the number of sweeps."""
    n = q.shape[0]
    for count in range(SWEEPS):
        moved, largest = 0.0, 0.0
        for k in range(parts.shape[0]):
            i, width, sort = parts[k, LINE], parts[k, LINES], parts[k, SORT]
            if G[i, i] <= 0.0:
                continue
            if sort == SLIDING:
                push = z[parts[k, NORMAL]]
                for c in range(width):
                    new = -bound[k] * push * along[i + c]
                    moved, largest = max(moved, abs(new - z[i + c])), max(largest, abs(new))
                    z[i + c] = new
                continue
            first, second = q[i], 0.0
            for j in range(n):
                first += G[i, j] * z[j]
            if sort == ONE_SIDED:
                slides = (
                    k + 1 < parts.shape[0] and parts[k + 1, SORT] == SLIDING and parts[k + 1, NORMAL] == i
                )
                slope = G[i, i]
                if slides:
                    for j in range(parts[k + 1, LINE], parts[k + 1, LINE] + parts[k + 1, LINES]):
                        slope -= bound[k + 1] * G[i, j] * along[j]
                new = max(z[i] - first / slope, 0.0) if slope > STEEP * G[i, i] else 0.0
                moved, largest = max(moved, abs(new - z[i])), max(largest, abs(new))
                z[i] = new
                if slides:  # its friction answers at once: that converges however strongly both are coupled
                    for j in range(parts[k + 1, LINE], parts[k + 1, LINE] + parts[k + 1, LINES]):
                        z[j] = -bound[k + 1] * new * along[j]
                continue
            if width == 1:
                new = z[i] - first / G[i, i]
                limit = bound[k] if sort == BOUNDED else bound[k] * z[parts[k, NORMAL]]
                new = min(max(new, -limit), limit)
                moved, largest = max(moved, abs(new - z[i])), max(largest, abs(new))
                z[i] = new
                continue
            second = q[i + 1]
            for j in range(n):
                second += G[i + 1, j] * z[j]
            if width == 3:
                third = q[i + 2]
                for j in range(n):
                    third += G[i + 2, j] * z[j]
                x, y, w = _in_ball(G, i, z, first, second, third, bound[k])
                moved = max(moved, abs(x - z[i]), abs(y - z[i + 1]), abs(w - z[i + 2]))
                largest = max(largest, abs(x), abs(y), abs(w))
                z[i], z[i + 1], z[i + 2] = x, y, w
                continue
            a, b, d = G[i, i], G[i, i + 1], G[i + 1, i + 1]
            limit = bound[k] if sort == BOUNDED else bound[k] * z[parts[k, NORMAL]]
            det = a * d - b * b
            x, y = z[i], z[i + 1]
            if det > SINGULAR * a * d:  # sticking, if the cone allows it
                x -= (d * first - b * second) / det
                y -= (a * second - b * first) / det
            if det <= SINGULAR * a * d or x * x + y * y > limit * limit:
                step = 2.0 / (a + d + np.sqrt((a - d) ** 2 + 4.0 * b * b))
                x, y = z[i] - step * first, z[i + 1] - step * second
                size = np.sqrt(x * x + y * y)
                if size > limit:
                    x, y = x * limit / size, y * limit / size
            moved = max(moved, abs(x - z[i]), abs(y - z[i + 1]))
            largest = max(largest, abs(x), abs(y))
            z[i], z[i + 1] = x, y
        if moved <= STILL * largest:
            return count + 1
    return SWEEPS


SWEEP = types.int64(F2, F1, I2, F1, F1, F1)


def solve(G: Array, q: Array, parts: Ints, bound: Array, along: Array) -> Array:
    """z of the problem above."""
    z = np.zeros(len(q))
    if len(q):
        compiled(sweep, SWEEP)(np.ascontiguousarray(G), q, parts, bound, along, z)
    return z
