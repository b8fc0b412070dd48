"""Plots of channels: any number, with one time axis, one cursor and one range."""

import itertools
import math
import time
from html import escape
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QMenu, QScrollArea, QSplitter, QVBoxLayout, QWidget

from app.dialogs.channels.channel_search import choose_channels
from app.document.channels.channel_prefix import channel_prefix
from app.document.channels.usual_channels import ENERGY, VIOLATION
from app.panels.base import PanelKind
from app.platform.appearance import Look, label, title_bar, tool_button
from app.session.recorded.run import Run
from app.session.session import Session
from app.widgets.plots.box import GHOSTS, PlotBox

PERIOD = 0.05  # s between two drawings; the viewport goes first
LONGEST_PERIOD = 0.25
SHARE = 0.12  # of the time, that drawing plots may take
SPANS = (
    ("Whole run", 0.0),
    ("Last 1 s", 1.0),
    ("Last 2 s", 2.0),
    ("Last 5 s", 5.0),
    ("Last 10 s", 10.0),
    ("Last 60 s", 60.0),
)
SHORTEST = 0.5  # s of the time axis at first; a run that is planned shorter begins with a part of its length
OFFERED = 60  # channels in a menu after a drop; more than that goes to the search
AT_ONCE = 8  # plots of a view that are made before the window goes on
MOST = 40  # plots of a view that are made; a frame with hundreds takes seconds, and nobody looks at them
MANY = 12  # plots from which on they are drawn one by one while a run goes on


