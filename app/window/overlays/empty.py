"""Starting points in the empty viewport: draw a bar, build with guidance, take a template, open a scene."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QToolButton, QVBoxLayout

from app.platform.appearance import label
from app.session.session import Session
from app.tools.interactive_viewport import ViewportWidget
from app.window.overlays.first_build import FirstBuild
from app.window.overlays.placing import lay_over

STARTS = (  # actions, as far as the window has them, with what they are called here
    ("insert.bar", "Draw a bar"),
    ("help.first_build", "Build a four-bar step by step"),
    ("insert.template", "Start from a template"),
    ("file.welcome", "Look at shipped scenes"),
    ("file.open", "Open a file"),
)
SPACES = (("insert.planar", "In the plane"), ("insert.spatial", "In space"))


class StartCard(QFrame):
    """Shown while the scene has no bodies and no tool is in hand."""

    def __init__(self, viewport: ViewportWidget, session: Session, actions: Mapping[str, QAction]) -> None:
        super().__init__(viewport)
        self.setObjectName("start_card")
        self.setProperty("role", "card")
        self._viewport, self._session = viewport, session
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(6)
        column.addWidget(label("Nothing here yet", "title", "start_card.title"))
        column.addWidget(label("Begin with one of these, or drop a file here.", "muted", "start_card.words"))
        grid = QGridLayout()
        grid.setSpacing(4)
        for id, text in STARTS:
            if id in actions:
                button = _button(actions[id], f"start_card.{id}", text)
                grid.addWidget(button, grid.rowCount(), 0, Qt.AlignmentFlag.AlignLeft)
        column.addLayout(grid)
        row = QHBoxLayout()
        row.addWidget(label("Draw", "muted", "start_card.space"))
        for id, text in SPACES:
            if id in actions:
                row.addWidget(_button(actions[id], f"start_card.{id}", text))
        row.addStretch(1)
        column.addLayout(row)
        self._guide: QFrame | None = None
        viewport.installEventFilter(self)
        viewport.tool_changed.connect(self.refresh)
        session.document.changed.connect(self.refresh)
        self.refresh()

    def give_way_to(self, guide: FirstBuild) -> None:
        """Stay hidden while the guided build is on show."""
        self._guide = guide
        guide.toggled.connect(self.refresh)

    def refresh(self, *_: object) -> None:
        if not self._viewport.is_open:
            return
        guided = self._guide is not None and not self._guide.isHidden()
        idle = self._viewport.tool.id == "select" and not guided
        self.setVisible(idle and not self._session.document.scene.bodies)
        if self.isVisible():
            lay_over(self, "middle")
            self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self.refresh()
        return super().eventFilter(watched, event)


def _button(action: QAction, name: str, text: str) -> QToolButton:
    """A wide button that does what the action does, under a name of its own."""
    button = QToolButton()
    button.setObjectName(name)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    button.setToolTip(action.toolTip())
    button.setText(text)
    button.setCheckable(action.isCheckable() and name.endswith(("planar", "spatial")))
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    button.clicked.connect(action.trigger)

    def follow() -> None:
        button.setIcon(action.icon())
        button.setEnabled(action.isEnabled())
        if button.isCheckable():
            button.setChecked(action.isChecked())

    action.changed.connect(follow)
    follow()
    return button
