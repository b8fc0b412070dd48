"""What editors are: each shows one value, checks what is typed, and tells a finished edit once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.platform.appearance import Look
from app.platform.units import Units

SEVERAL = "several"  # values; short, since it stands in small fields


@dataclass
class Context:
    """What an editor must know of the scene."""

    look: Look
    names: Mapping[str, float]  # parameters and their values
    duration: float = 10.0  # s, for previews
    folder: str = ""  # of the scene's file, to which file names are relative

    @property
    def units(self) -> Units:
        return self.look.units

    @property
    def facts(self) -> tuple[Any, ...]:
        """What of it can change while a form stays: with other facts, equal values may look otherwise."""
        return (self.names, self.duration, self.folder)


@dataclass(frozen=True)
class Change:
    """An edit of a part of a value: of several elements each keeps the rest of its own."""

    make: Callable[[Any], Any]


class Editor(QWidget):
    """Base: `committed` tells the new value, or a `Change` of it, once, when the edit is finished."""

    committed = Signal(object)
    complained = Signal(str)  # the reason why the text is wrong, or nothing
    wide: bool = False  # stands below its title, over the whole width

    def needed(self) -> int:
        """Width in which all of its present texts can be read [px]."""
        return 0

    def fit(self, room: int) -> None:
        """Arrange its parts for this width [px]."""

    def show_values(self, values: Sequence[Any]) -> None:
        """The values that the selected elements have."""
        self.show_value(values[0], mixed=any(value != values[0] for value in values[1:]))

    def show_value(self, value: Any, *, mixed: bool = False) -> None:
        raise NotImplementedError

    def busy(self) -> bool:
        """Whether the user is in the middle of an edit that must not be overwritten."""
        return False

    def complain(self, reason: str) -> None:
        """Mark the value as wrong, or, without a reason, as right again."""
        self.complained.emit(reason)
