"""What a panel is. A line of the registry gives it a dock, an entry in the Window menu and a place."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, runtime_checkable

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.platform.appearance import Look
from app.platform.settings import Settings
from app.platform.settings.recent_methods import RecentMethods
from app.session.session import Session

Area = Literal["left", "right", "bottom"]


@dataclass(frozen=True)
class PanelContext:
    """What panels are made with."""

    session: Session
    look: Look
    settings: Settings
    recent: RecentMethods
    actions: Mapping[str, QAction]  # of the window, by id
    context_actions: Callable[[], Iterable[QAction | None]]  # for the selection; None is a separator
    files_folder: Callable[[], Path]  # where a dialog for files begins
    may_leave: Callable[[], bool]  # asks about unsaved work before another scene is shown; False: stay


@dataclass(frozen=True)
class PanelKind:
    """One panel. Its dock is `dock.<id>`, its action `window.<id>`: saved layouts and scripts know them."""

    id: str
    title: str
    icon: str
    area: Area  # at first; panels of an area are tabs of each other
    make: Callable[[PanelContext], QWidget]
    first_tab: bool = False  # before the others of its area, which stand in the order of the registry
    hidden: bool = False  # at first
    also: str = ""  # what people call it elsewhere, for the command search


# what a panel may have besides; its dock looks for it


@runtime_checkable
class HasBar(Protocol):
    """Low panels: their buttons take the place of the title."""

    bar: QWidget


@runtime_checkable
class CatchesUp(Protocol):
    """Told when its dock comes into view or goes behind another tab."""

    def catch_up(self, *_: object) -> None: ...


@runtime_checkable
class Ends(Protocol):
    """Has something to end or to remember when the window is closed."""

    def shutdown(self) -> object: ...
