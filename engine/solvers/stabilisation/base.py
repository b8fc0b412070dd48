"""What a stabilisation is: feedback in the acceleration rows, and what is done to a finished step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.compiled.arenas import open_system
from engine.compiled.columns import options as SLOT
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Option, Packed, Room, StepStatus, System, no_room
from engine.compiled.option_slots import check_slots
from engine.compiled.states import open_motion
from engine.maths.amplification import Growth
from engine.system.equations.kinematics import normalise

OK = int(StepStatus.OK)


@dataclass(frozen=True)
class StabilisationKind:
    """Facts and compiled functions of one stabilisation."""

    name: str
    title: str
    summary: str
    feedback: Any
    project: Any
    layouts: frozenset[str]  # formulations it can serve
    options: tuple[Option, ...] = ()
    feeds_back: bool = False  # works by `feedback`: only for schemes that bear damping
    needs_fixed_step: bool = False  # its numbers follow from the step
    singular_failure: str = ""  # why singular configurations are not passed; "" where they are
    # partners that remedy it: "explicit", "fixed step", a stabilisation
    passes_with: frozenset[str] = frozenset()
    # numbers at the end of Work.history; `project` fills them before `start`, when all are 0
    remembers: int = 0
    room: Callable[[System], Room] = no_room  # at the end of what the formulation has
    # fills in option slots that follow from others, from the step and from the stability of the scheme
    choose: Callable[[Growth | None, Array, float], None] | None = None

    def __post_init__(self) -> None:
        check_slots(f"stabilisation {self.name!r}", SLOT.STABILISATION, SLOT.RUN, self.options)


@kernel
def no_feedback(packed: Packed) -> None:
    """γ stays what the constraints say."""


@kernel
def normalise_only(packed: Packed, t: float, y: Array) -> int:
    """Quaternions get unit length; the constraints are left alone."""
    system = open_system(packed)
    normalise(system.bodies, open_motion(system, y).q)
    return OK
