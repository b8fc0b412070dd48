"""The panel of plots: the newest instant is drawn, however fast changes come; its axis fits the run."""

import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.panels.plots import AT_ONCE, MOST, PlotsPanel, whole_span
from app.platform.appearance import Look
from app.widgets.plots.box import GHOSTS, PlotBox
from app.widgets.plots.curves.outliers import blown_up
from tests.app.panels.desk import Desk
from tests.gallery.checks import raw_markup

SAMPLES = np.linspace(0.0, 0.05, 101)


class ShortRun:
    """0.05 s long, every channel three times the time."""

    id, name, color = 1, "Run 2", "#334455"
    t_first, t_last, count, visible = 0.0, 0.05, len(SAMPLES), True

    def channel(
        self, name: str, begin: float | None = None, end: float | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        t = SAMPLES[int(np.searchsorted(SAMPLES, -1.0 if begin is None else begin, "right")) :]
        return t, 3.0 * t

    def unit(self, name: str) -> str:
        return "m"

    def is_unique(self, name: str) -> bool:
        return True


class PlottedDesk(Desk):
    """A desk with a run."""

    advanced = Signal()
    t = 0.0

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.transport = SimpleNamespace(t_end=0.05, seek=lambda t: None)
        self.current = ShortRun()
        self.runs.take(self.current)

    def have_earlier(self, *runs: ShortRun) -> None:
        self.runs.clear()
        for run in (*runs, self.current):
            self.runs.add(run)


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> PlottedDesk:
    return PlottedDesk(tmp_path)


@pytest.fixture
def panel(desk: PlottedDesk, qtbot: QtBot) -> PlotsPanel:
    made = PlotsPanel(desk, Look())
    qtbot.addWidget(made)
    made.resize(800, 200)
    made.show()
    return made


def test_the_last_of_many_changes_is_drawn(desk: PlottedDesk, panel: PlotsPanel, qtbot: QtBot) -> None:
    for desk.t in (0.01, 0.02, 0.03, 0.04):  # faster than plots are drawn
        desk.advanced.emit()
    box = panel.boxes[0]
    qtbot.waitUntil(lambda: box.playhead.value() == 0.04)
    assert "kinetic&nbsp;0.12" in box._heading.text()


def test_issue_18_a_plot_that_was_removed_comes_back_where_it_was(panel: PlotsPanel) -> None:
    panel.add_plot(["energy.kinetic", "energy.total"], title="Mine", log=True)
    before = panel.save_view()
    assert not panel.restore_plot()
    said: list[str] = []
    panel.removed.connect(said.append)
    panel.boxes[1].wants_removal.emit(panel.boxes[1])
    panel.boxes[1].wants_removal.emit(panel.boxes[1])
    assert said == ["Constraint violation", "Mine"]
    assert len(panel.boxes) == 1
    assert panel.restore_plot()
    assert panel.restore_plot()
    assert panel.save_view() == before
    assert [panel.splitter.widget(i) for i in range(3)] == panel.boxes
    panel.boxes[0].wants_removal.emit(panel.boxes[0])
    panel.load_view({})  # of another scene
    assert not panel.restore_plot()


def test_issue_18_plots_that_come_into_view_show_what_happened_behind(
    desk: PlottedDesk, panel: PlotsPanel
) -> None:
    """They kept showing the run before, as long as nothing moved."""
    panel.hide()
    desk.t = 0.03
    desk.advanced.emit()
    panel.show()
    assert panel.boxes[0].playhead.value() == 0.03
    assert "kinetic&nbsp;0.09" in panel.boxes[0]._heading.text()


def test_a_new_scene_leaves_nothing_of_the_one_before_in_its_plots(
    desk: PlottedDesk, panel: PlotsPanel
) -> None:
    desk.t = 0.04
    panel.refresh(force=True)
    box = panel.boxes[0]
    assert box.playhead.value() == 0.04
    desk.current = None
    desk.runs.clear()
    panel.refresh(force=True)
    assert box.playhead.value() == 0.0
    assert box._heading.text() == "<b>Energy</b>"
    assert box.plot.getViewBox().viewRange() == [[0.0, 1.0], [0.0, 1.0]]
    desk.current = ShortRun()
    desk.runs.take(desk.current)
    panel.refresh(force=True)
    assert box.plot.getViewBox().viewRange()[0][1] < 0.1  # the next run finds its range again
    assert box.plot.getViewBox().autoRangeEnabled()[1]


def test_a_short_run_takes_most_of_the_axis(desk: PlottedDesk, panel: PlotsPanel) -> None:
    panel.refresh(force=True)
    begin, end = panel.boxes[0].plot.getViewBox().viewRange()[0]
    assert begin == 0.0
    assert desk.current.t_last <= end <= 1.5 * desk.current.t_last


def test_the_plots_of_another_scene_are_those_that_are_there(panel: PlotsPanel) -> None:
    energy, violation = before = list(panel.boxes)
    energy.plot.getViewBox().setXRange(7.0, 8.0)
    energy.set_log(True)
    wanted = [
        {"kind": "time", "title": "Speed", "log": False, "channels": ["body.rod.speed"]},
        {"kind": "phase", "title": "Phase", "log": False, "channels": ["body.rod.x", "body.rod.vx"]},
    ]
    panel.load_view({"plots": wanted})
    assert panel.save_view()["plots"] == wanted
    assert panel.boxes[0] is energy
    assert violation not in panel.boxes
    assert energy.plot.getViewBox().viewRange()[0][0] == 0.0  # no zoom is left from the scene before
    assert "speed" in energy._heading.text()
    panel.load_view({})
    assert [box.title for box in panel.boxes] == ["Energy", "Constraint violation"]
    assert panel.boxes[0] is before[0]


def test_a_plot_of_a_run_at_rest_is_drawn_at_once_when_it_is_changed(panel: PlotsPanel) -> None:
    """No frame comes by itself: what the user changes must not leave the plot empty until then."""
    box = panel.boxes[0]
    first, *rest = box.channels
    box._log.click()
    assert [len(curve.item.getData()[0]) > 1 for curve in box.curves.by_key.values()] == [True] * len(
        box.channels
    )
    box._remove(first)
    assert sorted(name for _, name in box.curves.by_key) == sorted(rest)
    assert first not in panel.save_view()["plots"][0]["channels"]
    for name in rest:
        box._remove(name)
    assert box._heading.text() == "<b>Energy</b>"  # and no values of what is gone


def test_curves_of_earlier_runs_are_named(desk: PlottedDesk, panel: PlotsPanel) -> None:
    assert panel._status.text() == ""
    earlier = ShortRun()
    earlier.id, earlier.name = 2, "Run 1"
    desk.have_earlier(earlier)
    panel.refresh(force=True)
    assert "Run&nbsp;1" in panel._status.text()
    assert earlier.color in panel._status.text()
    assert not raw_markup(panel)
    panel._ghosts.click()
    assert panel._status.text() == ""


@pytest.mark.parametrize("last", [0.0, 0.2, 0.5, 3.0, 1000.0])
def test_the_axis_is_a_little_ahead_of_the_run(last: float) -> None:
    begin, end = whole_span(1.0, 1.0 + last)
    assert begin == 1.0
    assert last < end - begin <= max(1.0, 1.5 * last + 0.5)


def test_the_axis_ends_where_the_run_is_to_end() -> None:
    """A finished run of 3 s had an axis of 4 s; one that went on keeps its coarse steps."""
    assert whole_span(0.0, 3.0, end=3.0) == (0.0, 3.0)
    assert whole_span(0.0, 2.9, end=3.0) == (0.0, 3.0)
    assert whole_span(0.0, 1.2, end=3.0) == (0.0, 1.5)
    assert whole_span(0.0, 3.1, end=3.0) == whole_span(0.0, 3.1)


def test_a_zoom_while_nothing_runs_draws_the_curves_anew(panel: PlotsPanel, qtbot: QtBot) -> None:
    panel.refresh(force=True)
    box = panel.boxes[0]
    curve = next(iter(box.curves.by_key.values()))
    box.plot.getViewBox().setXRange(0.011, 0.012, padding=0.0)
    qtbot.waitUntil(lambda: curve.drawn[0] == (0.011, 0.012))


def test_issue_18_earlier_runs_have_their_colours_and_none_goes_without_a_word(
    desk: PlottedDesk, panel: PlotsPanel
) -> None:
    earlier = []
    for number in range(GHOSTS + 2):
        run = ShortRun()
        run.id, run.name, run.color = 10 + number, f"Run {number}", f"#1020{number:02d}"
        earlier.append(run)
    desk.have_earlier(*earlier)
    panel.refresh(force=True)
    box = panel.boxes[0]
    drawn = {key[0]: curve.item.opts["pen"].color().name() for key, curve in box.curves.by_key.items()}
    assert {drawn[run.id] for run in earlier[2:]} == {run.color for run in earlier[2:]}
    assert "2&nbsp;more not drawn" in panel._status.text()
    desk.current = None  # a new scene: nothing of the old one stays
    panel.refresh(force=True)
    assert panel._status.text() == ""
    assert box.curves.by_key == {}


def test_issue_18_the_axis_keeps_what_an_earlier_run_shows(desk: PlottedDesk, panel: PlotsPanel) -> None:
    longer = ShortRun()
    longer.id, longer.t_last = 7, 9.0
    desk.have_earlier(longer)
    panel.refresh(force=True)
    assert panel.boxes[0].plot.getViewBox().viewRange()[0][1] >= 9.0


@pytest.mark.parametrize(
    ("sizes", "spans", "left_out"),
    [
        ({1: 1.0, 2: 1.3, 3: 1e9}, {1: 5.0, 2: 5.0, 3: 5.0}, {3}),
        ({1: 1.0, 2: 1e7, 3: 1e9}, {1: 5.0, 2: 5.0, 3: 5.0}, {2, 3}),
        ({1: 1e9, 2: 1.0}, {1: 5.0, 2: 5.0}, set()),  # what is watched is shown
        ({1: 1e-9, 2: 1.0}, {1: 0.0, 2: 5.0}, set()),  # the present run has hardly begun
        ({1: 0.0, 2: 1.0}, {1: 5.0, 2: 5.0}, set()),
    ],
)
def test_issue_18_runs_that_have_blown_up_do_not_press_the_others_flat(
    sizes: dict[int, float], spans: dict[int, float], left_out: set[int]
) -> None:
    assert blown_up(sizes, spans, 1) == left_out


def test_issue_18_a_curve_under_the_pointer_is_named(desk: PlottedDesk, panel: PlotsPanel) -> None:
    box = panel.boxes[0]
    panel.refresh(force=True)
    view = box.plot.getViewBox()
    view.setYRange(0.0, 0.2, padding=0.0)
    found = box.pointing.near(view.mapViewToScene(QPointF(0.02, 0.06)))
    (marked,) = [reading for reading in box.pointing.readings(0.02, found) if reading.near]
    assert (marked.text, marked.value[:4]) == ("kinetic", "0.06")
    assert box.pointing.near(view.mapViewToScene(QPointF(0.02, 0.18))) is None


def test_issue_17_a_view_of_many_plots_does_not_stop_the_window(panel: PlotsPanel, qtbot: QtBot) -> None:
    one = panel.save_view()["plots"][0]
    view = {"plots": [{**one, "title": f"plot {i}"} for i in range(3 * AT_ONCE)], "span": 0.0}
    panel.load_view(view)
    assert len(panel.boxes) <= AT_ONCE + 2  # two were there
    titles = [facts["title"] for facts in panel.save_view()["plots"]]
    assert titles == [f"plot {i}" for i in range(3 * AT_ONCE)]  # what waits is not lost when it is saved now
    qtbot.waitUntil(lambda: len(panel.boxes) == 3 * AT_ONCE, timeout=60_000)
    assert [facts["title"] for facts in panel.save_view()["plots"]] == titles


def test_a_right_click_among_the_curves_opens_the_menu_of_the_plot(
    panel: PlotsPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was at the heading alone, where nobody looks for it."""
    opened: list[PlotBox] = []
    monkeypatch.setattr(PlotBox, "_open_menu", lambda box, at: opened.append(box))
    panel.refresh(force=True)
    view = panel.boxes[0].plot.viewport()
    QTest.mouseClick(view, Qt.MouseButton.RightButton, pos=view.rect().center())
    assert opened == panel.boxes[:1]


def test_issue_17_a_view_with_hundreds_of_plots_shows_some_and_keeps_all(
    panel: PlotsPanel, qtbot: QtBot
) -> None:
    """With all of 500 another scene was opened by a recursion of plots that lay each other out anew."""
    (one, *_), count = panel.save_view()["plots"], 500
    titles = [f"plot {i}" for i in range(count)]
    panel.load_view({"plots": [{**one, "title": title} for title in titles], "span": 0.0})
    qtbot.waitUntil(lambda: len(panel.boxes) == MOST and not panel._making.isActive(), timeout=60_000)
    panel.refresh(force=True)
    assert f"{count - MOST}&nbsp;more plots" in panel._status.text()
    assert [plot["title"] for plot in panel.save_view()["plots"]] == titles
    panel.boxes[3].wants_removal.emit(panel.boxes[3])  # the next one has its place
    qtbot.waitUntil(lambda: panel.boxes[-1].title == f"plot {MOST}", timeout=60_000)
    begin = time.process_time()
    panel.load_view({})
    assert time.process_time() - begin < 1.0  # s; 9 for 120 plots, and more by their square
    assert len(panel.boxes) == 2
    assert panel.save_view()["plots"][0]["title"] == "Energy"
    assert panel.splitter.isVisible()
