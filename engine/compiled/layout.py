"""The vocabulary that all compiled code shares: the arrays of a system, and the signatures of its pieces.

A mechanism is compiled into `System` (what does not change while it runs) and `Work` (scratch and results
of the last evaluation). What a column of their arrays means is named in `engine.compiled.columns` and nowhere
else. Primitives, forces, formulations, schemes and stabilisations are compiled functions with the signatures
below; their addresses meet in one table that `advance` receives.

One convention everywhere: M·a = Q + Jᵀλ, J·v = f' (position rows) or J·v = f (velocity rows), J·a = γ.
"""

from __future__ import annotations

import enum
import math
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

import numpy as np
from numba import types
from numpy.typing import NDArray

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

I1, I2 = types.Array(types.int64, 1, "C"), types.Array(types.int64, 2, "C")
F1, F2, F3 = (types.Array(types.float64, n, "C") for n in (1, 2, 3))

# Arrays with the number of their extents. This is the one declaration: kernels and the arenas read it.
Ints1: TypeAlias = Annotated[Ints, I1]
Ints2: TypeAlias = Annotated[Ints, I2]
Array1: TypeAlias = Annotated[Array, F1]
Array2: TypeAlias = Annotated[Array, F2]
Array3: TypeAlias = Annotated[Array, F3]


class System(NamedTuple):
    """A mechanism as arrays.

    Real numbers are views of the one arena `params`, so that live edits are one copy.
    """

    sizes: Ints1  # counts, SIZE
    bodies: Ints2  # one row per body, the world last, BODY
    body_reals: Array2  # BODY_REAL
    entries: Ints2  # one row per primitive, sorted by kind, ENTRY
    entry_reals: Array2  # geometry of the primitive in body axes; each kind names its own columns
    coordinate_functions: (
        Ints2  # one row per coordinate function (scalar function of the configuration), COORDINATE
    )
    block_bodies: Ints1  # the body that each gradient block belongs to
    links: Ints2  # what combinations add up
    link_reals: Array1
    rows: Ints2  # one row per constraint equation, ROW
    row_reals: Array2  # ROW_REAL
    forces: Ints2  # one row per force element, sorted by kind, LAW
    force_reals: Array2  # each kind names its own columns
    ranges: Ints2  # per primitive kind, then per force kind: SPAN
    incidence: Ints2  # per body, the (row position, block) pairs that touch it
    incidence_starts: Ints1  # where each body's begin
    alike: Ints2  # pairs of rows that push a straight body along the same axis, ALIKE
    alike_starts: Ints1  # where each body's begin
    order: Ints1  # complement of the rows: the row at each position
    row_ends: Ints1  # of the envelope
    row_starts: Ints1  # where column 0 of every row would stand in `Work.matrix`; all from the diagonal on do
    # matrices over the velocities, all in one layout: structure of the factor (`maths/sparse/symbolic.py`)
    velocity_nodes: Ints2
    velocity_columns: Ints1
    velocity_updates: Ints2
    velocity_places: Ints1
    velocity_order: Ints1  # the velocity that is eliminated i-th
    velocity_blocks: Ints2  # blocks of two bodies that are coupled, VELOCITY_BLOCK
    pairs: Ints1  # numbers of such blocks, per coordinate function one for each two of its gradient blocks
    tracked: Ints1  # coordinate functions whose whole turns are counted
    coordinates: Ints1  # coordinate functions of the joint coordinates
    tree: Ints2  # movements of the joints of an open chain or tree, TREE; empty where there are loops
    tree_reals: Array2  # TREE_REAL
    code: Ints1  # programs of the functions of time, coordinate and speed
    data: Array1  # their numbers
    params: Array1  # all real numbers of this tuple


