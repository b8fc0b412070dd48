"""Lengths tried out before they are made: does the mechanism close, and if not, which ones would do?

All of it runs on a thread; the owner picks up the answers between two frames.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from app.session.background.worker import Worker
from engine.errors import SceneError
from engine.model.scene import Scene
from engine.simulation.live.live_simulation import Carried, carried_state
from engine.system.assembly.assemble import assemble
from engine.system.prepared import Prepared

STEPS = 11  # halvings of the way from a length that closes to one that does not
SMALLEST, LARGEST = 1e-3, 1e2  # of the present length: as far as is looked

Make = Callable[[float], Scene]


@dataclass(frozen=True)
class Order:
    """A number to try: `make` gives the scene that would have it, `now` is the one it has."""

    make: Make
    wanted: float
    now: float
    carried: Carried | None  # the state of the run, when one is under way


class Trials:
    """Tries the newest order only."""

    def __init__(self, fault: Callable[[str], object]) -> None:
        self.worker = Worker("trammel-trials", fault)
        self._newest: Order | None = None

    def forget(self) -> None:
        self._newest = None

    def ask(
        self, order: Order, good: Callable[[], object], bad: Callable[[tuple[float, float] | None], object]
    ) -> None:
        """`good` is told when it closes, else `bad`: at once with None, later with the admissible range."""
        self._newest = order
        self.worker.post(lambda: self._try(order, good, bad))

    # on the thread

    def _try(
        self, order: Order, good: Callable[[], object], bad: Callable[[tuple[float, float] | None], object]
    ) -> None:
        if order is not self._newest:
            return
        if closes(order, order.wanted) or not closes(order, order.now):  # broken before: nothing to lose
            self._tell(order, good)
            return
        self._tell(order, lambda: bad(None))
        found = admissible(order, lambda: order is self._newest)
        if found is not None:
            self._tell(order, lambda: bad(found))

    def _tell(self, order: Order, call: Callable[[], object]) -> None:
        self.worker.results.post(lambda: order is self._newest and call())


def closes(order: Order, value: float, *, start: bool = True) -> bool:
    """Whether the mechanism closes with this value: as it is now and, with `start`, at its start."""
    try:
        mechanism = Prepared(order.make(value)).refuse_problems().mechanism  # nobody else asks about it
        if order.carried is not None:
            carried_state(order.carried, mechanism)
        if start or order.carried is None:
            assemble(mechanism)
    except SceneError:
        return False
    return True


def admissible(order: Order, wanted: Callable[[], bool] = lambda: True) -> tuple[float, float] | None:
    """The range of values around the present one with which it closes; 0 and infinity where there is no end.

    None when nobody wants to know any more. Ends are a little inside, so that they close themselves.
    """
    ends = []
    for limit, open_end in ((SMALLEST * order.now, 0.0), (LARGEST * order.now, math.inf)):
        good, bad = order.now, _first_open(order, limit)
        if bad is None:
            ends.append(open_end)
            continue
        for _ in range(STEPS):
            if not wanted():
                return None
            middle = 0.5 * (good + bad)
            good, bad = (middle, bad) if closes(order, middle, start=False) else (good, middle)
        ends.append(good)
    return ends[0], ends[1]


def _first_open(order: Order, limit: float) -> float | None:
    """A value that does not close, on the way from the present one to a limit; the wanted one counts too."""
    if (order.wanted - order.now) * (limit - order.now) > 0.0:
        return order.wanted
    value = order.now
    while abs(value - limit) > 1e-12 * abs(limit):
        value = max(value / 2.0, limit) if limit < order.now else min(value * 2.0, limit)
        if not closes(order, value, start=False):
            return value
    return None
