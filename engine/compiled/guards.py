"""Who writes outside an array: kernels do not look at their indices, so the places beside it are watched.

The guards tell which array was left, after the fact and at no cost to the kernels. With `NUMBA_BOUNDSCHECK=1`
in the environment every access is checked, at several times the price: that finds the access itself.
"""

from __future__ import annotations

import numpy as np

from engine.compiled.arenas import GUARD_BITS, GUARD_WORDS, HEADER, TAIL_WORDS
from engine.compiled.layout import Array, Ints, Work


class WorkGuard:
    """The guards behind the arrays of a `Work`."""

    def __init__(self, work: Work, ints: Ints, reals: Array) -> None:
        self._arenas = (ints, reals.view(np.int64))
        self._shapes = {name: view.shape for name, view in work._asdict().items()}
        # the places before the first array count with it
        places: tuple[list[int], list[int]] = ([], [*range(GUARD_WORDS)])
        self._names: tuple[list[str], list[str]] = ([], [work._fields[0]] * GUARD_WORDS)
        for k, (name, view) in enumerate(work._asdict().items()):
            end, which = int(ints[HEADER * k]) + view.size, int(view.dtype == np.float64)
            places[which].extend(range(end, end + GUARD_WORDS))
            self._names[which].extend([name] * GUARD_WORDS)
        self._places = tuple(np.array(found, np.int64) for found in places)
        self._intact = tuple(_intact(len(found)) for found in places)

    def overrun(self) -> str:
        """The array beside which something was written, with its shape; "" while there is none."""
        for which, arena in enumerate(self._arenas):
            places = self._places[which]
            found = arena.take(places)
            if found.tobytes() != self._intact[which]:
                arena[places] = GUARD_BITS
                name = self._names[which][int((found != GUARD_BITS).argmax())]
                return f"work.{name} ({' × '.join(map(str, self._shapes[name]))} numbers)"
        return ""


class GuardedVector:
    """A vector of zeros between guards."""

    def __init__(self, size: int) -> None:
        self._bits = np.full(GUARD_WORDS + size + TAIL_WORDS, GUARD_BITS, np.int64)
        self.numbers: Array = self._bits.view(np.float64)[GUARD_WORDS : GUARD_WORDS + size]
        self.numbers[:] = 0.0
        end = GUARD_WORDS + size
        self._places = np.array([*range(GUARD_WORDS), *range(end, end + GUARD_WORDS)])
        self._intact = _intact(2 * GUARD_WORDS)

    def overrun(self) -> bool:
        """Whether something was written beside it."""
        if self._bits.take(self._places).tobytes() == self._intact:
            return False
        self._bits[self._places] = GUARD_BITS
        return True


def _intact(words: int) -> bytes:
    """So many guards; bytes are compared in a fifth of the time that arrays take, after every call."""
    return np.full(words, GUARD_BITS, np.int64).tobytes()