class Work(NamedTuple):
    """Scratch and last results. `State` is what a step changes; nothing here needs to survive a restart."""

    pose: Array2  # per body and the world: POSE
    accel: Array2  # per body and the world: acceleration of the centre, angular acceleration (body axes)
    coordinate: Array2  # COORDINATE_VALUE
    grad: Array2  # gradient blocks, one row each, as many columns used as the body has velocities
    tangent: Array3  # in the same layout: TAN
    weight: Array1  # per coordinate function: multiplier for the geometric stiffness
    row: Array2  # ROW_VALUE
    vectors: Array2  # per velocity: VECTOR
    matrix: Array1  # of the linear solver, and its factor
    diagonal: Array2  # DIAGONAL
    stiffness: Array1  # ∂Q/∂q over the velocities, empty unless the method asks for tangents
    damping: Array1  # ∂Q/∂v, in the same layout
    factors: Array2  # matrices of a method in the same layout, and their factors: as many as its `Room` says
    factor_pivots: Ints2  # row exchanges in each of them
    ordered: Array1  # per velocity, in the order of the factor
    stages: Array2  # rows of the state vector of the scheme
    energy: Array1  # ENERGY
    power: Array1  # per quadrature
    stack: Array2  # of the function programs
    options: Array1  # numbers of the method, each piece has its SLOT
    counters: Ints1  # COUNT
    history: Array1  # belongs to the method
    panel: Array2  # linear algebra: blocks of one body, one column per constraint row that touches it
    dense: Array3  # matrices of a formulation or direct method, as many and as large as its `Room` says
    scratch: Array2  # vectors of the same
    pivots: Ints2  # row exchanges in each of the matrices
    newton: Array2  # of an implicit scheme: matrix over the state vector
    newton_pivots: Ints1


HISTORY: Final = 32  # numbers that a scheme or direct method may keep in Work.history; zero after every jump


class StepStatus(enum.IntEnum):
    """Why `advance` came back. Expected trouble is a value, not an exception."""

    SWITCHED = -1
    OK = 0
    FINISHED = 1
    STOPPED = 2
    CANCELLED = 3
    NOT_FINITE = 4
    NOT_CONVERGED = 5
    SINGULAR = 6
    STEP_TOO_SMALL = 7
    OUTSIDE_TABLE = 8
    NOT_SOLVED = 9
    SINGULAR_COORDINATES = 10
    MISSING_FUNCTION = 11
    OUT_OF_BOUNDS = 12
    UNKNOWN_STATUS = 13

    @property
    def text(self) -> str:
        return _STATUS_TEXT[self]

    @property
    def is_fault(self) -> bool:
        """Whether the method itself is written wrongly, whatever the scene; `Driver.fault` says how."""
        return self >= StepStatus.MISSING_FUNCTION

    @property
    def failed(self) -> bool:
        return self >= StepStatus.NOT_FINITE


_STATUS_TEXT = {
    StepStatus.SWITCHED: "a law has changed its state within the step",
    StepStatus.OK: "running",
    StepStatus.FINISHED: "finished",
    StepStatus.STOPPED: "stopped by its condition",
    StepStatus.CANCELLED: "cancelled",
    StepStatus.NOT_FINITE: (
        "a number is no longer finite; try a smaller step or look for a force without bound"
    ),
    StepStatus.NOT_CONVERGED: ("the constraints could not be closed again after a step; try a smaller step"),
    StepStatus.SINGULAR: "the mass of a free motion is zero; give the body mass or inertia",
    StepStatus.STEP_TOO_SMALL: (
        "the step size control fell below its limit; loosen the tolerance or look for a jump"
    ),
    StepStatus.NOT_SOLVED: (
        "the iteration for the next step did not converge; try a smaller step or another method"
    ),
    StepStatus.SINGULAR_COORDINATES: (
        "its orientation coordinates are singular here; choose unit quaternions, or turn the body's frame"
    ),
    StepStatus.MISSING_FUNCTION: "the method calls a function that it did not ask for",
    StepStatus.OUT_OF_BOUNDS: "the method writes outside its arrays",
    StepStatus.UNKNOWN_STATUS: "the method returns a number that is no status",
    StepStatus.OUTSIDE_TABLE: ("time left the range of a table; extend it or choose another rule outside"),
}


