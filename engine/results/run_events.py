"""What happened to elements on the way of a run, beside what samples show."""

from dataclasses import dataclass


@dataclass(frozen=True)
class RunEvent:
    """Something that happened to an element at a located instant."""

    t: float  # s
    element: str  # name of a force
    what: str  # "touches its upper limit"

    @property
    def text(self) -> str:
        return f"{self.element} {self.what}"
