"""The searches: one file per kind, one line here."""

from engine.registry import Registry
from engine.studies.optimisation import differential_evolution, least_squares, nelder_mead, optuna_search
from engine.studies.optimisation.search import SearchKind

__all__ = ["SEARCHES"]

SEARCHES: Registry[SearchKind] = Registry(
    "search", nelder_mead.KIND, least_squares.KIND, differential_evolution.KIND, optuna_search.KIND
)
