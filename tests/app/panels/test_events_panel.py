"""The list of events: it grows with the run, a click goes to the instant, slow motion comes and goes."""

from types import SimpleNamespace
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from app.document.element_ref import Ref
from app.panels.events import SLOW_MOTION, EventsPanel
from app.platform.appearance import Look
from app.platform.theme import Theme
from engine.results.run_events import RunEvent


class Transport:
    """Remembers what it was asked for."""

    def __init__(self) -> None:
        self.speed, self.asked = 1.0, list[Any]()

    def seek(self, t: float) -> None:
        self.asked.append(t)

    def set_speed(self, speed: float) -> None:
        self.speed = speed

    def play(self) -> None:
        self.asked.append("play")

    def pause(self) -> None:
        self.asked.append("pause")


@pytest.fixture
def session() -> SimpleNamespace:
    run = SimpleNamespace(id=1, happened=[], t_first=0.0, t_last=2.0)
    scene = SimpleNamespace(forces=[SimpleNamespace(name="floor")])
    selected: list[Any] = []
    return SimpleNamespace(
        current=run,
        t=2.0,
        state="playing",
        transport=Transport(),
        document=SimpleNamespace(scene=scene),
        selection=SimpleNamespace(set=selected.extend),
        selected=selected,
    )


def test_a_window_without_a_run_has_no_events(session: SimpleNamespace, qtbot: QtBot) -> None:
    session.current = None
    panel = EventsPanel(session, Look())
    qtbot.addWidget(panel)
    assert panel.view.topLevelItemCount() == 0
    panel.shutdown()


def test_events_are_listed_clicked_and_played_slowly(session: SimpleNamespace, qtbot: QtBot) -> None:
    panel = EventsPanel(session, Look())
    qtbot.addWidget(panel)
    assert "No impacts" in panel.count.text()
    session.current.happened += [
        RunEvent(0.4, "floor", "hits its lower limit", "impact", 3.0, 1.5),
        RunEvent(0.9, "floor", "rests on its lower limit", "touch"),
    ]
    panel.refresh()
    assert panel.view.topLevelItemCount() == 2
    assert panel.count.text() == "2 events; impacts have cost 1.5 J"
    hit = panel.view.topLevelItem(0)
    assert [hit.text(c) for c in range(6)] == ["", "0.4", "floor", "hits its lower limit", "3", "1.5"]
    panel.view.itemClicked.emit(hit, 1)
    assert session.transport.asked == [0.4]
    assert session.selected == [Ref("forces", "floor")]
    panel.view.setCurrentItem(hit)
    panel.slow_motion()
    assert session.transport.speed == SLOW_MOTION
    assert session.transport.asked[1:] == [pytest.approx(0.38), "play"]
    panel.slow_motion()
    assert session.transport.speed == 1.0
    panel.view.itemClicked.emit(hit, 0)  # the arrow: slowly at once, and only around the event
    assert session.transport.speed == SLOW_MOTION
    session.t = 0.41
    panel.refresh()
    assert session.transport.speed == SLOW_MOTION
    session.t = 0.43
    panel.refresh()
    assert session.transport.speed == 1.0
    assert panel.table().splitlines()[1] == "0.4\tfloor\thits its lower limit\timpact\t3.0\t1.5"
    session.current = SimpleNamespace(id=2, happened=[], t_first=0.0, t_last=0.0)
    panel.refresh()
    assert panel.view.topLevelItemCount() == 0
    panel.shutdown()


@pytest.mark.parametrize("state", ["paused", "playing"])
def test_behind_an_event_it_stands_if_it_stood_before(
    session: SimpleNamespace, qtbot: QtBot, state: str
) -> None:
    """It went on at full speed to the end of the run, and the event was out of sight."""
    session.state, session.current.t_last = state, 1000.0
    session.current.happened.append(RunEvent(400.0, "floor", "hits", "impact", 3.0, 1.5))
    panel = EventsPanel(session, Look())
    qtbot.addWidget(panel)
    panel.slow_motion()
    assert session.transport.asked == [pytest.approx(399.9), "play"]  # no minutes before it in a long run
    session.t = 400.11
    panel.refresh()
    assert session.transport.speed == 1.0
    assert session.transport.asked[2:] == (["pause"] if state == "paused" else [])
    panel.shutdown()


def test_soft_contacts_are_counted_without_a_cost(session: SimpleNamespace, qtbot: QtBot) -> None:
    session.current.happened.append(RunEvent(0.4, "floor", "touches", "touch"))
    panel = EventsPanel(session, Look())
    qtbot.addWidget(panel)
    assert panel.count.text() == "1 event"
    panel.shutdown()


def test_the_arrows_follow_the_theme(session: SimpleNamespace, qtbot: QtBot) -> None:
    session.current.happened.append(RunEvent(0.4, "floor", "touches", "touch"))
    look = Look()
    panel = EventsPanel(session, look)
    qtbot.addWidget(panel)
    before = panel.view.topLevelItem(0).icon(0).pixmap(16, 16).toImage()
    look.set(Theme(dark=not look.theme.dark), look.units)
    after = panel.view.topLevelItem(0).icon(0).pixmap(16, 16).toImage()
    assert before != after
    panel.shutdown()
