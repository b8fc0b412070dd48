"""Nelder and Mead's simplex: no derivatives, one run at a time; for a few variables near a good start."""

from __future__ import annotations

import numpy as np

from engine.studies.optimisation.search import SearchKind
from engine.studies.optimisation.trials import Trials

EDGE = 0.1  # of the bounds: how large the first simplex is
CONVERGED = 1e-7  # of the bounds, and of the cost: where the simplex is small enough


def run(trials: Trials, seed: int) -> str:
    from scipy.optimize import minimize

    start = trials.start
    # each corner goes to the side that has more room
    corners = [start]
    for k in range(len(start)):
        corner = start.copy()
        corner[k] += EDGE if start[k] <= 0.5 else -EDGE
        corners.append(corner)
    found = minimize(
        lambda share: float(trials.costs(share)[0]),
        start,
        method="Nelder-Mead",
        bounds=[(0.0, 1.0)] * len(start),
        options={
            "initial_simplex": np.array(corners),
            "xatol": CONVERGED,
            "fatol": CONVERGED * max(1e-300, abs(trials.best.cost) if trials.best else 1.0),
            "maxfev": trials.budget,
            "adaptive": len(start) > 4,
        },
    )
    return "the simplex has closed in" if found.success else str(found.message)


KIND = SearchKind(
    name="nelder_mead",
    title="Simplex (Nelder–Mead)",
    summary="no derivatives, one run at a time; a few variables, a good start",
    run=run,
)
