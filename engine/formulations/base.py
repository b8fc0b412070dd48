"""What a formulation is: a way to pose the constrained equations as a rate of a state vector it owns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.problems import Option, System


@dataclass(frozen=True)
class FormulationKind:
    """Facts and compiled functions of one formulation.

    The state vector is y; its first numbers are always q. `layout` names what follows: stabilisations that correct
    positions and velocities need "qv".
    """

    name: str
    title: str
    summary: str
    layout: str
    size: Callable[[System], int]  # length of y
    rate: Any
    start: Any
    report: Any
    options: tuple[Option, ...] = ()
    tangents: bool = False  # needs room for ∂Q/∂q and ∂Q/∂v
