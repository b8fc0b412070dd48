"""The vocabulary that all compiled code shares: the arrays of a system, and the signatures of its pieces.

A mechanism is compiled into `System` (what does not change while it runs) and `Work` (scratch and results
of the last evaluation). What a column of their arrays means is named here and nowhere else. Primitives,
forces, formulations, schemes and stabilisations are compiled functions with the signatures below; their
addresses meet in one table that `advance` receives.

One convention everywhere: M·a = Q + Jᵀλ, J·v = f' (position rows) or J·v = f (velocity rows), J·a = γ.
"""

from __future__ import annotations

import enum
import math
from typing import Any, Final, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


class System(NamedTuple):
    """A mechanism as arrays.

    Real numbers are views of the one arena `params`, so that live edits are one copy.
    """

    sizes: Ints  # counts, S_*
    bodies: Ints  # one row per body, the world last, B_*
    body_reals: Array  # BR_*
    entries: Ints  # one row per primitive, sorted by kind, E_*
    entry_reals: Array  # geometry of the primitive in body axes; each kind names its own columns
    gauges: Ints  # one row per gauge (scalar function of the configuration), G_*
    block_bodies: Ints  # the body that each gradient block belongs to
    links: Ints  # what combinations add up
    link_reals: Array
    rows: Ints  # one row per constraint equation, R_*
    row_reals: Array  # RR_*
    forces: Ints  # one row per force element, sorted by kind, F_*
    force_reals: Array  # each kind names its own columns
    ranges: Ints  # per primitive kind, then per force kind: KR_*
    incidence: Ints  # per body, the (row position, block) pairs that touch it
    # linear algebra: the row at each position, the end of its envelope, the start of each body's incidence
    order: Ints
    tracked: Ints  # gauges whose whole turns are counted
    coordinates: Ints  # gauges of the joint coordinates
    code: Ints  # programs of the functions of time, coordinate and speed
    data: Array  # their numbers
    params: Array  # all real numbers of this tuple


class Work(NamedTuple):
    """Scratch and last results. `State` is what a step changes; nothing here needs to survive a restart."""

    pose: Array  # per body and the world: P_*
    accel: Array  # per body and the world: acceleration of the centre, angular acceleration (body axes)
    gauge: Array  # GV_*
    grad: Array  # gradient blocks, one row each, as many columns used as the body has velocities
    tangent: Array  # the same layout three times: TAN_*
    weight: Array  # per gauge: multiplier for the geometric stiffness
    row: Array  # RV_*
    vectors: Array  # per velocity: V_*
    matrix: Array  # row-by-row system matrix and its factor
    diagonal: Array  # LD_*
    stiffness: Array  # ∂Q/∂q, empty unless the method asks for tangents
    damping: Array  # ∂Q/∂v
    stages: Array  # rows of the state vector of the scheme
    energy: Array  # EN_*
    power: Array  # per quadrature
    stack: Array  # of the function programs
    options: Array  # numbers of the method, OPTIONS_* of each piece
    counters: Ints  # C_*
    history: Array  # belongs to the method
    panel: Array  # linear algebra: blocks of one body, one column per constraint row that touches it
    dense: Array  # matrices of a formulation or direct method, as many and as large as its `Room` says
    scratch: Array  # vectors of the same
    pivots: Ints  # row exchanges in each of the matrices
    newton: Array  # of an implicit scheme: matrix over the state vector
    newton_pivots: Ints


# columns of System.sizes
S_BODIES: Final = 0
S_NQ: Final = 1
S_NV: Final = 2
S_ROWS: Final = 3
S_GAUGES: Final = 4
S_FORCES: Final = 5
S_QUADRATURES: Final = 6
S_RANK: Final = 7  # independent rows at a generic pose; −1 until a method asks (`Method.ranks`)
S_RANK_POSITION: Final = 8  # the same without the rows that exist at velocity level only
S_MOTIONS: Final = 11  # rows with a work integral
S_MASSLESS: Final = 9  # 1 when the mass matrix has no inverse
S_PRIMITIVES: Final = 10  # kinds of primitives: rows of `ranges` before the forces
SIZES: Final = 12

# System.bodies
B_PLANAR: Final = 0
B_Q: Final = 1
B_V: Final = 2
B_NQ: Final = 3
B_NV: Final = 4
B_COLUMNS: Final = 5

# System.body_reals
BR_MASS: Final = 0
BR_MASS_INV: Final = 1
BR_INERTIA: Final = 2  # nine numbers, body axes, about the centre of mass
BR_INERTIA_INV: Final = 11
BR_GRAVITY: Final = 20  # acceleration of gravity in the world
BR_COLUMNS: Final = 23

