"""Colours of contacts by what the events of a run say."""

from app.document.element_ref import Ref
from app.viewport.motion.event_states import COLORS, EventStates
from engine.results.run_events import EventKind, RunEvent


def _color(*happened: tuple[float, EventKind]) -> str | None:
    events = [RunEvent(t, "c", kind, kind) for t, kind in happened]
    return EventStates().colors(1, events, 9.0).get(Ref("forces", "c"))


def test_a_block_that_has_come_to_rest_is_shown_to_stick() -> None:
    """All of its last impact is of one instant: one corner is left, the other carries and holds."""
    hit: tuple[tuple[float, EventKind], ...] = (
        (1.0, "impact"),
        (1.0, "stick"),
        (1.0, "touch"),
        (1.0, "leave"),
    )
    assert _color(*hit) == COLORS["stick"]
    assert _color(*hit, (2.0, "touch")) == COLORS["stick"]
    assert _color(*hit, (2.0, "slip")) == COLORS["slip"]
    assert _color(*hit, (2.0, "leave")) is None


def test_a_contact_without_friction_carries_until_it_is_left() -> None:
    assert _color((1.0, "impact"), (1.0, "touch")) == COLORS["touch"]
    assert _color((1.0, "touch"), (2.0, "leave"), (3.0, "impact")) is None
