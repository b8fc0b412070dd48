"""What the events of a run say of elements at an instant: friction that holds or slips, limits that carry."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from app.document.element_ref import Ref
from engine.results.run_events import RunEvent

# in colours that also those who see red and green alike can tell apart
COLORS = {"stick": "#009E73", "slip": "#D55E00", "touch": "#0072B2"}  # by the last event; others: none


class EventStates:
    """Goes along with the playhead, so that a frame costs the events that it passes."""

    def __init__(self) -> None:
        self._run: int | None = None
        self._passed = 0
        self._last: dict[str, str] = {}  # element → kind of its last event

    def colors(self, run: int | None, events: Sequence[RunEvent], t: float) -> dict[Ref, str]:
        """Colours of forces at an instant of a run."""
        passed = bisect_right(events, t, key=lambda event: event.t)
        if run != self._run or passed < self._passed:
            self._run, self._passed, self._last = run, 0, {}
        for event in events[self._passed : passed]:
            self._last[event.element] = event.kind
        self._passed = passed
        return {Ref("forces", name): COLORS[kind] for name, kind in self._last.items() if kind in COLORS}
