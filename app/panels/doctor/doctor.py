"""The doctor: redundant joints and remedies, degrees of freedom that wiggle, open joints, assembly
branches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QHeaderView,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.document.document import Ref
from app.edits import accept
from app.panels.analyses.job_watch import JobWatch
from app.panels.base import PanelKind
from app.panels.doctor.doctor_pages import BAD, GOOD, PAGES, Entry, Page
from app.platform.appearance import Look, label, restyle, thin_progress, title_bar, tool_button
from app.platform.plain_text import as_plain
from app.session.background.jobs.analysis_job import AnalysisJob
from app.session.recorded.run import Run
from app.session.session import Session
from app.widgets.note_line import NoteLine
from engine.analyses import ANALYSES
from engine.errors import SceneError
from engine.model.poses import given_poses
from engine.simulation.live.live_simulation import StateTransfer

ENTRY = Qt.ItemDataRole.UserRole
DO = 3  # column of the buttons
STALE = "The scene has changed since: examine it again"


class DoctorPanel(QWidget):
    """A line that is chosen selects its joints, and shows as a ghost what it would do."""

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__()
        self.setObjectName("doctor")
        self._session, self._look = session, look
        self._page = PAGES[0]
        self._answers: dict[str, AnalysisJob] = {}  # by page
        self._doing: list[QToolButton] = []  # buttons in the lines
        self._watch = JobWatch(self)
        self._asked = self._page  # the page whose job runs
        self._make_bar()
        self.summary = label("", "", "doctor.summary")
        self.summary.setWordWrap(True)
        self.view = QTreeWidget()
        self.view.setObjectName("doctor.view")
        self.view.setColumnCount(4)
        self.view.setUniformRowHeights(False)
        self.view.setMouseTracking(True)
        self.view.setWordWrap(True)
        self.view.setAlternatingRowColors(True)
        header = self.view.header()
        header.setStretchLastSection(False)
        for section, mode in enumerate(
            (
                QHeaderView.ResizeMode.ResizeToContents,
                QHeaderView.ResizeMode.ResizeToContents,
                QHeaderView.ResizeMode.Stretch,
                QHeaderView.ResizeMode.ResizeToContents,
            )
        ):
            header.setSectionResizeMode(section, mode)
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 2, 4, 2)
        column.setSpacing(2)
        column.addWidget(self.summary)
        column.addWidget(self.view, 1)

        self._watch.progressed.connect(self._progress)
        self._watch.finished.connect(self._finished)
        self._watch.changed.connect(self._refresh)
        self.view.itemSelectionChanged.connect(self._chosen)
        self.view.itemEntered.connect(self._pointed)
        self.view.itemDoubleClicked.connect(lambda item, _: self._do(item.data(0, ENTRY)))
        session.document.changed.connect(self._scene_changed)
        session.preview.changed.connect(self._show_stop)
        look.changed.connect(self._show)
        self.show_page(self._page.key)

    def _make_bar(self) -> None:
        look = self._look
        self.bar = title_bar(self, "doctor.bar")
        row = QHBoxLayout(self.bar)
        row.setContentsMargins(4, 1, 4, 1)
        row.setSpacing(2)
        self._tabs = QButtonGroup(self)
        self._tabs.setExclusive(True)
        self._buttons: dict[str, QToolButton] = {}
        for page in PAGES:
            button = tool_button(look, f"doctor.{page.key}", page.icon, page.tooltip, checkable=True)
            button.setText(page.title)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            button.clicked.connect(lambda _=False, key=page.key: self.examine(key))
            self._tabs.addButton(button)
            self._buttons[page.key] = button
            row.addWidget(button)
        row.addSpacing(8)
        self._run = tool_button(look, "doctor.run", "play", "Examine the scene as it is now")
        self._cancel = tool_button(look, "doctor.cancel", "close", "Stop examining")
        self._stop = tool_button(look, "doctor.stop", "ghosts", "Take the ghost and the arrows away")
        self.progress = thin_progress("doctor.progress", 120)
        self._note = NoteLine("", "doctor.note")
        for widget in (self._run, self._cancel, self._stop, self.progress, self._note):
            row.addWidget(widget)
        row.addStretch(1)
        self._run.clicked.connect(lambda: self.examine())
        self._cancel.clicked.connect(self._watch.cancel)
        self._stop.clicked.connect(self._session.preview.clear)

    # what others may call

    @property
    def busy(self) -> bool:
        return self._watch.busy

    @property
    def page(self) -> Page:
        return self._page

    def show_page(self, key: str) -> None:
        """Another question, with the answer that it had last."""
        self._page = next(page for page in PAGES if page.key == key)
        self._buttons[key].setChecked(True)
        self._session.preview.clear()
        self._show()
        self._refresh()

    def examine(self, key: str | None = None) -> None:
        """Ask the question of a page about the scene as it is now."""
        self.show_page(key or self._page.key)
        scene = self._session.document.scene
        if not any(not body.fixed for body in scene.bodies):
            self._watch.cancel()
            self._answers.pop(self._page.key, None)
            self._show()
            self._say("There is nothing to examine yet: add a body that can move.")
            return
        kind = ANALYSES[self._page.analysis]
        self._asked = self._page
        state = self._state() if self._page.at_playhead else None
        self._watch.start(kind, scene, kind.options(), state, self._session.runs.budget)

    def entries(self) -> list[Entry]:
        """What is listed now, top lines only."""
        job = self._answers.get(self._page.key)
        if job is None or job.result is None:
            return []
        return self._page.entries(job.result, self._look.units)

    def apply(self, entry: Entry) -> None:
        """Accept a suggestion: one step to undo; then look at the scene again."""
        if entry.suggestion is None or self._stale:
            return
        document = self._session.document
        try:
            edit = accept(document.scene, entry.suggestion)
        except SceneError as error:
            self._session.message.emit("error", str(error), None)
            return
        self._session.preview.clear(stay=True)
        document.apply(edit)
        self.examine()

    def preview(self, entry: Entry) -> None:
        """Show as a ghost what an entry would do, or how it moves."""
        job = self._answers.get(self._page.key)
        if job is None or self._stale:
            return
        if entry.motion is not None and entry.motion < len(job.records):
            run = Run(0, job.scene, record=job.records[entry.motion], kind="replay", name=entry.title)
            self._session.preview.play(run)
        elif entry.suggestion is not None and entry.suggestion.poses is not None:
            there = self._shown_already(entry.suggestion.poses)
            # a run begins assembled: then the ghost is where the bodies come from
            self._session.preview.show_poses(
                job.scene, given_poses(job.scene) if there else entry.suggestion.poses
            )
            self._note.setText("Ghost: as the scene gives it" if there else "Ghost: after accepting")

    def _shown_already(self, poses: Mapping[str, tuple[Any, Any]]) -> bool:
        """Whether the viewport shows these poses now."""
        shown = self._session.poses()
        return all(
            name in shown and np.allclose(shown[name][0], p) and np.allclose(shown[name][1], R)
            for name, (p, R) in poses.items()
        )

    def shutdown(self) -> bool:
        """End the threads; False when one did not end in time."""
        self._session.preview.clear()
        return self._watch.shutdown()

    # the job

    @property
    def _stale(self) -> bool:
        job = self._answers.get(self._page.key)
        return job is not None and job.scene is not self._session.document.scene

    def _state(self) -> StateTransfer | None:
        """What is shown, unless that is the start."""
        run = self._session.current
        if run is None or run.empty or self._session.t == run.t_first == 0.0:
            return None
        return run.state_at(self._session.t)

    def _progress(self, share: float, words: str) -> None:
        self.progress.setValue(round(1000 * share))
        self._note.setText(words)

    def _finished(self, job: AnalysisJob) -> None:
        self._answers[self._asked.key] = job
        if self._asked is self._page:
            self._show()
        self._refresh()

    def _scene_changed(self, change: Any) -> None:
        self._session.preview.clear()
        if change.reset:
            self._watch.cancel()
            self._answers = {}
            self._show()
        self._refresh()

    def _refresh(self) -> None:
        self._run.setEnabled(not self.busy)
        self._cancel.setEnabled(self.busy)
        self.progress.setVisible(self.busy)
        if not self.busy:
            self._note.setText(STALE if self._stale else "")
        for button in self._doing:
            button.setEnabled(not self._stale)
        self._show_stop()

    def _show_stop(self) -> None:
        active = self._session.preview.active
        self._stop.setEnabled(active or bool(self._session.preview.arrows))
        if not active and self._note.text().startswith("Ghost"):
            self._note.setText("")

    # the answer

    def _say(self, words: str, role: str = "muted") -> None:
        self.summary.setText(words)
        self.summary.setProperty("role", role)
        restyle(self.summary)

    def _show(self) -> None:
        page, job = self._page, self._answers.get(self._page.key)
        self.view.clear()
        self._doing = []
        self.view.setHeaderLabels([*page.columns, ""])
        if job is None:
            self._say(f"{page.tooltip}.")
            return
        if job.result is None:
            self._say(job.error, "wrong")
            return
        at = f"At t = {job.state.sample[0]:.4g} s: " if job.state else ""
        self._say("\n".join([at + job.result.summary, *job.result.notes]), "")
        for entry in self.entries():
            self._add(self.view, entry)
        self._refresh()

    def _add(self, parent: QTreeWidget | QTreeWidgetItem, entry: Entry) -> None:
        item = QTreeWidgetItem(parent)
        item.setData(0, ENTRY, entry)
        for column, text in enumerate((entry.title, entry.badge, entry.detail)):
            item.setText(column, text)
            item.setToolTip(column, as_plain(text))
        colors = {GOOD: "good", BAD: "danger"}
        if entry.role in colors:
            item.setForeground(1, self._look.theme.color(colors[entry.role]))
        for child in entry.children:
            self._add(item, child)
        item.setExpanded(bool(entry.children) and not entry.folded)
        if entry.suggestion is not None or entry.motion is not None:
            self.view.setItemWidget(item, DO, self._button(entry))

    def _button(self, entry: Entry) -> QWidget:
        playing = entry.motion is not None
        takes = entry.suggestion is not None and entry.suggestion.poses is not None
        words = "Play" if playing else "Accept" if takes else "Apply"
        number = entry.motion if playing else len(self._doing)
        made = tool_button(
            self._look, f"doctor.{words.lower()}.{number}", "play" if playing else "check", entry.detail
        )
        made.setText(words)
        theme = self._look.theme  # a ground of its own: readable where the line is chosen, too
        made.setStyleSheet(
            f"QToolButton {{ background: {theme['raised']}; color: {theme['text']};"
            f" border: 1px solid {theme['border']}; border-radius: 4px; padding: 1px 4px; }}"
            f"QToolButton:hover {{ border-color: {theme['accent']}; }}"
            f"QToolButton:disabled {{ color: {theme['ghost']}; }}"
        )
        made.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        made.clicked.connect(lambda: self._do(entry))
        self._doing.append(made)
        return made

    def _do(self, entry: Entry | None) -> None:
        if entry is None:
            return
        if entry.motion is not None:
            self.preview(entry)
        else:
            self.apply(entry)

    # the mouse

    def _chosen(self) -> None:
        entries = [item.data(0, ENTRY) for item in self.view.selectedItems()]
        if not entries:
            self._session.preview.show_arrows(())
        else:
            self._session.preview.clear()
            self.preview(entries[0])
            if not self._stale:
                self._session.preview.show_arrows(entries[0].arrows)
        if not self._session.preview.active:  # the colour of what is selected would hide the ghost
            self._show_refs(ref for entry in entries for ref in entry.refs)

    def _pointed(self, item: QTreeWidgetItem) -> None:
        entry = item.data(0, ENTRY)
        known = self._known(entry.refs)
        self._session.selection.set_hover(known[0] if known else None)

    def leaveEvent(self, event: Any) -> None:
        self._session.selection.set_hover(None)
        super().leaveEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._session.preview.clear()
        super().hideEvent(event)

    def _show_refs(self, refs: Iterable[Ref]) -> None:
        self._session.selection.set(self._known(refs))

    def _known(self, refs: Iterable[Ref]) -> list[Ref]:
        return [ref for ref in refs if self._session.document.element(ref) is not None]


PANEL = PanelKind(
    "doctor", "Doctor", "doctor", "bottom", lambda given: DoctorPanel(given.session, given.look)
)
