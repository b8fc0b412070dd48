"""How often a scene is checked and compiled on its way through the program: opened, dragged, edited."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import engine.model.validate as validating
import engine.system.compiling.compile as compiling
from app.document.document import Edit
from app.tools.drag.linkage_pose import LinkagePose
from engine import set_value
from tests.app.session.sessions import FOUR_BAR, Watcher, watched_session


@pytest.fixture
def watcher(tmp_path: Path, qapp: object) -> Iterator[Watcher]:
    with watched_session(tmp_path) as watcher:
        yield watcher


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Counts at the innermost place, whoever asked for it."""
    done: Counter[str] = Counter()

    def counted(module: Any, name: str, what: str) -> None:
        original = getattr(module, name)

        def call(*arguments: Any, **named: Any) -> Any:
            done[what] += 1
            return original(*arguments, **named)

        monkeypatch.setattr(module, name, call)

    counted(validating, "Context", "checked")
    counted(compiling, "Builder", "compiled")
    return done


def ready(watcher: Watcher) -> None:
    session = watcher.session
    watcher.until(
        lambda: session.state == "ready" and session.lifecycle.check is not None and not session.busy
    )


def test_opening_a_file_checks_and_compiles_it_once(watcher: Watcher, work: Counter[str]) -> None:
    watcher.session.document.open(FOUR_BAR)
    ready(watcher)
    assert work == {"checked": 1, "compiled": 1}


def test_a_drag_with_its_drop_compiles_the_new_start_only(watcher: Watcher, work: Counter[str]) -> None:
    session = watcher.session
    session.document.open(FOUR_BAR)
    ready(watcher)
    work.clear()
    run = session.current
    lead = LinkagePose(session, session.document.scene.bodies[0].name, [np.zeros(3)])
    for _ in range(3):
        lead.follow(lead.place + 0.004 * np.array([0.3, 1.0, 0.0]))
    edit = lead.commit("Drag")
    assert edit is not None
    session.document.apply(edit)
    watcher.until(lambda: session.current is not run)
    ready(watcher)
    assert work == {"checked": 1, "compiled": 1}


def test_a_number_edited_while_playing_is_compiled_once(watcher: Watcher, work: Counter[str]) -> None:
    session = watcher.session
    session.document.open(FOUR_BAR)
    ready(watcher)
    session.transport.play()
    watcher.until(lambda: session.t > 0.01)
    run = session.current
    assert run is not None
    segments = len(run.record.segments)
    work.clear()
    scene = session.document.scene
    after = set_value(scene, f"bodies.{scene.bodies[-1].name}.mass", 1.25)
    session.document.apply(Edit("Heavier", after))
    watcher.until(lambda: len(run.record.segments) > segments and not session.busy)
    assert work == {"checked": 1, "compiled": 1}
