"""Titles, whole turns, a second axis, a cursor and marked extremes: on the screen and in exports."""

import math
import re
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from app.exchange.sheets.packed_sheets import packed, unpacked
from app.exchange.sheets.sheets import page_of, sheet_bytes, sheet_of
from app.panels.plots import PlotsPanel
from app.platform.appearance import Look
from app.widgets.plots.box import PlotBox
from app.widgets.plots.drawn_curves import DECADES
from app.widgets.plots.extremes import extremes
from tests.app.panels.desk import Desk

T = np.linspace(0.0, 2.5, 501)
CRANK, ROCKER, TORQUE = "joint.A.angle", "joint.D.angle", "motion.drive.effort"
NOISE = "violation.position"
LOW = 50.0  # px; a plot without a layout has less
NEARLY, QUIET = "joint.E.angle", "joint.F.angle"
# a crank that turns once a second, a rocker of ±20° about 90°, a torque of 3 N·m at most
VALUES = {
    CRANK: 2.0 * math.pi * T,
    ROCKER: math.radians(90.0) + math.radians(20.0) * np.sin(2.0 * math.pi * T),
    TORQUE: 3.0 * np.cos(2.0 * math.pi * T),
    NEARLY: math.radians(90.5) + math.radians(20.0) * np.sin(2.0 * math.pi * T),
    QUIET: 2e-13 * np.sin(100.0 * T),
    NOISE: 1e-17 * np.sin(100.0 * T) ** 2,
}


