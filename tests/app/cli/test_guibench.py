"""The pictures that `guibench` times can be drawn; how fast is not asked here."""

import math
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from app.cli.driving import heavy, window_bench
from app.platform.appearance import Look
from tests.paths import SCENES


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


def test_every_figure_is_measured(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two edits, one after the other: each must be seen to reach the engine."""
    for module, name, small in (
        (window_bench, "EDITS", 2),
        (window_bench, "ROUNDS", 1),
        (window_bench, "ROUND", 0.1),
        (heavy, "SAMPLES", 1000),
        (heavy, "REFRESHES", 1),
    ):
        monkeypatch.setattr(module, name, small)
    figures = window_bench.measure(SCENES / "four_bar.json", 4.0, begin=0.0, offscreen=True)
    assert figures["errors"] == 0
    numbers: list[Any] = [
        part
        for value in figures.values()
        for part in (value.values() if isinstance(value, dict) else [value])
        if not isinstance(part, str)
    ]
    assert len(numbers) > 40
    assert all(math.isfinite(number) for number in numbers)
