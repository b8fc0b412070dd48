"""The answer of an analysis as a page: tables whose elements select, motions and modes to be watched."""

from __future__ import annotations

import math
from html import escape
from urllib.parse import quote, unquote

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QTextBrowser

from app.document.document import Ref
from app.platform.appearance import Look
from app.session.session import Session
from engine.analyses.answers.noise import noise_floors
from engine.analyses.answers.result import Cell, Column, Mention, ModeShapes, Result, Suggestion, Table
from engine.model.scene import LISTS

ELEMENT, MOTION, MODE, SUGGESTION = "element", "motion", "mode", "offer"
OFFERED = 12  # suggestions that are listed
CELL = "padding: 1px 18px 1px 0px"


class AnswerView(QTextBrowser):
    """Pointing at an element highlights it, a click selects it."""

    watch_motion = Signal(int)
    watch_mode = Signal(int)
    accepted = Signal(int)  # a suggestion

    def __init__(self, session: Session, look: Look, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self._session, self._look = session, look
        self._noise: dict[str, float] = {}  # unit → below which size numbers are noise
        self.setOpenLinks(False)
        self.setWordWrapMode(QTextOption.WrapMode.WordWrap)  # a wide table is scrolled, its words stay whole
        self.anchorClicked.connect(self._clicked)
        self.highlighted.connect(self._point_at)

    def say(self, words: str, role: str = "muted") -> None:
        """Words in place of an answer."""
        lines = escape(words).replace("\n", "<br>")
        self.setHtml(f'<p style="color:{self._look.theme[role]}">{lines}</p>')

    def show_result(self, title: str, result: Result) -> None:
        self._noise = noise_floors(result, self._session.document.scene)
        parts = [f"<p><b>{escape(title)}</b>: {escape(result.summary)}</p>"]
        for index, motion in enumerate(result.motions):
            words = f"Watch “{motion.title}”: {len(motion.t)} instants, {motion.t[0]:g} to {motion.t[-1]:g} s"
            parts.append(f"<p>{self._anchor(f'{MOTION}:{index}', words)}</p>")
        parts += [
            self._suggestion(index, suggestion)
            for index, suggestion in enumerate(result.suggestions[:OFFERED])
        ]
        if result.modes is not None:
            parts.append(self._modes(result.modes))
        parts += [self._table(table) for table in result.tables]
        if result.notes:
            parts.append("<p><b>Notes</b></p><ul>")
            parts += [f"<li>{escape(note)}</li>" for note in result.notes]
            parts.append("</ul>")
        self.setHtml("".join(parts))

    # pieces of the page

    def _suggestion(self, index: int, suggestion: Suggestion) -> str:
        mark = (
            f' <span style="color:{self._look.theme["danger"]}">{escape(suggestion.mark)}</span>'
            if suggestion.mark
            else ""
        )
        title = self._anchor(f"{SUGGESTION}:{index}", suggestion.title)
        return f"<p>{title}{mark}: {escape(suggestion.effect)}</p>"

    def _modes(self, shapes: ModeShapes) -> str:
        table = Table(
            "Modes: a click shows one swinging",
            (Column("Mode"), Column("Frequency", "Hz"), Column("Damping ratio")),
            tuple((shapes.name(i), mode.frequency, mode.damping) for i, mode in enumerate(shapes.modes)),
            empty="The mechanism cannot move about this pose.",
        )
        links = {i: f"{MODE}:{i}" for i in range(len(shapes.modes))}
        return self._table(table, links)

    def _table(self, table: Table, links: dict[int, str] | None = None) -> str:
        muted = self._look.theme["muted"]
        head = f"<p><b>{escape(table.title)}</b></p>"
        if not table.rows:
            return f'{head}<p style="color:{muted}">{escape(table.empty)}</p>'
        titles = []
        for column in table.columns:
            unit = f" [{self._look.units.shown(column.unit)}]" if column.unit else ""
            titles.append(f'<td style="color:{muted}; {CELL}">{escape(column.title + unit)}</td>')
        rows = ["<tr>" + "".join(titles) + "</tr>"]
        for number, row in enumerate(table.rows):
            cells = [self._cell(cell, column) for cell, column in zip(row, table.columns, strict=True)]
            if links and number in links:
                cells[0] = self._anchor(links[number], str(row[0]))
            rows.append("<tr>" + "".join(f'<td style="{CELL}">{cell}</td>' for cell in cells) + "</tr>")
        return f'{head}<table cellpadding="0" cellspacing="0">{"".join(rows)}</table>'

    def _cell(self, cell: Cell, column: Column) -> str:
        if isinstance(cell, float) and math.isnan(cell):
            return "–"
        if isinstance(cell, float):
            if 0.0 < abs(cell) < self._noise.get(column.unit, 0.0):
                raw = self._look.units.text(cell, column.unit, 6)
                return f'<span title="{escape(raw)}: rounding noise">0</span>'
            return escape(self._look.units.text(cell, column.unit, 6))
        if isinstance(cell, Mention):
            return self._link(cell)
        if isinstance(cell, tuple):
            return ", ".join(self._link(mention) for mention in cell)
        return escape(cell)

    def _link(self, mention: Mention) -> str:
        address = f"{ELEMENT}:{quote(mention.where)}/{quote(mention.name, safe='')}"
        return self._anchor(address, str(mention))

    def _anchor(self, address: str, words: str) -> str:
        return f'<a style="color:{self._look.theme["accent"]}" href="{address}">{escape(words)}</a>'

    # what the mouse does

    def _clicked(self, address: QUrl) -> None:
        if address.scheme() == MOTION:
            self.watch_motion.emit(int(address.path()))
        elif address.scheme() == MODE:
            self.watch_mode.emit(int(address.path()))
        elif address.scheme() == SUGGESTION:
            self.accepted.emit(int(address.path()))
        else:
            ref = self._ref(address)
            if ref is not None:
                self._session.selection.set([ref])

    def _point_at(self, address: QUrl) -> None:
        self._session.selection.set_hover(self._ref(address))

    def _ref(self, address: QUrl) -> Ref | None:
        if address.scheme() != ELEMENT:
            return None
        where, _, name = address.path(QUrl.ComponentFormattingOption.FullyEncoded).partition("/")
        ref = Ref(unquote(where), unquote(name))
        return ref if ref.where in LISTS and self._session.document.element(ref) is not None else None