class PlotsPanel(QWidget):
    """Energy and violation at first, more on demand."""

    changed = Signal()  # a plot or channel was added or removed
    removed = Signal(str)  # by hand: the name of the plot
    wants_saving = Signal(list)  # boxes
    wants_copy = Signal(list)

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__()
        self.setObjectName("plots")
        self._session, self._look = session, look
        self._last, self._period = 0.0, PERIOD
        self._next = 0  # of the plots, where they are drawn one by one
        self._due = QTimer(self)
        self._due.setSingleShot(True)
        self._due.timeout.connect(self.refresh)
        self._made = 0
        self._range: tuple[float, float] | None = None
        self._shown_span: tuple[Any, ...] | None = None
        self.boxes: list[PlotBox] = []
        self._waiting: list[dict[str, Any]] = []  # plots of a view that are still to be made
        self._removed: list[tuple[int, dict[str, Any]]] = []  # plots that can be brought back, with places
        self._making = QTimer(self)  # one by one: a view may have hundreds, and the window goes on meanwhile
        self._making.timeout.connect(self._make_waiting)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setObjectName("plots.splitter")
        self.splitter.setChildrenCollapsible(False)
        self._spans = QComboBox()
        self._spans.setObjectName("plots.span")
        self._spans.setToolTip("The whole run, or a window of time that moves along")
        for text, seconds in SPANS:
            self._spans.addItem(text, seconds)
        self._ghosts = tool_button(
            look, "plots.ghosts", "runs", "Earlier runs, each in its colour", checkable=True
        )
        self._ghosts.setChecked(True)
        self._ranged = tool_button(
            look, "plots.range", "range", "Min, max, mean and RMS over a range", checkable=True
        )
        add = tool_button(look, "plots.add", "plot-add", "New plot")
        channel = tool_button(look, "plots.channel", "channel", "Search a channel and plot it")
        phase = tool_button(look, "plots.phase", "phase", "Phase plot: one channel over another")
        fft = tool_button(look, "plots.fft", "fft", "Spectrum of the first plot's channels")
        self._stack = tool_button(look, "plots.stack", "layout", "Plots beside or below each other")
        self.bar = title_bar(self, "plots.bar")
        bar = QHBoxLayout(self.bar)
        bar.setContentsMargins(4, 1, 4, 1)
        bar.setSpacing(2)
        for button in (add, channel, phase, fft, self._ranged, self._ghosts, self._stack):
            bar.addWidget(button)
        bar.addSpacing(6)
        bar.addWidget(self._spans)
        self._status = label("", "muted", "plots.status")
        self._status.setTextFormat(Qt.TextFormat.RichText)  # runs by their colours; their names are escaped
        bar.addStretch(1)
        bar.addWidget(self._status)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2, 0, 0)
        column.setSpacing(2)
        room = QScrollArea()  # more plots than fit are scrolled to, not squeezed
        room.setObjectName("plots.room")
        room.setWidgetResizable(True)
        room.setWidget(self.splitter)
        column.addWidget(room, 1)

        add.clicked.connect(lambda: self.add_plot())
        channel.clicked.connect(lambda: self.add_channel())
        phase.clicked.connect(lambda: self.add_phase())
        fft.clicked.connect(lambda: self.add_spectrum())
        self._ranged.toggled.connect(self._toggle_range)
        self._ghosts.toggled.connect(lambda on: self.refresh(force=True))
        self._stack.clicked.connect(self._turn)
        self._spans.currentIndexChanged.connect(lambda index: self.refresh(force=True))
        session.advanced.connect(self.refresh)
        session.runs.changed.connect(self._runs_changed)  # a lambda would keep this panel alive for ever
        session.document.changed.connect(self._follow)
        look.changed.connect(self._apply_theme)
        self.load_view({})

    def _runs_changed(self) -> None:
        self.refresh(force=True)

    # plots

    def add_plot(
        self,
        channels: tuple[str, ...] | list[str] = (),
        *,
        kind: str = "time",
        title: str = "",
        log: bool = False,
    ) -> PlotBox:
        self._made += 1
        box = PlotBox(self._look, f"plots.plot{self._made}", kind, title, log)
        for name in channels:
            box.add_channel(name)
        first = next((other for other in self.boxes if other.kind == "time"), None)
        if kind == "time" and first is not None:
            box.plot.setXLink(first.plot)
        self.boxes.append(box)
        self.splitter.addWidget(box)
        box.wants_channel.connect(self.add_channel)
        box.wants_removal.connect(self._remove_by_hand)
        box.wants_saving.connect(self._save_box)
        box.wants_copy.connect(self._copy_box)
        box.sought.connect(self._session.transport.seek)
        box.range_moved.connect(self._move_range)
        box.dropped.connect(self._drop)
        box.edited.connect(self._box_edited)
        box.zoomed.connect(self.refresh)  # a run at rest asks for no frame
        box.hovered.connect(self._show_cursor)
        box.set_range(self._range)
        self.refresh(force=True)
        self.changed.emit()
        return box

    def remove_plot(self, box: PlotBox) -> None:
        first = next((other for other in self.boxes if other.kind == "time"), None)
        self.boxes.remove(box)
        box.hide()
        box.setParent(None)
        box.deleteLater()
        if box is first:
            times = [other for other in self.boxes if other.kind == "time"]
            for other in times[1:]:
                other.plot.setXLink(times[0].plot)
        self.changed.emit()

    def _remove_by_hand(self, box: PlotBox) -> None:
        self._removed.append((self.boxes.index(box), box.content.save()))
        self.remove_plot(box)
        if self._waiting:
            self._making.start()
        self.removed.emit(box.content.name)

    def restore_plot(self) -> bool:
        """Bring back the plot that was removed last, where it was; False: none was, in this scene."""
        if not self._removed:
            return False
        index, facts = self._removed.pop()
        box = self._add(facts)
        self.boxes.insert(index, self.boxes.pop())
        self.splitter.insertWidget(index, box)
        return True

    def add_channel(self, box: PlotBox | None = None) -> None:
        names = self._ask("Plot channels", several=True, prefix=self._selected())
        if names:
            target = box or self.add_plot()
            for name in names:
                target.add_channel(name)
            self.refresh(force=True)
            self.changed.emit()

    def add_phase(self) -> None:
        across = self._ask("Phase plot: along the horizontal axis", several=False)
        up = self._ask(f"Phase plot: upwards, over {across[0]}", several=False) if across else []
        if up:
            self.add_plot((across[0], up[0]), kind="phase")

    def add_spectrum(self) -> None:
        first = next((box for box in self.boxes if box.kind == "time" and box.channels), None)
        if first is not None:
            self.add_plot(
                first.channels,
                kind="spectrum",
                title=f"Spectrum of {first.title or first.channels[0]}",
                log=True,
            )

    def _selected(self) -> str:
        """How the channels of the selected element begin; empty unless it is one."""
        refs, scene = self._session.selection.refs, self._session.document.scene
        return channel_prefix(scene, refs[0]) if len(refs) == 1 else ""

    def _ask(self, title: str, *, several: bool, prefix: str = "") -> list[str]:
        run = self._session.current
        if run is None:
            return []
        return choose_channels(self, run, title, several=several, prefix=prefix, units=self._look.units)

    def _drop(self, box: PlotBox, prefixes: list[str]) -> None:
        run = self._session.current
        if run is None:
            return
        names = [name for name in run.names() if any(name == p or name.startswith(f"{p}.") for p in prefixes)]
        if len(names) == 1:
            chosen = names
        elif len(names) > OFFERED:
            chosen = choose_channels(
                self, run, "Plot channels", several=True, prefix=prefixes[0], units=self._look.units
            )
        else:
            menu = QMenu(self)
            for name in names:
                menu.addAction(name)
            action = menu.exec(self.cursor().pos())
            chosen = [action.text()] if action is not None else []
            menu.deleteLater()
        for name in chosen:
            box.add_channel(name)
        self.refresh(force=True)
        self.changed.emit()

    # drawing

    def showEvent(self, event: QShowEvent) -> None:
        """While nobody looked nothing was drawn, and a run at rest asks for no frame."""
        super().showEvent(event)
        self.refresh(force=True)

    def refresh(self, *, force: bool = False) -> None:
        """Draw what is new, at most some twenty times a second."""
        now = time.monotonic()
        if not self.isVisible():
            return
        early = self._last + self._period - now
        if not force and early > 0.0:
            if not self._due.isActive():  # no later change may come: this one must not be lost
                self._due.start(int(1e3 * early) + 1)
            return
        self._due.stop()
        self._last = now
        current = self._session.current
        if current is None:
            self._clear()
            return
        slow = self._session.racing.running or len(self.boxes) > MANY
        self._draw(current, one=slow and not force)
        self._period = min(max(PERIOD, (time.monotonic() - now) / SHARE), LONGEST_PERIOD)

    def _clear(self) -> None:
        """Without a run there are neither curves nor earlier runs to name."""
        for box in self.boxes:
            box.clear()
        self._shown_span = None
        self._status.setText("")

    def _save_box(self, box: PlotBox) -> None:
        self.wants_saving.emit([box])

    def _box_edited(self) -> None:
        self.refresh(force=True)  # a run at rest asks for no further frame
        self.changed.emit()

    def _copy_box(self, box: PlotBox) -> None:
        self.wants_copy.emit([box])

    def shown_runs(self) -> list[Run]:
        """The runs of which there are curves."""
        current = self._session.current
        if current is None:
            return []
        runs = self._session.runs if self._ghosts.isChecked() else [current]
        return [run for run in runs if run is current or run.visible]

    def _draw(self, current: Run, *, one: bool = False) -> None:
        """Draw all plots; `one`: the next in turn, since with many lanes all of them make events wait."""
        runs = self.shown_runs()
        t = float(self._session.t)
        span = self._span(current, t)
        first = next((box for box in self.boxes if box.kind == "time"), None)
        if first is not None:
            view = first.plot.getViewBox()
            state = (self._spans.currentData(), span)
            if self._shown_span != state:
                self._shown_span = state
                view.setXRange(*span, padding=0.0)
            else:
                span = tuple(view.viewRange()[0])
        until = float(current.t_last)  # the same samples for all, which are then looked at once
        self._next = (self._next + 1) % max(1, len(self.boxes))
        some = [self.boxes[self._next]] if one and self.boxes else self.boxes
        for box in some:
            box.refresh(runs, current, t, span, until)
            box.show_statistics(current)
        outside = {run_id for box in self.boxes for run_id in box.curves.outside}
        legend = _legend([run for run in runs if run is not current], outside)
        self._status.setText(" &nbsp; ".join(filter(None, (legend, self._left_out()))))

    def _left_out(self) -> str:
        """Plots of the scene beyond those that are made."""
        left = len(self._waiting) if len(self.boxes) >= MOST else 0
        return f"{left}&nbsp;more plots of this scene not shown: close some" if left else ""

    def _span(self, run: Run, t: float) -> tuple[float, float]:
        window = float(self._spans.currentData())
        if window > 0.0:
            return (max(t, window) - window, max(t, window))
        first = float(run.t_first)
        drawn = [other for other in self.shown_runs() if other is not run][-GHOSTS:]
        last = max(float(other.t_last) for other in (*drawn, run))
        end = float(self._session.transport.t_end)
        least = min(SHORTEST, (end - first) / 4.0) if end > first else SHORTEST
        return whole_span(first, last, least, end)

    def _follow(self, change: Any) -> None:
        """Renamed elements keep their curves; changed measures are read again."""
        names = {
            prefix: new
            for ref, new in change.renamed.items()
            if not ref.part and (prefix := channel_prefix(change.before, ref))
        }
        touched = any(ref.where == "measures" for ref in (*change.added, *change.removed, *change.changed))
        if change.reset or touched or names:
            for box in self.boxes:
                box.rename(names)
            self._shown_span = None

    def _apply_theme(self) -> None:
        for box in self.boxes:
            box.apply_theme()
        self.refresh(force=True)

    def _turn(self) -> None:
        flat = self.splitter.orientation() == Qt.Orientation.Horizontal
        self.splitter.setOrientation(Qt.Orientation.Vertical if flat else Qt.Orientation.Horizontal)

    def toggle_whole(self) -> None:
        self._spans.setCurrentIndex(3 if self._spans.currentIndex() == 0 else 0)

    @property
    def whole(self) -> bool:
        return self._spans.currentIndex() == 0

    def _show_cursor(self, t: float | None) -> None:
        for box in self.boxes:
            box.pointing.show(t)

    # range

    def toggle_range(self) -> None:
        self._ranged.toggle()

    @property
    def ranged(self) -> bool:
        return self._ranged.isChecked()

    def _toggle_range(self, on: bool) -> None:
        run = self._session.current
        first, last = (float(run.t_first), float(run.t_last)) if run is not None else (0.0, 1.0)
        third = (last - first) / 3.0
        self._range = (first + third, last - third) if on else None
        for box in self.boxes:
            box.set_range(self._range)
        self.refresh(force=True)

    def _move_range(self, begin: float, end: float) -> None:
        if self._range is not None and (begin, end) != self._range:
            self._range = (begin, end)
            for box in self.boxes:
                box.set_range(self._range)
                box.show_statistics(self._session.current)

    # what is remembered

    def save_view(self) -> dict[str, Any]:
        plots = [*(box.content.save() for box in self.boxes), *self._waiting]
        return {"plots": plots, "span": self._spans.currentData()}

    def load_view(self, view: dict[str, Any]) -> None:
        default: list[dict[str, Any]] = [
            {"kind": "time", "title": "Energy", "log": False, "channels": ENERGY},
            {"kind": "time", "title": "Constraint violation", "log": True, "channels": VIOLATION},
        ]
        wanted = view.get("plots") or default
        self._removed = []
        # a plot is slow to make, and Qt keeps style rules of widgets never shown: use those there are
        pairs = zip(self.boxes, wanted, strict=False)
        kept = len(list(itertools.takewhile(lambda pair: _alike(*pair), pairs)))
        going = self.boxes[kept:]
        if len(going) > AT_ONCE:
            self.splitter.hide()  # it would lay all plots out anew for each that goes
        for box in going:
            self.remove_plot(box)
        if len(going) > AT_ONCE:
            self.splitter.show()
        for box, facts in zip(self.boxes, wanted, strict=False):
            box.become(facts["title"], facts["channels"], facts["log"])
            box.choose(facts)
        self._shown_span = None
        self._waiting = list(wanted[kept:])
        for _ in range(min(AT_ONCE, len(self._waiting))):
            self._make_waiting()
        self._making.start() if self._waiting else self._making.stop()
        self.refresh(force=True)
        self.changed.emit()
        index = self._spans.findData(view.get("span", 0.0))
        self._spans.setCurrentIndex(max(index, 0))

    def _make_waiting(self) -> None:
        """One more plot of the view that is being loaded; what is too much stays with the scene."""
        if len(self.boxes) < MOST:
            self._add(self._waiting.pop(0))
        if not self._waiting or len(self.boxes) >= MOST:
            self._making.stop()

    def _add(self, facts: dict[str, Any]) -> PlotBox:
        """A plot as `save` of its content has it."""
        box = self.add_plot(facts["channels"], kind=facts["kind"], title=facts["title"], log=facts["log"])
        box.choose(facts)
        return box

    def channels(self) -> list[str]:
        """All channels that are plotted, each once."""
        return list(dict.fromkeys(name for box in self.boxes for name in box.channels))


