"""Pulls of the mouse on a mechanism that runs: what they are, how they act, what is remembered of them."""

from __future__ import annotations

import json
from bisect import bisect_right
from dataclasses import astuple, dataclass, field, replace
from typing import Any

import numpy as np

from engine.compiled.arenas import pack
from engine.compiled.columns import forces as LAW
from engine.compiled.columns import ranges as SPAN
from engine.compiled.columns import sizes as SIZE
from engine.compiled.layout import Array, System
from engine.elements.laws import LAWS, mouse
from engine.system.compiling.mechanism import Mechanism

MOUSE = mouse.KIND.name  # of its law and of its work


@dataclass(frozen=True)
class Pull:
    """A spring and damper from a point of a body, in its frame, to a place in the world."""

    body: str
    point: tuple[float, float, float]
    target: tuple[float, float, float]
    stiffness: float  # N/m
    damping: float  # N·s/m


@dataclass
class PullLog:
    """Every pull with the instant from which it held. One writer, any readers: entries are only appended."""

    times: list[float] = field(default_factory=list)
    pulls: list[Pull | None] = field(default_factory=list)

    def note(self, t: float, pull: Pull | None) -> None:
        self.pulls.append(pull)
        self.times.append(t)  # last: a reader that sees the time finds the pull

    def as_text(self) -> str:
        """For a file."""
        pairs = zip(self.times, self.pulls, strict=False)
        return json.dumps([[t, None if pull is None else astuple(pull)] for t, pull in pairs])

    def read(self, text: str) -> None:
        """What `as_text` wrote."""
        for t, values in json.loads(text):
            self.note(float(t), None if values is None else _pull(*values))

    def at(self, t: float) -> Pull | None:
        """What pulled at an instant."""
        i = bisect_right(self.times, t)
        return self.pulls[i - 1] if i else None

    def spans(self, t: Array) -> list[tuple[slice, Pull]]:
        """Stretches of rising instants with one pull each."""
        if not self.times or not len(t):
            return []
        times, pulls = list(self.times), self.pulls
        ends = [*np.searchsorted(t, times[1:], "left"), len(t)]
        begin, found = int(np.searchsorted(t, times[0], "left")), []
        for pull, end in zip(pulls, ends, strict=False):
            if pull is not None and end > begin:
                found.append((slice(begin, int(end)), pull))
            begin = max(begin, int(end))
        return found


def _pull(body: str, point: Any, target: Any, stiffness: float, damping: float) -> Pull:
    return Pull(body, tuple(point), tuple(target), stiffness, damping)


def with_mouse(mechanism: Mechanism) -> Mechanism:
    """The same with one law more, behind the others: bodies can be pulled while it runs."""
    system, line = mechanism.system, _line(mechanism)
    at = int(system.ranges[line, SPAN.BEGIN])
    sizes, ranges = system.sizes.copy(), system.ranges.copy()
    quadrature = int(sizes[SIZE.QUADRATURES])
    sizes[SIZE.FORCES] += 1
    sizes[SIZE.QUADRATURES] += 1
    ranges[line, [SPAN.USED, SPAN.END]] += 1
    ranges[line + 1 :] += 1
    forces = np.insert(system.forces, at, 0, axis=0)
    forces[at, LAW.QUADRATURE] = quadrature
    changed = {
        "sizes": sizes,
        "ranges": ranges,
        "forces": forces,
        "force_reals": np.insert(system.force_reals, at, 0.0, axis=0),
    }
    system, ints, reals = pack(System, {**system._asdict(), **changed}, whole="params")
    works = {**mechanism.quadratures, (MOUSE, MOUSE): quadrature}
    return replace(mechanism, system=system, arenas=(ints, reals), quadratures=works)


def has_mouse(mechanism: Mechanism) -> bool:
    return _place(mechanism) is not None


def apply_pull(mechanism: Mechanism, system: System, pull: Pull | None) -> bool:
    """Write a pull into the arrays of a run; False, nothing done, when it cannot act on this mechanism."""
    i = _place(mechanism)
    if i is None:
        return False
    law = system.force_reals[i]
    if pull is None:
        law[:] = 0.0
        return True
    numbers = [*pull.point, *pull.target, pull.stiffness, pull.damping]
    if pull.body not in mechanism.bodies or not np.isfinite(numbers).all():
        return False
    b = mechanism.bodies.index(pull.body)
    law[mouse.POINT : mouse.POINT + 3] = np.array(pull.point) - mechanism.com[b]
    law[mouse.TARGET : mouse.TARGET + 3] = pull.target
    law[mouse.STIFFNESS], law[mouse.DAMPING], law[mouse.PULLED_BODY] = pull.stiffness, pull.damping, b
    return True


def _place(mechanism: Mechanism) -> int | None:
    """Line of the mouse in the table of forces."""
    span = mechanism.system.ranges[_line(mechanism)]
    return int(span[SPAN.BEGIN]) if span[SPAN.END] > span[SPAN.BEGIN] else None


def _line(mechanism: Mechanism) -> int:
    """Line of its kind in the table of ranges."""
    return int(mechanism.system.sizes[SIZE.PRIMITIVES]) + LAWS.names.index(MOUSE)
