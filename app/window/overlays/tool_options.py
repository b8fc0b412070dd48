"""The options of the drawing tool that is in hand, in the top left corner of the viewport."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QFrame, QHBoxLayout, QPushButton

from app.platform.appearance import Look, tool_button
from app.session.session import Session
from app.tools.connect.pick_tools import PickTool
from app.tools.draw.bar import BarTool
from app.tools.draw.drafting import PLANES
from app.tools.draw.draw_tool import DrawTool
from app.tools.interactive_viewport import ViewportWidget
from app.window.overlays.placing import MARGIN


class ToolStrip(QFrame):
    """Shown while a drawing tool is in hand."""

    def __init__(self, viewport: ViewportWidget, session: Session, look: Look) -> None:
        super().__init__(viewport)
        self.setObjectName("tool_strip")
        self.setProperty("role", "card")
        self._viewport, self._session, self._drafting = viewport, session, viewport.drafting
        self._boxes: dict[str, QCheckBox] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 3, 4, 3)
        row.setSpacing(10)
        for name, text, tip in (
            ("snapping", "Snap", "Snap to points, the grid and directions; Shift is finer, Alt is free"),
            ("joining", "Join", "Join what is drawn to the pins and points that it is drawn at"),
            ("grounding", "Ground", "Pin a bar that begins at an empty place to the ground there"),
            ("adding", "Add to body", "Add what is drawn to the selected body, as one more shape of it"),
            ("keeping", "Keep tool", "Keep the tool in hand to make several; Esc puts it away"),
        ):
            box = QCheckBox(text)
            box.setObjectName(f"tool_strip.{name}")
            box.setToolTip(tip)
            box.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # keys belong to the drawing
            box.toggled.connect(lambda on, name=name: self._drafting.set(**{name: on}))
            self._boxes[name] = box
            row.addWidget(box)
        self.plane = QComboBox()
        self.plane.setObjectName("tool_strip.plane")
        self.plane.setToolTip("The work plane: what is drawn lies in it")
        self.plane.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        for name, text in PLANES.items():
            self.plane.addItem(f"Plane {text}", name)
        self.plane.activated.connect(lambda _: self._drafting.set(plane=self.plane.currentData()))
        self.through = QPushButton("through origin")
        self.through.setObjectName("tool_strip.through")
        self.through.setToolTip("Lay the work plane through what is selected, or through the origin")
        self.through.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.through.clicked.connect(self._lay_through)
        row.addWidget(self.plane)
        row.addWidget(self.through)
        close = tool_button(look, "tool_strip.close", "close", "Put the tool away (Esc)")
        close.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        close.clicked.connect(lambda: viewport.use_tool(None))
        row.addWidget(close)
        viewport.tool_changed.connect(self.refresh)
        self._drafting.changed.connect(self.refresh)
        session.document.changed.connect(self.refresh)
        session.selection.changed.connect(self.refresh)
        self.refresh()

    def refresh(self, *_: object) -> None:
        """Show what the tool in hand can be told."""
        if not self._viewport.is_open:
            return
        tool = self._viewport.tool
        self.setVisible(isinstance(tool, DrawTool))
        if not isinstance(tool, DrawTool):
            return
        picking = isinstance(tool, PickTool)
        planar = self._session.document.scene.space == "planar"
        chosen = [ref for ref in self._session.selection.refs if ref.where == "bodies"]
        for name, box in self._boxes.items():
            box.blockSignals(True)
            box.setChecked(getattr(self._drafting, name))
            box.blockSignals(False)
        self._boxes["joining"].setVisible(not picking)
        self._boxes["keeping"].setVisible(picking)  # the others stay anyway
        self._boxes["grounding"].setVisible(isinstance(tool, BarTool))
        self._boxes["adding"].setVisible(not picking and (bool(chosen) or self._drafting.adding))
        for widget in (self.plane, self.through):
            widget.setVisible(not planar)
        self.plane.setCurrentIndex(list(PLANES).index(self._drafting.plane))
        self.adjustSize()
        self.move(MARGIN, self._viewport.hint_height + MARGIN)
        self.raise_()
        tool.redirect()

    def _lay_through(self) -> None:
        refs = [ref for ref in self._session.selection.refs if ref.where in ("bodies", "joints")]
        place = np.zeros(3)
        if refs:
            try:
                place = np.asarray(self._viewport.view.queries.position_of(refs[0]))
            except (KeyError, StopIteration, ValueError):
                place = np.zeros(3)
        self.through.setText(f"through {refs[0].name}" if refs else "through origin")
        self._drafting.set(through=place)
