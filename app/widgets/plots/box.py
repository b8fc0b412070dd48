"""One plot: curves of channels over time, over frequency, or one channel over another."""

import math
from collections.abc import Mapping
from html import escape
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QGraphicsItem, QHBoxLayout, QMenu, QSizePolicy, QVBoxLayout, QWidget

from app.platform.appearance import Look, label, tool_button
from app.platform.units import plain_number
from app.session.run import NOT_UNIQUE, Run
from app.widgets.noise import length_of, noise_floor
from app.widgets.plots.axis import Axis
from app.widgets.plots.cursor import Cursor, Reading
from app.widgets.plots.curve import FLOOR, THICK, Curve, RunLine
from app.widgets.plots.extremes import Extreme, ExtremeMarks, extremes
from app.widgets.plots.heading import PlotHeading
from app.widgets.plots.lines import Line, draw_phase, draw_spectrum, draw_time, shown_lines
from app.widgets.plots.menus import bind_menus
from app.widgets.plots.outliers import blown_up
from app.widgets.plots.raster import Raster
from app.widgets.plots.right_axis import RightAxis
from app.widgets.plots.statistics import statistics
from app.widgets.plots.view import MarkedView
from app.widgets.plots.wrapping import TURN, within

TIP = "Values at the playhead; double-click to rename the plot, right-click for what else it can show"
MIME = "application/x-trammel-channels"
GHOSTS = 5  # earlier runs drawn
NEAR = 7.0  # px from a curve to the pointer that is over it
LONGEST_LABEL = 12  # characters beside a low plot
NO_LIMIT = -1e307  # as pyqtgraph has it
DECADES = 3.0  # of a logarithmic axis, at least
FLAT = 20.0  # times the noise: what an axis shows at least
NARROWEST = 230  # px in which curves can still be read
OPTIONS = {"wrap": False, "extremes": False, "two_axes": True}  # ways to show channels, as they are at first
OPTION_TEXTS = {
    "wrap": "Angles from 0 to a whole turn",
    "extremes": "Mark smallest and largest values",
    "two_axes": "Second axis for another unit",
}


