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

    def overrun(self) -> str:
        """The array beside which something was written, with its shape; "" while there is none."""
        for arena, places, names in zip(self._arenas, self._places, self._names, strict=True):
            broken = arena[places] != GUARD_BITS
            if broken.any():
                arena[places] = GUARD_BITS
                name = names[int(broken.argmax())]
                return f"work.{name} ({' × '.join(map(str, self._shapes[name]))} numbers)"
        return ""


class GuardedVector:
    """A vector of zeros between guards."""

    def __init__(self, size: int) -> None:
        self._bits = np.full(GUARD_WORDS + size + TAIL_WORDS, GUARD_BITS, np.int64)
        self.numbers: Array = self._bits.view(np.float64)[GUARD_WORDS : GUARD_WORDS + size]
        self.numbers[:] = 0.0

    def overrun(self) -> bool:
        """Whether something was written beside it."""
        end = GUARD_WORDS + len(self.numbers)
        beside = (self._bits[:GUARD_WORDS], self._bits[end : end + GUARD_WORDS])
        if all((words == GUARD_BITS).all() for words in beside):
            return False
        for words in beside:
            words[:] = GUARD_BITS
        return True
