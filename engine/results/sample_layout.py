"""The layout of one sample, as the formulations' `report` writes it."""

from __future__ import annotations

from engine.compiled.columns import sizes as SIZE
from engine.compiled.layout import Array
from engine.results.stepping import stepping_of
from engine.system.compiling.mechanism import Mechanism


class SampleLayout:
    """Columns: t | q | v | a | λ | work integrals | turn references | step, iterations, pivot, frequency |
    what the method carries."""

    def __init__(self, mechanism: Mechanism) -> None:
        system, at = mechanism.system, 1

        def take(count: int) -> slice:
            nonlocal at
            at += count
            return slice(at - count, at)

        self.t = 0
        self.q = take(mechanism.nq)
        self.v = take(mechanism.nv)
        self.a = take(mechanism.nv)
        self.multipliers = take(int(system.sizes[SIZE.ROWS]))
        first = self.multipliers.start
        self.permanent = slice(first, first + len(mechanism.rows))  # multipliers of joints and motions
        self.works = take(int(system.sizes[SIZE.QUADRATURES]))
        self.angles = take(len(system.tracked))
        self.step, self.iterations, self.pivot, self.frequency = at, at + 1, at + 2, at + 3
        at += 4
        counts = {"velocity": mechanism.nv, "row": int(system.sizes[SIZE.ROWS])}
        self.carried = {part.name: take(counts[part.per]) for part in stepping_of(mechanism).carried}
        self.width = at

    def state(self, sample: Array) -> tuple[float, Array, Array, Array, Array]:
        """t, q, v, turn references and work integrals of a sample: what a restart needs."""
        parts = (sample[part].copy() for part in (self.q, self.v, self.angles, self.works))
        q, v, angles, works = parts
        return float(sample[self.t]), q, v, angles, works
