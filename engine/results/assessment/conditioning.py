"""How far the constraints are from losing rank, sample by sample, and how many of them are redundant.

The rows of J are made unit vectors and G = J Jᵀ is factored by Cholesky with diagonal pivoting: pivots come
in falling order and those near zero are dependent rows (Golub and Van Loan, Matrix Computations, 4.2.8). A
pivot that is well away from zero elsewhere on the path and nearly vanishes here means a singular
configuration. Large mechanisms are factored sparse, in an order that is chosen once, and dependent rows are
left out.
"""

from __future__ import annotations

import numpy as np
from numba import types

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import rows as ROW
from engine.compiled.dispatch import call_constraints, new_table
from engine.compiled.kernel import compiled, kernel
from engine.compiled.layout import F1, F2, I1, PACKED, Array, Ints, Packed
from engine.maths.sparse.ldl import SparseFactor
from engine.results.sample_layout import SampleLayout
from engine.system.compiling.mechanism import Mechanism
from engine.system.compiling.work import kind_functions, new_work
from engine.system.equations import equations
from engine.system.equations.evaluator import Evaluator, spread

DEPENDENT = 1e-9  # pivots below this are dependent rows: σ of about 3e-5 of a unit row
SINGULAR_SHARE = 1e-4  # of the usual size of the pivot: nearer to zero than this is near-singular
APPROACH = 1e-2  # the same for the way to such a pose, and from it
MAX_WORK = 2e9  # products of two rows: some seconds, whatever the size of the mechanism and the run
MIN_SAMPLES = 100
LARGE = 150  # rows: from here on sparse factors are faster than the pivoted one
SPARSE_ROW = 1e4  # what a row costs there, beside a product of two rows
ROUNDING = 1e-13  # a pivot below this is what rounding leaves of a dependent row
ROW_FILL = 12  # numbers of a row that are not zero: two bodies
TOUCHES = 0.03  # of the pivots beside the lowest: a parabola through them that ends below touches zero


@kernel
def pivoted_cholesky(G: Array, pivots: Array) -> None:
    """Pivots of a positive semidefinite matrix in falling order; G is overwritten."""
    n = G.shape[0]
    for k in range(pivots.shape[0]):
        best = k
        for i in range(k + 1, n):
            if G[i, i] > G[best, best]:
                best = i
        if best != k:
            for j in range(n):
                G[k, j], G[best, j] = G[best, j], G[k, j]
            for j in range(n):
                G[j, k], G[j, best] = G[j, best], G[j, k]
        pivots[k] = max(G[k, k], 0.0)
        if not pivots[k] > 0.0:
            for i in range(k, pivots.shape[0]):
                pivots[i] = 0.0
            return
        for i in range(k + 1, n):
            factor = G[i, k] / G[k, k]
            if factor != 0.0:  # most are zero in large mechanisms, where a row meets few others
                for j in range(k + 1, n):
                    G[i, j] -= factor * G[k, j]


@kernel
def pivots_along(
    packed: Packed,
    t: Array,
    q: Array,
    v: Array,
    angles: Array,
    J: Array,
    filled: Ints,
    G: Array,
    out: Array,
) -> None:
    """Pivots of all samples; gradients do not depend on velocities, so any will do."""
    system, work = open_system(packed), open_work(packed)
    m, n = J.shape
    for k in range(t.shape[0]):
        for i in range(system.tracked.shape[0]):
            work.coordinate[system.tracked[i], COORDINATE_VALUE.REFERENCE] = angles[k, i]
        call_constraints(packed, t[k], q[k], v)
        J[:] = 0.0
        spread(packed, work.grad, J, True)
        for r in range(m):
            size, count = 0.0, 0
            for c in range(n):
                if J[r, c] != 0.0:
                    size += J[r, c] * J[r, c]
                    filled[count] = c
                    count += 1
            size = np.sqrt(size) if size > 0.0 else 1.0
            for i in range(count):
                J[r, filled[i]] /= size
            for s in range(r + 1):
                total = 0.0
                for i in range(count):
                    total += J[r, filled[i]] * J[s, filled[i]]
                G[r, s] = total
                G[s, r] = total
        pivoted_cholesky(G, out[k])


