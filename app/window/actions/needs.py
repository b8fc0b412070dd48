"""What actions need: each need has a name for scripts, and holds or not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.document.channels.effort_channels import cost_of

if TYPE_CHECKING:
    from app.document.document import Ref
    from app.session.session import Session

HIDEABLE = ("bodies", "joints", "forces", "motions", "traces", "measures")


@dataclass(frozen=True)
class Need:
    """`why` says what is missing when it does not hold, where that is not plain to see."""

    name: str
    holds: Callable[[Session], bool]
    why: str = ""


def _selected(session: Session) -> list[Ref]:
    return [ref for ref in session.selection.refs if ref.where not in ("", "scene", "world")]


def _count(session: Session, *lists: str) -> int:
    return sum(ref.where in lists for ref in _selected(session))


def _any_hidden(session: Session) -> bool:
    scene = session.document.scene
    return any(not item.visible for where in HIDEABLE for item in getattr(scene, where))


def _drivable(session: Session) -> int:
    """How many joints have an angle or a displacement."""
    from engine.elements.joints import JOINTS

    scene = session.document.scene
    return sum(
        bool(JOINTS[str(joint.__struct_config__.tag)].coordinates_in(scene.space)) for joint in scene.joints
    )


def _recorded(session: Session) -> bool:
    return session.current is not None and not session.current.empty


UNDO = Need("undo", lambda session: session.document.stack.canUndo())
REDO = Need("redo", lambda session: session.document.stack.canRedo())
SELECTION = Need("selection", lambda session: bool(_selected(session)))
ONE_SELECTED = Need("one selected", lambda session: len(_selected(session)) == 1)
SEVERAL = Need(
    "several selected",
    lambda session: max(_count(session, "bodies", "groups"), _count(session, "joints")) > 1,
    "select two or more pins, or bodies of different linkages",
)
JOINT = Need("joint", lambda session: _count(session, "joints") > 0)
TWO_JOINTS = Need("joints", lambda session: _count(session, "joints") > 1)
TWO_SIDES = Need("two sides", lambda session: _count(session, "joints", "forces") > 0)
GROUP = Need("group", lambda session: _count(session, "groups") > 0)
BODIES = Need("bodies", lambda session: _count(session, "bodies", "groups") > 0)
HIDDEN = Need("hidden", _any_hidden)
DRIVE = Need(
    "motor or actuator",
    lambda session: cost_of(session.document.scene, _selected(session)) is not None,
    "select a motor, an actuator or a driven joint",
)
RUN = Need("run", lambda session: session.current is not None)
PLAYABLE = Need("playable", lambda session: session.state != "empty")
RECORDED = Need("recorded", _recorded)
STREAMING = Need("streaming", lambda session: session.streaming.stream is not None)
NOT_STREAMING = Need("not streaming", lambda session: _recorded(session) and session.streaming.stream is None)
ANY_BODY = Need("any body", lambda session: bool(session.document.scene.bodies), "draw a body first")
BODIES_IN_SPACE = Need(
    "bodies in space",
    lambda session: bool(session.document.scene.bodies) and session.document.scene.space == "spatial",
    "only in space, and with a body",
)
DRIVABLE_JOINT = Need(
    "drivable joint",
    lambda session: _drivable(session) > 0,
    "make a joint that turns or slides first",
)
DRIVABLE_JOINTS = Need(
    "drivable joints",
    lambda session: _drivable(session) > 1,
    "make two joints that turn or slide first",
)
SELECTED_BODIES = Need(
    "selected bodies",
    lambda session: any(ref.where == "bodies" for ref in session.selection.refs),
    "select a body first",
)
