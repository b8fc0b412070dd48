"""Binds a compiled mechanism to a method: compiled pieces, work arrays, state; and runs `advance`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numba import types

from engine.kernel import compiled
from engine.linsolve import SOLVERS
from engine.problems import (
    CLOCK,
    F1,
    F2,
    FACTOR,
    FEEDBACK,
    GV_REFERENCE,
    S_QUADRATURES,
    SOLVE,
    SYSTEM,
    T_INDEX,
    T_NEXT,
    T_NOW,
    T_ORIGIN,
    T_STEP,
    WORK,
    Array,
    Inner,
    Outer,
    Pieces,
    Signatures,
    StepStatus,
    System,
    check_arrays,
)
from engine.runtime.advance import advance
from engine.runtime.methods import Method
from engine.system import equations
from engine.system.mechanism import Mechanism
from engine.system.work import kind_signatures, kinds_of, new_work


def evaluation_pieces(mechanism: Mechanism, feedback: Any, *, tangents: bool = False) -> Pieces:
    """The compiled functions that evaluate this mechanism."""
    solver, sig = SOLVERS[mechanism.solver], kind_signatures()
    return Pieces(
        kinds=kinds_of(mechanism, tangents=tangents),
        constraints=(compiled(equations.constraints, sig.constraints),),
        forces=(compiled(equations.forces, sig.forces),),
        factor=(compiled(solver.factor, FACTOR),),
        solve=(compiled(solver.solve, SOLVE),),
        feedback=(compiled(feedback, FEEDBACK),),
    )


class Driver:
    """One mechanism, one method, one state: what a run is made of on the engine side."""

    def __init__(
        self, mechanism: Mechanism, method: Method, *, dt: float, options: Mapping[str, float] | None = None
    ) -> None:
        self.mechanism = mechanism
        self.method = method
        self.system: System = mechanism.system
        sig = kind_signatures()
        formulation, scheme, stabilisation = method.formulation, method.scheme, method.stabilisation
        size = formulation.size(self.system)
        self.work = new_work(
            mechanism,
            stages=scheme.stages,
            state=size,
            tangents=formulation.tangents,
            options=method.numbers(options or {}),
        )
        check_arrays(self.system, self.work)
        self.pieces = evaluation_pieces(mechanism, stabilisation.feedback, tangents=formulation.tangents)
        self.inner = Inner(
            (compiled(formulation.rate, sig.rate),), (compiled(stabilisation.settle, sig.settle),)
        )
        self.outer = Outer(
            (compiled(formulation.start, sig.start),),
            (compiled(scheme.step, sig.step),),
            (compiled(formulation.report, sig.report),),
        )
        compiled(advance, _advance_signature(sig))
        self.clock = np.zeros(CLOCK)
        self.clock[T_STEP] = dt
        self.y = np.zeros(size)
        self._backup = np.zeros(size)

    @property
    def t(self) -> float:
        return float(self.clock[T_NOW])

    @property
    def width(self) -> int:
        """Numbers in one sample."""
        system = self.system
        w = self.mechanism
        return 1 + w.nq + 2 * w.nv + len(w.rows) + int(system.sizes[S_QUADRATURES]) + len(system.tracked) + 3

    def start(
        self, t: float, q: Array, v: Array, angles: Array | None = None, works: Array | None = None
    ) -> StepStatus:
        """Begin, or begin again after a jump, at a consistent state."""
        nq, nv = self.mechanism.nq, self.mechanism.nv
        self.clock[T_NOW] = self.clock[T_ORIGIN] = t
        self.clock[T_INDEX] = self.clock[T_NEXT] = 0.0
        self.work.history[:] = 0.0
        self.y[:nq], self.y[nq : nq + nv] = q, v
        self.y[nq + nv :] = 0.0 if works is None else works
        if angles is not None:
            self.work.gauge[self.system.tracked, GV_REFERENCE] = angles
        return StepStatus(
            self.outer.start[0](self.system, self.work, self.pieces, self.inner, self.clock, self.y)
        )

    def sample(self) -> Array:
        """The present state as one complete sample."""
        row = np.zeros(self.width)
        self.outer.report[0](self.system, self.work, self.pieces, self.clock, self.y, row)
        return row

    def advance(
        self, t_stop: float, samples: Array, *, most_steps: int = 1 << 40, every: int = 1
    ) -> tuple[StepStatus, int]:
        """Steps up to t_stop into the rows of `samples`."""
        status, written = advance(
            self.system,
            self.work,
            self.pieces,
            self.inner,
            self.outer,
            self.clock,
            self.y,
            self._backup,
            t_stop,
            most_steps,
            every,
            samples,
        )
        return StepStatus(status), int(written)


def _advance_signature(sig: Signatures) -> Any:
    result = types.UniTuple(types.int64, 2)
    i, f = types.int64, types.float64
    return result(SYSTEM, WORK, sig.pieces, sig.inner, sig.outer, F1, F1, F1, f, i, i, F2)