class TurningRun:
    """Samples in closed form."""

    id, name, color = 1, "Run 1", "#334455"
    t_first, t_last, count = float(T[0]), float(T[-1]), len(T)
    visible = True  # the panel looks by a timer, also while another run is the present one

    def channel(
        self, name: str, begin: float | None = None, end: float | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        first = int(np.searchsorted(T, -1.0 if begin is None else begin))
        return T[first:], VALUES[name][first:]

    def unit(self, name: str) -> str:
        return {TORQUE: "N·m", NOISE: "m"}.get(name, "rad")

    def is_unique(self, name: str) -> bool:
        return True


class JumpedRun(TurningRun):
    """The same after an edit at its end: one more sample there, 30° further."""

    count = TurningRun.count + 1

    def channel(
        self, name: str, begin: float | None = None, end: float | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        t, y = super().channel(name, begin, end)
        return np.append(t, T[-1]), np.append(y, VALUES[name][-1] + math.radians(30.0))


class TurningDesk(Desk):
    """A desk with that run."""

    advanced = Signal()
    t = 1.25

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.transport = SimpleNamespace(t_end=2.5, seek=lambda t: None)
        self.current = TurningRun()
        self.runs.take(self.current)


@pytest.fixture
def panel(qtbot: QtBot, tmp_path: Path) -> PlotsPanel:
    made = PlotsPanel(TurningDesk(tmp_path), Look())
    qtbot.addWidget(made)
    made.resize(900, 300)
    made.load_view({"plots": [{"kind": "time", "title": "", "log": False, "channels": [CRANK]}]})
    made.show()
    made.refresh(force=True)
    return made


def plotted(panel: PlotsPanel, *channels: str, kind: str = "time", **facts: bool) -> PlotBox:
    wanted = {"kind": kind, "title": "", "log": False, "channels": list(channels)} | facts
    panel.load_view({"plots": [wanted]})
    panel.refresh(force=True)
    return panel.boxes[0]


def laid_out(panel: PlotsPanel, qtbot: QtBot) -> None:
    """Until its plots have their sizes: what lies where follows from them."""
    with qtbot.waitExposed(panel):
        panel.show()
    qtbot.waitUntil(lambda: all(box.plot.getViewBox().size().height() > LOW for box in panel.boxes))
    panel.refresh(force=True)


def drawn(box: PlotBox, name: str) -> tuple[np.ndarray, np.ndarray]:
    return box.curves.by_key[(1, name)].item.getOriginalDataset()


def test_a_phase_plot_says_what_it_shows_and_where_the_playhead_is(panel: PlotsPanel) -> None:
    box = plotted(panel, CRANK, ROCKER, kind="phase")
    text = box._heading.text().replace("&nbsp;", " ")
    assert "<b>D.angle over A.angle</b>" in text
    # sin(2π·1.25) = 1: the rocker is at 110° when the crank has turned 450°
    assert "110 deg at 450 deg" in text
    box._renamed("Rocker")  # then the channels are named beside their values
    assert "D.angle 110 deg at A.angle 450 deg" in box._heading.text().replace("&nbsp;", " ")
    box._renamed("")
    assert sheet_of(box, [TurningRun()], panel._session.current).title == "D.angle over A.angle"


def test_angles_within_a_turn_have_a_gap_at_the_edge(panel: PlotsPanel) -> None:
    box = plotted(panel, CRANK, wrap=True)
    t, y = drawn(box, CRANK)
    np.testing.assert_allclose(t[np.isnan(y)], [1.0, 2.0], atol=1e-9)
    assert np.nanmin(y) == pytest.approx(0.0, abs=1e-9)
    assert np.nanmax(y) == pytest.approx(360.0)
    assert "angle&nbsp;90" in box._heading.text()  # 450° − 360°
    assert panel.save_view()["plots"][0]["wrap"] is True
    over = plotted(panel, CRANK, ROCKER, kind="phase", wrap=True)
    x, y = drawn(over, ROCKER)
    assert np.nanmax(x) == pytest.approx(360.0)
    assert np.isnan(x).sum() == 2
    assert len(x) == len(y)
    sheet = sheet_of(over, [TurningRun()], panel._session.current)
    assert b"nan" not in sheet_bytes(sheet, ".csv")
    assert b"<svg" in sheet_bytes(sheet, ".svg")


def test_a_channel_of_another_unit_has_its_own_axis(panel: PlotsPanel) -> None:
    box = plotted(panel, ROCKER, TORQUE)
    item = box.plot.getPlotItem()
    assert item.getAxis("right").isVisible()
    assert item.getAxis("left").labelText == "deg"
    assert item.getAxis("right").labelText == "N·m"
    for right in (True, False):
        box.curves.view(right).updateAutoRange()  # as before it is painted
    (low, high), (left_low, left_high) = (box.curves.view(right).viewRange()[1] for right in (True, False))
    assert -3.6 < low < -2.9
    assert 2.9 < high < 3.6
    assert 60.0 < left_low < 71.0
    assert 109.0 < left_high < 120.0
    sheet = sheet_of(box, [TurningRun()], panel._session.current)
    assert (sheet.up, sheet.right) == ("deg", "N·m")
    assert [line.right for line in sheet.lines] == [False, True]
    assert unpacked(packed(sheet)).right == "N·m"
    assert "N·m" in sheet_bytes(sheet, ".svg").decode()
    one = plotted(panel, ROCKER, TORQUE, two_axes=False)
    assert not one.plot.getPlotItem().getAxis("right").isVisible()
    assert one.plot.getPlotItem().getAxis("left").labelText == "deg | N·m"


def test_a_logarithmic_plot_keeps_one_axis(panel: PlotsPanel) -> None:
    box = plotted(panel, ROCKER, TORQUE)
    box._log.click()
    assert not box.plot.getPlotItem().getAxis("right").isVisible()


def test_the_cursor_has_all_values_of_the_instant(panel: PlotsPanel, qtbot: QtBot) -> None:
    panel.load_view(
        {
            "plots": [
                {"kind": "time", "title": "", "log": False, "channels": [ROCKER, TORQUE]},
                {"kind": "time", "title": "", "log": False, "channels": [CRANK]},
            ]
        }
    )
    laid_out(panel, qtbot)
    first, second = panel.boxes
    at = first.curves.view(False).mapViewToScene(QPointF(0.5, 90.0))
    first._hovered(at)
    t = first.time_cursor.line.value()
    assert t == pytest.approx(0.5, abs=0.01)
    text = re.sub(r"<[^>]+>", " ", first.time_cursor.card.text()).replace("&nbsp;", " ")
    rocker = 90.0 + 20.0 * math.sin(2.0 * math.pi * t)
    torque = 3.0 * math.cos(2.0 * math.pi * t)
    assert f"{rocker:.4g} deg" in text
    assert f"{torque:.4g} N·m" in text
    assert first.time_cursor.card.isVisible()
    assert second.time_cursor.line.isVisible()  # the same instant in the other plot
    assert second.time_cursor.line.value() == t
    panel.boxes[0].hovered.emit(None)
    assert not first.time_cursor.card.isVisible()
    assert not second.time_cursor.line.isVisible()


def test_smallest_and_largest_values_are_marked(panel: PlotsPanel) -> None:
    box = plotted(panel, ROCKER, extremes=True)
    marks = box.curves.extremes(panel._session.current, (0.0, 2.5))
    assert [mark.text for mark in marks] == ["110 deg", "70 deg"]  # 90° ± 20°
    assert [mark.x for mark in marks] == pytest.approx([0.25, 0.75])
    assert len(box.curves.marks[False]._items) == 4  # two dots and their values
    sheet = sheet_of(box, [TurningRun()], panel._session.current)
    assert unpacked(packed(sheet)).marks == tuple(marks)
    assert "110 deg" in sheet_bytes(sheet, ".svg").decode()
    box.set_option("extremes", False)
    assert box.curves.marks[False]._items == []


def test_words_of_extremes_have_their_room(panel: PlotsPanel, qtbot: QtBot) -> None:
    """In a low plot the room above and below the curves was less than they need."""
    box = plotted(panel, ROCKER, extremes=True)
    panel.resize(800, 200)
    laid_out(panel, qtbot)
    qtbot.wait(50)  # the axes take in their new size
    panel.refresh(force=True)
    qtbot.wait(50)
    view = box.plot.getViewBox().sceneBoundingRect()
    words = [item for item in box.curves.marks[False]._items if isinstance(item, pg.TextItem)]
    assert len(words) == 2
    for item in words:
        assert view.contains(item.mapRectToScene(item.boundingRect()).adjusted(1, 1, -1, -1))


def test_words_of_extremes_do_not_lie_over_each_other(panel: PlotsPanel, qtbot: QtBot) -> None:
    """Two rockers with the same swing have their extremes at one place, words of four values beside it."""
    box = plotted(panel, ROCKER, NEARLY, extremes=True)
    laid_out(panel, qtbot)
    words = [item for item in box.curves.marks[False]._items if isinstance(item, pg.TextItem)]
    assert len(words) == 4
    places = [item.mapRectToScene(item.boundingRect()) for item in words if item.isVisible()]
    assert len(places) >= 2
    for one, other in combinations(places, 2):
        assert not one.adjusted(1, 1, -1, -1).intersects(other)
    # nor on paper
    page = page_of(sheet_of(box, [TurningRun()], panel._session.current), (600, 300), Look().theme)
    items = page.ci.getItem(0, 0).getViewBox().childGroup.childItems()
    words = [item for item in items if isinstance(item, pg.TextItem)]
    assert len(words) == 4
    places = [item.mapRectToScene(item.boundingRect()) for item in words if item.isVisible()]
    for one, other in combinations(places, 2):
        assert not one.adjusted(1, 1, -1, -1).intersects(other)
    page.close()


def test_a_value_that_jumps_is_shown_after_the_jump(panel: PlotsPanel) -> None:
    """An edit in a pause gives a second sample at the same instant: that one is in the picture, too."""
    run = panel._session.current
    box = plotted(panel, ROCKER)
    before = box.curves.value(run, ROCKER, run.t_last)
    jumped = JumpedRun()
    panel._session.current = jumped
    box.refresh([jumped], jumped, run.t_last, (0.0, 2.5))
    assert box.curves.value(jumped, ROCKER, run.t_last) == pytest.approx(before + 30.0)
    assert "angle&nbsp;120" in box._heading.text()
    box.refresh([jumped], jumped, run.t_last, (0.0, 2.5))  # it is read once
    assert len(box.curves.by_key[(1, ROCKER)].data) == len(T) + 1


def test_values_that_read_the_same_are_no_extremes() -> None:
    drifting = 1.26 + 1e-7 * np.sin(T)
    assert extremes(T, drifting, "J", "#000000", noise=1e-13) == []


def test_an_angle_of_rounding_noise_is_zero(panel: PlotsPanel) -> None:
    box = plotted(panel, QUIET)
    assert re.search(r"angle(&nbsp;|\s)0\b(?![.e])", box._heading.text()), box._heading.text()


def test_an_angle_that_crosses_the_edge_has_no_extremes(panel: PlotsPanel) -> None:
    box = plotted(panel, CRANK, wrap=True, extremes=True)
    assert box.curves.extremes(panel._session.current, (0.0, 2.5)) == []


def test_a_plot_is_renamed_in_place(panel: PlotsPanel, qtbot: QtBot) -> None:
    box = panel.boxes[0]
    heading = box._heading
    told: list[bool] = []
    panel.changed.connect(lambda: told.append(True))

    def opened() -> QLineEdit:
        QTest.mouseDClick(heading, Qt.MouseButton.LeftButton)
        found = heading.findChildren(QLineEdit, f"{heading.objectName()}.edit")[-1]
        assert found.placeholderText() == CRANK
        return found

    line = opened()
    QTest.keyClicks(line, "Crank <60 rpm>")
    QTest.keyClick(line, Qt.Key.Key_Escape)
    assert box.title == ""
    line = opened()
    QTest.keyClicks(line, "Crank <60 rpm>")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert box.title == "Crank <60 rpm>"
    assert "<b>Crank &lt;60 rpm&gt;</b>" in heading.text()
    assert told
    assert panel.save_view()["plots"][0]["title"] == "Crank <60 rpm>"


@pytest.mark.parametrize("log", [True, False])
@pytest.mark.parametrize("size", [0.0, 1e-17])
def test_a_plot_of_nothing_but_noise_stays_small(
    panel: PlotsPanel, monkeypatch: pytest.MonkeyPatch, log: bool, size: float
) -> None:
    monkeypatch.setitem(VALUES, NOISE, size * np.sin(100.0 * T) ** 2)
    box = plotted(panel, NOISE, log=log)
    box.curves.view(False).updateAutoRange()
    page = page_of(sheet_of(box, [TurningRun()], panel._session.current), (800, 500), Look().theme)
    plot = next(item for item in page.items() if isinstance(item, pg.PlotItem))
    for view in (box.curves.view(False), plot.getViewBox()):
        low, high = view.viewRange()[1]
        assert (10.0**high if log else max(-low, high)) < 1e-6  # m; the mechanism is 1 m large
    page.close()


def test_words_of_marks_have_room(panel: PlotsPanel) -> None:
    box = plotted(panel, ROCKER, extremes=True)
    view = box.curves.view(False)
    view.updateAutoRange()
    low, high = view.viewRange()[1]
    pixel = (high - low) / view.height()
    assert high - 110.0 > 17 * pixel  # px, the height of a line
    assert 70.0 - low > 17 * pixel


def test_a_saved_phase_plot_has_the_colour_of_the_screen(panel: PlotsPanel) -> None:
    box = plotted(panel, CRANK, ROCKER, kind="phase")
    current = panel._session.current
    (line,) = sheet_of(box, [current], current).lines
    assert line.color.lower() == box.curves.by_key[(1, ROCKER)].item.opts["pen"].color().name()


def test_a_saved_plot_of_noise_has_the_decades_of_the_screen(panel: PlotsPanel) -> None:
    """Its logarithmic axis had shrunk to one value, without a number beside it."""
    box = plotted(panel, NOISE, log=True)
    current = panel._session.current
    sheet = sheet_of(box, [current], current)
    page = page_of(sheet, (800, 500), Look().theme)
    view = next(item for item in page.ci.items if isinstance(item, pg.PlotItem)).getViewBox()
    low, high = view.viewRange()[1]
    assert low == pytest.approx(math.log10(sheet.floor))
    assert high - low == pytest.approx(DECADES)
