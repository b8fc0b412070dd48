"""The picture of a long curve is that of the function: in each column of pixels, ink is where samples are."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QGraphicsItem
from pytestqt.qtbot import QtBot

from app.platform.appearance import Look
from app.widgets.plots.box import PlotBox
from app.widgets.plots.curves.curve import THICK
from app.widgets.plots.curves.pyramid import Array

SAMPLES = 200_000
END = 200.0  # s
INK = 60  # of 255: what is darker than the paper by more is painted
TICKS = 10  # px
HALF = 1.8  # px of ink above the highest sample of a column: half of a line, its smooth edge, and rounding


class LongRun:
    """One channel; looks like a Run to a plot."""

    id, name = 1, "Run 1"
    t_first, t_last, count = 0.0, END, SAMPLES

    def __init__(self, function: Callable[[Array], Array]) -> None:
        self.t = np.linspace(0.0, END, SAMPLES)
        self.y = function(self.t)

    def channel(self, name: str, begin: float | None = None, end: float | None = None) -> tuple[Array, Array]:
        return (self.t, self.y) if begin is None else (self.t[:0], self.y[:0])

    def unit(self, name: str) -> str:
        return "m"

    def is_unique(self, name: str) -> bool:
        return True


def waves(periods: float) -> Callable[[Array], Array]:
    return lambda t: np.asarray(np.sin(2.0 * np.pi * periods * t / END))


def steps(t: Array) -> Array:
    return np.floor(7.0 * t / END) % 2.0


def spikes(t: Array) -> Array:
    y = 0.2 * np.sin(2.0 * np.pi * 3.0 * t / END)
    y[SAMPLES // 3] = y[SAMPLES // 2] = 1.0
    return np.asarray(y)


def painted(qtbot: QtBot, function: Callable[[Array], Array], span: tuple[float, float]) -> Any:
    """Whether the pixels of the plot's inside are painted, their ranges, and the run."""
    look = Look()
    box = PlotBox(look, "plot")
    qtbot.addWidget(box)
    box.resize(800, 300)
    box.add_channel("x")
    run = LongRun(function)
    for part in (box.playhead, box.region):
        part.hide()
    box.show()
    box.plot.getPlotItem().showGrid(x=False, y=False)
    view = box.plot.getViewBox()
    view.setXRange(*span, padding=0.0)
    for _ in range(3):  # the range that follows from the curve, then the curve on it
        box.refresh([run], run, 0.0, span)
        QApplication.processEvents()
    image = box.plot.grab().toImage().convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    pixels = rows[:, : 3 * image.width()].reshape(image.height(), image.width(), 3).astype(int)
    rect = view.mapRectToScene(view.rect())
    left, top = int(rect.left()) + TICKS, int(rect.top()) + 1
    right, bottom = int(rect.right()) - 2, int(rect.bottom()) - TICKS
    ink = (255 - pixels[top:bottom, left:right].min(axis=2)) > INK
    t = [view.mapSceneToView(QPointF(x, 0.0)).x() for x in (left, right)]
    y = [view.mapSceneToView(QPointF(0.0, y)).y() for y in (top, bottom)]
    return ink, (t, y), run


def envelope(run: LongRun, ranges: Any, shape: tuple[int, int]) -> tuple[Array, Array]:
    """Highest and lowest row that the line through all samples reaches in each column."""
    (begin, end), (high, low) = ranges
    height, width = shape
    edges = np.linspace(begin, end, width + 1)
    top, bottom = np.empty(width), np.empty(width)
    for i in range(width):
        inside = run.y[np.searchsorted(run.t, edges[i]) : np.searchsorted(run.t, edges[i + 1])]
        values = np.concatenate([inside, np.interp(edges[i : i + 2], run.t, run.y)])
        top[i], bottom[i] = ((high - v) / (high - low) * height for v in (values.max(), values.min()))
    return top, bottom


CURVES = {
    "smooth": waves(3.0),
    "oscillating": waves(40.0),
    "steps": steps,
    "spikes": spikes,
    "steep": lambda t: np.tanh(30.0 * (t - 0.37 * END) / END),
}


