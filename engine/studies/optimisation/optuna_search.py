"""Optuna: its sampler (a tree of Parzen estimators) proposes, batches of runs answer. An extra."""

from __future__ import annotations

import numpy as np

from engine.missing_extra import MissingExtra
from engine.studies.optimisation.search import SearchKind
from engine.studies.optimisation.trials import Trials

BATCH = 8  # proposals that run at once


def run(trials: Trials, seed: int) -> str:
    try:
        import optuna
    except ImportError:
        raise MissingExtra("Searches by Optuna", "optuna", "optimise") from None
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed, constant_liar=True))
    names = [f"u{k}" for k in range(len(trials.bounds))]
    study.enqueue_trial(dict(zip(names, map(float, trials.start), strict=True)))
    while True:  # until EnoughRuns or Cancelled
        asked = [study.ask() for _ in range(BATCH)]
        shares = np.array([[one.suggest_float(name, 0.0, 1.0) for name in names] for one in asked])
        for one, cost in zip(asked, trials.costs(shares), strict=True):
            study.tell(one, float(cost))


KIND = SearchKind(
    name="optuna",
    title="Optuna (TPE)",
    summary="a model of good and bad values proposes; costly runs (needs the extra optimise)",
    run=run,
)
