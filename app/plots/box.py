"""One plot: curves of channels over time, over frequency, or one channel over another."""

import math
from html import escape
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QGraphicsItem, QHBoxLayout, QMenu, QSizePolicy, QVBoxLayout, QWidget

from app.panels.look import Look, label, tool_button
from app.plots.pyramid import Pyramid
from app.plots.statistics import spectrum, statistics
from app.run import NOT_UNIQUE
from app.units import plain_number

MIME = "application/x-trammel-channels"
FLOOR = 1e-18  # a logarithmic axis shows an exact zero here
GHOSTS = 5  # earlier runs drawn in grey
PHASE_POINTS = 20_000
THICK = 1.6  # px, lines of the present run
DENSE = 400  # points from which on thin lines look as well
LONGEST_LABEL = 12  # characters beside a low plot


class Curve:
    """A channel of one run: its samples so far, and the line that draws them."""

    def __init__(self, item: pg.PlotDataItem) -> None:
        self.data = Pyramid()
        self.item = item
        self.main: bool | None = None  # of the present run, not an earlier one
        self.drawn: tuple[Any, ...] = ()  # what was drawn last, to leave it alone when nothing changed

    def thin(self, thin: bool) -> None:
        """Thick lines of many points take ten times as long to paint."""
        pen = self.item.opts["pen"]
        wanted = 1.0 if thin else THICK
        if self.main and pen.widthF() != wanted:
            pen = pg.mkPen(pen)
            pen.setWidthF(wanted)
            self.item.setPen(pen)

    def pull(self, run: Any, name: str, factor: float, *, absolute: bool, until: float | None = None) -> None:
        """Fetch what the run has recorded since, up to an instant."""
        begin = float(self.data.t[-1]) if len(self.data) else None
        if begin is not None and run.t_last <= begin:
            return
        try:
            t, y = run.channel(name, begin, until)
        except (KeyError, IndexError, ValueError):
            return
        y = np.asarray(y, dtype=float) / factor
        self.data.append(np.asarray(t, dtype=float), np.maximum(np.abs(y), FLOOR) if absolute else y)


NARROWEST = 230  # px in which curves can still be read