@pytest.mark.parametrize("name", CURVES)
@pytest.mark.parametrize("share", [1.0, 0.31, 0.01, 0.0002])
def test_issue_18_a_long_curve_is_painted_where_its_samples_are(
    qtbot: QtBot, name: str, share: float
) -> None:
    begin = 0.2987 * END * (1.0 - share)
    ink, ranges, run = painted(qtbot, CURVES[name], (begin, begin + share * END))
    top, bottom = envelope(run, ranges, ink.shape)
    for i in range(2, ink.shape[1] - 2):
        rows = np.flatnonzero(ink[:, i])
        # a stroke is a pixel and a half wide, so it reaches into the columns beside it
        assert len(rows), (i, "no ink")
        assert rows[0] >= top[i - 2 : i + 3].min() - HALF, i
        assert rows[-1] + 1 <= bottom[i - 2 : i + 3].max() + HALF, i
        flank = ink[round(top[i]) + 1 : round(bottom[i]) - 1, i - 1 : i + 2]
        assert flank.any(axis=1).all(), i  # without gaps


def test_noise_fills_its_band(qtbot: QtBot) -> None:
    rng = np.random.default_rng(3)
    ink, ranges, run = painted(qtbot, lambda t: rng.uniform(-1.0, 1.0, len(t)), (0.0, END))
    top, bottom = envelope(run, ranges, ink.shape)
    for i in range(2, ink.shape[1] - 2):
        assert ink[round(top[i]) + 2 : round(bottom[i]) - 2, i].mean() > 0.97, i


def test_lines_have_smooth_edges_and_few_points(qtbot: QtBot) -> None:
    look = Look()
    box = PlotBox(look, "plot")
    qtbot.addWidget(box)
    box.resize(800, 300)
    box.add_channel("x")
    box.show()
    run = LongRun(waves(3.0))
    for _ in range(3):
        box.refresh([run], run, 0.0, (0.0, END))
        QApplication.processEvents()
    (curve,) = box.curves.by_key.values()
    assert curve.item.opts["antialias"]
    assert len(curve.item.getOriginalDataset()[0]) < 400


def test_a_line_that_stays_looks_as_if_it_were_painted_anew(qtbot: QtBot) -> None:
    """Its pixels are kept from some frame on: they must go when the line, its colour or its range change."""
    look, run = Look(), LongRun(waves(3.0))
    box = PlotBox(look, "plot")
    qtbot.addWidget(box)
    box.resize(800, 300)
    box.add_channel("x")
    for part in (box.playhead, box.region):
        part.hide()
    box.show()

    def picture(frames: int, *, anew: bool = False) -> Any:
        for _ in range(frames):
            for curve in box.curves.by_key.values():
                curve.drawn = () if anew else curve.drawn
            box.refresh([run], run, 0.0, (0.0, END))
            QApplication.processEvents()
        image = box.plot.grab().toImage().convertToFormat(QImage.Format.Format_RGB888)
        rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
        return rows[:, : 3 * image.width()].astype(int)

    def changed() -> Iterator[str]:
        (curve,) = box.curves.by_key.values()
        yield "nothing"
        curve.item.setPen(pg.mkPen("#ff00ff", width=THICK))
        yield "colour"
        box.plot.getViewBox().setYRange(-3.0, 2.0)
        yield "range"
        box.resize(700, 260)
        yield "size"

    box.plot.getViewBox().setYRange(-1.2, 1.1)  # automatic ones follow what is drawn anew
    picture(3)
    for what in changed():
        kept = picture(10)
        (curve,) = box.curves.by_key.values()
        assert curve.item.curve.cacheMode() == QGraphicsItem.CacheMode.DeviceCoordinateCache, what
        # a smooth edge is blended with the paper after it was rounded to a 255th
        np.testing.assert_allclose(kept, picture(2, anew=True), rtol=0.0, atol=2.0, err_msg=what)
        picture(10)
