"""What an action is, and when it is possible.

Nothing here imports Qt, so that `trammel list actions` is quick.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from app.session.session import Session


@dataclass(frozen=True)
class Action:
    """One command of the program. `call` is a method of the window, with `argument` when given."""

    id: str
    text: str
    menu: str  # path of menus, such as "View/Standard views"
    icon: str
    tooltip: str
    call: str
    shortcut: str = ""
    argument: Any = None
    needs: str = ""  # key of NEEDS; empty: always possible
    toolbar: bool = False
    checkable: bool = False
    separator: bool = False  # a line above it in the menu

    def run(self, window: Any) -> None:
        """Do it."""
        method = getattr(window, self.call)
        if self.argument is None:
            method()
        else:
            method(self.argument)

    def enabled(self, session: Session) -> bool:
        """Whether it is possible now."""
        return NEEDS[self.needs](session)

    def row(self) -> dict[str, Any]:
        """What `trammel list actions` shows."""
        return {
            "id": self.id,
            "text": self.text,
            "menu": self.menu,
            "shortcut": self.shortcut,
            "tooltip": self.tooltip,
            "enabled": not self.needs,
            "needs": self.needs,
        }


def _selected(session: Session) -> list[Any]:
    return [ref for ref in session.selection.refs if ref.where not in ("", "scene", "world")]


def _count(session: Session, *lists: str) -> int:
    return sum(ref.where in lists for ref in _selected(session))


def _hidden(session: Session) -> bool:
    scene = session.document.scene
    lists = ("bodies", "joints", "forces", "motions", "traces", "measures")
    return any(not item.visible for where in lists for item in getattr(scene, where))


def _drivable(session: Session) -> int:
    """How many joints have an angle or a displacement."""
    from engine.elements.joints import JOINTS

    scene = session.document.scene
    return sum(
        bool(JOINTS[str(joint.__struct_config__.tag)].coordinates_in(scene.space)) for joint in scene.joints
    )


WHY = {  # what is missing when an action is not possible, where that is not plain to see
    "any body": "draw a body first",
    "bodies in space": "only in space, and with a body",
    "drivable joint": "make a joint that turns or slides first",
    "drivable joints": "make two joints that turn or slide first",
    "selected bodies": "select a body first",
}
NEEDS: dict[str, Callable[[Any], bool]] = {
    "": lambda session: True,
    "undo": lambda session: session.document.stack.canUndo(),
    "redo": lambda session: session.document.stack.canRedo(),
    "selection": lambda session: bool(_selected(session)),
    "one selected": lambda session: len(_selected(session)) == 1,
    "joint": lambda session: _count(session, "joints") > 0,
    "joints": lambda session: _count(session, "joints") > 1,
    "two sides": lambda session: _count(session, "joints", "forces") > 0,
    "group": lambda session: _count(session, "groups") > 0,
    "bodies": lambda session: _count(session, "bodies", "groups") > 0,
    "hidden": _hidden,
    "run": lambda session: session.current is not None,
    "playable": lambda session: session.state != "empty",
    "recorded": lambda session: session.current is not None and not session.current.empty,
    "streaming": lambda session: session.streaming.stream is not None,
    "not streaming": lambda session: NEEDS["recorded"](session) and session.streaming.stream is None,
    "any body": lambda session: bool(session.document.scene.bodies),
    "bodies in space": lambda session: (
        bool(session.document.scene.bodies) and session.document.scene.space == "spatial"
    ),
    "drivable joint": lambda session: _drivable(session) > 0,
    "drivable joints": lambda session: _drivable(session) > 1,
    "selected bodies": lambda session: any(ref.where == "bodies" for ref in session.selection.refs),
    "unsaved": lambda session: not session.document.clean,
}