class Packed(NamedTuple):
    """All that a kernel needs: the arenas of a `System` and a `Work`, and the table of functions.

    `engine.compiled.arenas` opens the arenas; `engine.compiled.dispatch` calls through the table.
    """

    system_ints: Ints
    system_reals: Array
    work_ints: Ints
    work_reals: Array
    table: Ints


PACKED = types.NamedTuple((I1, F1, I1, F1, I1), Packed)
STATUS = types.int64


def _function(result: Any, *arguments: Any) -> Any:
    return result(PACKED, *arguments)


# Signatures of the compiled functions. All take `packed: Packed` first; statuses are those of StepStatus.
# evaluate(begin, end): value, gradient and bias of the coordinate functions of primitives begin … end − 1
EVALUATE = _function(types.void, types.int64, types.int64)
# tangent(begin, end): derivatives of their rates and accelerations, and the geometric stiffness
TANGENT = EVALUATE
# force(t, begin, end): adds to Q, energies, powers and weights
FORCE = _function(types.void, types.float64, types.int64, types.int64)
# force_tangent(t, begin, end): adds to ∂Q/∂q and ∂Q/∂v what does not come from the weights
FORCE_TANGENT = FORCE
# switch(begin, end, settle) → the smallest margin by which the held states of laws fit the present one; a
# negative one does not. With settle = 1, states that do not fit become those that do
SWITCH = _function(types.float64, types.int64, types.int64, types.int64)
# constraints(t, q, v): poses, coordinate functions and rows
CONSTRAINTS = _function(types.void, types.float64, F1, F1)
# forces(t): Q, energies, powers, weights
FORCES = _function(types.void, types.float64)
# tangents(t, a): ∂(Q + Jᵀλ)/∂q, ∂Q/∂v and the derivatives of the rows; after constraints and forces
TANGENTS = _function(types.void, types.float64, F1)
# factor() -> status
FACTOR = _function(STATUS)
# solve(refinements) -> status:  M x = f + Jᵀλ, J x = c  with f, x in VECTOR.FREE and c, λ in ROW_VALUE.SOLVE
SOLVE = _function(STATUS, types.int64)
# accelerate() -> status: the same with Q, a, γ, λ in their places, as FACTOR is called
# feedback(): add the stabilising terms to γ
FEEDBACK = _function(types.void)
# rate(t, y, dy) -> status: also leaves a, λ and powers in the work arrays
RATE = _function(STATUS, types.float64, F1, F1)
# project(t, y) -> status: bring a finished step back to the constraints
PROJECT = _function(STATUS, types.float64, F1)
# start(clock, y) -> status: after every jump
START = _function(STATUS, F1, F1)
# step(clock, h, y) -> status: from clock[CLOCK.NOW] by clock[CLOCK.USED], at most h
STEP = _function(STATUS, F1, types.float64, F1)
# stage_factor(t, weight, y, first): of an implicit scheme, the matrix at y whose rate was evaluated last
STAGE_FACTOR = _function(STATUS, types.float64, types.float64, F1, types.int64)
# stage_solve(weight, y, first): the gap among the stages becomes the correction of y
STAGE_SOLVE = _function(types.void, types.float64, F1, types.int64)
# report(clock, y, sample): t, q, v, a, λ, work, turns, diagnostics
REPORT = _function(types.void, F1, F1, F1)


class Option(NamedTuple):
    """A number of a method that the user may set."""

    name: str
    slot: int  # in Work.options
    default: float
    title: str
    unit: str = ""
    minimum: float = 0.0
    maximum: float = math.inf
    choices: tuple[str, ...] = ()  # names of the values 0, 1, …, where only these make sense
    exclusive: bool = False  # the minimum itself makes no sense either
    alias: str = ""  # an earlier name, understood where no other option of the method is called so


class Room(NamedTuple):
    """Scratch that a formulation or direct method asks for: dense matrices and vectors of one order, and
    matrices over the velocities, which are dense or sparse as the mechanism has it."""

    matrices: int = 0
    vectors: int = 0
    order: int = 0
    factors: int = 0


def no_room(system: System) -> Room:
    """Needs no scratch of its own."""
    return Room()


def nothing_refused(system: System) -> str:
    """Runs every mechanism."""
    return ""
