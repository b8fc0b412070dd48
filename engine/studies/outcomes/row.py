"""One run of a study and what came out of it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.studies.variables.base import Value

DONE = ("finished", "stopped")  # statuses of runs whose objectives count


@dataclass(frozen=True)
class Row:
    """A run. One that failed has no objectives, and a message."""

    key: str
    values: tuple[Value, ...]  # in the order of the study's variables
    objectives: tuple[float | None, ...]  # in the order of the study's; None: there is no such number
    status: str
    message: str
    seconds: float  # that it took

    @property
    def done(self) -> bool:
        return self.status in DONE
