"""Lengths tried out before they are made: does the mechanism close, and if not, which ones would do?

All of it runs on a thread; the owner picks up the answers between two frames.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from app.session.background.latest_only import LatestOnly, Order
from engine.errors import SceneError
from engine.model.scene import Scene
from engine.simulation.live.live_simulation import StateTransfer, transferred_state
from engine.system.assembly.assemble import assemble
from engine.system.prepared import Prepared

STEPS = 11  # halvings of the way from a length that closes to one that does not
MIN_RATIO, MAX_RATIO = 1e-3, 1e2  # of the present length: as far as is looked

Make = Callable[[float], Scene]


@dataclass(frozen=True)
class Trial:
    """A number to try: `make` gives the scene that would have it, `now` is the one it has."""

    make: Make
    wanted: float
    now: float
    transfer: StateTransfer | None  # the state of the run, when one is under way


class Trials:
    """Tries the newest number only."""

    def __init__(self, fault: Callable[[str], object]) -> None:
        self.worker = LatestOnly("trammel-trials", fault)

    def forget(self) -> None:
        self.worker.forget()

    def ask(
        self, trial: Trial, good: Callable[[], object], bad: Callable[[tuple[float, float] | None], object]
    ) -> None:
        """`good` is told when it closes, else `bad`: at once with None, later with the admissible range."""
        self.worker.order(lambda order: self._try(order, trial, good, bad))

    # on the thread

    def _try(
        self,
        order: Order,
        trial: Trial,
        good: Callable[[], object],
        bad: Callable[[tuple[float, float] | None], object],
    ) -> None:
        if closes(trial, trial.wanted) or not closes(trial, trial.now):  # broken before: nothing to lose
            order.tell(good)
            return
        order.tell(lambda: bad(None))
        found = admissible(trial, lambda: order.wanted)
        if found is not None:
            order.tell(lambda: bad(found))


def closes(trial: Trial, value: float, *, start: bool = True) -> bool:
    """Whether the mechanism closes with this value: as it is now and, with `start`, at its start."""
    try:
        mechanism = Prepared(trial.make(value)).refuse_problems().mechanism  # nobody else asks about it
        if trial.transfer is not None:
            transferred_state(trial.transfer, mechanism)
        if start or trial.transfer is None:
            assemble(mechanism)
    except SceneError:
        return False
    return True


def admissible(trial: Trial, wanted: Callable[[], bool] = lambda: True) -> tuple[float, float] | None:
    """The range of values around the present one with which it closes; 0 and infinity where there is no end.

    None when nobody wants to know any more. Ends are a little inside, so that they close themselves.
    """
    ends = []
    for limit, open_end in ((MIN_RATIO * trial.now, 0.0), (MAX_RATIO * trial.now, math.inf)):
        good, bad = trial.now, _first_open(trial, limit)
        if bad is None:
            ends.append(open_end)
            continue
        for _ in range(STEPS):
            if not wanted():
                return None
            middle = 0.5 * (good + bad)
            good, bad = (middle, bad) if closes(trial, middle, start=False) else (good, middle)
        ends.append(good)
    return ends[0], ends[1]


def _first_open(trial: Trial, limit: float) -> float | None:
    """A value that does not close, on the way from the present one to a limit; the wanted one counts too."""
    if (trial.wanted - trial.now) * (limit - trial.now) > 0.0:
        return trial.wanted
    value = trial.now
    while abs(value - limit) > 1e-12 * abs(limit):
        value = max(value / 2.0, limit) if limit < trial.now else min(value * 2.0, limit)
        if not closes(trial, value, start=False):
            return value
    return None
