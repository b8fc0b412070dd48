"""The bar that a notebook shows while a study runs, with a stand-in for IPython."""

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from engine import Study
from engine.studies.running.notebook import in_notebook
from tests.engine.studies.mechanisms import pendulum


class Handle:
    """What `display` gives: it is drawn anew."""

    def __init__(self, first: str) -> None:
        self.shown = [first]

    def update(self, html: str) -> None:
        self.shown.append(html)


@pytest.fixture
def handles(monkeypatch: pytest.MonkeyPatch) -> list[Handle]:
    made: list[Handle] = []

    def display(html: str, display_id: bool) -> Handle:
        made.append(Handle(html))
        return made[-1]

    ipython: Any = ModuleType("IPython")
    ipython.get_ipython = lambda: SimpleNamespace(kernel=object())
    shown: Any = ModuleType("IPython.display")
    shown.HTML, shown.display = str, display
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", shown)
    return made


def study() -> Study:
    return (
        Study(pendulum().with_simulation(duration=0.05))
        .with_variable("choices", "parameters.L", values=[1.0, 1.5])
        .with_objective("low", "body.bob.pos.y", "min")
    )


def test_a_bar_tells_how_far_it_is(handles: list[Handle]) -> None:
    table = study().run(workers=0)
    (handle,) = handles
    assert "2 of 2 runs" in handle.shown[-1]
    assert 'value="1.0000"' in handle.shown[-1]
    assert "parameters.L" in table._repr_html_()


def test_nothing_is_drawn_elsewhere_or_for_a_progress_of_your_own(handles: list[Handle]) -> None:
    study().run(workers=0, progress=lambda share, words: None)
    assert not handles


def test_a_terminal_is_no_notebook() -> None:
    assert not in_notebook()