class PlotBox(QWidget):
    """A plot with its heading. `kind` is "time", "phase" or "spectrum"."""

    wants_channel = Signal(object)  # the box
    wants_removal = Signal(object)
    wants_saving = Signal(object)
    wants_copy = Signal(object)
    edited = Signal()  # the user wants to see it otherwise, now
    zoomed = Signal()  # other ranges or another size: curves need other points
    sought = Signal(float)  # t
    range_moved = Signal(float, float)
    dropped = Signal(object, list)
    hovered = Signal(object)  # the instant under the pointer [s], None without one

    def __init__(self, look: Look, name: str, kind: str = "time", title: str = "", log: bool = False) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAcceptDrops(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumWidth(NARROWEST)
        self.look, self.kind, self.title, self.log = look, kind, title, log
        self.channels: list[str] = []
        self._curves: dict[tuple[Any, str], Curve] = {}
        self._units: dict[str, str] = {}
        self._open: set[str] = set()  # channels that redundant constraints leave open
        self._lengths: dict[Any, float] = {}  # of the mechanism of the present run [m]
        self._limits: dict[bool, tuple[float, float | None]] = {}  # of both axes, the right one by True
        self.wrap = False  # angles from 0 to a whole turn
        self.extremes = False  # smallest and largest values are marked
        self.two_axes = True  # channels of another unit have an axis of their own
        self._right: frozenset[str] = frozenset()  # channels of the axis at the right
        self._heading = PlotHeading(f"{name}.heading")
        self._heading.renamed.connect(self._renamed)
        self._heading.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._heading.customContextMenuRequested.connect(self._menu)
        self._heading.setToolTip(TIP)
        self._statistics = label("", "muted", f"{name}.statistics")
        self._statistics.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._statistics.hide()
        self._run_names: dict[Any, str] = {}  # of what is drawn, by id
        self._hint = label("Add a channel with +, or drag an element here from the tree", "", f"{name}.hint")
        self._hint.setProperty("role", "muted")
        self._hint.setWordWrap(True)
        add = tool_button(look, f"{name}.add", "plus", "Add a channel to this plot")
        self._log = tool_button(look, f"{name}.log", "log", "Logarithmic values", checkable=True)
        fit = tool_button(look, f"{name}.fit", "fit", "Fit the values")
        close = tool_button(look, f"{name}.close", "close", "Remove this plot")
        self._log.setChecked(log)
        axes = {side: Axis(side, kind) for side in ("left", "bottom", "right")}
        self.plot = pg.PlotWidget(axisItems=axes, viewBox=MarkedView(), enableMenu=False)
        bind_menus(self.plot)
        self.plot.setObjectName(f"{name}.plot")
        self.plot.hideButtons()
        self.plot.setAcceptDrops(False)
        self.plot.setMinimumHeight(60)
        self.plot.setClipToView(True)
        bar = QHBoxLayout()
        bar.setSpacing(0)
        bar.addWidget(self._heading, 1)
        for button in (add, self._log, fit, close):
            button.setIconSize(QSize(15, 15))
            bar.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(2, 0, 2, 0)
        column.setSpacing(0)
        column.addLayout(bar)
        column.addWidget(self._hint)
        body = QHBoxLayout()
        body.setSpacing(6)
        body.addWidget(self.plot, 1)
        body.addWidget(self._statistics)
        column.addLayout(body, 1)

        item = self.plot.getPlotItem()
        self._beside = RightAxis(item)
        self._marks = {False: ExtremeMarks(item.getViewBox()), True: ExtremeMarks(self._beside.view)}
        self.pointed = Cursor(self.plot, look, name)
        self.plot.installEventFilter(self)
        self.playhead = pg.InfiniteLine(angle=90, movable=True)
        self.playhead.setZValue(20)
        self.marker = pg.ScatterPlotItem(size=9)
        self.region = pg.LinearRegionItem(movable=True)
        self.region.setZValue(-10)
        self.region.hide()
        for thing in (self.playhead, self.region):
            thing.setVisible(kind == "time" and thing is self.playhead)
            item.addItem(thing, ignoreBounds=True)
        if kind == "phase":
            item.addItem(self.marker, ignoreBounds=True)
        item.getViewBox().setMouseEnabled(x=True, y=True)
        item.enableAutoRange(y=True)
        item.setLogMode(y=log)
        self.apply_theme()

        add.clicked.connect(lambda: self.wants_channel.emit(self))
        close.clicked.connect(lambda: self.wants_removal.emit(self))
        fit.clicked.connect(self._fit)
        self._log.toggled.connect(self._toggle_log)
        self.playhead.sigDragged.connect(lambda line: self.sought.emit(float(line.value())))
        self.region.sigRegionChanged.connect(
            lambda region: self.range_moved.emit(*map(float, region.getRegion()))
        )
        self.plot.scene().sigMouseClicked.connect(self._clicked)
        self.plot.scene().sigMouseMoved.connect(self._hovered)
        for changed in (item.getViewBox().sigRangeChanged, item.getViewBox().sigResized):
            changed.connect(lambda *_: self.zoomed.emit())

    # channels

    def add_channel(self, name: str) -> None:
        if name not in self.channels or (self.kind == "phase" and len(self.channels) < 2):  # over itself
            self.channels.append(name)
        self._hint.hide()

    def remove_channel(self, name: str) -> None:
        self.channels = [other for other in self.channels if other != name]
        self.forget()
        if not self.channels:
            self._show_title()
        self._hint.setVisible(not self.channels)

    def _show_title(self) -> None:
        self._heading.title, self._heading.automatic = self.title, self.name
        self._heading.setText(f"<b>{escape(self.title)}</b>" if self.title else "")

    @property
    def name(self) -> str:
        """The title, or what the plot shows."""
        if self.title:
            return self.title
        if self.kind == "phase" and len(self.channels) > 1:
            across, up = (self.short(name) for name in self.channels[:2])
            return f"{up} over {across}"
        return ", ".join(map(self.short, self.channels))

    def edit_title(self) -> None:
        self._heading.edit()

    def _renamed(self, title: str) -> None:
        self.title = title
        self._show_title()
        self.edited.emit()

    def rename(self, names: dict[str, str]) -> None:
        """Elements have other names: `body.crank` → "arm"."""
        for old, new in names.items():
            noun = old.split(".", 1)[0]
            self.channels = [
                f"{noun}.{new}{name[len(old) :]}" if name == old or name.startswith(f"{old}.") else name
                for name in self.channels
            ]

    def forget(self) -> None:
        """Throw all curves away; they are read again."""
        for curve in self._curves.values():
            self._take_out(curve)
        self._curves = {}

    def _take_out(self, curve: Curve) -> None:
        self._beside.remove(curve.item) if curve.right else self.plot.removeItem(curve.item)

    def _fit(self) -> None:
        self.plot.getPlotItem().enableAutoRange(y=True)
        self._beside.view.enableAutoRange(y=True)

    def set_log(self, log: bool) -> None:
        if log != self.log:
            self.log = log
            self._log.setChecked(log)
            self.forget()
            self.plot.getPlotItem().setLogMode(y=log)
            self._fit()

    def _toggle_log(self, log: bool) -> None:
        if log != self.log:
            self.set_log(log)
            self.edited.emit()

    def choose(self, facts: Mapping[str, Any]) -> None:
        """How the channels are shown, as `save` has it."""
        for option, default in OPTIONS.items():
            setattr(self, option, bool(facts.get(option, default)))
        self.forget()

    def become(self, title: str, channels: list[str] | tuple[str, ...], log: bool) -> None:
        """Show something else, as a new plot of the same kind would."""
        self.forget()
        self.title, self.channels = title, []
        for name in channels:
            self.add_channel(name)
        self._units, self._open = {}, set()
        self._show_title()
        self._hint.setVisible(not self.channels)
        self.set_log(log)
        self._fit()

    def save(self) -> dict[str, Any]:
        facts = {"kind": self.kind, "title": self.title, "log": self.log, "channels": list(self.channels)}
        chosen = {name: getattr(self, name) for name in OPTIONS}
        return facts | {name: on for name, on in chosen.items() if on != OPTIONS[name]}

    # drawing

    def refresh(
        self,
        runs: list[Any],
        current: Any,
        t: float,
        span: tuple[float, float],
        until: float | None = None,
    ) -> None:
        """Show what the runs have; `current` up to an instant, others in their colours."""
        if current is None:
            return
        shown = [run for run in runs if run is not current][-GHOSTS:]
        keys = {(run.id, name) for run in (*shown, current) for name in self.channels}
        for key in [key for key in self._curves if key not in keys]:
            self._take_out(self._curves.pop(key))
        if not self.channels:
            self._beside.show(False)
            return
        self._read_units(current)
        self._share_axes()
        self._run_names = {run.id: str(run.name) for run in (*shown, current)}
        for run in (*shown, current):
            for index, name in enumerate(self.channels):
                self._curve(run, name, index, run is current).pull(
                    run,
                    name,
                    self._factor(name),
                    absolute=self.log and self.kind == "time",
                    until=until if run is current else None,
                )
        self._leave_out([*shown, current], current)
        self._draw([*shown, current], current, t, span)
        self._mark_extremes(current, span)
        self._show_values(current, t)
        self._label_axes()

    def _leave_out(self, runs: list[Any], current: Any) -> None:
        """Earlier runs that have blown up do not count in automatic ranges."""
        sizes = {
            run.id: max((self._curves[(run.id, name)].largest for name in self.channels), default=0.0)
            for run in runs
        }
        spans = {run.id: float(run.t_last) - float(run.t_first) for run in runs}
        one_axis = self.kind == "time" and not self.log
        self.outside = blown_up(sizes, spans, current.id) if one_axis else frozenset()
        for (run_id, _), curve in self._curves.items():
            curve.item.set_counts(run_id not in self.outside)

    outside: frozenset[Any] = frozenset()  # runs, by id, that automatic ranges leave out

    def _curve(self, run: Run, name: str, index: int, main: bool) -> Curve:
        key = (run.id, name)
        curve = self._curves.get(key)
        theme = self.look.theme
        own = theme.plot_color(index) if main else run.color or theme["ghost"]
        pen = pg.mkPen(own, width=THICK if main else 1.0)
        if curve is None:
            curve = self._curves[key] = Curve(RunLine(pen=pen), right=name in self._right)
            curve.item.setZValue(5 if main else 0)
            self._beside.add(curve.item) if curve.right else self.plot.addItem(curve.item)
        elif curve.main != main:
            curve.item.setPen(pen)
            curve.item.setZValue(5 if main else 0)
        curve.main = main
        return curve

    def _draw(self, runs: list[Any], current: Any, t: float, span: tuple[float, float]) -> None:
        if self.kind == "time":
            floor, periods = self.floor(current), self._periods()
            for right in (False, True):
                names = [name for name in self.channels if (name in self._right) is right]
                self._limit_range(current, names, right=right)
                draw_time(self._curves, runs, names, self._raster(span, right=right), floor, periods)
            if not self.playhead.moving:
                self.playhead.setValue(t)
        elif self.kind == "spectrum":
            draw_spectrum(self._curves, runs, self.channels, self.range, self._raster())
        elif len(self.channels) >= 2:
            draw_phase(self._curves, runs, self.channels, self._raster(), self._periods())
            x, y = (self._value(current, name, t) for name in self.channels[:2])
            known = math.isfinite(x) and math.isfinite(y)
            self.marker.setData([x] if known else [], [y] if known else [])

    def _value(self, run: Any, name: str, t: float) -> float:
        """A channel of a run at an instant, as it is drawn."""
        return within(self._periods().get(name, 0.0), self._curves[(run.id, name)].data.at(t))

    def _calm(self, run: Any, name: str, value: float) -> float:
        """The value, 0 where it is rounding noise."""
        return value if not abs(value) < self.noise(run, name) else 0.0

    def _periods(self) -> dict[str, float]:
        """A whole turn of the channels that are drawn within one, in shown units."""
        if not self.wrap or self.log or self.kind == "spectrum":
            return {}
        angles = [name for name in self.channels if self._units.get(name) == "rad"]
        return {name: TURN / self._factor(name) for name in angles}

    def _share_axes(self) -> None:
        """Channels of another unit than the first go to the axis at the right."""
        units = [self._unit(name) for name in self.channels]
        several = self.two_axes and self.kind == "time" and not self.log and len(set(units)) > 1
        right = frozenset(n for n, unit in zip(self.channels, units, strict=True) if unit != units[0])
        if (right if several else frozenset()) != self._right:
            self.forget()
            self._right = right if several else frozenset()
            self._limits = {}
        self._beside.show(bool(self._right))

    def _mark_extremes(self, current: Any, span: tuple[float, float]) -> None:
        found = self.shown_extremes(current, span) if self.extremes else []
        for right, marks in self._marks.items():
            self._view(right).mark(self.extremes)
            marks.show([mark for mark in found if mark.right is right], span, log=self.log)

    def shown_extremes(self, run: Any, span: tuple[float, float]) -> list[Extreme]:
        """Smallest and largest values of the lines that are drawn of a run."""
        colors = {name: self.look.theme.plot_color(i) for i, name in reversed([*enumerate(self.channels)])}
        return [
            mark
            for line in self.shown_lines(run, span)
            if line.channel not in self._periods() or not np.isnan(line.y).any()  # edges are no extremes
            for mark in extremes(
                line.x,
                line.y,
                self._unit(line.channel),
                colors[line.channel],
                noise=self.noise(run, line.channel),
                right=line.channel in self._right,
            )
        ]

    # noise

    def noise(self, run: Run, name: str) -> float:
        """What is smaller in this channel of a run is rounding noise, in shown units."""
        curve = self._curves.get((run.id, name))
        size = curve.data.size if curve is not None else 0.0
        if name.startswith("violation."):  # differences of lengths, or of lengths per second
            size = max(size, self._length(run) / self._factor(name))
        return noise_floor(size)

    def floor(self, run: Run) -> float:
        """The lowest value of a logarithmic axis, in steps of a decade; 0 where there is none."""
        floors = [noise for name in self.channels if (noise := self.noise(run, name)) > 0.0]
        return 10.0 ** math.floor(math.log10(min(floors))) if floors and self.log else 0.0

    def _length(self, run: Run) -> float:
        if run.id not in self._lengths:
            scene = getattr(run, "scene", None)
            self._lengths = {run.id: length_of(scene) if scene is not None else 1.0}
        return self._lengths[run.id]

    def _limit_range(self, run: Run, names: list[str], *, right: bool) -> None:
        """Automatic ranges do not magnify noise, nor reach below it."""
        floor = self.floor(run)
        limits: tuple[float, float | None]
        if self.log:
            limits = (math.log10(floor) if floor > 0.0 else NO_LIMIT, DECADES)
        else:
            noise = max((self.noise(run, name) for name in names), default=0.0)
            limits = (NO_LIMIT, FLAT * 2.0 ** round(math.log2(noise)) if noise > 0.0 else None)
        least = limits[1] or 0.0
        for (_, name), curve in self._curves.items():
            if name in names:
                curve.item.least = least
        if limits != self._limits.get(right):
            self._limits[right] = limits
            self._view(right).setLimits(yMin=limits[0], minYRange=limits[1])

    @property
    def limits(self) -> tuple[tuple[float, float | None], ...]:
        """Of the left and the right axis over time: lowest value and least extent."""
        return tuple(self._limits.get(right, (NO_LIMIT, None)) for right in (False, True))

    def _view(self, right: bool) -> MarkedView:
        return self._beside.view if right else self.plot.getViewBox()

    def _raster(self, across: tuple[float, float] | None = None, *, right: bool = False) -> Raster:
        """The pixels that curves are drawn on; `across`: the range that the axis is about to have."""
        view, fine = self.plot.getViewBox(), self.plot.devicePixelRatioF()
        x, _ = ((float(low), float(high)) for low, high in view.viewRange())
        _, y = ((float(low), float(high)) for low, high in self._view(right).viewRange())
        return Raster(across or x, y, fine * view.width(), fine * view.height(), self.log)

    def _show_values(self, current: Any, t: float) -> None:
        """Title, and each channel with its colour and its value at the playhead."""
        self._heading.title, self._heading.automatic = self.title, self.name
        if self.kind == "phase":
            self._show_phase(current, t)
            return
        parts = [f"<b>{escape(self.title)}</b>"] if self.title else []
        crowded, raw = self._crowded, []
        for index, name in enumerate(self.channels):
            value = self._value(current, name, t) if self.kind == "time" else math.nan
            if 0.0 < abs(value) < self.noise(current, name):
                raw.append(f"{self.short(name)} {value:.4g}")
                value = 0.0
            shown = "" if math.isnan(value) else f" {value:.2g}" if crowded else f" {value:.4g}"
            color = self.look.theme.plot_color(index)
            named = crowded or (self._right and len(self.channels) > 2)  # which axis it belongs to
            unit = f" [{escape(self._unit(name))}]" if named and self._unit(name) else ""
            note = f" <i>{NOT_UNIQUE}</i>" if name in self._open else ""
            words = f"{escape(self.short(name))}{unit}{shown}{note}".replace(" ", "&nbsp;")
            words = words.replace("/s", "/&#8288;s")  # units stay on one line
            parts.append(f'<span style="color:{color}">━</span>&nbsp;{words}')
        text = " &nbsp; ".join(parts)
        if self._heading.text() != text:
            self._heading.setText(text)
        tip = f"{TIP}. Shown as 0, since it is rounding noise: {', '.join(raw)}" if raw else TIP
        if self._heading.toolTip() != tip:
            self._heading.setToolTip(tip)

    def _show_phase(self, current: Any, t: float) -> None:
        """What stands over what, and where the playhead is."""
        heading = f"<b>{escape(self.name)}</b>"
        if len(self.channels) > 1:
            across, up = self.channels[:2]
            point = [
                f"{self.short(name) if self.title else ''} {value:.4g} {self._unit(name)}".strip()
                for name in dict.fromkeys((up, across))
                if math.isfinite(value := self._calm(current, name, self._value(current, name, t)))
            ]
            parts = [escape(part).replace(" ", "&nbsp;") for part in point or [self.short(up)]]
            words = " at ".join(parts)
            color = self.look.theme.plot_color(self.channels.index(up))
            heading += f' &nbsp; <span style="color:{color}">━</span>&nbsp;{words}'
        if self._heading.text() != heading:
            self._heading.setText(heading)

    def shown_lines(self, run: Run, span: tuple[float, float]) -> list[Line]:
        """Every line that is drawn of a run."""
        return shown_lines(self._curves, run, self.channels, self.kind, span, self._periods())

    @property
    def right_channels(self) -> frozenset[str]:
        """Those whose axis is at the right."""
        return self._right

    def shown_unit(self, name: str) -> str:
        return self._unit(name)

    # range

    range: tuple[float, float] | None = None

    def set_range(self, range: tuple[float, float] | None) -> None:
        self.range = range
        visible = range is not None and self.kind == "time"
        self.region.setVisible(visible)
        self._statistics.setVisible(visible)
        self._make_room()
        if range is not None and visible and self.region.getRegion() != range:
            self.region.blockSignals(True)
            self.region.setRegion(range)
            self.region.blockSignals(False)

    def show_statistics(self, current: Any) -> None:
        if self.range is None or current is None or self.kind != "time":
            return
        rows = []
        for name in self.channels:
            curve = self._curves.get((current.id, name))
            found = statistics(*curve.data.between(*self.range)) if curve is not None else None
            if found is not None:
                noise = self.noise(current, name)
                numbers = (
                    v if abs(v) >= noise else 0.0 for v in (found.low, found.high, found.mean, found.rms)
                )
                cells = "".join(f"<td align=right>&nbsp;{plain_number(v, 4)}</td>" for v in numbers)
                rows.append(f"<tr><td>{self.short(name)}</td>{cells}</tr>")
        head = "".join(f"<td align=right>&nbsp;{word}</td>" for word in ("min", "max", "mean", "RMS"))
        self._statistics.setText(f"<table><tr><td></td>{head}</tr>{''.join(rows)}</table>")
        self._make_room()

    def _make_room(self) -> None:
        """Statistics stand beside the curves, not in place of them."""
        beside = self._statistics.sizeHint().width() if not self._statistics.isHidden() else 0
        self._statistics.setMinimumWidth(beside)
        self.setMinimumWidth(NARROWEST + beside)

    # names and units

    def short(self, name: str) -> str:
        """The name without what all channels of the plot begin with."""
        parts = name.split(".")
        if len(self.channels) > 1 and all(other.split(".")[0] == parts[0] for other in self.channels):
            parts = parts[1:]
        return ".".join(parts)

    def _read_units(self, run: Run) -> None:
        for name in self.channels:
            if name not in self._units:
                try:
                    self._units[name] = str(run.unit(name))
                except KeyError:
                    self._units[name] = ""
                if not run.is_unique(name):
                    self._open.add(name)

    def _factor(self, name: str) -> float:
        return self.look.units.factor(self._units.get(name, ""))

    def _unit(self, name: str) -> str:
        """The unit that is shown; a violation has those of all its rows, `m, rad`."""
        return self.look.units.shown(self._units.get(name, ""))

    def _axis_text(self, *, right: bool = False) -> str:
        names = [name for name in self.channels if (name in self._right) is right]
        return " | ".join(dict.fromkeys(filter(None, map(self._unit, names))))

    @property
    def _crowded(self) -> bool:
        """Whether the units would be cut off at the side of a low plot."""
        return len(self._axis_text()) > LONGEST_LABEL

    def _label_axes(self) -> None:
        item = self.plot.getPlotItem()
        if self.kind == "phase":
            # the heading names both; beside a low plot there is room for a unit only
            bottom = f"{self.short(self.channels[0])} [{self._unit(self.channels[0])}]"
            left = self._unit(self.channels[1]) if len(self.channels) > 1 else ""
        else:
            bottom = ""  # the ticks carry the unit, which leaves more room for the curves
            left = self._axis_text()
            if self._crowded:  # the heading names the units, the axis what is drawn
                nouns = {name.split(".")[0] for name in self.channels}
                left = nouns.pop() if len(nouns) == 1 else ""
        right = self._axis_text(right=True) if self._right else ""
        for side, text in (("bottom", bottom), ("left", left), ("right", right)):
            axis = item.getAxis(side)
            if axis.labelText != text:
                axis.setLabel(text)
                axis.showLabel(bool(text))

    def apply_theme(self) -> None:
        """Colours of the theme."""
        theme = self.look.theme
        self.plot.setBackground(theme["base"])
        item = self.plot.getPlotItem()
        self.pointed.apply_theme()
        for side in ("left", "bottom", "right"):
            axis = item.getAxis(side)
            axis.setPen(pg.mkPen(theme["grid"]))
            axis.setTextPen(pg.mkPen(theme["text"]))
            # texts and grid are slow to draw, and seldom change while curves grow
            axis.setStyle(maxTickLevel=1)
            axis.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)
        item.showGrid(x=True, y=True, alpha=0.25)
        self.playhead.setPen(pg.mkPen(theme["accent"], width=1.5))
        self.marker.setBrush(pg.mkBrush(theme["accent"]))
        self.region.setBrush(pg.mkBrush(theme["accent"] + "28"))
        self.forget()

    # mouse

    def _menu(self, at: Any) -> None:
        menu = QMenu(self)
        icon = self.look.icon
        menu.addAction(icon("export"), "Save this plot…").triggered.connect(
            lambda: self.wants_saving.emit(self)
        )
        menu.addAction(icon("duplicate"), "Copy this plot").triggered.connect(
            lambda: self.wants_copy.emit(self)
        )
        menu.addSeparator()
        menu.addAction(icon("rename"), "Rename this plot").triggered.connect(self.edit_title)
        for option, text in OPTION_TEXTS.items():
            action = menu.addAction(text)
            action.setObjectName(f"{self.objectName()}.{option}")
            action.setCheckable(True)
            action.setChecked(getattr(self, option))
            action.setEnabled(self._offered(option))
            action.triggered.connect(lambda on, option=option: self.set_option(option, on))
        menu.addSeparator()
        for name in dict.fromkeys(self.channels):
            menu.addAction(f"Remove {name}").triggered.connect(lambda _=False, name=name: self._remove(name))
        menu.exec(self._heading.mapToGlobal(at))
        menu.deleteLater()

    def _offered(self, option: str) -> bool:
        """Whether it would change what is seen."""
        units = [self._units.get(name, "") for name in self.channels]
        angles = "rad" in units and not self.log and self.kind != "spectrum"
        several = len(set(units)) > 1 and not self.log and self.kind == "time"
        return {"wrap": angles, "two_axes": several, "extremes": self.kind == "time"}[option]

    def set_option(self, option: str, on: bool) -> None:
        """One of `OPTIONS`."""
        setattr(self, option, on)
        self.forget()
        self._fit()
        self.edited.emit()

    def _remove(self, name: str) -> None:
        self.remove_channel(name)
        self.edited.emit()

    def _hovered(self, at: QPointF) -> None:
        """All values at the instant under the pointer; other plots over time show theirs too."""
        box = self.plot.getViewBox()
        if self.kind != "time" or not self.channels or not box.sceneBoundingRect().contains(at):
            self.hovered.emit(None)
            return
        self._pointer = at
        self.hovered.emit(float(box.mapSceneToView(at).x()))
        self._pointer = None

    _pointer: QPointF | None = None  # while it is this plot that is pointed at

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Leave:
            self.hovered.emit(None)
        return bool(super().eventFilter(watched, event))

    def show_cursor(self, t: float | None) -> None:
        """A line at an instant, and in the plot under the pointer the values there; None: nothing."""
        if t is None or self.kind != "time":
            self.pointed.hide()
            return
        near = self._near(self._pointer) if self._pointer is not None else None
        readings = self.readings(t, near) if self._pointer is not None else []
        at = self.plot.mapFromScene(self._pointer) if self._pointer is not None else QPoint()
        self.pointed.show(f"t = {plain_number(t, 4)} s", readings, at, t)

    def readings(self, t: float, near: tuple[Any, str] | None = None) -> list[Reading]:
        """Every curve that has a value at this instant, those of the present run first."""
        found = []
        for (run_id, name), curve in sorted(self._curves.items(), key=lambda pair: not pair[1].main):
            value = within(self._periods().get(name, 0.0), curve.data.at(t))
            if not math.isfinite(value):
                continue
            words = self.short(name) if curve.main else f"{self.short(name)} ({self._run_names[run_id]})"
            color = curve.item.opts["pen"].color().name()
            unit = self._unit(name)
            found.append(Reading(color, words, f"{value:.4g} {unit}".rstrip(), (run_id, name) == near))
        return found

    def _near(self, at: QPointF) -> tuple[Any, str] | None:
        """The run and the channel of the curve at a place of the plot; None where there is none."""
        box = self.plot.getViewBox()
        if self.kind != "time" or not box.sceneBoundingRect().contains(at):
            return None
        t, found, best = float(box.mapSceneToView(at).x()), None, NEAR
        for (run_id, name), curve in self._curves.items():
            value = within(self._periods().get(name, 0.0), curve.data.at(t))
            shown = math.log10(max(abs(value), FLOOR)) if self.log else value
            view = self._view(curve.right)
            away = abs(float(view.mapViewToScene(QPointF(t, shown)).y()) - at.y())
            if away < best:
                best, found = away, (run_id, name)
        return found

    def named_at(self, at: QPointF) -> str:
        """What the curve at a place of the plot is, in words; nothing where there is none."""
        near = self._near(at)
        if near is None:
            return ""
        run_id, name = near
        value = self._curves[near].data.at(float(self.plot.getViewBox().mapSceneToView(at).x()))
        return f"{self._run_names[run_id]}: {self.short(name)} {value:.4g} {self._unit(name)}".strip()

    def _clicked(self, event: Any) -> None:
        if self.kind == "time" and event.button() == Qt.MouseButton.LeftButton:
            at = self.plot.getViewBox().mapSceneToView(QPointF(event.scenePos()))
            self.sought.emit(float(at.x()))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasFormat(MIME):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        prefixes = bytes(event.mimeData().data(MIME).data()).decode().splitlines()
        self.dropped.emit(self, [prefix for prefix in prefixes if prefix])
        event.acceptProposedAction()