# System.entries
E_A: Final = 0
E_B: Final = 1
E_PLANAR: Final = 2
E_GAUGE: Final = 3
E_COUNT: Final = 4
E_BLOCK: Final = 5
E_X: Final = 6  # the kind's own integers
E_COLUMNS: Final = 12
ENTRY_REALS: Final = 22

# System.ranges: entries [begin, used) take part in the motion, [used, end) are only looked at
KR_BEGIN: Final = 0
KR_USED: Final = 1
KR_END: Final = 2
KR_COLUMNS: Final = 3

# System.gauges
G_BLOCK: Final = 0
G_BLOCKS: Final = 1
G_COLUMNS: Final = 2

# System.rows
R_GAUGE: Final = 0
R_VELOCITY: Final = 1  # 1: the row exists at velocity level only
R_PROGRAM: Final = 2  # function of time, or -1 for the constant target
R_ACTIVE: Final = 3
R_QUADRATURE: Final = 4  # work of the motion that owns the row, or -1
R_COLUMNS: Final = 5

# System.row_reals
RR_TARGET: Final = 0
RR_SCALE: Final = 1  # characteristic size: violation/scale is a plain number
RR_COLUMNS: Final = 2

# System.forces
F_A: Final = 0  # gauge or body
F_QUADRATURE: Final = 1  # work of this element
F_X: Final = 2  # the kind's own integers
F_COLUMNS: Final = 10
FORCE_REALS: Final = 9

# Work.pose
P_R: Final = 0  # rotation matrix, nine numbers
P_P: Final = 9  # position of the centre of mass
P_V: Final = 12  # its velocity
P_W: Final = 15  # angular velocity, body axes
P_ANGLE: Final = 18  # planar bodies: unwrapped angle
P_SPIN: Final = 19  # angular velocity, world axes
P_COLUMNS: Final = 22

# Work.gauge
GV_VALUE: Final = 0
GV_RATE: Final = 1
GV_BIAS: Final = 2  # s'' = grad·a + bias
GV_REFERENCE: Final = 3  # value after the last accepted step: angles unwrap about it
GV_COLUMNS: Final = 4

# Work.tangent
TAN_RATE_Q: Final = 0  # ∂(grad·v)/∂q
TAN_ACC_Q: Final = 1  # ∂(grad·a + bias)/∂q
TAN_ACC_V: Final = 2  # ∂(bias)/∂v

# Work.row
RV_PHI: Final = 0
RV_RATE: Final = 1
RV_GAMMA: Final = 2
RV_LAMBDA: Final = 3
RV_F: Final = 4  # function of time and its derivatives
RV_FT: Final = 5
RV_FTT: Final = 6
RV_SOLVE: Final = 7  # right-hand side and solution of the linear algebra
RV_RESIDUAL: Final = 8
RV_WEIGHT: Final = 9  # of the row in the augmented matrix
RV_COLUMNS: Final = 10

# options of a method: each piece has eight numbers of its own
O_FORMULATION: Final = 0
O_DIRECT: Final = 0  # a direct method has the numbers of all three pieces
O_SCHEME: Final = 8
O_STABILISATION: Final = 16
O_LINSOLVE: Final = 24
OPTIONS: Final = 32

HISTORY: Final = 32  # numbers that a scheme or direct method may keep in Work.history; zero after every jump

# quadratures: the work of forces and motions follows
W_DISSIPATED: Final = 0

# clock of a run
T_NOW: Final = 0
T_ORIGIN: Final = 1  # of the step grid
T_INDEX: Final = 2  # grid points passed
T_STEP: Final = 3  # step of the grid, or the largest step of an adaptive scheme
T_NEXT: Final = 4  # step that an adaptive scheme proposes; 0 at the start
T_USED: Final = 5  # size of the last accepted step
T_FREQUENCY: Final = 6  # largest natural frequency that a method found at the present state [rad/s], or 0
CLOCK: Final = 8

# Work.vectors
V_Q: Final = 0  # generalised forces, gyroscopic ones included
V_A: Final = 1
V_FREE: Final = 2  # linear algebra
V_STEP: Final = 3
V_TRIAL: Final = 4
V_COLUMNS: Final = 5

