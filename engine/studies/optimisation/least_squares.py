"""Least squares: targets as residuals, the Jacobian by central differences that all run at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.compiled.layout import Array
from engine.studies.optimisation.search import SearchKind
from engine.studies.optimisation.trials import Trial, Trials

if TYPE_CHECKING:
    from engine.studies.study import Study

STEP = 1e-4  # of the bounds, for differences
CONVERGED = 1e-12
MAX_RESIDUAL = 1e100


def unfit(study: Study) -> str:
    if any(term.sense != "target" for term in study.goal):
        return "least squares needs targets: give every term of the goal the sense target"
    return ""


def run(trials: Trials, seed: int) -> str:
    from scipy.optimize import least_squares

    def residuals(trial: Trial) -> Array:
        names = [objective.name for objective in trials.study.objectives]
        if len(trial.objectives) != len(names) or any(x is None for x in trial.objectives):
            return np.full(len(trials.study.goal), np.sqrt(trial.cost))
        numbers = dict(zip(names, trial.objectives, strict=True))
        found = [term.residual(float(numbers[term.objective] or 0.0)) for term in trials.study.goal]
        return np.clip(found, -MAX_RESIDUAL, MAX_RESIDUAL)  # squares stay finite

    def fun(share: Array) -> Array:
        return residuals(trials.trials(share[None])[0])

    def jacobian(share: Array) -> Array:
        n = len(share)
        up, down = np.minimum(share + STEP, 1.0), np.maximum(share - STEP, 0.0)
        points = np.array([np.where(np.arange(n) == k, side, share) for k in range(n) for side in (up, down)])
        values = [residuals(trial) for trial in trials.trials(points)]
        return np.array([(values[2 * k] - values[2 * k + 1]) / (up[k] - down[k]) for k in range(n)]).T

    start = np.clip(trials.start, STEP, 1.0 - STEP)
    found = least_squares(
        fun,
        start,
        jac=jacobian,
        bounds=(0.0, 1.0),
        xtol=CONVERGED,
        ftol=CONVERGED,
        gtol=CONVERGED,
        max_nfev=trials.budget,
    )
    return str(found.message).rstrip(".").lower().replace("`", "")


KIND = SearchKind(
    name="least_squares",
    title="Least squares",
    summary="targets and fits to data; few steps, runs of one step at once",
    run=run,
    unfit=unfit,
)
