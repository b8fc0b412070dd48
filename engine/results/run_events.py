"""What happened to elements on the way of a run, beside what samples show."""

from dataclasses import asdict, dataclass
from typing import Any, Literal

import msgspec

EventKind = Literal["impact", "touch", "leave", "stick", "slip"]


@dataclass(frozen=True)
class RunEvent:
    """Something that happened to an element at a located instant."""

    t: float  # s
    element: str  # name of a force
    what: str  # "touches its upper limit"
    kind: EventKind
    impulse: float = 0.0  # of an impact along the coordinate [N·s or N·m·s]
    loss: float = 0.0  # energy that the event itself has cost [J]

    @property
    def text(self) -> str:
        cost = f", which costs {self.loss:.6g} J" if self.kind == "impact" else ""
        return f"{self.element} {self.what}{cost}"

    def as_row(self) -> dict[str, Any]:
        """For files and tables."""
        return asdict(self)


def events_of(rows: object) -> tuple[RunEvent, ...]:
    """Events as files keep them; rows that are none are left out."""
    found = []
    for row in rows if isinstance(rows, list) else []:
        try:
            found.append(msgspec.convert(row, RunEvent))
        except msgspec.ValidationError:
            continue
    return tuple(found)


def kind_of_words(what: str) -> EventKind:
    """The kind of a change of state from the words that tell it."""
    for word, kind in _KINDS.items():
        if what.startswith(word):
            return kind
    raise ValueError(f"no kind of event begins with these words: {what!r}")


_KINDS: dict[str, EventKind] = {
    "hits": "impact",
    "touches": "touch",
    "rests": "touch",
    "leaves": "leave",
    "sticks": "stick",
    "slips": "slip",
}
