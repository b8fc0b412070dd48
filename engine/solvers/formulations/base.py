"""What a formulation is: a way to pose the constrained equations as a rate of a state vector it owns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.compiled.carried import Carried
from engine.compiled.columns import options as SLOT
from engine.compiled.layout import Option, Room, System, no_room, nothing_refused
from engine.compiled.option_slots import check_slots


@dataclass(frozen=True)
class FormulationKind:
    """Facts and compiled functions of one formulation.

    The state vector y is its own. `start` finds (q, v, 0 …, w) there, w the work integrals at the end, turns
    that into its own layout and evaluates it. Stabilisations say which `layout` they can serve ("qv": y
    begins with coordinates and velocities; "qp": with coordinates); with a `project` of its own it takes
    none.
    """

    name: str
    title: str
    summary: str
    layout: str
    size: Callable[[System], int]  # length of y, at least nq + nv + works
    rate: Any
    start: Any
    report: Any
    options: tuple[Option, ...] = ()
    constants: tuple[tuple[int, float], ...] = ()  # of Work.options: what tells kinds with one `rate` apart
    tangents: bool = False  # needs room for ∂Q/∂q and ∂Q/∂v
    project: Any = None  # after every step, in place of the stabilisation's
    room: Callable[[System], Room] = no_room
    ranks: bool = False  # needs SIZE.RANK and SIZE.RANK_POSITION in System.sizes
    refuses: Callable[[System], str] = nothing_refused  # why a mechanism is out of its reach, or ""
    jump_failure: str = ""  # why it cannot go on after a jump of velocities; "" where it begins anew
    reactions: bool = False  # `rate` gives λ, so that friction may depend on it
    singular_failure: str = ""  # why singular configurations are not passed; "" where they are
    # partners that remedy it: "explicit", "fixed step", a stabilisation
    passes_with: frozenset[str] = frozenset()
    carried: tuple[Carried, ...] = ()  # what `report` writes behind the numbers of all methods

    def __post_init__(self) -> None:
        owner = f"formulation {self.name!r}"
        check_slots(owner, SLOT.FORMULATION, SLOT.SCHEME, self.options, self.constants)
