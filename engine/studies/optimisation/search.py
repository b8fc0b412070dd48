"""What a search is: a way from the values of the scene to better ones, by costs of trials alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.studies.optimisation.trials import Trials

if TYPE_CHECKING:
    from engine.studies.study import Study


def _any(study: Study) -> str:
    return ""


@dataclass(frozen=True)
class SearchKind:
    """A kind of search.

    `run(trials, seed)` tries points until it is content and gives a sentence about its end; EnoughRuns or
    Cancelled may end it at any trial. `unfit(study)` says why it cannot be used.
    """

    name: str
    title: str
    summary: str
    run: Callable[[Trials, int], str]
    unfit: Callable[[Study], str] = _any
