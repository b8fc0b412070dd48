"""Pulling while it runs: a spring between the body under the pointer and the pointer."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.session.recorded.run import Pulled
from app.session.session import Session
from app.tools.drag.linkage_drag import aim
from app.viewport.canvas.style import look
from engine.analyses.drag.gripped import GrippedLinkage
from engine.analyses.drag.grips import Grip
from engine.compiled.layout import Array
from engine.system.mouse_pulls import Pull

if TYPE_CHECKING:
    from app.tools.interactive_viewport import ViewportWidget

WEIGHT_AT = 0.4  # lengths from the pointer at which the pull is the weight of what is pulled
GRAVITY = 9.81  # m/s², for that weight, also where the scene has none
LIGHTEST = 30.0  # the spring counts at most so many times the mass that the point itself puts up
RATIO = 0.5  # of the damper to the critical one
HARDER = 1.25  # per notch of the wheel
SOFTEST, HARDEST = 1.0 / 64.0, 64.0
ARROW = 11.0  # px, of the head


class MousePull:
    """A pull from the first movement to the release of the button."""

    strength = 1.0  # what the wheel chose last counts for the next pull, too

    def __init__(self, viewport: ViewportWidget, session: Session, body: str, place: Array) -> None:
        self.viewport, self.session, self.body = viewport, session, body
        self._run = session.current
        origin, R = session.poses()[body]
        p_B = R.T @ (place - origin)
        self._point = (float(p_B[0]), float(p_B[1]), float(p_B[2]))
        self._depth = np.asarray(place, float)
        self._target: Array | None = None
        self.stiffness, self._mass = self._spring(p_B)

    def _spring(self, p_B: Array) -> tuple[float, float]:
        """Stiffness at strength 1, and the mass by which the damper is chosen."""
        assert self._run is not None
        segment, sample = self._run.sample_at(self.session.t)
        mechanism = segment.mechanism
        _, q, _, angles, _ = segment.layout.state(sample)
        b = mechanism.bodies.index(self.body)
        grip = Grip(b, p_B - mechanism.com[b])
        lead = GrippedLinkage(mechanism, [grip], t=float(sample[0]), q=q, angles=angles)
        own = lead.effective_mass() if lead.closed else 0.0
        mass = min(lead.mass, LIGHTEST * own) if own > 0.0 else lead.mass
        mass = mass if mass > 0.0 else 1.0
        return mass * GRAVITY / (WEIGHT_AT * lead.length), own if own > 0.0 else mass

    @property
    def over(self) -> bool:
        return self.session.current is not self._run or self.session.state != "playing"

    @property
    def hint(self) -> str:
        return f"Pulling {self.body} · strength ×{type(self).strength:.3g} (wheel) · Esc lets go"

    def move(self, position: QPointF) -> None:
        aimed = aim(self.viewport, position, self._depth)
        if aimed is not None and not self.over:
            self._target = aimed[0]
            self._pull()

    def wheel(self, notches: float) -> bool:
        kind = type(self)
        kind.strength = min(max(kind.strength * HARDER**notches, SOFTEST), HARDEST)
        self._pull()
        return True

    def _pull(self) -> None:
        if self._target is None:
            return
        stiffness = type(self).strength * self.stiffness
        x, y, z = map(float, self._target)
        damping = 2.0 * RATIO * math.sqrt(stiffness * self._mass)
        self.session.engine.pull(Pull(self.body, self._point, (x, y, z), stiffness, damping))

    def drop(self) -> None:
        self.session.engine.pull(None)

    def cancel(self) -> None:
        self.session.engine.pull(None)

    def paint(self, painter: QPainter) -> None:
        """The viewport paints pulls itself, those of a replay too."""


def paint_pull(painter: QPainter, viewport: ViewportWidget, pulled: Pulled) -> None:
    """The spring from the body to where it is drawn, as an arrow with its force."""
    ratio = viewport.devicePixelRatioF()
    ends = [viewport.view.camera.project(place) for place in (pulled.place, pulled.target)]
    if not np.isfinite(ends).all():
        return
    at, to = (QPointF(x / ratio, y / ratio) for x, y in ends)
    colors = look(viewport.view_style)
    color = QColor(colors.force)
    way = to - at
    size = math.hypot(way.x(), way.y())
    painter.setPen(QPen(color, 2.5))
    painter.setBrush(color)
    painter.drawEllipse(at, 4.0, 4.0)
    if size > ARROW:
        along, across = way / size, QPointF(-way.y(), way.x()) / size
        neck = to - along * ARROW
        painter.drawLine(at, neck)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawPolygon(QPolygonF([to, neck + across * 0.45 * ARROW, neck - across * 0.45 * ARROW]))
    painter.setPen(QColor(colors.text))
    text = f"{float(np.linalg.norm(pulled.force)):.3g} N"
    painter.drawText(QRectF(to.x() + 8.0, to.y() - 22.0, 120.0, 18.0), Qt.AlignmentFlag.AlignLeft, text)
