"""What a scheme is: a compiled step of the formulation's state vector.

Contract: on entry `Work.stages[0]` holds the rate at (t, y). On return y is the settled state at t + clock[T_USED] and
stages[0] its rate, so that the accepted state has been evaluated once and can be reported.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.kernel import kernel
from engine.problems import Array, Inner, Option, Pieces, StepStatus, System, Work

OK = int(StepStatus.OK)


@dataclass(frozen=True)
class SchemeKind:
    """Facts and the compiled step of one scheme."""

    name: str
    title: str
    summary: str
    order: int
    stages: int  # rows of Work.stages it uses
    step: Any
    adaptive: bool = False
    options: tuple[Option, ...] = ()


@kernel
def finish(system: System, work: Work, pieces: Pieces, inner: Inner, t: float, y: Array) -> int:
    """Settle the new state on the constraints and evaluate it."""
    status = inner.settle[0](system, work, pieces, t, y)
    if status != OK:
        return int(status)
    return int(inner.rate[0](system, work, pieces, t, y, work.stages[0]))
