"""Where a wheel touches a road: both are curves in a plane, the radius a function of the angle, the height of
the way.

In axes x (up) and y (the way) of the road, φ the turn of the wheel about z, its centre at P:

    road   (h(w), w),          N = (1, −h')/g,  T = z × N = (h', 1)/g,  g = √(1 + h'²)
    wheel  C = P + L, L = r(θ) e(θ + φ),   outward normal M = (r e − r' z × e)/G,  G = √(r² + r'²)

w and θ are those where M = −N and C lies on the normal of the road, T·(C − (h, w)) = 0. The gap is
N·(C − (h, w)), its gradient by x, y and φ is N and N·(z × L), and the speed of slip has T in place of N:
an arc of the wheel and an arc of the road of equal length pass the place of contact.
"""

import math
from typing import Final

from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Ints
from engine.maths.jets import time_jet

Three = tuple[float, float, float]
MAX_ITERATIONS: Final = 60
CLOSE: Final = 1e-7  # of a radius, or rad: the next iteration is exact
FARTHEST: Final = 0.5  # of a radius, or rad, in one iteration
FULL_TURN: Final = 2.0 * math.pi


@inlined
def _jet(code: Ints, data: Array, program: int, at: float, stack: Array) -> Three:
    """A function with two derivatives; a road without program is flat."""
    if program < 0:
        return 0.0, 0.0, 0.0
    time_jet(code, data, program, at, stack[0], stack[1])
    return stack[1, 0], stack[1, 1], stack[1, 2]


@inlined
def _limited(step: float, most: float) -> float:
    return max(-most, min(most, step))


@kernel
def road_row(
    code: Ints, data: Array, road: int, wheel: int, stack: Array, u: Three, d: Three, slip: bool
) -> tuple[float, Three, Three]:
    """Gap (0 for a slip), coefficients of x', y', φ', and their change along a direction d of (x, y, φ)."""
    x, y, phi = u
    w, theta, close = y, math.pi - phi, False
    for _ in range(MAX_ITERATIONS):
        h, h1, h2 = _jet(code, data, road, w, stack)
        r, r1, r2 = _jet(code, data, wheel, theta % FULL_TURN, stack)
        g, G = math.sqrt(1.0 + h1 * h1), math.sqrt(r * r + r1 * r1)
        Nx, Ny, Tx, Ty = 1.0 / g, -h1 / g, h1 / g, 1.0 / g
        c, s = math.cos(theta + phi), math.sin(theta + phi)
        Lx, Ly = r * c, r * s
        Mx, My = (r * c + r1 * s) / G, (r * s - r1 * c) / G
        Cx, Cy = r1 * c - r * s, r1 * s + r * c  # ∂L/∂θ
        off, gap = Tx * (x + Lx - h) + Ty * (y + Ly - w), Nx * (x + Lx - h) + Ny * (y + Ly - w)
        turn = math.atan2(Ny * Mx - Nx * My, -(Nx * Mx + Ny * My))
        bend = h2 / (g * g)
        # derivatives of turn and off by θ and w
        a, b = (r * r + 2.0 * r1 * r1 - r * r2) / (G * G), bend
        e, f = Tx * Cx + Ty * Cy, bend * gap - g
        determinant = a * f - b * e
        if close:
            break
        step_theta, step_w = -(f * turn - b * off) / determinant, -(a * off - e * turn) / determinant
        close = abs(step_theta) < CLOSE and abs(step_w) < CLOSE * G
        theta += _limited(step_theta, FARTHEST)
        w += _limited(step_w, FARTHEST * G)
    if not close:
        gap = math.nan
    # how w and θ follow, and with them N, T and L
    by_turn, by_off = d[2], Tx * d[0] + Ty * d[1] + (Ty * Lx - Tx * Ly) * d[2]
    d_theta, d_w = -(f * by_turn - b * by_off) / determinant, -(a * by_off - e * by_turn) / determinant
    dLx, dLy = Cx * d_theta - Ly * d[2], Cy * d_theta + Lx * d[2]
    if slip:
        gap, nx, ny, dx, dy = 0.0 * gap, Tx, Ty, bend * d_w * Nx, bend * d_w * Ny
    else:
        nx, ny, dx, dy = Nx, Ny, -bend * d_w * Tx, -bend * d_w * Ty
    return (
        gap,
        (nx, ny, ny * Lx - nx * Ly),
        (dx, dy, dy * Lx - dx * Ly + ny * dLx - nx * dLy),
    )