PANEL = PanelKind("plots", "Plots", "plots", "bottom", lambda given: PlotsPanel(given.session, given.look))


def _legend(runs: list[Run], outside: set[int]) -> str:
    """Which earlier runs are drawn, by their colours; which are not, or reach beyond the range."""
    drawn, more = runs[-GHOSTS:], len(runs) - GHOSTS
    parts = []
    for run in drawn:
        beyond = " (beyond the range)" if run.id in outside else ""
        name = escape(f"{run.name}{beyond}").replace(" ", "&nbsp;")
        parts.append(f'<span style="color:{run.color}">━</span>&nbsp;{name}')
    if more > 0:
        parts.append(f"{more}&nbsp;more not drawn: uncheck some under Runs")
    return " &nbsp; ".join(parts)


def _alike(box: PlotBox, facts: dict[str, Any]) -> bool:
    """Whether a plot can become what is wanted."""
    return bool(box.kind == facts["kind"] == "time")


def whole_span(
    first: float, last: float, least: float = SHORTEST, end: float = math.inf
) -> tuple[float, float]:
    """A little ahead and in coarse steps: moving the axis every frame costs more than the curves.

    Never beyond the planned `end`, unless a run went on there.
    """
    last, step = max(last, first + least), least
    while step * 4 < last - first:
        step *= 2
    ahead = first + step * (int((last - first) / step) + 1)
    return (first, min(ahead, end) if last <= end else ahead)
