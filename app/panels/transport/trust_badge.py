"""The badge beside the clock: how far the run is to be trusted, why, and what to do."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.platform.appearance import Look, label, thin_progress
from app.platform.plain_text import capitalised
from app.session.session import Session
from engine.results.assessment.trust import Level, Trust

COLORS = {Level.GREEN: "good", Level.AMBER: "warning", Level.RED: "danger"}
WORDS = {Level.GREEN: "green", Level.AMBER: "amber", Level.RED: "red"}
DOT = 14  # px
WIDTH = 430  # px of the card
NOT_JUDGED = "Not judged yet: click to judge this run and to estimate its error"


class TrustBadge(QToolButton):
    """A dot in the colour of the assessment; a click shows the reasons."""

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__()
        self.setObjectName("transport.trust")
        self.setAutoRaise(True)
        self.setAccessibleName("Trust in this run")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._session, self._look = session, look
        self.card: TrustCard | None = None  # made when it is first wanted
        self.clicked.connect(self.open)
        session.trusting.changed.connect(self.refresh)
        session.advanced.connect(self.refresh)
        look.changed.connect(self._dressed)
        self._shown: tuple[object, ...] = ()
        self.refresh()

    def open(self) -> None:
        if self.card is None:
            self.card = TrustCard(self, self._session, self._look)
        if self._session.trusting.trust is None and not self._session.trusting.busy:
            self._session.trusting.judge()
        self.card.open_above(self)

    def refresh(self) -> None:
        trusting = self._session.trusting
        trust, run = trusting.trust, self._session.current
        shown = (trust, trusting.busy, run is None or not run.moved)
        if shown == self._shown:
            return
        self._shown = shown
        self.setEnabled(not shown[2])
        self.setIcon(_dot(self._color(trust), hollow=trust is None or trusting.busy))
        self.setToolTip(NOT_JUDGED if trust is None else f"Trust: {trust.words}")

    def _color(self, trust: Trust | None) -> QColor:
        return self._look.theme.color("ghost" if trust is None else COLORS[trust.level])

    def _dressed(self) -> None:
        self._shown = ()
        self.refresh()


class TrustCard(QFrame):
    """All answers, with remedies; judging can be ended and begun again."""

    def __init__(self, parent: QWidget, session: Session, look: Look) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("trust")
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self._session, self._look = session, look
        self._answers = label("", name="trust.answers")
        self._answers.setTextFormat(Qt.TextFormat.RichText)
        self._answers.setWordWrap(True)
        self._answers.setFixedWidth(WIDTH)
        self._note = label("", "muted", "trust.note")
        self._note.setWordWrap(True)
        self._bar = thin_progress("trust.progress")
        self._judge = QPushButton("Judge again")
        self._judge.setObjectName("trust.judge")
        self._cancel = QPushButton("Cancel")
        self._cancel.setObjectName("trust.cancel")
        row = QHBoxLayout()
        row.addWidget(self._bar, 1)
        row.addWidget(self._cancel)
        row.addWidget(self._judge)
        column = QVBoxLayout(self)
        for widget in (self._answers, self._note):
            column.addWidget(widget)
        column.addLayout(row)
        self._judge.clicked.connect(session.trusting.judge)
        self._cancel.clicked.connect(session.trusting.cancel)
        session.trusting.changed.connect(self.refresh)

    def open_above(self, badge: QWidget) -> None:
        self.refresh()
        self.adjustSize()
        corner = badge.mapToGlobal(QPoint(0, -self.height() - 4))
        screen = badge.screen().availableGeometry()
        corner.setX(min(corner.x(), screen.right() - self.width()))
        self.move(corner)
        self.show()

    def refresh(self) -> None:
        trusting = self._session.trusting
        self._answers.setText(self._page(trusting.trust))
        self._note.setText(self._words())
        self._note.setVisible(bool(self._note.text()))
        self._bar.setVisible(trusting.busy)
        self._bar.setValue(round(1000 * trusting.progress))
        self._cancel.setVisible(trusting.busy)
        self._judge.setVisible(not trusting.busy)
        if self.isVisible():
            bottom = self.geometry().bottom()
            self.adjustSize()
            self.move(self.x(), bottom - self.height() + 1)

    def _words(self) -> str:
        trusting = self._session.trusting
        if trusting.busy:
            return "estimating the error by a second run at another step …"
        if trusting.trust is not None and not trusting.trust.estimated:
            return f"The error of the positions is not estimated: {trusting.why_not or 'it was cancelled'}."
        return ""

    def _page(self, trust: Trust | None) -> str:
        if trust is None:
            return "<b>This run is being judged …</b>"
        theme = self._look.theme
        words = f'<b>Trust: <span style="color:{theme[COLORS[trust.level]]}">{WORDS[trust.level]}</span></b>'
        rows = []
        for finding in trust.findings:
            color = theme[COLORS[finding.level]]
            remedy = f' <span style="color:{theme["muted"]}">{escape(_sentence(finding.remedy))}</span>'
            text = escape(_sentence(finding.text)) + (remedy if finding.remedy else "")
            rows.append(
                f'<tr><td style="color:{color}">●&nbsp;</td><td style="padding-right:10px">'
                f"<b>{escape(finding.question.capitalize())}</b></td><td>{text}</td></tr>"
            )
        return f'{words}<table cellpadding="2">{"".join(rows)}</table>'


def _sentence(text: str) -> str:
    return f"{capitalised(text)}." if text else ""


def _dot(color: QColor, *, hollow: bool) -> QIcon:
    picture = QPixmap(2 * DOT, 2 * DOT)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = painter.pen()
    pen.setColor(color)
    pen.setWidth(4)
    painter.setPen(pen)
    if not hollow:
        painter.setBrush(color)
    painter.drawEllipse(4, 4, 2 * DOT - 8, 2 * DOT - 8)
    painter.end()
    return QIcon(picture)
