"""One plot: curves of channels over time, over frequency, or one channel over another."""

import math
from collections.abc import Mapping
from html import escape
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QGraphicsItem, QHBoxLayout, QMenu, QSizePolicy, QVBoxLayout, QWidget

from app.platform.appearance import Look, label, tool_button
from app.widgets.plots.axes.axis import Axis
from app.widgets.plots.axes.marked_view import MarkedView
from app.widgets.plots.content import OPTION_TEXTS, PlotContent
from app.widgets.plots.cursor import Cursor
from app.widgets.plots.drawn_curves import DrawnCurves
from app.widgets.plots.heading import PlotHeading
from app.widgets.plots.pointing import Pointing
from app.widgets.plots.pyqtgraph_menus import bind_menus
from app.widgets.plots.value_texts import heading, statistics_table

EMPTY = (0.0, 1.0)  # s and whatever else, of axes without curves
TIP = "Values at the playhead; double-click to rename the plot, right-click for what else it can show"
MIME = "application/x-trammel-channels"
GHOSTS = 5  # earlier runs drawn
NARROWEST = 230  # px in which curves can still be read
UPRIGHT = ("left", "right")
SIDES = (*UPRIGHT, "bottom")


class PlotBox(QWidget):
    """A plot with its heading: what it shows is its `content`, how that looks its `curves`."""

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
        self.look, self.content = look, PlotContent(look, kind, title, log=log)
        self._make_plot(name)
        self.curves = DrawnCurves(self.plot, self.content, look)
        self.time_cursor = Cursor(self.plot, look, name)
        self.pointing = Pointing(self.plot, self.content, self.curves, self.time_cursor)
        self._make_texts(name)
        self._lay_out(name)
        self._make_markers()
        self.apply_theme()
        self.plot.installEventFilter(self)
        self.plot.scene().sigMouseClicked.connect(self._clicked)
        self.plot.scene().sigMouseMoved.connect(self._hovered)
        view = self.plot.getViewBox()
        for changed in (view.sigRangeChanged, view.sigResized):
            changed.connect(lambda *_: self.zoomed.emit())

    def _make_plot(self, name: str) -> None:
        axes = {side: Axis(side, self.kind) for side in SIDES}
        self.plot = pg.PlotWidget(axisItems=axes, viewBox=MarkedView(), enableMenu=False)
        bind_menus(self.plot)
        self.plot.setObjectName(f"{name}.plot")
        self.plot.hideButtons()
        self.plot.setAcceptDrops(False)
        self.plot.setMinimumHeight(60)
        self.plot.setClipToView(True)
        item = self.plot.getPlotItem()
        item.getViewBox().setMouseEnabled(x=True, y=True)
        item.enableAutoRange(y=True)
        item.setLogMode(y=self.log)
        self._show_numbers(False)

    def _show_numbers(self, shown: bool) -> None:
        """On the upright axes, where curves give them a meaning."""
        for side in UPRIGHT:
            axis = self.plot.getPlotItem().getAxis(side)
            if axis.style["showValues"] != shown:
                axis.setStyle(showValues=shown)

    def _make_texts(self, name: str) -> None:
        self._heading = PlotHeading(f"{name}.heading")
        self._heading.renamed.connect(self._renamed)
        self._heading.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._heading.customContextMenuRequested.connect(
            lambda at: self._open_menu(self._heading.mapToGlobal(at))
        )
        self._heading.setToolTip(TIP)
        self._statistics = label("", "muted", f"{name}.statistics")
        self._statistics.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._statistics.hide()
        self._hint = label("Add a channel with +, or drag an element here from the tree", "", f"{name}.hint")
        self._hint.setProperty("role", "muted")
        self._hint.setWordWrap(True)

    def _lay_out(self, name: str) -> None:
        add = tool_button(self.look, f"{name}.add", "plus", "Add a channel to this plot")
        self._log = tool_button(self.look, f"{name}.log", "log", "Logarithmic values", checkable=True)
        fit = tool_button(self.look, f"{name}.fit", "fit", "Fit the values")
        close = tool_button(self.look, f"{name}.close", "close", "Remove this plot")
        self._log.setChecked(self.log)
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
        add.clicked.connect(lambda: self.wants_channel.emit(self))
        close.clicked.connect(lambda: self.wants_removal.emit(self))
        fit.clicked.connect(self.curves.fit)
        self._log.toggled.connect(self._toggle_log)

    def _make_markers(self) -> None:
        """The playhead, a dot for it in a phase plot, and the chosen range."""
        item = self.plot.getPlotItem()
        self.playhead = pg.InfiniteLine(angle=90, movable=True)
        self.playhead.setZValue(20)
        self.marker = pg.ScatterPlotItem(size=9)
        self.region = pg.LinearRegionItem(movable=True)
        self.region.setZValue(-10)
        self.region.hide()
        for thing in (self.playhead, self.region):
            thing.setVisible(self.kind == "time" and thing is self.playhead)
            item.addItem(thing, ignoreBounds=True)
        if self.kind == "phase":
            item.addItem(self.marker, ignoreBounds=True)
        self.playhead.sigDragged.connect(lambda line: self.sought.emit(float(line.value())))
        self.region.sigRegionChanged.connect(
            lambda region: self.range_moved.emit(*map(float, region.getRegion()))
        )

    # content

    @property
    def kind(self) -> str:
        return self.content.kind

    @property
    def title(self) -> str:
        return self.content.title

    @property
    def log(self) -> bool:
        return self.content.log

    @property
    def channels(self) -> list[str]:
        return self.content.channels

    def add_channel(self, name: str) -> None:
        self.content.add(name)
        self._hint.hide()

    def remove_channel(self, name: str) -> None:
        self.content.remove(name)
        self.curves.forget()
        if not self.channels:
            self._show_title()
        self._hint.setVisible(not self.channels)

    def rename(self, names: Mapping[str, str]) -> None:
        """Elements have other names: `body.crank` → "arm"."""
        self.content.rename(names)
        self.curves.forget()

    def set_log(self, log: bool) -> None:
        if log != self.log:
            self.content.log = log
            self._log.setChecked(log)
            self.curves.forget()
            self.plot.getPlotItem().setLogMode(y=log)
            self.curves.fit()

    def _toggle_log(self, log: bool) -> None:
        if log != self.log:
            self.set_log(log)
            self.edited.emit()

    def choose(self, facts: Mapping[str, Any]) -> None:
        """How the channels are shown, as `save` of the content has it."""
        self.content.choose(facts)
        self.curves.forget()

    def set_option(self, option: str, on: bool) -> None:
        """One of `OPTIONS`."""
        self.choose(self.content.save() | {option: on})
        self.curves.fit()
        self.edited.emit()

    def become(self, title: str, channels: list[str] | tuple[str, ...], log: bool) -> None:
        """Show something else, as a new plot of the same kind would."""
        self.curves.forget()
        self.content.become(title, channels)
        self._show_title()
        self._hint.setVisible(not self.channels)
        self.set_log(log)
        self.curves.fit()

    # title

    def edit_title(self) -> None:
        self._heading.edit()

    def _renamed(self, title: str) -> None:
        self.content.title = title
        self._show_title()
        self.edited.emit()

    def _show_title(self) -> None:
        self._heading.title, self._heading.automatic = self.title, self.content.name
        self._heading.setText(f"<b>{escape(self.title)}</b>" if self.title else "")

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
        shown = [*[run for run in runs if run is not current][-GHOSTS:], current]
        self.curves.read(shown, current, until)
        self._show_numbers(self.curves.known)
        if not self.channels:
            return
        self.curves.draw(shown, current, span, self.range)
        self.curves.mark_extremes(current, span)
        self._show_playhead(current, t)
        self._show_values(current, t)
        self._label_axes()

    def clear(self) -> None:
        """As it was before any run: no curves, no values, and axes that tell nothing of another scene."""
        self.curves.forget()
        self.curves.fit()
        self._show_numbers(False)
        self.playhead.setValue(0.0)
        self.marker.setData([], [])
        self._show_title()
        if self.kind == "time":
            self.plot.getViewBox().setRange(xRange=EMPTY, yRange=EMPTY, padding=0.0, disableAutoRange=False)

    def _show_playhead(self, current: Any, t: float) -> None:
        if self.kind == "time" and not self.playhead.moving:
            self.playhead.setValue(t)
        if self.kind == "phase" and len(self.channels) >= 2:
            x, y = (self.curves.value(current, name, t) for name in self.channels[:2])
            known = math.isfinite(x) and math.isfinite(y)
            self.marker.setData([x] if known else [], [y] if known else [])

    def _show_values(self, current: Any, t: float) -> None:
        self._heading.title, self._heading.automatic = self.title, self.content.name
        text, noise = heading(self.content, self.curves, current, t, self.look.theme.plot_color)
        if self._heading.text() != text:
            self._heading.setText(text)
        tip = f"{TIP}. Shown as 0, since it is rounding noise: {', '.join(noise)}" if noise else TIP
        if self._heading.toolTip() != tip:
            self._heading.setToolTip(tip)

    def _label_axes(self) -> None:
        for side, text in self.content.axis_labels().items():
            axis = self.plot.getPlotItem().getAxis(side)
            if axis.labelText != text:
                axis.setLabel(text)
                axis.showLabel(bool(text))

    def apply_theme(self) -> None:
        """Colours of the theme."""
        theme = self.look.theme
        self.plot.setBackground(theme["base"])
        item = self.plot.getPlotItem()
        self.time_cursor.apply_theme()
        for side in SIDES:
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
        self.curves.forget()

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
        self._statistics.setText(statistics_table(self.content, self.curves, current, self.range))
        self._make_room()

    def _make_room(self) -> None:
        """Statistics stand beside the curves, not in place of them."""
        beside = self._statistics.sizeHint().width() if not self._statistics.isHidden() else 0
        self._statistics.setMinimumWidth(beside)
        self.setMinimumWidth(NARROWEST + beside)

    # mouse

    def _open_menu(self, at: QPoint) -> None:
        """What else can be shown and done, at a place on the screen."""
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
            action.setChecked(getattr(self.content, option))
            action.setEnabled(self.content.is_useful(option))
            action.triggered.connect(lambda on, option=option: self.set_option(option, on))
        menu.addSeparator()
        for name in dict.fromkeys(self.channels):
            menu.addAction(f"Remove {name}").triggered.connect(lambda _=False, name=name: self._remove(name))
        menu.exec(at)
        menu.deleteLater()

    def _remove(self, name: str) -> None:
        self.remove_channel(name)
        self.edited.emit()

    def _hovered(self, at: QPointF) -> None:
        """All values at the instant under the pointer; other plots over time show theirs too."""
        t = self.pointing.instant(at)
        self.pointing.at = at if t is not None else None
        self.hovered.emit(t)
        self.pointing.at = None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Leave:
            self.hovered.emit(None)
        return bool(super().eventFilter(watched, event))

    def _clicked(self, event: Any) -> None:
        if event.button() == Qt.MouseButton.RightButton:
            self._open_menu(event.screenPos().toPoint())
        elif self.kind == "time" and event.button() == Qt.MouseButton.LeftButton:
            at = self.plot.getViewBox().mapSceneToView(QPointF(event.scenePos()))
            self.sought.emit(float(at.x()))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasFormat(MIME):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        prefixes = bytes(event.mimeData().data(MIME).data()).decode().splitlines()
        self.dropped.emit(self, [prefix for prefix in prefixes if prefix])
        event.acceptProposedAction()
