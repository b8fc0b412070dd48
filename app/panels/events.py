"""Impacts, sticking and the like of the run that is shown, with their numbers; a click goes there."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QHeaderView,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.document.element_ref import Ref
from app.panels.base import PanelKind
from app.platform.appearance import Look, label, title_bar, tool_button
from app.session.session import Session
from engine.results.run_events import RunEvent

COLUMNS = ("", "t [s]", "Element", "What", "Impulse [N·s, N·m·s]", "Loss [J]")
SLOWLY = 0  # the column whose click plays slowly
MAX_LISTED = 5000  # events that are listed: the last ones of a run that has more
# how long before an event slow motion begins, and after it ends
AROUND, LONGEST = 0.01, 0.1  # of the recorded time, and at most [s]
SLOW_MOTION = 0.02  # of real time, in slow motion
EVERY = 200  # ms between two looks for more
NUMBER = Qt.ItemDataRole.UserRole  # of the event in the list of the run


class EventsPanel(QWidget):
    """One line per event; a click shows its instant and selects its element."""

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__()
        self.setObjectName("events")
        self._session = session
        self._shown: tuple[int, int] | None = None  # run, number of its events
        self._normal: float | None = None  # speed before slow motion
        self._until = 0.0  # the instant at which slow motion ends
        self._stood = False  # nothing was played before
        self._look = look
        self.view = QTreeWidget()
        self.view.setObjectName("events.view")
        self.view.setRootIsDecorated(False)
        self.view.setUniformRowHeights(True)
        self.view.setAlternatingRowColors(True)
        self.view.setHeaderLabels(list(COLUMNS))
        self.view.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.view.setToolTip(
            "Click an event to go to its instant and select its element: the state just after it is shown. "
            "Click the mark before it to play slowly through it"
        )
        self.count = label("", "muted", "events.count")
        slow_tip = "Play slowly through the chosen event; again: at the speed before"
        slow = tool_button(look, "events.slow", "slow-motion", slow_tip)
        copy = tool_button(look, "events.copy", "copy", "Copy all events as a table, for a spreadsheet")
        slow.clicked.connect(self.slow_motion)
        copy.clicked.connect(lambda: QApplication.clipboard().setText(self.table()))
        self.bar = title_bar(self, "events.bar")
        bar = QHBoxLayout(self.bar)
        bar.setContentsMargins(6, 1, 4, 1)
        bar.addWidget(self.count)
        bar.addStretch(1)
        bar.addWidget(slow)
        bar.addWidget(copy)
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 2, 4, 2)
        column.addWidget(self.view, 1)
        self.view.itemClicked.connect(self._go_to)
        look.changed.connect(self._dressed)
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY)
        self._timer.timeout.connect(self.refresh)
        self._timer.start()
        self.refresh()

    @property
    def events(self) -> list[RunEvent]:
        run = self._session.current
        return [] if run is None else run.happened

    def refresh(self) -> None:
        """List what has happened since the last look."""
        self._end_slow_motion()
        run, events = self._session.current, self.events
        key = (-1 if run is None else run.id, len(events))
        if key == self._shown:
            return
        if (
            self._shown is None
            or key[0] != self._shown[0]
            or key[1] < self._shown[1]
            or len(events) > MAX_LISTED
        ):
            self.view.clear()
            begin = max(len(events) - MAX_LISTED, 0)
        else:
            begin = self._shown[1]
        icon = self._look.icon("slow-motion")
        self.view.addTopLevelItems([_line(i, events[i], icon) for i in range(begin, len(events))])
        self._shown = key
        self.count.setText(_told(events))

    def _dressed(self) -> None:
        """The arrows in the colours of the theme."""
        icon = self._look.icon("slow-motion")
        for i in range(self.view.topLevelItemCount()):
            item = self.view.topLevelItem(i)
            if item is not None:
                item.setIcon(SLOWLY, icon)

    def table(self) -> str:
        """All events, separated by tabulators."""
        out = io.StringIO()
        writer = csv.writer(out, delimiter="\t", lineterminator="\n")
        writer.writerow(["t", "element", "what", "kind", "impulse", "loss"])
        writer.writerows([list(event.as_row().values()) for event in self.events])
        return out.getvalue()

    def _event_of(self, item: QTreeWidgetItem | None) -> RunEvent | None:
        at = -1 if item is None else int(item.data(0, NUMBER))
        return self.events[at] if 0 <= at < len(self.events) else None

    def _go_to(self, item: QTreeWidgetItem, column: int) -> None:
        event = self._event_of(item)
        if event is None:
            return
        if column == SLOWLY:
            self._play_slowly(event)
        else:
            self._session.transport.seek(event.t)
        if event.element in {force.name for force in self._session.document.scene.forces}:
            self._session.selection.set([Ref("forces", event.element)])

    def slow_motion(self) -> None:
        """Play through the chosen event at a fiftieth of real time; a second click restores the speed."""
        if self._normal is not None:
            self._session.transport.set_speed(self._normal)
            self._normal = None
            return
        event = self._event_of(self.view.currentItem()) or (self.events[-1] if self.events else None)
        if event is not None:
            self._play_slowly(event)

    def _play_slowly(self, event: RunEvent) -> None:
        transport, run = self._session.transport, self._session.current
        if run is None:
            return
        around = min(AROUND * float(run.t_last - run.t_first), LONGEST)
        if self._normal is None:
            self._normal = transport.speed
            self._stood = self._session.state != "playing"
        self._until = event.t + around
        transport.set_speed(SLOW_MOTION)
        transport.seek(max(event.t - around, float(run.t_first)))
        transport.play()

    def _end_slow_motion(self) -> None:
        """Behind the event the speed is what it was; where nothing was played it stands, to be looked at."""
        if self._normal is not None and self._session.t > self._until:
            self._session.transport.set_speed(self._normal)
            self._normal = None
            if self._stood:
                self._session.transport.pause()

    def shutdown(self) -> None:
        self._timer.stop()


def _told(events: Sequence[RunEvent]) -> str:
    """How many, and what the impacts among them have cost; touching of a soft contact has no loss."""
    if not events:
        return "No impacts, sticking or slipping yet"
    told = f"{len(events)} event{'' if len(events) == 1 else 's'}"
    hits = [event.loss for event in events if event.kind == "impact"]
    return f"{told}; impacts have cost {sum(hits):.6g} J" if hits else told


def _line(number: int, event: RunEvent, icon: QIcon) -> QTreeWidgetItem:
    numbers = [f"{event.impulse:.6g}", f"{event.loss:.6g}"] if event.kind == "impact" else ["", ""]
    item = QTreeWidgetItem(["", f"{event.t:.9g}", event.element, event.what, *numbers])
    item.setIcon(SLOWLY, icon)
    item.setToolTip(SLOWLY, "Play slowly through this event")
    item.setData(0, NUMBER, number)
    return item


PANEL = PanelKind(
    "events",
    "Events",
    "force-stop",
    "bottom",
    lambda given: EventsPanel(given.session, given.look),
    hidden=True,
    also="impacts collisions hits contact stick slip",
)
