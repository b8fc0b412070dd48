"""What the events of a run say of elements at an instant: friction that holds or slips, limits that carry."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from app.document.element_ref import Ref
from engine.results.run_events import RunEvent

# in colours that also those who see red and green alike can tell apart
COLORS = {"stick": "#009E73", "slip": "#D55E00", "touch": "#0072B2"}  # by what holds; others: none


class EventStates:
    """Goes along with the playhead, so that a frame costs the events that it passes."""

    def __init__(self) -> None:
        self._run: int | None = None
        self._passed = 0
        self._last: dict[str, RunEvent] = {}  # element → event that says how it is

    def colors(self, run: int | None, events: Sequence[RunEvent], t: float) -> dict[Ref, str]:
        """Colours of forces at an instant of a run."""
        passed = bisect_right(events, t, key=lambda event: event.t)
        if run != self._run or passed < self._passed:
            self._run, self._passed, self._last = run, 0, {}
        for event in events[self._passed : passed]:
            if _tells(event, self._last.get(event.element)):
                self._last[event.element] = event
        self._passed = passed
        return {Ref("forces", name): COLORS[e.kind] for name, e in self._last.items() if e.kind in COLORS}


def _tells(event: RunEvent, before: RunEvent | None) -> bool:
    """Whether an event says how its element is from now on.

    Places of a contact touch one by one: that it sticks or slips says more than that it carries, and that
    some place carries more than that another is left at the same instant.
    """
    if event.kind == "impact":
        return False
    if event.kind == "touch":
        return before is None or before.kind not in ("stick", "slip")
    if event.kind == "leave":
        return before is None or before.t < event.t
    return True
