"""Events of methods that step over impacts.

Impacts are those that the method has noted (`engine/solvers/contacts/hits.py`); what is hit in two steps that
follow each other is hit once. Touching and leaving are read off the samples: an element that carries in two
steps, or in one without an impact, rests; one that does not any more is left. All places of one contact, and
all those of two bodies of a group, count together. Instants are the middle of a step, known to half of it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import rows as ROW
from engine.compiled.layout import Array
from engine.elements.laws import limit
from engine.model.scene import kind_of
from engine.results.run_events import EventKind, RunEvent
from engine.simulation.stepping.method_driver import Driver
from engine.solvers.contacts import hits as HIT
from engine.solvers.contacts import records as REC
from engine.solvers.contacts.records import groups_of

FOLLOWING = 1.5  # steps within which what is hit again is still the same hit


class Place(NamedTuple):
    """What events are told of: an element, and where on it."""

    element: str
    where: str  # " its upper limit", " (ball on floor)" of a group, or nothing

    def event(self, t: float, kind: EventKind, impulse: float = 0.0, loss: float = 0.0) -> RunEvent:
        on = " on" if self.where.endswith(" limit") else ""
        words = {"impact": "hits", "touch": f"rests{on}", "leave": "leaves"}[kind]
        return RunEvent(t, self.element, words + self.where, kind, impulse, loss)


class Hit(NamedTuple):
    """An impact as it was noted."""

    t: float
    place: Place
    impulse: float
    loss: float


class SteppedEvents:
    """Of the rigid limits and contacts of one run."""

    def __init__(self, driver: Driver) -> None:
        self._driver, system = driver, driver.system
        stepping = driver.method.time_stepping
        lines = range(len(system.forces) if stepping else 0)
        self.lines = np.array([i for i in lines if driver.law_kind(i) is limit.KIND], np.int64)
        self._kinds = {force.name: kind_of(force).name for force in driver.mechanism.scene.forces}
        of_line = [self._place(int(line)) for line in self.lines]
        self._places = list(dict.fromkeys(of_line))
        self._place_of = np.array([self._places.index(place) for place in of_line], np.int64)
        self._resting = np.zeros(len(self._places), dtype=bool)
        self._begun = False
        self._logs = stepping and (len(self.lines) > 0 or len(groups_of(system)) > 0)
        self._open: dict[Place, tuple[RunEvent, float]] = {}  # impacts that may go on, and when they did last
        self._waiting: list[RunEvent] = []  # until all before them is known
        self.unlisted = 0  # impacts for which there was no room

    def look(self, before: Array, rows: Array) -> tuple[RunEvent, ...]:
        """What has happened in the steps that end with these samples; `before` is the one before them.

        What may go on in the next step is told after it.
        """
        if not self._logs:
            return ()
        hits = self._hits()
        self._waiting += self._impacts(hits)
        if len(self.lines) and len(rows):
            self._waiting += self._changes(np.concatenate([before[None], rows]), hits)
        return self._release(self._driver.t - FOLLOWING * self._driver.clock[CLOCK.STEP])

    @property
    def warning(self) -> str:
        """What the user should know of it, or nothing."""
        if self.unlisted == 0:
            return ""
        return f"{self.unlisted} impacts are not in the list of events, as more came at once than it takes."

    def rest(self) -> tuple[RunEvent, ...]:
        """What has not been told yet when a run is over."""
        return self._release(np.inf)

    def _release(self, t: float) -> tuple[RunEvent, ...]:
        """Events before t, in the order of time."""
        for place in [place for place, (_, latest) in self._open.items() if latest < t]:
            self._waiting.append(self._open.pop(place)[0])
        going_on = min((event.t for event, _ in self._open.values()), default=np.inf)
        told = sorted((e for e in self._waiting if e.t < min(t, going_on)), key=lambda event: event.t)
        self._waiting = [e for e in self._waiting if not e.t < min(t, going_on)]
        return tuple(told)

    def _place(self, line: int) -> Place:
        driver, system = self._driver, self._driver.system
        name = driver.law_name(line)
        if self._kinds[name] == "contact":
            return Place(name, "")
        if self._kinds[name] == "contact_group":
            function = system.coordinate_functions[
                system.rows[system.forces[line, limit.ROW], ROW.COORDINATE]
            ]
            begin = function[COORDINATE.BLOCK]
            bodies = system.block_bodies[begin : begin + function[COORDINATE.BLOCKS]]
            return Place(name, self._pair(*(int(system.bodies[body, BODY.V]) for body in bodies[:2])))
        side = "upper" if system.force_reals[line, limit.SIDE] > 0.0 else "lower"
        return Place(name, f" its {side} limit")

    def _pair(self, *velocities: int) -> str:
        """Two bodies by their first velocities."""
        names = [
            self._driver.mechanism.body_of_velocity(at) if at >= 0 else "a fixed body" for at in velocities
        ]
        return f" ({' and '.join(sorted(names))})"

    def _hits(self) -> list[Hit]:
        """What was noted since the last look, without steps that were taken again."""
        s = self._driver.work.scratch
        count, per_row = int(s[REC.HIT_COUNT, 0]), s.shape[1] // HIT.WIDTH
        s[REC.HIT_COUNT, 0] = 0.0
        room = REC.HIT_ROWS * per_row
        self.unlisted += max(count - room, 0)
        found: list[Hit] = []
        earliest = np.inf
        for k in range(min(count, room) - 1, -1, -1):
            at = k % per_row * HIT.WIDTH
            hit = s[REC.HITS + k // per_row, at : at + HIT.WIDTH]
            if hit[HIT.T] > earliest:
                continue
            earliest, line = float(hit[HIT.T]), int(hit[HIT.LINE])
            if hit[HIT.A] == HIT.NO_BODY:
                place = self._places[int(self._place_of[np.searchsorted(self.lines, line)])]
            else:
                place = Place(self._driver.law_name(line), self._pair(int(hit[HIT.A]), int(hit[HIT.B])))
            found.append(Hit(earliest, place, float(hit[HIT.IMPULSE]), float(hit[HIT.LOSS])))
        return found[::-1]

    def _impacts(self, hits: list[Hit]) -> list[RunEvent]:
        """One event for each place, also where several of its corners are hit, or one in several steps."""
        new: list[RunEvent] = []
        for hit in hits:
            known = self._open.get(hit.place)
            if known and hit.t - known[1] < FOLLOWING * self._driver.clock[CLOCK.STEP]:
                event = known[0]
            else:
                event = hit.place.event(hit.t, "impact")
                new += [known[0]] if known else []
            event = replace(event, impulse=event.impulse + hit.impulse, loss=event.loss + hit.loss)
            self._open[hit.place] = event, hit.t
        return new

    def _changes(self, samples: Array, hits: list[Hit]) -> list[RunEvent]:
        """What comes to rest on something, and what leaves it."""
        layout, count = self._driver.layout, len(self._places)
        rows = self._driver.system.forces[self.lines, limit.ROW]
        pushed = samples[:, layout.multipliers][:, rows] != 0.0
        t = samples[:, layout.t]
        struck = np.zeros((len(samples), count), dtype=bool)
        for hit in hits:
            if hit.place in self._places and hit.t <= t[-1]:
                struck[np.searchsorted(t, hit.t), self._places.index(hit.place)] = True
        events: list[RunEvent] = []
        for k in range(1, len(samples)):
            carries = np.zeros(count, dtype=bool)
            np.logical_or.at(carries, self._place_of, pushed[k])
            rests = carries & (self._resting | ~struck[k])
            changes: tuple[tuple[EventKind, Any], ...] = (
                ("touch", rests & ~self._resting),
                ("leave", ~carries & self._resting),
            )
            if self._begun:  # what carries at the start is no news
                middle = 0.5 * float(t[k - 1] + t[k])
                events += [
                    self._places[n].event(middle, kind)
                    for kind, which in changes
                    for n in np.flatnonzero(which)
                ]
            self._resting, self._begun = rests, True
        return events
