"""What force laws share: the kind record, and how efforts reach the generalised forces."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import tangents as TAN
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.columns import velocity_blocks as BLOCK
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Ints, Packed, System, Work
from engine.maths.vectors import Vector


@kernel
def steady(packed: Packed, begin: int, end: int, settle: int) -> float:
    """A law that has one state only."""
    return math.inf


@kernel
def no_force(packed: Packed, t: float, begin: int, end: int) -> None:
    """A law that acts by a constraint row alone."""


def untold(reals: Array, before: int, after: int) -> str:
    """A change of state that is no event."""
    return ""


@dataclass(frozen=True)
class LawKind:
    """Compiled functions of one force law, what it acts on, and which numbers of its own a force gives it.

    A law that has several states (a stop that is free or pressed) gives `switch`. Its first integer is the
    state that is held, 0 where the law shall decide by itself. During a run the state is held within each
    step, so that no step sees two of them, and changes between two steps, at an instant that is located.
    A law that acts by a constraint row (`ForceBuilder.row`) names the column with the number of the row, and
    the states in which the row holds; `engine/simulation/rigid` finds its states.
    A law with a number of its own that follows a differential equation (`ForceBuilder.law` gives it one where
    the kind names `integral`) puts its rate beside the powers; the number is in `integral_value` when the law
    is evaluated. A law along several functions has one for each of them.
    """

    name: str
    force: Any  # adds to Q, energies, powers and weights
    tangent: Any  # adds to ∂Q/∂q and ∂Q/∂v
    integers: int = 0  # how many of its own it has, in `System.forces` from `LAW.X` on
    reals: int = 0  # and in `System.force_reals`, beside those that a run writes
    on_body: bool = False  # it acts on a body, else along a coordinate function
    first_program: int = 0  # integers of its own from this one on are numbers of programs, or -1
    switch: Any = steady  # margin of the held states, see `SWITCH` in the layout
    told: Callable[[Array, int, int], str] = untold  # (reals, state before, after) → what has happened
    row: int | None = None  # column of `System.forces` with the number of its row
    rows: int | None = None  # column with how many rows it has from that one on; None: one
    functions: int | None = None  # column with how many coordinate functions it acts along; None: one
    reaction: int | None = None  # first of three columns: rows of a joint, begin and end, and a body of it
    holds: frozenset[int] = frozenset()  # states in which they are active
    integral: int | None = None  # column of `System.forces` with the place of its own number in the integrals
    integral_value: int = 0  # column of `System.force_reals` where that number is put

    def functions_of(self, force: Ints) -> int:
        """How many coordinate functions a line of `System.forces` acts along, from its target on."""
        return 1 if self.functions is None else int(force[self.functions])

    def rows_of(self, force: Ints) -> range:
        """Numbers of the rows of a line of `System.forces`."""
        if self.row is None:
            return range(0)
        first = int(force[self.row])
        return range(first, first + (1 if self.rows is None else int(force[self.rows])))

    @property
    def switches(self) -> bool:
        return self.switch is not steady


@inlined
def push_along(system: System, work: Work, coordinate_function: int, effort: float) -> None:
    """Q += effort·∂s/∂q; the weight lets the primitives add effort·∂²s/∂q² to the stiffness."""
    force = work.vectors[VECTOR.Q]
    begin = system.coordinate_functions[coordinate_function, COORDINATE.BLOCK]
    for block in range(begin, begin + system.coordinate_functions[coordinate_function, COORDINATE.BLOCKS]):
        body = system.block_bodies[block]
        at = system.bodies[body, BODY.V]
        if at >= 0:
            for c in range(system.bodies[body, BODY.NV]):
                force[at + c] += effort * work.grad[block, c]
    work.weight[coordinate_function] += effort


@inlined
def push_body(bodies: Ints, force: Array, body: int, f: Vector, torque: Vector) -> None:
    """Q += a force at the centre of mass (world axes) and a torque (body axes)."""
    at = bodies[body, BODY.V]
    if at < 0:
        return
    force[at] += f[0]
    force[at + 1] += f[1]
    if bodies[body, BODY.PLANAR]:
        force[at + 2] += torque[2]
    else:
        force[at + 2] += f[2]
        force[at + 3] += torque[0]
        force[at + 4] += torque[1]
        force[at + 5] += torque[2]


@inlined
def tangent_along(
    system: System, work: Work, coordinate_function: int, by_value: float, by_rate: float
) -> None:
    """Stiffness and damping of an effort F(s, s').

    ∂Q/∂q += s_qᵀ(F_s s_q + F_s' s'_q),  ∂Q/∂v += s_qᵀ F_s' s_q.
    """
    function = system.coordinate_functions[coordinate_function]
    begin, pair = function[COORDINATE.BLOCK], function[COORDINATE.PAIR]
    end, width = begin + function[COORDINATE.BLOCKS], system.bodies[0, BODY.NV]
    for i in range(begin, end):
        for j in range(begin, end):
            number = system.pairs[pair]
            pair += 1
            if number < 0:
                continue
            block = system.velocity_blocks[number]
            for m in range(width):
                for n in range(width):
                    at = block[BLOCK.START] + m * block[BLOCK.ROW_STEP] + n * block[BLOCK.COLUMN_STEP]
                    grad, rate = work.grad[j, n], work.tangent[TAN.RATE_Q, j, n]
                    work.stiffness[at] += work.grad[i, m] * (by_value * grad + by_rate * rate)
                    work.damping[at] += work.grad[i, m] * by_rate * grad


@inlined
def tangent_across(system: System, work: Work, g: int, h: int, by_value: float, by_rate: float) -> None:
    """Of an effort F(s_h, s_h') along g: ∂Q/∂q += g_qᵀ(F_s h_q + F_s' h'_q), ∂Q/∂v += g_qᵀ F_s' h_q.

    Both are functions of the same two bodies.
    """
    own, other = system.coordinate_functions[g], system.coordinate_functions[h]
    pair, width = own[COORDINATE.PAIR], system.bodies[0, BODY.NV]
    for i in range(2):
        for j in range(2):
            number = system.pairs[pair + 2 * i + j]
            if number < 0:
                continue
            block, row, column = (
                system.velocity_blocks[number],
                own[COORDINATE.BLOCK] + i,
                other[COORDINATE.BLOCK] + j,
            )
            for m in range(width):
                for n in range(width):
                    at = block[BLOCK.START] + m * block[BLOCK.ROW_STEP] + n * block[BLOCK.COLUMN_STEP]
                    grad, rate = work.grad[column, n], work.tangent[TAN.RATE_Q, column, n]
                    work.stiffness[at] += work.grad[row, m] * (by_value * grad + by_rate * rate)
                    work.damping[at] += work.grad[row, m] * by_rate * grad
