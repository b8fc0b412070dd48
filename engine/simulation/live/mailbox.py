"""The newest snapshot of the engine thread, which may be missed, and its notifications, which may not."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from engine.compiled.layout import Array, StepStatus

T = TypeVar("T")


@dataclass(frozen=True)
class Snapshot:
    """The state of a run after a slice of work. The sample cannot be written to."""

    run_id: int
    t: float  # of the newest state
    sample: Array
    status: StepStatus
    real_time_factor: float  # simulated time over wall time, lately
    load: float  # share of the wall time in which the engine worked, lately
    lag: float  # s of wall time behind the pace
    steps: int
    message: str = ""
    playing: bool = False
    offender: tuple[str, str] | None = None  # list and name of the element to blame
    shown: float = 0.0  # the instant that the wall clock asks for
    clock: float = 0.0  # s, `time.perf_counter` when that was
    speed: float = 1.0
    resynchronised: int = 0  # times that lost time was forgotten


class Mailbox:
    """Newest snapshot. One writer, any readers, no lock: rebinding an attribute is atomic in CPython."""

    def __init__(self) -> None:
        self._latest: Snapshot | None = None

    def post(self, snapshot: Snapshot) -> None:
        snapshot.sample.flags.writeable = False
        self._latest = snapshot

    def peek(self) -> Snapshot | None:
        return self._latest


class Notifications(Generic[T]):
    """Messages in order, each read once; the ends of a deque can be used by two threads."""

    def __init__(self) -> None:
        self._items: deque[T] = deque()

    def post(self, item: T) -> None:
        self._items.append(item)

    def read(self) -> Iterator[T]:
        """Those that are there by now: of what comes meanwhile there may be no end."""
        for _ in range(len(self._items)):
            yield self._items.popleft()
