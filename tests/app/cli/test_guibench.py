"""The pictures that `guibench` times can be drawn; how fast is not asked here."""

import pytest
from pytestqt.qtbot import QtBot

from app.cli.driving import heavy
from app.platform.appearance import Look


def test_long_curves_grow(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heavy, "SAMPLES", 1000)
    monkeypatch.setattr(heavy, "REFRESHES", 2)
    pumped: list[int] = []
    found = heavy.six_curves(Look(), 10, lambda: pumped.append(1))
    assert len(pumped) == 2 + 3
    assert found["max"] > 0.0


def test_a_hundred_bodies_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heavy, "REFRESHES", 1)
    assert heavy.hundred_bodies()["max"] > 0.0
