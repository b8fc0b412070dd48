"""What a scheme is: a compiled step of the formulation's state vector.

Contract: on entry `Work.stages[0]` holds the rate at (t, y). On return y is the projected state at
t + clock[CLOCK.USED] and stages[0] its rate: the accepted state has been evaluated once and can be reported.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.compiled.arenas import open_work
from engine.compiled.columns import options as SLOT
from engine.compiled.dispatch import call_project, call_rate
from engine.compiled.kernel import inlined
from engine.compiled.layout import HISTORY, Array, Option, Packed, StepStatus
from engine.compiled.option_slots import check_slots
from engine.maths.amplification import Growth

OK = int(StepStatus.OK)


class StageMatrices(NamedTuple):
    """Kernels `stage_factor` and `stage_solve` with a full matrix, and with a sparse one."""

    full: tuple[Any, Any]
    sparse: tuple[Any, Any]


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
    implicit: bool = False  # needs Work.newton, a matrix over the state vector
    stage_by_stage: bool = False  # by `implicit.py`, whose matrix can be a sparse one instead
    matrices: StageMatrices | None = None  # in place of those of `implicit.py`
    newton_blocks: int = 1  # that matrix is over so many state vectors: stages that are solved together
    layouts: frozenset[str] = frozenset()  # formulations it can step; empty: all
    history: int = HISTORY  # numbers in Work.history
    constants: tuple[tuple[int, float], ...] = ()  # of Work.options: what tells kinds with one `step` apart
    bears_damping: bool = True  # False: forces against the velocity make it unstable at any step
    jump_failure: str = ""  # why it cannot go on after a jump of velocities; "" where it begins anew
    singular_failure: str = ""  # why singular configurations are not passed; "" where they are
    growth: Growth | None = None  # linear stability; None where the scheme chooses order and step itself

    def __post_init__(self) -> None:
        check_slots(f"scheme {self.name!r}", SLOT.SCHEME, SLOT.STABILISATION, self.options, self.constants)


@inlined
def finish(packed: Packed, t: float, y: Array) -> int:
    """Project the new state on the constraints, as the stabilisation does it, and evaluate it."""
    work = open_work(packed)
    status = call_project(packed, t, y)
    if status != OK:
        return int(status)
    return int(call_rate(packed, t, y, work.stages[0]))
