"""How far a study has come, how fast it goes and how long it will take."""

from __future__ import annotations

import time

MINUTE, HOUR = 60.0, 3600.0


class Pace:
    """Counts runs from its making on; those that were known before count as done but not for the rate."""

    def __init__(self, total: int, known: int) -> None:
        self._total, self._known = total, known
        self._begin = time.monotonic()
        self.done = known
        self.failed = 0

    @property
    def share(self) -> float:
        return self.done / self._total if self._total else 1.0

    def words(self) -> str:
        """`120 of 2000 runs, 35.2/s, 54 s left, 3 failed`."""
        parts = [f"{self.done} of {self._total} runs"]
        new, taken = self.done - self._known, time.monotonic() - self._begin
        if new and taken > 0.0:
            rate = new / taken
            parts += [f"{rate:.3g}/s", f"{_duration((self._total - self.done) / rate)} left"]
        if self.failed:
            parts.append(f"{self.failed} failed")
        return ", ".join(parts)


def _duration(seconds: float) -> str:
    if seconds < 2.0 * MINUTE:
        return f"{seconds:.0f} s"
    return f"{seconds / MINUTE:.0f} min" if seconds < 2.0 * HOUR else f"{seconds / HOUR:.1f} h"