# Work.diagonal
LD_INVERSE: Final = 0  # reciprocal diagonal of the factor
LD_ORDERED: Final = 1  # right-hand side and solution in the order of the factor
LD_INFO: Final = (
    2  # smallest ratio of pivot to diagonal of the rows that count as independent; how many do not
)
LD_MASK: Final = 3  # 1 for rows that repeated others at the start
LD_COLUMNS: Final = 4
INFO_WORST: Final = 0
INFO_LEFT_OUT: Final = 1
INFO_RAISED: Final = 2
INFO_USUAL: Final = 3  # largest value of the smallest ratio since the start
INFO_FEWEST: Final = 4  # fewest rows left out since the start: those that are always dependent
INFOS: Final = 5

# Work.energy
EN_KINETIC: Final = 0
EN_GRAVITY: Final = 1
EN_ELASTIC: Final = 2
EN_COLUMNS: Final = 3

# Work.counters
C_EVALUATIONS: Final = 0
C_FACTORISATIONS: Final = 1
C_ITERATIONS: Final = 2  # of the present step
C_REJECTED: Final = 3
C_NEAR_SINGULAR: Final = 4
C_GUILTY: Final = 5  # row or velocity that stopped the run; behind the velocities count work integrals
C_STEPS: Final = 6
C_FRESH: Final = 7  # 1 when the constraints were just evaluated at the state that comes next
C_ELIMINATIONS: Final = 8  # factorisations that a method made itself, beside those of the linear solver
C_PRODUCTS: Final = 9  # multiplications in them, and in solving with them
C_FACTORED: Final = 10  # 1 when the formulation left a factor of the linear solver near the accepted state
C_REBASED: Final = 11  # 1 when `settle` gave y another meaning: what a scheme remembers no longer counts
C_ALL_ITERATIONS: Final = 12  # of all steps, recorded or not, accepted or not
C_COLUMNS: Final = 13


class StepStatus(enum.IntEnum):
    """Why `advance` came back. Expected trouble is a value, not an exception."""

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

    @property
    def text(self) -> str:
        return _STATUS_TEXT[self]

    @property
    def failed(self) -> bool:
        return self >= StepStatus.NOT_FINITE


_STATUS_TEXT = {
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


I1, I2 = types.Array(types.int64, 1, "C"), types.Array(types.int64, 2, "C")
F1, F2, F3 = (types.Array(types.float64, n, "C") for n in (1, 2, 3))


PACKED = types.NamedTuple((I1, F1, I1, F1, I1), Packed)
STATUS = types.int64


def _function(result: Any, *arguments: Any) -> Any:
    return result(PACKED, *arguments)


# Signatures of the compiled functions. All take `packed: Packed` first; statuses are those of StepStatus.
# evaluate(begin, end): value, gradient and bias of the gauges of primitives begin … end − 1
EVALUATE = _function(types.void, types.int64, types.int64)
# tangent(begin, end): derivatives of their rates and accelerations, and the geometric stiffness
TANGENT = EVALUATE
# force(t, begin, end): adds to Q, energies, powers and weights
FORCE = _function(types.void, types.float64, types.int64, types.int64)
# force_tangent(t, begin, end): adds to ∂Q/∂q and ∂Q/∂v what does not come from the weights
FORCE_TANGENT = FORCE
# constraints(t, q, v): poses, gauges and rows
CONSTRAINTS = _function(types.void, types.float64, F1, F1)
# forces(t): Q, energies, powers, weights
FORCES = _function(types.void, types.float64)
# tangents(t, a): ∂(Q + Jᵀλ)/∂q, ∂Q/∂v and the derivatives of the rows; after constraints and forces
TANGENTS = _function(types.void, types.float64, F1)
# factor() -> status
FACTOR = _function(STATUS)
# solve(refinements) -> status:  M x = f + Jᵀλ, J x = c  with f, x in V_FREE and c, λ in RV_SOLVE
SOLVE = _function(STATUS, types.int64)
# feedback(): add the stabilising terms to γ
FEEDBACK = _function(types.void)
# rate(t, y, dy) -> status: also leaves a, λ and powers in the work arrays
RATE = _function(STATUS, types.float64, F1, F1)
# settle(t, y) -> status: bring a finished step back to the constraints
SETTLE = _function(STATUS, types.float64, F1)
# start(clock, y) -> status: after every jump
START = _function(STATUS, F1, F1)
# step(clock, h, y) -> status: from clock[T_NOW] by clock[T_USED], at most h
STEP = _function(STATUS, F1, types.float64, F1)
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
    """Scratch that a formulation or direct method asks for: matrices and vectors of one order."""

    matrices: int = 0
    vectors: int = 0
    order: int = 0


def no_room(system: System) -> Room:
    """Needs no scratch of its own."""
    return Room()


def nothing_refused(system: System) -> str:
    """Runs every mechanism."""
    return ""
