"""Differential evolution: a population that spreads over all bounds, each generation as one batch of runs."""

from __future__ import annotations

import numpy as np

from engine.compiled.layout import Array
from engine.studies.optimisation.search import SearchKind
from engine.studies.optimisation.trials import Trials

MEMBERS = 8  # of the population, per variable
MIN_POPULATION = 12
CONVERGED = 1e-6  # of the mean cost: where all members are alike


def run(trials: Trials, seed: int) -> str:
    from scipy.optimize import differential_evolution

    start = trials.start
    count = max(MIN_POPULATION, MEMBERS * len(start))

    def costs(shares: Array) -> Array:
        return trials.costs(np.atleast_2d(shares.T))

    found = differential_evolution(
        costs,
        [(0.0, 1.0)] * len(start),
        popsize=max(1, round(count / len(start))),
        maxiter=max(1, trials.budget // count),
        tol=CONVERGED,
        atol=0.0,
        rng=seed,
        polish=False,
        vectorized=True,
        updating="deferred",
        x0=np.clip(start, 0.0, 1.0),
    )
    return "all members of the population are alike" if found.success else "the budget is spent"


KIND = SearchKind(
    name="differential_evolution",
    title="Differential evolution",
    summary="a population over all bounds, whole generations at once; rough costs, many minima",
    run=run,
)
