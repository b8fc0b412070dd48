"""Analyses: choose one, set its options, run it on the scene, read the answer."""

import time
from html import escape
from typing import Any
from urllib.parse import quote, unquote

from msgspec import Struct, structs
from PySide6.QtCore import QTimer, QUrl
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QProgressBar,
    QScrollArea,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from app.analysis_job import AnalysisJob
from app.document import Ref
from app.panels.editors import Context
from app.panels.form import entries, make_editor
from app.panels.look import Look, label, restyle, tool_button
from engine.analyses import ANALYSES
from engine.analyses.result import Cell, Column, Mention, Result, Table
from engine.maths.expressions import parse
from engine.model.resolve import Resolver

LOOK_EVERY = 50  # ms between two looks at a job
PATIENCE = 1.5  # s for a job to end when the window closes
SCHEME = "element"
CELL = "padding: 1px 18px 1px 0px"


class AnalysesPanel(QWidget):
    """The answer names elements as links: pointing at one highlights it, a click selects it."""

    def __init__(self, session: Any, look: Look) -> None:
        super().__init__()
        self.setObjectName("analyses")
        self._session, self._look = session, look
        self._options: dict[str, Struct] = {kind.name: kind.options() for kind in ANALYSES}
        self._job: AnalysisJob | None = None
        self._ending: list[AnalysisJob] = []  # stopped, but their threads may not have noticed yet
        self._shown: AnalysisJob | None = None  # whose answer is on screen
        self.choice = QComboBox()
        self.choice.setObjectName("analyses.choice")
        self.choice.setAccessibleName("Analysis")
        for kind in ANALYSES:
            self.choice.addItem(kind.title, kind.name)
        self._run = tool_button(look, "analyses.run", "play", "Run this analysis on the scene")
        self._cancel = tool_button(look, "analyses.cancel", "close", "Stop the analysis")
        self._copy = tool_button(look, "analyses.copy", "copy", "Copy the answer")
        self.bar_progress = QProgressBar()
        self.bar_progress.setObjectName("analyses.progress")
        self.bar_progress.setRange(0, 1000)
        self.bar_progress.setTextVisible(False)
        self.bar_progress.setFixedSize(120, 8)
        self._note = label("", "muted", "analyses.note")
        self.bar = QWidget()
        self.bar.setObjectName("analyses.bar")
        row = QHBoxLayout(self.bar)
        row.setContentsMargins(4, 1, 4, 1)
        for widget in (self.choice, self._run, self._cancel, self.bar_progress, self._note):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self._copy)

        self._summary = label("", "muted", "analyses.summary")
        self._summary.setWordWrap(True)
        self._form = QWidget()
        self._reason = label("", "wrong", "analyses.reason")
        self._reason.setWordWrap(True)
        side = QWidget()
        self._side = QVBoxLayout(side)
        self._side.setContentsMargins(4, 4, 4, 4)
        for part in (self._summary, self._form, self._reason):
            self._side.addWidget(part)
        self._side.addStretch(1)
        scroll = QScrollArea()
        scroll.setObjectName("analyses.options")
        scroll.setWidgetResizable(True)
        scroll.setFixedWidth(290)
        scroll.setWidget(side)
        self.answer = QTextBrowser()
        self.answer.setObjectName("analyses.answer")
        self.answer.setOpenLinks(False)
        self.answer.anchorClicked.connect(self._select)
        self.answer.highlighted.connect(self._point_at)
        body = QHBoxLayout(self)
        body.setContentsMargins(4, 2, 4, 2)
        body.addWidget(scroll)
        body.addWidget(self.answer, 1)

        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_EVERY)
        self._timer.timeout.connect(self._look_at_job)
        self._run.clicked.connect(self.run)
        self._cancel.clicked.connect(self.cancel)
        self._copy.clicked.connect(lambda: QApplication.clipboard().setText(self.text()))
        self.choice.currentIndexChanged.connect(self._chosen)
        session.document.changed.connect(self._scene_changed)
        look.changed.connect(self._dressed)
        self._chosen()

    # what others may call

    @property
    def busy(self) -> bool:
        return self._job is not None

    def choose(self, name: str) -> None:
        """Another analysis by its name."""
        self.choice.setCurrentIndex(self.choice.findData(ANALYSES[name].name))

    def run(self) -> None:
        """Begin; one that still runs is stopped."""
        if not self._session.document.scene.bodies:
            self._say("There is nothing to analyse yet: add a body.")
            return
        self.cancel()
        name = str(self.choice.currentData())
        self._job = AnalysisJob(ANALYSES[name], self._session.document.scene, self._options[name])
        self._timer.start()
        self._refresh()

    def cancel(self) -> None:
        """Stop it; the earlier answer stays."""
        if self._job is not None:
            self._job.cancel()
            self._ending = [*(job for job in self._ending if not job.done), self._job]
            self._job = None
            self._timer.stop()
            self._refresh()

    def text(self) -> str:
        """The answer as plain text."""
        result = self._shown.result if self._shown else None
        return result.text() if result else self.answer.toPlainText()

    def set_option(self, name: str, value: Any) -> None:
        """Change an option of the chosen analysis."""
        kind = str(self.choice.currentData())
        if isinstance(value, str):  # an expression of parameters: options keep what it is now
            value = parse(value).value(Resolver(self._session.document.scene).values)
        self._options[kind] = structs.replace(self._options[kind], **{name: value})
        self._complain("")

    def shutdown(self) -> bool:
        """End the threads; False when one did not end in time."""
        self.cancel()
        deadline = time.monotonic() + PATIENCE
        return all([job.wait(max(0.0, deadline - time.monotonic())) for job in self._ending])

    # the job

    def _look_at_job(self) -> None:
        job = self._job
        if job is None:
            return
        share, words = job.progress
        self.bar_progress.setValue(round(1000 * share))
        self._note.setText(words)
        if not job.done:
            return
        self._timer.stop()
        self._job, self._shown = None, job
        self._refresh()
        self._show()

    def _refresh(self) -> None:
        self._run.setEnabled(not self.busy)
        self._cancel.setEnabled(self.busy)
        self.bar_progress.setVisible(self.busy)
        self._copy.setEnabled(self._shown is not None)
        old = self._shown is not None and self._shown.scene is not self._session.document.scene
        self._note.setText("" if self.busy or not old else "The scene has changed since: run it again")

    # the options

    def _chosen(self, *_: Any) -> None:
        kind = ANALYSES[str(self.choice.currentData())]
        self._summary.setText(kind.summary)
        self._complain("")
        scene = self._session.document.scene
        form = QWidget()
        grid = QFormLayout(form)
        grid.setContentsMargins(0, 4, 0, 0)
        for line in entries(scene, [self._options[kind.name]]):
            if line.field is None:
                continue
            context = Context(self._look, Resolver(scene).values)
            editor = make_editor(scene, line, context, f"analyses.{line.path}")
            if editor is None:
                continue
            editor.show_value(line.value)
            editor.setToolTip(line.field.description)
            editor.committed.connect(lambda value, path=line.path: self.set_option(path, value))
            editor.complained.connect(self._complain)
            unit = self._look.units.shown(line.field.unit) if line.field.unit else ""
            grid.addRow(f"{line.title} [{unit}]" if unit else line.title, editor)
        self._side.replaceWidget(self._form, form)
        self._form.deleteLater()
        self._form = form
        if self._shown is None:
            self._say("Run an analysis: its answer is shown here.")
        self._refresh()

    def _complain(self, reason: str) -> None:
        self._reason.setText(reason)
        self._reason.setVisible(bool(reason))
        restyle(self._reason)

    def _scene_changed(self, change: Any) -> None:
        if change.reset:
            self.cancel()
            self._shown = None
            self._chosen()
        self._refresh()

    def _dressed(self) -> None:
        self._chosen()
        if self._shown is not None:
            self._show()

    # the answer

    def _say(self, words: str, role: str = "muted") -> None:
        lines = escape(words).replace("\n", "<br>")
        self.answer.setHtml(f'<p style="color:{self._look.theme[role]}">{lines}</p>')

    def _show(self) -> None:
        job = self._shown
        if job is None:
            return
        if job.result is None:
            self._say(job.error, "danger")
        else:
            self.answer.setHtml(self._page(job.kind.title, job.result))

    def _page(self, title: str, result: Result) -> str:
        parts = [f"<p><b>{escape(title)}</b>: {escape(result.summary)}</p>"]
        parts += [self._table(table) for table in result.tables]
        if result.remarks:
            parts.append("<p><b>Remarks</b></p><ul>")
            parts += [f"<li>{escape(remark)}</li>" for remark in result.remarks]
            parts.append("</ul>")
        return "".join(parts)

    def _table(self, table: Table) -> str:
        muted = self._look.theme["muted"]
        head = f"<p><b>{escape(table.title)}</b></p>"
        if not table.rows:
            return f'{head}<p style="color:{muted}">{escape(table.empty)}</p>'
        titles = []
        for column in table.columns:
            unit = f" [{self._look.units.shown(column.unit)}]" if column.unit else ""
            titles.append(f'<td style="color:{muted}; {CELL}">{escape(column.title + unit)}</td>')
        rows = ["<tr>" + "".join(titles) + "</tr>"]
        for row in table.rows:
            pairs = zip(row, table.columns, strict=True)
            rows.append(
                "<tr>" + "".join(f'<td style="{CELL}">{self._cell(*pair)}</td>' for pair in pairs) + "</tr>"
            )
        return f'{head}<table cellpadding="0" cellspacing="0">{"".join(rows)}</table>'

    def _cell(self, cell: Cell, column: Column) -> str:
        if isinstance(cell, float):
            return escape(self._look.units.text(cell, column.unit) if column.unit else f"{cell:.6g}")
        if isinstance(cell, Mention):
            return self._link(cell)
        if isinstance(cell, tuple):
            return ", ".join(self._link(mention) for mention in cell)
        return escape(cell)

    def _link(self, mention: Mention) -> str:
        address = f"{SCHEME}:{quote(mention.where)}/{quote(mention.name, safe='')}"
        return f'<a style="color:{self._look.theme["accent"]}" href="{address}">{escape(str(mention))}</a>'

    def _ref(self, address: QUrl) -> Ref | None:
        if address.scheme() != SCHEME:
            return None
        where, _, name = address.path(QUrl.ComponentFormattingOption.FullyEncoded).partition("/")
        ref = Ref(unquote(where), unquote(name))
        known = getattr(self._session.document.scene, ref.where, ())
        return ref if any(item.name == ref.name for item in known) else None

    def _select(self, address: QUrl) -> None:
        ref = self._ref(address)
        if ref is not None:
            self._session.selection.set([ref])

    def _point_at(self, address: QUrl) -> None:
        self._session.selection.set_hover(self._ref(address))
