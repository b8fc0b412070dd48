"""Whatever a run brings, its plots are painted without a warning: nothing appears on the user's terminal."""

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app.exchange.sheets.sheets import page_of, sheet_of
from app.platform.appearance import Look
from app.platform.theme import Theme
from app.widgets.plots.box import PlotBox

T = np.linspace(0.0, 1.0, 3001)
VALUES = {
    "nothing": T[:0],
    "one sample": T[:1],
    "zeros": 0.0 * T,
    "constant": 0.0 * T + 3.0,
    "no numbers": np.nan * T,
    "gaps": np.where(T % 0.2 < 0.1, T, np.nan),
    "infinite": np.where(T > 0.7, np.inf, T),
    "blown up": np.exp(np.minimum(700.0 * T, 709.0)),
    "both signs, huge": np.sin(40.0 * T) * 1.7e308,
    "smallest": 5e-324 * np.ones_like(T),
    "rounding": 1e-15 * np.sin(1e4 * T),
}


class OddRun:
    id, name = 1, "Run 1"

    def __init__(self, y: Any) -> None:
        self.t, self.y, self.count = T[: len(y)], y, len(y)
        self.t_first, self.t_last = 0.0, float(self.t[-1]) if len(y) else 0.0

    def channel(self, name: str, begin: float | None = None, end: float | None = None) -> tuple[Any, Any]:
        return (self.t, self.y) if begin is None else (self.t[:0], self.y[:0])

    def unit(self, name: str) -> str:
        return "m"

    def is_unique(self, name: str) -> bool:
        return True


@pytest.fixture
def strict() -> Iterator[list[str]]:
    """Warnings are raised also where an exception is caught, as in slots: each is noted."""
    told: list[str] = []
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = lambda message, kind, file, line, *_: told.append(f"{message} {file}:{line}")
        yield told


@pytest.mark.parametrize("kind", ["time", "phase", "spectrum"])
@pytest.mark.parametrize("log", [False, True])
def test_issue_18_no_curve_warns(qtbot: QtBot, strict: list[str], kind: str, log: bool) -> None:
    box = PlotBox(Look(), "plot", kind, log=log)
    qtbot.addWidget(box)
    box.resize(500, 200)
    box.show()
    box.add_channel("a")
    box.add_channel("b")
    box.set_range((0.2, 0.8))
    for name, values in VALUES.items():
        run = OddRun(values)
        box.curves.forget()
        for span in ((0.0, 1.0), (0.4, 0.4001)):
            box.plot.getViewBox().setXRange(*span, padding=0.0)
            box.refresh([run], run, 0.5, span)
            box.show_statistics(run)
            box.plot.grab()
        assert not strict, name
    page_of(sheet_of(box, [run], run), (400, 250), Theme()).close()
    assert not strict
