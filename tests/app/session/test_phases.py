"""Phases of the session: the table in the code is the one on the page, and nothing else is possible."""

import itertools
import re

import pytest

from app.session.playing.phases import TRANSITIONS, Event, IllegalTransition, Phase, Phases
from app.session.playing.playhead import Playhead
from app.session.playing.session_state import State, state_of
from app.session.recorded.run import Run
from tests.app.session.sessions import pendulum
from tests.paths import ROOT

# how to get from the beginning into each phase
WAYS = {
    Phase.EMPTY: (),
    Phase.COMPILING: (Event.BUILD,),
    Phase.HALTED: (Event.BUILD, Event.ADOPT),
    Phase.GOING: (Event.BUILD, Event.ADOPT, Event.PLAY),
    Phase.BROKEN: (Event.BUILD, Event.FAIL),
}


def in_phase(phase: Phase) -> Phases:
    phases = Phases()
    for event in WAYS[phase]:
        phases.happens(event)
    assert phases.now is phase
    return phases


def table_on_the_page() -> dict[tuple[str, str], str]:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = re.search(r"^\| event \|.*\n\|[-|]+\n((?:\|.*\n)+)", page, flags=re.MULTILINE)
    assert rows is not None
    head, *lines = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in rows.group(0).splitlines()
        if "---" not in line
    ]
    return {
        (event, phase): cell for event, *cells in lines for phase, cell in zip(head[1:], cells, strict=True)
    }


def test_the_page_has_the_table_of_the_code() -> None:
    coded = {
        (event.value, phase.value): TRANSITIONS[event].get(phase, "–")
        for event, phase in itertools.product(Event, Phase)
    }
    assert table_on_the_page() == coded


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("event", Event)
def test_an_event_leads_where_the_page_says_or_is_refused(event: Event, phase: Phase) -> None:
    phases = in_phase(phase)
    wanted = table_on_the_page()[event.value, phase.value]
    if wanted == "–":
        with pytest.raises(IllegalTransition, match=rf"'{event.value}'.*{phase.value}"):
            phases.happens(event)
        assert phases.now is phase
    else:
        phases.happens(event)
        assert phases.now == wanted


def test_every_phase_can_be_left_for_a_new_run() -> None:
    """No dead end: from any phase, halting and building leads to a run that plays."""
    for phase in Phase:
        phases = in_phase(phase)
        for event in (Event.HALT, Event.BUILD, Event.ADOPT, Event.PLAY):
            phases.happens(event)
        assert phases.now is Phase.GOING


def test_the_state_in_one_word() -> None:
    run = Run(1, pendulum())  # nothing recorded: it has not moved
    live, back, replay = Playhead(), Playhead(), Playhead()
    back.show(0.0)
    replay.replay(0.0)
    for playhead in (live, back, replay):
        assert state_of(Phase.COMPILING, run, playhead, failed=False) is State.COMPILING
        assert state_of(Phase.EMPTY, None, playhead, failed=False) is State.EMPTY
        assert state_of(Phase.BROKEN, None, playhead, failed=False) is State.FAILED
    for phase in (Phase.HALTED, Phase.GOING, Phase.BROKEN):
        for failed in (False, True):
            assert state_of(phase, run, back, failed=failed) is State.DETACHED
            assert state_of(phase, run, replay, failed=failed) is State.PLAYING
    assert state_of(Phase.GOING, run, live, failed=False) is State.PLAYING
    assert state_of(Phase.HALTED, run, live, failed=False) is State.READY
    assert state_of(Phase.HALTED, run, live, failed=True) is State.FAILED
    assert state_of(Phase.BROKEN, run, live, failed=False) is State.FAILED
