"""Changes of state of laws (a stop is touched, friction slips), located within the step that has one.

Laws hold their state within a step (`engine/elements/laws/base.py`). Where one has left it at the end of a
step, the step is taken again from its beginning with other lengths, as for stop conditions, until it ends on
the change; there the law takes the state that fits, and the method begins anew. Laws that act by constraint
rows find their states together (`engine/simulation/rigid`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import forces as LAW
from engine.compiled.columns import row_reals as ROW_REAL
from engine.compiled.columns import rows as ROW
from engine.compiled.layout import Array, Ints, StepStatus
from engine.elements.laws import limit
from engine.model.scene import kind_of
from engine.results.run_events import RunEvent, kind_of_words
from engine.simulation.rigid.resolution import Resolution
from engine.simulation.stepping.advance import LANDED
from engine.simulation.stepping.method_driver import Driver
from engine.simulation.stops.conditions import LOCATED, reach

MAX_AT_ONE_INSTANT = 20  # changes without progress; after them part of a step is taken without looking
FIRST_BLIND = 1e-6  # of a step: so much, and ten times as much wherever that was not enough
SHORT = 10.0 * LANDED  # of a step: a change so near to its beginning happens there
TINY = float(np.finfo(float).tiny)
SEPARATIONS = 40  # doublings of the tolerance in which the change must be passed
HALVINGS = 22  # of a step, in which a law that begins at its limit is looked for within its state
JUMPS = 1e-6  # of the margin of a limit at the end: it is beyond that at once where its reaction jumps
APPROACHES = 3  # steps towards the instant at which a limit is left
APPROACH = 1e-3  # of what is left until then: where such a step ends


@dataclass(frozen=True)
class Change:
    """What became of a step in which a law has left its state; the driver stands behind the change."""

    status: StepStatus
    events: tuple[RunEvent, ...] = ()
    before: Array | None = None  # the sample at the instant of the events, before they change anything
    elements: tuple[str, ...] = ()  # whose states changed or ceased to fit, also where that is no event


@dataclass
class Switching:
    """Changes of state of one run; counts those at one instant, so that no run hangs on them."""

    at: float = -1.0
    count: int = 0
    blind: float = FIRST_BLIND
    blinded: float = -math.inf  # when the last step without looking was taken
    rigid: Resolution | None = None

    def begin(self, driver: Driver) -> Change:
        """At the start of a run, or after its numbers were changed: the states of laws that act by rows."""
        self.rigid = Resolution(driver) if len(driver.with_rows) else None
        if self.rigid is None:
            return Change(StepStatus.OK)
        return self._resolve(driver, driver.sample(), driver.held, set())

    def take(self, driver: Driver) -> Change:
        """After a step from the present state in which a law has left its state: up to the change."""
        span = float(driver.clock[CLOCK.USED])
        status = driver.refresh()
        if status is not StepStatus.OK:
            return Change(status)
        before, t = driver.sample(), driver.t
        self.at, self.count = t, self.count + 1 if t == self.at else 1
        held = driver.held
        with driver.holding():
            if self.count > MAX_AT_ONE_INSTANT:
                driver.held = np.where(np.isin(driver.switching, driver.with_rows), held, 0)
                done = _reached(
                    driver, before, t + min(self._blind(t, float(driver.clock[CLOCK.STEP])), span)
                )
            else:
                done = _to_the_change(driver, before, t, span)
        if not done:
            return Change(StepStatus.NOT_SOLVED)
        near = driver.t - t <= SHORT * driver.clock[CLOCK.STEP]
        sample = before if near else driver.sample()
        fired = set(map(int, driver.switching[driver.margins() < 0.0]))
        driver.settle()
        change = self._resolve(driver, sample, held, fired)
        names = (*map(driver.law_name, sorted(fired)), *(event.element for event in change.events))
        return replace(change, elements=tuple(dict.fromkeys(names)))

    def _blind(self, t: float, step: float) -> float:
        """How far to go without looking: little where changes come ever nearer to an instant, a whole step
        where they have no end."""
        share = FIRST_BLIND if t - self.blinded > step else self.blind
        self.blind, self.blinded = min(10.0 * share, 1.0), t
        return share * step

    def _resolve(self, driver: Driver, before: Array, held: Ints, fired: set[int]) -> Change:
        """Begin anew at a sample, after what its states and impacts make of it."""
        after = before
        impacts: tuple[RunEvent, ...] = ()
        if self.rigid is not None:
            after, impacts = self.rigid.resolve(before, fired)
        status = driver.resume(after)
        return Change(status, of_elements(driver, (*impacts, *_told(driver, held))), before)


def of_elements(driver: Driver, events: tuple[RunEvent, ...]) -> tuple[RunEvent, ...]:
    """What happens to several places of one contact at one instant is one event."""
    contacts = {force.name for force in driver.mechanism.scene.forces if kind_of(force).name == "contact"}
    told: dict[tuple[str, str], RunEvent] = {}
    for event in events:
        of_place = event.element in contacts
        what = event.what.removesuffix(" its lower limit").removesuffix(" on") if of_place else event.what
        key = (event.element, what if of_place else f"{len(told)}")
        before = told.get(key)
        impulse = event.impulse + (before.impulse if before else 0.0)
        loss = event.loss + (before.loss if before else 0.0)
        told[key] = replace(event, what=what, impulse=impulse, loss=loss)
    return tuple(told.values())


def _reached(driver: Driver, before: Array, t: float) -> bool:
    return driver.resume(before) is StepStatus.OK and reach(driver, t)


def _to_the_change(
    driver: Driver, before: Array, t: float, span: float, approaches: int = APPROACHES
) -> bool:
    """Leave the driver just behind the first change, or at the end of the step if there is none.

    Where a limit is left, its reaction may jump (a corner or a ball passes the end of a face), and stages at
    the end of a step that ends there to rounding may stand beyond. So the step that ends there is a short
    one, after others that do not come so near.
    """
    from scipy.optimize import brentq  # slow to import, and most runs have no stops

    class Failed(Exception):
        pass

    def margins(step: float) -> Array:
        if not _reached(driver, before, t + step):
            raise Failed
        return driver.margins()

    def first_change(line: int, begin: float, by: float) -> float:
        """When this margin becomes negative, which it is then."""
        if begin <= 0.0:  # it begins at its limit: is it ever within?
            inside = (by * 0.5**k for k in range(1, HALVINGS))
            low = next((x for x in inside if margins(x)[line] > 0.0), None)
            if low is None:
                return 0.0
        else:
            low = 0.0
        try:
            # where rounding keeps it from converging, its last bracket is as good
            return float(brentq(lambda x: margins(x)[line], low, by, xtol=tolerance, disp=False))
        except ValueError:
            # a margin of the size of rounding, which is not negative when it is looked at again
            return by

    def first_of(lines: Ints, begin: Array, end: Array) -> tuple[int, float]:
        """The line that changes first, and when; those that have not by then are not looked for."""
        first, at, then = -1, span, end
        soon = begin[lines] / np.maximum(begin[lines] - end[lines], 1e-9 * np.abs(begin[lines]) + TINY)
        for line in map(int, lines[np.argsort(soon)]):
            if first < 0 or then[line] < 0.0:
                first, at = line, first_change(line, float(begin[line]), at)
                then = margins(at)
        return first, at

    tolerance = max(LOCATED * span, 4.0 * float(np.spacing(t + span)))
    try:
        begin, end = driver.margins(), margins(span)
        left = np.flatnonzero(end < 0.0)
        if not len(left):
            return True
        first, at = first_of(left, begin, end)
        near, soon_after = (1.0 - APPROACH) * at, min(at + 4.0 * tolerance, span)
        jumps = _closed(driver, first) and (
            margins(soon_after)[first] < JUMPS * end[first] or _parts(driver, first)
        )
        if approaches and near > SHORT * span and jumps and margins(near).min() > 0.0:
            closer, then = driver.sample(), driver.t
            rest = min(2.0 * (at - near), span - near)
            if _reached(driver, closer, then + rest) and driver.margins()[first] < 0.0:
                return _to_the_change(driver, closer, then, rest, approaches - 1)
        for k in range(SEPARATIONS):
            beyond = min(max(at + 2.0**k * tolerance, 2.0 * LANDED * span), span)
            if margins(beyond)[first] < 0.0 or beyond == span:
                break
        return True
    except Failed:
        return False


def _closed(driver: Driver, place: int) -> bool:
    """Whether it is a closed limit that has left its state there, a place in `switching`."""
    line = int(driver.switching[place])
    return driver.law_kind(line) is limit.KIND and driver.system.forces[line, limit.STATE] == limit.CLOSED


def _parts(driver: Driver, place: int) -> bool:
    """Whether its corner passes the end of the face that its row holds it on."""
    system, line = driver.system, int(driver.switching[place])
    row = int(system.forces[line, limit.ROW])
    functions = [system.forces[line, LAW.A], system.rows[row, ROW.COORDINATE]]
    seen, held = driver.work.coordinate[functions, COORDINATE_VALUE.VALUE]
    return bool(abs(seen - held) > 0.5 * limit.PARTED * system.row_reals[row, ROW_REAL.SCALE])


def _told(driver: Driver, held: Ints) -> tuple[RunEvent, ...]:
    """What has happened since the laws were in these states; the first that are found are no news."""
    system, events = driver.system, []
    changed = (held != driver.held) & (held != 0)
    for line, old, new in zip(driver.switching[changed], held[changed], driver.held[changed], strict=True):
        what = driver.law_kind(int(line)).told(system.force_reals[line], int(old), int(new))
        if what:
            events.append(RunEvent(driver.t, driver.law_name(int(line)), what, kind_of_words(what)))
    return tuple(events)
