"""The largest natural frequency of reduced matrices: the monitor of conditionally stable methods."""

import math

from engine.compiled.kernel import fast_kernel
from engine.compiled.layout import Array, Ints
from engine.solvers.linsolve.lu import lu_factor, lu_solve

MAX_SQUARINGS = 24
ESTIMATE_TOLERANCE = 1e-4  # relative change of the estimate that ends the search


@fast_kernel
def largest_frequency(
    mass: Array, stiffness: Array, spare: Array, pivots: Ints, column: Array, n: int
) -> float:
    """√ρ(M⁻¹K) of the leading n × n parts, 0 where M has no inverse. Destroys all matrices.

    The spectral radius is lim |Aᵏ|^(1/k) for k = 1, 2, 4, 8 …: no start vector, and complex pairs are no
    special case. The estimate falls, by a factor that is halved (in the logarithm) every time.
    """
    if n == 0 or lu_factor(mass, pivots, n) != 0:
        return 0.0
    for j in range(n):
        for i in range(n):
            column[i] = stiffness[i, j]
        lu_solve(mass, pivots, n, column)
        for i in range(n):
            stiffness[i, j] = column[i]
    logarithm, share, before = 0.0, 1.0, math.inf
    for _ in range(MAX_SQUARINGS):
        total = 0.0
        for i in range(n):
            for j in range(n):
                total += stiffness[i, j] * stiffness[i, j]
        norm = math.sqrt(total)
        if not norm > 0.0 or not math.isfinite(norm):
            return 0.0
        logarithm += share * math.log(norm)
        if n == 1 or abs(logarithm - before) < ESTIMATE_TOLERANCE:
            break
        before = logarithm
        share *= 0.5
        for i in range(n):
            for j in range(n):
                stiffness[i, j] /= norm
        for i in range(n):
            for j in range(n):
                spare[i, j] = 0.0
            for k in range(n):
                factor = stiffness[i, k]
                for j in range(n):
                    spare[i, j] += factor * stiffness[k, j]
        for i in range(n):
            for j in range(n):
                stiffness[i, j] = spare[i, j]
    return math.exp(0.5 * logarithm)