def _sparse_pivots(mechanism: Mechanism, layout: SampleLayout, samples: Array, out: Array) -> None:
    """Pivots of all samples in falling order, in an order of elimination that keeps the factor sparse."""
    evaluator = Evaluator(mechanism)
    factor = SparseFactor(evaluator.row_structure)
    for sample, pivots in zip(samples, out, strict=True):
        J = evaluator.at(sample[layout.t], sample[layout.q], angles=sample[layout.angles]).sparse_jacobian
        size = np.sqrt(np.add.reduceat(J.data**2, J.indptr[:-1]))
        J.data /= np.repeat(np.where(size > 0.0, size, 1.0), np.diff(J.indptr))
        factor.factor(J @ J.T, ROUNDING)
        pivots[:] = np.sort(factor.shares * (size > 0.0))[::-1][: len(pivots)]


PIVOTS = types.void(PACKED, F1, F2, F1, F2, F2, I1, F2, F2)


class Conditioning:
    """Rank and near-singular samples of a run.

    Of a long run of a large mechanism so many samples are looked at as some seconds allow, evenly spread; in
    between the smallest pivot is taken to run straight.
    """

    def __init__(self, mechanism: Mechanism, samples: Array) -> None:
        system, layout = mechanism.system, SampleLayout(mechanism)
        m, n = len(system.rows), mechanism.nv
        count = len(samples)
        large = m > LARGE and m == len(mechanism.rows)  # rows that come and go are counted one by one
        work = SPARSE_ROW * m if large else ROW_FILL * m * m
        most = max(MIN_SAMPLES, int(MAX_WORK / (work + 1)))
        places = np.arange(count) if count <= most else np.linspace(0, count - 1, most).round().astype(int)
        if len(places) < count:
            samples = samples[places]
        pivots = np.zeros((len(samples), min(m, n) if mechanism.rows else 0))
        if pivots.size and large:
            _sparse_pivots(mechanism, layout, samples, pivots)
        elif pivots.size:
            _, ints, reals = new_work(mechanism)
            table = new_table({"constraints": equations.constraints}, kind_functions(mechanism))
            compiled(pivots_along, PIVOTS)(
                Packed(*mechanism.arenas, ints, reals, table),
                samples[:, layout.t].copy(),
                samples[:, layout.q].copy(),
                np.zeros(n),
                samples[:, layout.angles].copy(),
                np.zeros((m, n)),
                np.zeros(n, np.int64),
                np.zeros((m, m)),
                pivots,
            )
        # the rank of the path is the largest on it; a singular start has less
        self.rank = int((pivots > DEPENDENT).sum(axis=1).max(initial=0))
        self.dof = n - self.rank
        self.redundant = int(system.rows[:, ROW.ACTIVE].sum()) - self.rank
        last = pivots[:, self.rank - 1] if self.rank else np.ones(len(samples))
        if len(last) < count:
            last = np.interp(np.arange(count), places, last)
        self.smallest = last  # the smallest pivot that a regular pose does not lose
        usual = float(np.median(last)) if len(last) else 1.0
        self.near_singular = last < max(SINGULAR_SHARE * usual, DEPENDENT)
        self.approaching = last < max(APPROACH * usual, DEPENDENT)
        self._usual = usual

    def poses(self, t: Array) -> list[tuple[float, int]]:
        """Singular configurations on the path: when, and the sample next to it; t are the times of the
        samples.

        The pivot falls to zero like the square of the distance, so a parabola through the three lowest
        samples shows whether it does, also where none of them is near enough to count as near-singular.
        """
        p = self.smallest
        found = [(float(t[0]), 0)] if len(p) and self.near_singular[0] else []
        lowest = (p[1:-1] <= p[:-2]) & (p[1:-1] < p[2:]) & self.approaching[1:-1]
        for i in np.flatnonzero(lowest) + 1:
            before, after = t[i] - t[i - 1], t[i + 1] - t[i]
            left, right = (p[i] - p[i - 1]) / before, (p[i + 1] - p[i]) / after
            bend = (right - left) / (before + after)
            slope = (left * after + right * before) / (before + after)
            least = p[i] - slope * slope / (4.0 * bend)
            if least <= min(TOUCHES * max(p[i - 1], p[i + 1]), SINGULAR_SHARE * self._usual):
                found.append((float(t[i] - slope / (2.0 * bend)), int(i)))
        return found
