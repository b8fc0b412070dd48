"""What a direct method is: a whole step of positions, velocities and reactions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.compiled.carried import Carried
from engine.compiled.columns import options as SLOT
from engine.compiled.layout import HISTORY, Array, Option, Room, System, no_room, nothing_refused
from engine.compiled.option_slots import check_slots
from engine.errors import MethodError
from engine.maths.amplification import Growth


def nothing_warned_of(options: Array, system: System) -> str:
    """Nothing is known to go wrong."""
    return ""


@dataclass(frozen=True)
class DirectKind:
    """Facts and compiled functions of one direct method.

    The state vector is y = (q, v, what the method carries along, w): all that a failed step must not spoil.
    `start` may be called again at any time, also on a state that it has seen, and begins without a past.
    """

    name: str
    title: str
    summary: str
    order: int
    start: Any
    step: Any
    report: Any
    size: Callable[[System], int]  # length of y
    history: int = HISTORY  # numbers in Work.history, zero after every jump
    tangents: bool = True
    room: Callable[[System], Room] = no_room
    adaptive: bool = False
    options: tuple[Option, ...] = ()
    # named sets of options: `name/preset` is a method, too
    presets: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    # what the user should know of a run with these numbers of Work.options on this mechanism, or ""
    warns: Callable[[Array, System], str] = nothing_warned_of
    equal_steps: str = ""  # why its steps cannot vary; "" for one-step methods, which `step_control` serves
    divides: bool = True  # a step whose equations are not solved is taken in parts; False: the run ends
    ranks: bool = False  # needs SIZE.RANK and SIZE.RANK_POSITION in System.sizes
    refuses: Callable[[System], str] = nothing_refused  # why a mechanism is out of its reach, or ""
    time_stepping: bool = False  # takes rigid limits and held friction within its steps; no event is located
    jump_failure: str = ""  # why it cannot go on after a jump of velocities; "" where it begins anew
    singular_failure: str = ""  # why singular configurations are not passed; "" where they are
    singular_failure_controlled: str = ""  # the same where `step_control` chooses the steps
    growth: Growth | None = None  # linear stability
    carried: tuple[Carried, ...] = ()  # what `report` writes behind the numbers of all methods

    def __post_init__(self) -> None:
        owner = f"direct method {self.name!r}"
        check_slots(owner, SLOT.DIRECT, SLOT.RUN if self.equal_steps else SLOT.STEP_CONTROL, self.options)
        known = {option.name for option in self.options}
        for preset, values in self.presets.items():
            for unknown in set(values) - known:
                raise MethodError(
                    f"{owner}: its preset {preset!r} sets {unknown!r}, which is no option of it"
                )
