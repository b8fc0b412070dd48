"""The curves of a plot on its two axes: read from runs, drawn as lines, with ranges that know noise."""

import math

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF

from app.platform.appearance import Look
from app.session.recorded.run import Run
from app.widgets.plots.axes.marked_view import MarkedView
from app.widgets.plots.axes.right_axis import RightAxis
from app.widgets.plots.content import PlotContent
from app.widgets.plots.curves.curve import THICK, THIN, Curve, RunLine
from app.widgets.plots.curves.lines import Line, draw_phase, draw_spectrum, draw_time, shown_lines
from app.widgets.plots.curves.outliers import blown_up
from app.widgets.plots.curves.raster import Raster
from app.widgets.plots.curves.wrapping import within
from app.widgets.plots.extremes import Extreme, ExtremeMarks, extremes
from engine.model.rounding_noise import length_of, noise_floor

Span = tuple[float, float]
NO_LIMIT = -1e307  # as pyqtgraph has it
DECADES = 3.0  # of a logarithmic axis, at least
FLAT = 20.0  # times the noise: what an axis shows at least
CONSTANT = 0.1  # times the value, where it does not change: its digits are of no interest


class DrawnCurves:
    """One per run and channel; those of another unit are on the axis at the right."""

    def __init__(self, plot: pg.PlotWidget, content: PlotContent, look: Look) -> None:
        self._plot, self._content, self._look = plot, content, look
        self.by_key: dict[tuple[int, str], Curve] = {}  # by the id of the run and the channel
        self.run_names: dict[int, str] = {}  # of what is drawn, by id
        self.outside: frozenset[int] = frozenset()  # runs, by id, that automatic ranges leave out
        self._lengths: dict[int, float] = {}  # of the mechanism of the present run [m]
        self._limits: dict[bool, tuple[float, float | None]] = {}  # of both axes, the right one by True
        self._noise: dict[tuple[int, str], float] = {}  # by the id of the run and the channel
        item = plot.getPlotItem()
        self.beside = RightAxis(item)
        self.marks = {False: ExtremeMarks(item.getViewBox()), True: ExtremeMarks(self.beside.view)}

    def view(self, right: bool) -> MarkedView:
        """Of the left or the right axis."""
        return self.beside.view if right else self._plot.getViewBox()

    def fit(self) -> None:
        self._plot.getPlotItem().enableAutoRange(y=True)
        self.beside.view.enableAutoRange(y=True)

    def forget(self) -> None:
        """Throw all curves away; they are read again."""
        for curve in self.by_key.values():
            self._take_out(curve)
        self.by_key = {}

    def _take_out(self, curve: Curve) -> None:
        self.beside.remove(curve.item) if curve.right else self._plot.removeItem(curve.item)

    # reading

    @property
    def known(self) -> bool:
        """Whether there is anything to draw: a stored run has poses before its channels can be computed."""
        return any(len(curve.data) for curve in self.by_key.values())

    def read(self, runs: list[Run], current: Run, until: float | None) -> None:
        """Go on reading from all runs, the present one up to an instant; drop curves of others."""
        content = self._content
        keys = {(run.id, name) for run in runs for name in content.channels}
        for key in [key for key in self.by_key if key not in keys]:
            self._take_out(self.by_key.pop(key))
        if not content.channels:
            self.beside.show(False)
            return
        content.read_units(current)
        if content.share_axes():
            self.forget()
            self._limits = {}
        self.beside.show(bool(content.right))
        self.run_names = {run.id: str(run.name) for run in runs}
        for run in runs:
            for index, name in enumerate(content.channels):
                self._curve(run, name, index, run is current).pull(
                    run,
                    name,
                    content.factor(name),
                    absolute=content.log and content.kind == "time",
                    until=until if run is current else None,
                )
        self._noise.clear()
        self._leave_out(runs, current)

    def _curve(self, run: Run, name: str, index: int, main: bool) -> Curve:
        key = (run.id, name)
        curve = self.by_key.get(key)
        if curve is None:
            curve = self.by_key[key] = Curve(RunLine(), right=name in self._content.right)
            self.beside.add(curve.item) if curve.right else self._plot.addItem(curve.item)
        if curve.main != main:
            theme = self._look.theme
            own = theme.plot_color(index) if main else run.color or theme["ghost"]
            curve.item.setPen(pg.mkPen(own, width=THICK if main else THIN))
            curve.item.setZValue(5 if main else 0)
            curve.main = main
        return curve

    def _leave_out(self, runs: list[Run], current: Run) -> None:
        """Earlier runs that have blown up do not count in automatic ranges."""
        channels = self._content.channels
        sizes = {
            run.id: max((self.by_key[(run.id, name)].largest for name in channels), default=0.0)
            for run in runs
        }
        spans = {run.id: float(run.t_last) - float(run.t_first) for run in runs}
        one_axis = self._content.kind == "time" and not self._content.log
        self.outside = blown_up(sizes, spans, current.id) if one_axis else frozenset()
        for (run_id, _), curve in self.by_key.items():
            curve.item.set_counts(run_id not in self.outside)

    # drawing

    def draw(self, runs: list[Run], current: Run, span: Span, chosen: Span | None) -> None:
        """Lines over the span of time; a spectrum is that of the chosen range."""
        content = self._content
        if content.kind == "time":
            floor, periods = self.floor(current), content.periods()
            for right in (False, True) if content.right else (False,):
                names = content.on_axis(right=right)
                self._limit_range(current, names, right=right)
                draw_time(self.by_key, runs, names, self._raster(span, right=right), floor, periods)
        elif content.kind == "spectrum":
            draw_spectrum(self.by_key, runs, content.channels, chosen, self._raster())
        elif len(content.channels) >= 2:
            draw_phase(self.by_key, runs, content.channels, self._raster(), content.periods())

    def mark_extremes(self, current: Run, span: Span) -> None:
        marked = self._content.extremes
        found = self.extremes(current, span) if marked else []
        taken: list[QRectF] = []
        for right, marks in self.marks.items():
            self.view(right).mark(marked)
            marks.show([mark for mark in found if mark.right is right], span, taken, log=self._content.log)

    def _raster(self, across: Span | None = None, *, right: bool = False) -> Raster:
        """The pixels that curves are drawn on; `across`: the range that the axis is about to have."""
        view, fine = self._plot.getViewBox(), self._plot.devicePixelRatioF()
        x, _ = ((float(low), float(high)) for low, high in view.viewRange())
        _, y = ((float(low), float(high)) for low, high in self.view(right).viewRange())
        return Raster(across or x, y, fine * view.width(), fine * view.height(), self._content.log)

    # what is shown, in numbers

    def value(self, run: Run, name: str, t: float) -> float:
        """A channel of a run at an instant, as it is drawn."""
        return self.value_of(name, self.by_key[(run.id, name)], t)

    def value_of(self, name: str, curve: Curve, t: float) -> float:
        return within(self._content.periods().get(name, 0.0), curve.data.at(t))

    def calm(self, run: Run, name: str, value: float) -> float:
        """The value, 0 where it is rounding noise."""
        return value if not abs(value) < self.noise(run, name) else 0.0

    def lines(self, run: Run, span: Span) -> list[Line]:
        """Every line that is drawn of a run."""
        content = self._content
        return shown_lines(self.by_key, run, content.channels, content.kind, span, content.periods())

    def extremes(self, run: Run, span: Span) -> list[Extreme]:
        """Smallest and largest values of the lines that are drawn of a run."""
        content, theme = self._content, self._look.theme
        colors = {name: theme.plot_color(i) for i, name in reversed([*enumerate(content.channels)])}
        return [
            mark
            for line in self.lines(run, span)
            if line.channel not in content.periods() or not np.isnan(line.y).any()  # edges are no extremes
            for mark in extremes(
                line.x,
                line.y,
                content.unit(line.channel),
                colors[line.channel],
                noise=self.noise(run, line.channel),
                right=line.channel in content.right,
            )
        ]

    # noise

    def noise(self, run: Run, name: str) -> float:
        """What is smaller in this channel of a run is rounding noise, in shown units."""
        key = (run.id, name)
        if key not in self._noise:
            size = self.by_key[key].data.size if key in self.by_key else 0.0
            unit = "m" if name.startswith("violation.") else self._content.si_unit(name)
            made_from = {"m": self._length(run), "rad": 1.0}.get(unit, 0.0)  # these are differences
            self._noise[key] = noise_floor(max(size, made_from / self._content.factor(name)))
        return self._noise[key]

    def floor(self, run: Run) -> float:
        """The lowest value of a logarithmic axis, in steps of a decade; 0 where there is none."""
        floors = [noise for name in self._content.channels if (noise := self.noise(run, name)) > 0.0]
        return 10.0 ** math.floor(math.log10(min(floors))) if floors and self._content.log else 0.0

    def _length(self, run: Run) -> float:
        if run.id not in self._lengths:
            scene = getattr(run, "scene", None)
            self._lengths = {run.id: length_of(scene) if scene is not None else 1.0}
        return self._lengths[run.id]

    def _limit_range(self, run: Run, names: list[str], *, right: bool) -> None:
        """Automatic ranges do not magnify noise, nor reach below it."""
        floor = self.floor(run)
        limits: tuple[float, float | None]
        room = 0.0
        if self._content.log:
            limits = (math.log10(floor) if floor > 0.0 else NO_LIMIT, DECADES)
        else:
            noise = max((self.noise(run, name) for name in names), default=0.0)
            low, high = self._values(names)
            constant = CONSTANT * max(-low, high) if high - low <= noise else 0.0
            least = max(FLAT * noise, constant)
            limits = (NO_LIMIT, 2.0 ** round(math.log2(least)) if least > 0.0 else None)
            room = max(high - low, least)
        least = limits[1] or 0.0
        for (_, name), curve in self.by_key.items():
            if name in names:
                curve.item.least, curve.room = least, room
        if limits != self._limits.get(right):
            self._limits[right] = limits
            self.view(right).setLimits(yMin=limits[0], minYRange=limits[1])

    def _values(self, names: list[str]) -> Span:
        """The smallest and the largest value of channels, in runs that count."""
        found = [
            curve.data
            for (_, name), curve in self.by_key.items()
            if name in names and curve.item.counts and curve.data.low <= curve.data.high
        ]
        low, high = (data.low for data in found), (data.high for data in found)
        return min(low, default=0.0), max(high, default=0.0)

    @property
    def limits(self) -> tuple[tuple[float, float | None], ...]:
        """Of the left and the right axis over time: lowest value and least extent."""
        return tuple(self._limits.get(right, (NO_LIMIT, None)) for right in (False, True))
