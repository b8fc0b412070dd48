"""What a hand takes hold of in the picture, and what follows from that: it is led, or pulled, or stays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainter

from app.session.session import Session
from app.tools.drag.linkage_drag import LinkageDrag, aim
from app.tools.drag.mouse_pull import MousePull
from engine.compiled.layout import Array

if TYPE_CHECKING:
    from app.tools.interactive_viewport import ViewportWidget


class Hand(Protocol):
    """One interaction, from the first movement to the release of the button."""

    @property
    def hint(self) -> str: ...

    @property
    def over(self) -> bool:
        """Whether it has lost its object: another scene, another run."""

    def move(self, position: QPointF) -> None: ...

    def wheel(self, notches: float) -> bool: ...

    def drop(self) -> None: ...

    def cancel(self) -> None: ...

    def paint(self, painter: QPainter) -> None: ...


def held_body(viewport: ViewportWidget, session: Session, position: QPointF) -> tuple[str, Array] | None:
    """The body that can be moved at a place of the picture, and the world point that is touched."""
    scene, poses = session.document.scene, session.poses()
    free = {body.name for body in scene.bodies if not body.fixed and body.name in poses}
    for ref, place in viewport.places_at(position).items():
        body = ref.name if ref.where == "bodies" else ""
        if ref.where == "joints":  # a pin: the body that it is on, taken right there
            joint: Any = next((item for item in scene.joints if item.name == ref.name), None)
            ends = [getattr(getattr(joint, end, None), "body", "") for end in ("b", "a")]
            body = next((name for name in ends if name in free), "")
            for frame in viewport.view.queries.frames_of(ref)[:1] if body else ():
                place = viewport.view.stage.world_point(frame)
        if body in free and np.isfinite(place).all():
            if scene.space == "planar" and ref.where == "bodies":
                under = aim(viewport, position, place)
                if under is None:
                    return None
                place = under[0]
            return body, np.array([*place[:2], 0.0]) if scene.space == "planar" else np.asarray(place, float)
        if ref.where == "bodies":
            return None  # the ground, or a body whose place is unknown
    return None


def take(viewport: ViewportWidget, session: Session, body: str, place: Array) -> Hand | None:
    """Begin to move a body; None when it cannot be moved now."""
    if session.state == "playing" and session.playhead.replaying:
        session.message.emit("info", "this is a replay: go live to pull, or pause to move bodies", None)
        return None
    if session.playing:
        run = session.current
        known = run is not None and run.segments and body in run.segments[-1].mechanism.bodies
        return MousePull(viewport, session, body, place) if known and session.playhead.live else None
    if session.not_yet:
        session.message.emit("info", session.not_yet, None)
        return None
    return LinkageDrag(viewport, session, body, place)
