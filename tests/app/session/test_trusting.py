"""The badge of a session: a run that stands is judged, in the background, and a new sample forgets it."""

from collections.abc import Iterator

import pytest

from app.exchange.runs.extracts import extract_of
from engine.results.assessment.trust import Level
from tests.app.session.sessions import Watcher, pendulum, watched_session

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def watched(tmp_path) -> Iterator[Watcher]:
    with watched_session(tmp_path) as made:
        yield made


def test_a_run_that_stands_is_judged_with_its_error(watched):
    session = watched.session
    watched.load(pendulum(duration=0.5))
    session.trusting.judge()
    assert not session.trusting.busy  # nothing has moved yet
    watched.run_to(0.5)
    session.trusting.automatic = True
    watched.until(lambda: session.trusting.trust is not None and session.trusting.trust.estimated)
    trust = session.trusting.trust
    assert trust.level is Level.GREEN
    assert 0.0 < trust.error < 1e-6
    facts = extract_of(session.current).facts
    assert facts["trust"]["position_error"] == trust.error


def test_judging_is_ended_by_who_does_not_want_it_and_by_what_was_pulled_or_edited(watched):
    session = watched.session
    watched.load(pendulum(duration=5000.0))
    watched.run_to(0.5)
    session.trusting.judge()
    assert session.trusting.busy
    session.trusting.cancel()
    assert not session.trusting.busy
    session.set_method(dt=0.001)
    watched.settled()
    session.transport.step(5)
    watched.settled()
    session.trusting.judge()
    watched.until(lambda: not session.trusting.busy)
    assert not session.trusting.trust.estimated
    assert "edited" in session.trusting.why_not
    assert extract_of(session.current).facts["trust"]["level"] == "green"
