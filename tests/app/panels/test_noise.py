"""Rounding noise is shown as zero, with the number in a tip; nothing that leaves the program is changed."""

import sys
from typing import Any

import numpy as np
import pytest
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.exchange.sheets.sheets import sheet_of
from app.panels.analyses.answer import AnswerView
from app.platform.appearance import Look
from app.widgets.plots.box import PlotBox
from engine import Scene
from engine.analyses.answers.result import Column, Result, Table
from engine.model.rounding_noise import FACTOR, length_of, noise_floor

T = np.linspace(0.0, 1.0, 1001)
NOISE = np.random.default_rng(5).normal(size=len(T))
ARM = 0.3  # m
SCENE = Scene(space="planar").with_body(
    "bar", mass=1.0, inertia=[0.1], points=[{"name": "tip", "position": [ARM, 0.0]}]
)


class NoisyRun:
    id, name = 1, "Run 1"
    t_first, t_last, count = 0.0, 1.0, len(T)
    scene = SCENE

    def __init__(self, **channels: Any) -> None:
        self.values = {name.replace("_", "."): values for name, values in channels.items()}

    def channel(self, name: str, begin: float | None = None, end: float | None = None) -> tuple[Any, Any]:
        return (T, self.values[name]) if begin is None else (T[:0], T[:0])

    def unit(self, name: str) -> str:
        return "m" if name.startswith("violation") else "J"

    def is_unique(self, name: str) -> bool:
        return True


def shown(qtbot: QtBot, run: NoisyRun, *, log: bool) -> PlotBox:
    box = PlotBox(Look(), "plot", log=log)
    qtbot.addWidget(box)
    box.resize(600, 250)
    for name in run.values:
        box.add_channel(name)
    box.show()
    for _ in range(3):
        box.refresh([run], run, 0.5, (0.0, 1.0))
        QApplication.processEvents()
    return box


def upward(box: PlotBox) -> tuple[float, float]:
    """The range of the left axis, which pyqtgraph finds when it paints."""
    box.plot.getViewBox().updateAutoRange()
    low, high = box.plot.getViewBox().viewRange()[1]
    return low, high


def test_the_size_of_a_mechanism_and_its_floor() -> None:
    assert length_of(SCENE) == pytest.approx(ARM)
    assert noise_floor(ARM) == pytest.approx(FACTOR * sys.float_info.epsilon * ARM)


def test_issue_18_a_violation_of_rounding_errors_is_a_line_at_the_floor(qtbot: QtBot) -> None:
    raw = 1e-16 * np.abs(NOISE) + 1e-17
    run = NoisyRun(violation_position=raw)
    box = shown(qtbot, run, log=True)
    floor = noise_floor(ARM)
    low, high = (10.0**limit for limit in upward(box))
    assert 0.05 * floor <= low <= floor  # in steps of a decade
    assert high >= 100.0 * floor
    (curve,) = box.curves.by_key.values()
    assert np.ptp(curve.item.getOriginalDataset()[1]) == 0.0  # no blocks
    assert box._heading.text().endswith("&nbsp;0")
    assert f"{run.values['violation.position'][500]:.4g}" in box._heading.toolTip()
    (line,) = sheet_of(box, [run], run).lines
    np.testing.assert_array_equal(line.y, raw)


def test_a_violation_above_the_noise_is_drawn_as_it_is(qtbot: QtBot) -> None:
    raw = 1e-9 * (1.0 + T)
    box = shown(qtbot, NoisyRun(violation_position=raw), log=True)
    (curve,) = box.curves.by_key.values()
    assert curve.item.getOriginalDataset()[1].max() == raw.max()
    assert "1.5e-09" in box._heading.text()
    assert "noise" not in box._heading.toolTip()


def test_an_axis_does_not_magnify_rounding_errors(qtbot: QtBot) -> None:
    box = shown(qtbot, NoisyRun(energy_total=1.26 + 1e-15 * NOISE), log=False)
    low, high = upward(box)
    assert high - low > 10.0 * noise_floor(1.26)
    box = shown(qtbot, NoisyRun(energy_total=1e-13 * np.sin(9.0 * T)), log=False)  # small, but not noise
    low, high = upward(box)
    assert high - low < 1e-12


@pytest.mark.parametrize("value", [71.565051177, -0.4, 3e-7])
def test_a_value_that_does_not_change_has_an_axis_of_plain_numbers(qtbot: QtBot, value: float) -> None:
    """Before the first step an angle stood beside the number 71.565051, six times."""
    low, high = upward(shown(qtbot, NoisyRun(energy_total=np.full_like(T, value)), log=False))
    assert low < value < high
    assert 0.03 * abs(value) < high - low < abs(value)


def test_an_axis_has_no_number_twice(qtbot: QtBot) -> None:
    drift = 1e-9 * T
    box = shown(qtbot, NoisyRun(energy_total=71.565051177 + drift), log=False)
    low, high = upward(box)
    assert high - low < 3e-9  # it can be seen
    axis = box.plot.getAxis("left")
    spacing, values = axis.tickValues(low, high, 200)[0]
    texts = axis.tickStrings(values, 1.0, spacing)
    assert len(set(texts)) == len(texts) > 1


def test_rounding_errors_beside_a_curve_are_one_line(qtbot: QtBot) -> None:
    """Every sample of the constant energy was painted, one over the other, and looked like dashes."""
    swing = 0.6 + 0.6 * np.sin(9.0 * T)
    run = NoisyRun(energy_kinetic=swing, energy_total=1.26 + 1e-12 * NOISE)
    box = shown(qtbot, run, log=False)
    x, y = box.curves.by_key[(1, "energy.total")].item.getOriginalDataset()
    assert len(x) == 2
    assert (x[0], x[-1]) == (T[0], T[-1])
    np.testing.assert_allclose(y, 1.26)
    x, y = box.curves.by_key[(1, "energy.kinetic")].item.getOriginalDataset()
    assert len(x) > 30
    np.testing.assert_allclose(np.interp(T, x, y), swing, atol=0.01)
    x, _ = (
        shown(qtbot, NoisyRun(energy_total=1.26 + 1e-9 * swing), log=False)
        .curves.by_key[(1, "energy.total")]
        .item.getOriginalDataset()
    )
    assert len(x) > 30  # alone its shape is what the plot shows


class Desk:
    """The little of a session that an answer needs."""

    class document:
        scene = SCENE


def test_issue_18_tables_show_noise_as_zero_with_the_number_in_a_tip(qtbot: QtBot) -> None:
    view = AnswerView(Desk(), Look(), "answer")
    qtbot.addWidget(view)
    columns = (Column("Joint"), Column("Force", "N"), Column("Moment", "N·m"))
    rows = (("A", 9.81, 2.27e-13), ("B", 1e-15, 1e-9), ("C", 0.0, -0.0))
    view.show_result("Statics", Result("done", (Table("Loads", columns, rows),)))
    lines = view.toPlainText().splitlines()
    assert "e-13" not in view.toPlainText()
    assert "e-15" not in view.toPlainText()
    assert any("1e-09" in line for line in lines)
    assert any("2.27e-13" in tip for tip in tips(view))


def tips(view: AnswerView) -> list[str]:
    """What is told of words under the pointer."""
    document, found = view.document(), []
    for place in range(document.characterCount()):
        cursor = QTextCursor(document)
        cursor.setPosition(place)
        found.append(cursor.charFormat().toolTip())
    return found
