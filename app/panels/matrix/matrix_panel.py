"""The matrices of the mechanism: their patterns before and after each ordering, what elimination costs.

A cell that is pointed at names body and joint and lights them up in the viewport; what is selected there
stands out here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QCheckBox,
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QSplitter,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.document.document import Ref
from app.panels.analyses.job_watch import JobWatch
from app.panels.base import PanelKind
from app.panels.matrix.order_counts import BLOCKS, BORDER, HEADINGS, cells
from app.platform.appearance import Look, thin_progress, title_bar, tool_button
from app.platform.settings import Settings
from app.session.background.jobs.analysis_job import AnalysisJob
from app.session.session import Session
from app.widgets.matrix.painting import ENDINGS, save_matrix, sheet_image
from app.widgets.matrix.pattern_image import Drawn
from app.widgets.matrix.pattern_view import Cell, PatternView
from app.widgets.note_line import NoteLine
from engine.analyses.answers.result import MatrixForms, Mention, OrderedForm
from engine.analyses.matrices.matrix import MATRIX, MatrixOptions
from engine.analyses.matrices.matrix_kinds import MATRICES

ROW = 22  # px
NAMED = 4  # of those that couple two lines
CHOSEN_MATRIX, SHOWN_FILL = "matrix.chosen", "matrix.fill"
HINT = "Point at a cell to see whose it is; the wheel zooms, dragging moves, a double click shows all."
EMPTY = "Nothing holds or nothing moves: the matrix is empty."


class MatrixPanel(QWidget):
    """Asked when it comes into view for the first time, and whenever the user wants."""

    def __init__(
        self,
        session: Session,
        look: Look,
        settings: Settings | None = None,
        files_folder: Callable[[], Path] = Path.home,
    ) -> None:
        super().__init__()
        self.setObjectName("matrix")
        self._session, self._look, self._settings = session, look, settings
        self._files_folder = files_folder
        self._watch = JobWatch(self)
        self._shown: AnalysisJob | None = None
        self._pointing = False
        self._make_bar()
        self.before = PatternView(look, "matrix.before")
        self.after = PatternView(look, "matrix.after")
        self.table = QTableWidget(0, len(HEADINGS))
        self.table.setObjectName("matrix.orderings")
        for column, (title, tip) in enumerate(HEADINGS):
            heading = QTableWidgetItem(title)
            heading.setToolTip(tip)
            self.table.setHorizontalHeaderItem(column, heading)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(ROW)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.table.setWordWrap(False)
        self.table.setAlternatingRowColors(True)
        self.table.setShowGrid(False)
        self.pointed = NoteLine(HINT, "matrix.pointed")
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setObjectName("matrix.split")
        for widget in (self.before, self.after, self.table):
            split.addWidget(widget)
            split.setStretchFactor(split.count() - 1, int(widget is self.table))
        split.setChildrenCollapsible(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4, 2, 4, 2)
        layout.setSpacing(2)
        layout.addWidget(split, 1)
        layout.addWidget(self.pointed)
        self._connect()
        self._refresh()

    def _make_bar(self) -> None:
        look = self._look
        self.choice = QComboBox()
        self.choice.setObjectName("matrix.choice")
        self.choice.setAccessibleName("Matrix")
        for kind in MATRICES:
            self.choice.addItem(kind.title, kind.name)
            self.choice.setItemData(self.choice.count() - 1, kind.summary, Qt.ItemDataRole.ToolTipRole)
        self._run = tool_button(look, "matrix.run", "play", "Look at the matrix of the scene as it is now")
        self._cancel = tool_button(look, "matrix.cancel", "close", "Stop ordering")
        self._fill = QCheckBox("fill-in")
        self._fill.setObjectName("matrix.fill")
        self._fill.setToolTip("Show entries that elimination adds, in the second colour")
        self._fill.setChecked(True)
        self._copy = tool_button(look, "matrix.copy", "copy", "Copy the picture of all orderings")
        self._export = tool_button(look, "matrix.export", "export", "Save the picture of all orderings")
        self.progress = thin_progress("matrix.progress", 100)
        self._note = NoteLine("", "matrix.note")
        self.bar = title_bar(self, "matrix.bar")
        row = QHBoxLayout(self.bar)
        row.setContentsMargins(4, 1, 4, 1)
        for widget in (self.choice, self._run, self._cancel, self._fill, self.progress, self._note):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self._copy)
        row.addWidget(self._export)
        if self._settings is not None:
            index = self.choice.findData(str(self._settings.value(CHOSEN_MATRIX, "complement")))
            self.choice.setCurrentIndex(max(0, index))
            self._fill.setChecked(str(self._settings.value(SHOWN_FILL, True)).lower() != "false")

    def _connect(self) -> None:
        session = self._session
        self._watch.progressed.connect(self._progress)
        self._watch.finished.connect(self._finished)
        self._watch.changed.connect(self._refresh)
        self._run.clicked.connect(self.run)
        self._cancel.clicked.connect(self._watch.cancel)
        self._fill.toggled.connect(self._fill_toggled)
        self._copy.clicked.connect(self.copy)
        self._export.clicked.connect(self.export)
        self.choice.currentIndexChanged.connect(self._chosen)
        self.table.itemSelectionChanged.connect(self._show)
        for view in (self.before, self.after):
            view.pointed.connect(self._point)
            view.chosen.connect(self._choose)
        session.document.changed.connect(self._scene_changed)
        session.selection.changed.connect(self._light)
        session.selection.hover_changed.connect(self._light)

    # what others may call

    @property
    def busy(self) -> bool:
        return self._watch.busy

    @property
    def matrix(self) -> MatrixForms | None:
        """What is shown."""
        result = self._shown.result if self._shown else None
        return result.matrices[0] if result and result.matrices else None

    def choose(self, name: str) -> None:
        """Another matrix, by its name."""
        self.choice.setCurrentIndex(self.choice.findData(MATRICES[name].name))

    def run(self) -> None:
        """Order the chosen matrix of the scene as it is now, at what the playhead shows."""
        scene = self._session.document.scene
        if not any(not body.fixed for body in scene.bodies):
            self._say("There is no matrix yet: add a body that moves.")
            return
        name = str(self.choice.currentData())
        options = MatrixOptions(matrix=name)  # type: ignore[arg-type]
        run = self._session.current
        state = None if run is None else run.state_at(self._session.t)
        self._watch.start(MATRIX, scene, options, state, self._session.runs.budget)

    def catch_up(self, *_: object) -> None:
        """It comes into view."""
        if self._shown is None and not self.busy and self.isVisible():
            self.run()

    def shutdown(self) -> bool:
        return self._watch.shutdown()

    def copy(self) -> None:
        if self.matrix is not None:
            QApplication.clipboard().setImage(sheet_image(self.matrix, self._look.theme))

    def export(self) -> None:
        """Save all orderings as a picture."""
        if self.matrix is None:
            return
        start = str(self._files_folder() / "matrix.png")
        kinds = " ".join(f"*{ending}" for ending in ENDINGS)
        path, _ = QFileDialog.getSaveFileName(self, "Save the patterns", start, f"Pictures ({kinds})")
        if not path:
            return
        try:
            save_matrix(self.matrix, Path(path))
        except OSError as error:
            self._session.message.emit("error", f"{path}: {error.strerror}; choose another folder", None)
        else:
            self._session.message.emit("info", f"saved {path}", None)

    # the job

    def _progress(self, share: float, words: str) -> None:
        self.progress.setValue(round(1000 * share))
        self._note.setText(words)

    def _finished(self, job: AnalysisJob) -> None:
        self._shown = job
        self._fill_table()
        self._refresh()

    def _chosen(self, *_: Any) -> None:
        if self._settings is not None:
            self._settings.set_value(CHOSEN_MATRIX, str(self.choice.currentData()))
        self.choice.setToolTip(MATRICES[str(self.choice.currentData())].summary)
        if self.isVisible() or self._shown is not None:
            self.run()

    def _fill_toggled(self, on: bool) -> None:
        if self._settings is not None:
            self._settings.set_value(SHOWN_FILL, on)
        self._show()

    def _scene_changed(self, change: Any) -> None:
        if change.reset:
            self._watch.cancel()
            self._shown = None
            self._fill_table()
            self._say(HINT)
            self.catch_up()
        self._refresh()

    def _refresh(self) -> None:
        self._run.setEnabled(not self.busy)
        self._cancel.setEnabled(self.busy)
        self.progress.setVisible(self.busy)
        for button in (self._copy, self._export):
            button.setEnabled(self.matrix is not None and bool(self.matrix.forms))
        old = self._shown is not None and self._shown.scene is not self._session.document.scene
        self._note.setText("" if self.busy or not old else "The scene has changed since: look again")

    def _say(self, words: str) -> None:
        self.pointed.setText(words)

    # what is shown

    def _fill_table(self) -> None:
        matrix, job = self.matrix, self._shown
        forms = matrix.forms if matrix is not None else ()
        self.table.blockSignals(True)
        self.table.setRowCount(len(forms))
        fastest = min((self._time(form) for form in forms), default=math.nan)
        for row, form in enumerate(forms):
            for column, (text, tip) in enumerate(cells(form)):
                item = QTableWidgetItem(text)
                item.setToolTip(tip or text)
                if column:
                    item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                if math.isfinite(fastest) and self._time(form) == fastest:
                    font = item.font()
                    font.setBold(True)
                    item.setFont(font)
                self.table.setItem(row, column, item)
        for column in (BLOCKS, BORDER):  # symmetric orderings have none
            self.table.setColumnHidden(column, not any(form.reordering.blocks for form in forms))
        if forms:
            best = min(range(len(forms)), key=lambda k: forms[k].facts["multiplications"])
            self.table.selectRow(best)
        self.table.blockSignals(False)
        if job is not None and job.result is None:
            self._say(job.error)
        elif matrix is not None and not forms:
            self._say(EMPTY)
        elif job is not None and job.result is not None:
            self._say("   ·   ".join(job.result.notes) or HINT)
        self._show()

    @staticmethod
    def _time(form: OrderedForm) -> float:
        seconds = form.facts["factor_seconds"]
        return math.inf if math.isnan(seconds) else seconds

    def _show(self) -> None:
        matrix = self.matrix
        if matrix is None or not matrix.forms:
            self.before.show_form(None, "")
            self.after.show_form(None, "")
            return
        rows, columns = matrix.pattern.shape
        selected = self.table.selectionModel().selectedRows()
        after = matrix.forms[selected[0].row()] if selected else matrix.forms[0]
        title = f"As given: {rows} × {columns}, {matrix.pattern.entries} entries"
        self.before.show_form(Drawn(matrix, matrix.forms[0], fill=False), title)
        self.after.show_form(Drawn(matrix, after, fill=self._fill.isChecked()), after.title)
        self._light()

    # between matrix and viewport

    def _light(self) -> None:
        """What is selected, or pointed at elsewhere, stands out."""
        chosen = {(ref.where, ref.name) for ref in self._session.selection.refs}
        if not self._pointing:
            chosen |= {(ref.where, ref.name) for ref in self._session.selection.hovers}
        for view in (self.before, self.after):
            view.light(frozenset(chosen))

    def _point(self, cell: Cell | None) -> None:
        self._pointing = cell is not None
        self._session.selection.set_hover(*self._refs(cell))
        if cell is None:
            self._say(HINT)
            return
        words = [f"row {cell.row + 1}: {cell.row_line}", f"column {cell.column + 1}: {cell.column_line}"]
        between = self._between(cell)
        words += [f"by {', '.join(map(str, between[:NAMED]))}"] if between else []
        words.append("entry" if cell.has_entry else "no entry")
        words += [f"diagonal block {cell.block}"] if cell.block else []
        self._say("   ·   ".join(words))

    def _choose(self, cell: Cell | None) -> None:
        self._session.selection.set(self._refs(cell))

    def _refs(self, cell: Cell | None) -> list[Ref]:
        if cell is None:
            return []
        lines = (cell.row_line, cell.column_line, *self._between(cell)[:NAMED])
        found = (self._ref(line) for line in lines)
        return list(dict.fromkeys(ref for ref in found if ref is not None))

    def _between(self, cell: Cell) -> tuple[Mention, ...]:
        """What couples its two lines."""
        return self.matrix.between(cell.row_line, cell.column_line) if self.matrix and cell.has_entry else ()

    def _ref(self, line: Mention) -> Ref | None:
        """None for what is gone since."""
        ref = Ref(line.where, line.name)
        return ref if self._session.document.element(ref) is not None else None


PANEL = PanelKind(
    "matrix",
    "Matrix",
    "matrix",
    "bottom",
    lambda given: MatrixPanel(given.session, given.look, given.settings, given.files_folder),
    hidden=True,
    also="sparsity pattern ordering fill",
)
