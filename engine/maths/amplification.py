"""Linear stability: by how much one step of a scheme can enlarge a solution of Φ″ + 2αΦ′ + β²Φ = 0.

That is the error equation of a constraint under Baumgarte's feedback [Flores 2012, eqs. 205–212], and with
α = 0 the oscillator of frequency β. A scheme for y′ = f(y) acts on its two roots s = −α ± √(α² − β²) one by
one: it is enough to know its characteristic polynomial for y′ = s y, as a function of z = s h. A scheme that
treats positions and velocities differently is a linear map of both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.compiled.layout import Array

Complex = NDArray[np.complex128]
Polynomial = Callable[[Complex], Sequence[Complex | float]]  # coefficients, the highest power first
Roots = Callable[[Array, Array, Array], Complex]


class Growth:
    """growth(αh, β²h², numbers): by how much a solution of Φ″ + 2αΦ′ + β²Φ = 0 grows at most in one step.

    `numbers` are those of Work.options. The first two are arrays of one shape, and so is the answer; `roots`
    has one axis more, for all that one step does: infinite where a number is not finite.
    """

    def __init__(self, roots: Roots) -> None:
        self.roots = roots

    def __call__(self, alpha_h: Array, beta2_h2: Array, numbers: Array) -> Array:
        return np.asarray(np.abs(self.roots(alpha_h, beta2_h2, numbers)).max(axis=-1))

    def principal(self, omega_h: Array, numbers: Array) -> Complex:
        """What a step makes of an oscillation, e^{iωh} in truth: the root that is nearest to it."""
        roots = self.roots(np.zeros_like(omega_h), omega_h**2, numbers)
        truth = np.exp(1j * omega_h)
        nearest = np.argmin(np.abs(roots - truth[..., None]), axis=-1)
        return np.asarray(np.take_along_axis(roots, nearest[..., None], axis=-1)[..., 0])


def eigenvalues(matrices: Complex) -> Complex:
    """Of a stack of square matrices; infinite where a number is not finite."""
    good: NDArray[np.bool_] = np.asarray(np.isfinite(matrices).all(axis=(-2, -1)))
    safe = np.where(good[..., None, None], matrices, 0.0)
    return np.where(good[..., None], np.linalg.eigvals(safe), np.inf)


def polynomial_roots(coefficients: Sequence[Complex | float], shape: tuple[int, ...]) -> Complex:
    """For arrays of coefficients; the roots are the last axis."""
    lead, *rest = (np.broadcast_to(np.asarray(c, dtype=complex), shape) for c in coefficients)
    companion = np.zeros((*shape, len(rest), len(rest)), complex)
    companion[..., 1:, :-1] = np.eye(len(rest) - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        companion[..., 0, :] = -np.stack(rest, axis=-1) / lead[..., None]
    return eigenvalues(companion)


def of_first_order(polynomial: Polynomial) -> Growth:
    """Growth of a scheme for y′ = f(y) with this characteristic polynomial."""

    @np.errstate(all="ignore")  # what grows beyond all numbers is infinite
    def roots(alpha_h: Array, beta2_h2: Array, numbers: Array) -> Complex:
        root: Complex = np.sqrt(np.asarray(alpha_h**2 - beta2_h2, dtype=np.complex128))
        above: Complex = root - alpha_h
        below: Complex = -root - alpha_h
        return np.concatenate([polynomial_roots(polynomial(z), z.shape) for z in (above, below)], axis=-1)

    return Growth(roots)


def of_runge_kutta(*taylor: float) -> Growth:
    """Growth of a Runge-Kutta scheme whose stability function has these coefficients, the constant first."""

    def polynomial(z: Complex) -> tuple[float, Complex]:
        value: Complex = np.zeros_like(z)
        for coefficient in reversed(taylor):
            value = value * z + coefficient
        return 1.0, -value

    return of_first_order(polynomial)


# step(αh, β²h², state, numbers): the next state, in units where h = 1; linear in the state, whose last axis
# begins with Φ and hΦ′
Map = Callable[[Array, Array, Array, Array], Array]


def of_second_order(size: int, step: Map) -> Growth:
    """Growth of a scheme that is a linear map of `size` numbers; its columns are images of unit vectors."""

    def roots(alpha_h: Array, beta2_h2: Array, numbers: Array) -> Complex:
        shape = np.shape(alpha_h)
        with np.errstate(all="ignore"):  # steps that have no solution
            columns = [
                step(alpha_h, beta2_h2, np.broadcast_to(e, (*shape, size)), numbers) for e in np.eye(size)
            ]
        return eigenvalues(np.stack(columns, axis=-1).astype(np.complex128))

    return Growth(roots)


STABLE = 1e-9  # growth per step beyond 1 that still counts as none: roots that coincide are found to this
SCAN = 4000  # points of a scan for the first loss of stability
BISECTIONS = 60


def first_loss(growth: Callable[[Array], Array], furthest: float) -> float:
    """The smallest place, to the fineness of a scan, at which the growth passes 1; inf if there is none."""
    places = np.linspace(0.0, furthest, SCAN + 1)[1:]
    lost = np.flatnonzero(~(growth(places) <= 1.0 + STABLE))
    if not len(lost):
        return float("inf")
    low, high = (places[lost[0] - 1] if lost[0] else 0.0), places[lost[0]]
    for _ in range(BISECTIONS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if growth(np.array([middle]))[0] <= 1.0 + STABLE else (low, middle)
    return float(0.5 * (low + high))


def gain_limit(growth: Growth, numbers: Array, *, ratio: float = 1.0, furthest: float = 8.0) -> float:
    """Largest αh up to which gains with β = ratio·α are stable."""
    return first_loss(lambda a: growth(a, (ratio * a) ** 2, numbers), furthest)
