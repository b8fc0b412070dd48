"""A scene that nothing holds falls: the view goes along, and grounding a body is offered."""

from __future__ import annotations

from app.document.document import SceneChange
from app.edits import ground
from app.session.session import Session
from app.tools.interactive_viewport import ViewportWidget
from app.window.overlays.notice import Notice
from engine.elements.base import WORLD
from engine.model.scene import Scene, kind_of


def falling_body(scene: Scene) -> str:
    """The body that is watched when the mechanism is held by nothing; empty when something holds it."""
    moving = [body.name for body in scene.bodies if not body.fixed]
    if not moving:
        return ""
    free = set(moving)
    for spec in (*scene.joints, *scene.forces, *scene.motions):
        a, b = getattr(spec, "a", None), getattr(spec, "b", None)
        ends = {getattr(a, "body", WORLD), getattr(b, "body", WORLD)} if a is not None else set()
        if ends and not ends <= free:  # the other end is the ground, or a body that is part of it
            return ""
    if any(kind_of(motion).moves(motion).owner == "body" for motion in scene.motions):
        return ""
    return moving[0]


class FallWatch:
    """Follows the first body of a scene that nothing holds, while it plays."""

    def __init__(self, viewport: ViewportWidget, session: Session, notice: Notice) -> None:
        self._viewport, self._session, self._notice = viewport, session, notice
        self._following = ""
        self._dismissed = ""  # the body for which the offer was shown in this scene
        session.state_changed.connect(self._look)
        session.document.changed.connect(self._changed)

    def _look(self, *_: object) -> None:
        if self._session.state != "playing" or not self._viewport.is_open:
            return
        body = falling_body(self._session.document.scene)
        view = self._viewport.view
        if not body or view.followed:
            return
        view.follow(body, everywhere=True)
        self._following = body
        if body != self._dismissed:
            self._dismissed = body
            self._notice.tell(
                f"Nothing holds this: {body} moves freely, and the view goes along.",
                f"Ground {body}",
                f"Make {body} part of the ground (one step to undo)",
                lambda: self._ground(body),
            )

    def _ground(self, body: str) -> None:
        document = self._session.document
        if all(other.name != body for other in document.scene.bodies):
            return
        self._session.transport.pause()
        document.apply(ground(document.scene, body))
        self._session.lifecycle.reset()

    def _changed(self, change: SceneChange) -> None:
        if not self._viewport.is_open:
            return
        if change.reset:
            self._dismissed = ""
        if self._following and falling_body(self._session.document.scene) != self._following:
            if self._viewport.view.followed == self._following:
                self._viewport.view.follow("")
                self._viewport.fit_all()
            self._following = ""
            self._notice.hide()