class PlotBox(QWidget):
    """A plot with its heading. `kind` is "time", "phase" or "spectrum"."""

    wants_channel = Signal(object)  # the box
    wants_removal = Signal(object)
    wants_saving = Signal(object)
    wants_copy = Signal(object)
    sought = Signal(float)  # t
    range_moved = Signal(float, float)
    dropped = Signal(object, list)

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
        self._heading = label(title, "", f"{name}.heading")
        self._heading.setWordWrap(True)
        self._heading.setTextFormat(Qt.TextFormat.RichText)
        self._heading.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._heading.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._heading.customContextMenuRequested.connect(self._menu)
        self._heading.setToolTip(
            "Values at the playhead; right-click to save or copy the plot, or remove a channel"
        )
        self._statistics = label("", "muted", f"{name}.statistics")
        self._statistics.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._statistics.hide()
        self._hint = label("Add a channel with +, or drag an element here from the tree", "", f"{name}.hint")
        self._hint.setProperty("role", "muted")
        self._hint.setWordWrap(True)
        add = tool_button(look, f"{name}.add", "plus", "Add a channel to this plot")
        self._log = tool_button(look, f"{name}.log", "log", "Logarithmic values", checkable=True)
        fit = tool_button(look, f"{name}.fit", "fit", "Fit the values")
        close = tool_button(look, f"{name}.close", "close", "Remove this plot")
        self._log.setChecked(log)
        self.plot = pg.PlotWidget(axisItems={"left": _Axis("left", self), "bottom": _Axis("bottom", self)})
        self.plot.setObjectName(f"{name}.plot")
        self.plot.setMenuEnabled(False)
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
        self.dress()

        add.clicked.connect(lambda: self.wants_channel.emit(self))
        close.clicked.connect(lambda: self.wants_removal.emit(self))
        fit.clicked.connect(lambda: item.enableAutoRange(y=True))
        self._log.toggled.connect(self.set_log)
        self.playhead.sigDragged.connect(lambda line: self.sought.emit(float(line.value())))
        self.region.sigRegionChanged.connect(
            lambda region: self.range_moved.emit(*map(float, region.getRegion()))
        )
        self.plot.scene().sigMouseClicked.connect(self._clicked)

    # channels

    def add_channel(self, name: str) -> None:
        if name not in self.channels:
            self.channels.append(name)
        self._hint.hide()

    def remove_channel(self, name: str) -> None:
        self.channels = [other for other in self.channels if other != name]
        self.forget()
        self._hint.setVisible(not self.channels)

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
            self.plot.removeItem(curve.item)
        self._curves = {}

    def set_log(self, log: bool) -> None:
        if log != self.log:
            self.log = log
            self._log.setChecked(log)
            self.forget()
            self.plot.getPlotItem().setLogMode(y=log)
            self.plot.getPlotItem().enableAutoRange(y=True)

    def save(self) -> dict[str, Any]:
        return {"kind": self.kind, "title": self.title, "log": self.log, "channels": list(self.channels)}

    # drawing

    def refresh(
        self,
        runs: list[Any],
        current: Any,
        t: float,
        span: tuple[float, float],
        until: float | None = None,
    ) -> None:
        """Show what the runs have; `current` in colour, up to an instant, the others in grey."""
        if current is None:
            return
        shown = [run for run in runs if run is not current][-GHOSTS:]
        keys = {(run.id, name) for run in (*shown, current) for name in self.channels}
        for key in [key for key in self._curves if key not in keys]:
            self.plot.removeItem(self._curves.pop(key).item)
        if not self.channels:
            return
        self._read_units(current)
        for run in (*shown, current):
            for index, name in enumerate(self.channels):
                self._curve(run, name, index, run is current).pull(
                    run,
                    name,
                    self._factor(name),
                    absolute=self.log and self.kind == "time",
                    until=until if run is current else None,
                )
        getattr(self, f"_draw_{self.kind}")([*shown, current], current, t, span)
        self._show_values(current, t)
        self._label_axes()

    def _curve(self, run: Any, name: str, index: int, main: bool) -> Curve:
        key = (run.id, name)
        curve = self._curves.get(key)
        theme = self.look.theme
        pen = pg.mkPen(theme.plot_color(index), width=THICK) if main else pg.mkPen(theme["ghost"], width=1.0)
        if curve is None:
            curve = self._curves[key] = Curve(pg.PlotDataItem(pen=pen))
            curve.item.setZValue(5 if main else 0)
            self.plot.addItem(curve.item)
        elif curve.main != main:
            curve.item.setPen(pen)
            curve.item.setZValue(5 if main else 0)
        curve.main = main
        return curve

    def _draw_time(self, runs: list[Any], current: Any, t: float, span: tuple[float, float]) -> None:
        pixels = max(int(self.plot.getViewBox().width()), 50)
        for run in runs:
            for name in self.channels:
                curve = self._curves[(run.id, name)]
                state = (span, pixels, _seen(curve.data, span, pixels))
                if curve.drawn != state:
                    curve.drawn = state
                    x, y = curve.data.drawn(*span, pixels)
                    curve.item.setData(x, y)
                    curve.thin(len(x) > DENSE)
        if not self.playhead.moving:
            self.playhead.setValue(t)

    def _show_values(self, current: Any, t: float) -> None:
        """Title, and each channel with its colour and its value at the playhead."""
        parts = [f"<b>{escape(self.title)}</b>"] if self.title else []
        crowded = self._crowded
        for index, name in enumerate(self.channels):
            if self.kind == "phase":
                continue
            value = self._curves[(current.id, name)].data.at(t) if self.kind == "time" else math.nan
            shown = "" if math.isnan(value) else f" {value:.2g}" if crowded else f" {value:.4g}"
            color = self.look.theme.plot_color(index)
            unit = f" [{escape(self._unit(name))}]" if crowded and self._unit(name) else ""
            note = f" <i>{NOT_UNIQUE}</i>" if name in self._open else ""
            words = f"{escape(self.short(name))}{unit}{shown}{note}".replace(" ", "&nbsp;")
            words = words.replace("/s", "/&#8288;s")  # units stay on one line
            parts.append(f'<span style="color:{color}">━</span>&nbsp;{words}')
        text = " &nbsp; ".join(parts)
        if self._heading.text() != text:
            self._heading.setText(text)

    def _draw_phase(self, runs: list[Any], current: Any, t: float, span: tuple[float, float]) -> None:
        if len(self.channels) < 2:
            return
        across, up = self.channels[:2]
        for run in runs:
            x, y = self._curves[(run.id, across)], self._curves[(run.id, up)]
            n = min(len(x.data), len(y.data))
            if y.drawn != (n,):
                y.drawn = (n,)
                stride = max(1, n // PHASE_POINTS)
                y.item.setData(x.data.y[:n:stride], y.data.y[:n:stride])
        x, y = self._curves[(current.id, across)], self._curves[(current.id, up)]
        self.marker.setData([x.data.at(t)], [y.data.at(t)])

    def _draw_spectrum(self, runs: list[Any], current: Any, t: float, span: tuple[float, float]) -> None:
        begin, end = self.range if self.range is not None else (-np.inf, np.inf)
        for run in runs:
            for name in self.channels:
                curve = self._curves[(run.id, name)]
                # every further eighth of the samples, so that a long run is not transformed in every frame
                state = (begin, end, int(8.0 * np.log2(len(curve.data) + 1)))
                if curve.drawn != state:
                    curve.drawn = state
                    frequency, amplitude = spectrum(*curve.data.between(begin, end))
                    curve.item.setData(frequency, np.maximum(amplitude, FLOOR) if self.log else amplitude)

    def shown_lines(self, run: Any, span: tuple[float, float]) -> list[tuple[str, np.ndarray, np.ndarray]]:
        """Channel and all points of every line that is drawn of a run, in shown units."""
        if self.kind == "phase":
            pair = [self._curves.get((run.id, name)) for name in self.channels[:2]]
            if len(pair) < 2 or pair[0] is None or pair[1] is None:
                return []
            n = min(len(pair[0].data), len(pair[1].data))
            return [(self.channels[1], pair[0].data.y[:n].copy(), pair[1].data.y[:n].copy())] if n else []
        found = []
        for name in self.channels:
            curve = self._curves.get((run.id, name))
            if curve is None or not len(curve.data):
                continue
            if self.kind == "spectrum":
                x, y = curve.item.getOriginalDataset()
                x, y = (np.zeros(0), np.zeros(0)) if x is None else (np.array(x), np.array(y))
            else:
                x, y = curve.data.between(*span)
            found.append((name, np.asarray(x), np.asarray(y)))
        return found

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
                numbers = (found.low, found.high, found.mean, found.rms)
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

    def _read_units(self, run: Any) -> None:
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

    def _axis_text(self) -> str:
        return " | ".join(dict.fromkeys(filter(None, map(self._unit, self.channels))))

    @property
    def _crowded(self) -> bool:
        """Whether the units would be cut off at the side of a low plot."""
        return len(self._axis_text()) > LONGEST_LABEL

    def _label_axes(self) -> None:
        item = self.plot.getPlotItem()
        if self.kind == "phase":
            texts = [f"{n} [{self._unit(n)}]" for n in self.channels[:2]]
            bottom, left = [*texts, "", ""][:2]
        else:
            bottom = ""  # the ticks carry the unit, which leaves more room for the curves
            left = self._axis_text()
            if self._crowded:  # the heading names the units, the axis what is drawn
                nouns = {name.split(".")[0] for name in self.channels}
                left = nouns.pop() if len(nouns) == 1 else ""
        for side, text in (("bottom", bottom), ("left", left)):
            axis = item.getAxis(side)
            if axis.labelText != text:
                axis.setLabel(text)
                axis.showLabel(bool(text))

    def dress(self) -> None:
        """Colours of the theme."""
        theme = self.look.theme
        self.plot.setBackground(theme["base"])
        item = self.plot.getPlotItem()
        for side in ("left", "bottom"):
            axis = item.getAxis(side)
            axis.setPen(pg.mkPen(theme["grid"]))
            axis.setTextPen(pg.mkPen(theme["text"]))
            axis.enableAutoSIPrefix(False)
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
        for name in self.channels:
            menu.addAction(f"Remove {name}").triggered.connect(
                lambda _=False, name=name: self.remove_channel(name)
            )
        menu.exec(self._heading.mapToGlobal(at))

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


def _seen(data: Pyramid, span: tuple[float, float], pixels: int) -> int:
    """Changes when the curve has grown by something that can be seen: half a pixel."""
    return int(2.0 * pixels * data.t[-1] / (span[1] - span[0])) if len(data) and span[1] > span[0] else 0


class _Axis(pg.AxisItem):
    """Few digits, so that no number is cut off."""

    def __init__(self, side: str, box: PlotBox) -> None:
        super().__init__(side)
        self._box = box

    def tickStrings(self, values: Any, scale: float, spacing: float) -> list[str]:
        if self.logMode:
            return [f"1e{round(value)}" if abs(value - round(value)) < 1e-6 else "" for value in values]
        digits = (
            max(3, int(np.ceil(np.log10(max(map(abs, values), default=1.0) / spacing))) + 1) if spacing else 4
        )
        unit = (
            {"time": " s", "spectrum": " Hz"}.get(self._box.kind, "") if self.orientation == "bottom" else ""
        )
        numbers = (float(f"{value:.{min(digits, 12)}g}") for value in np.asarray(values) * scale)
        return [plain_number(number, 8) + unit for number in numbers]
