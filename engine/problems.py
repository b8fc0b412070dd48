"""The vocabulary that all compiled code shares: the arrays of a system, and the signatures of its pieces.

A mechanism is compiled into `System` (what does not change while it runs) and `Work` (scratch and results of the last
evaluation). Both are tuples of a few flat arrays, since an indirect call costs about two nanoseconds per array. What a
column means is named here and nowhere else. Primitives, forces, formulations, schemes and stabilisations are compiled
functions with the signatures below; they meet in `Pieces`, which `advance` receives.

One convention everywhere: M·a = Q + Jᵀλ, J·v = f' (position rows) or J·v = f (velocity rows), J·a = γ.
"""

from __future__ import annotations

import enum
from functools import cache
from typing import Any, Final, NamedTuple

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


class System(NamedTuple):
    """A mechanism as arrays. Real numbers are views of the one arena `params`, so that live edits are one copy."""

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
    ranges: Ints  # [begin, end) of every primitive kind, then of every force kind
    incidence: Ints  # per body, the (row position, block) pairs that touch it
    order: Ints  # linear algebra: per row position the row, its envelope start; then the start of each body's incidence
    tracked: Ints  # gauges whose whole turns are counted
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


# columns of System.sizes
S_BODIES: Final = 0
S_NQ: Final = 1
S_NV: Final = 2
S_ROWS: Final = 3
S_GAUGES: Final = 4
S_FORCES: Final = 5
S_QUADRATURES: Final = 6
S_ENVELOPE: Final = 7  # order of the factored matrix
S_REDUNDANT: Final = 8  # 1 when rows are dependent at the start: always refine
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
FORCE_REALS: Final = 8

# Work.pose
P_R: Final = 0  # rotation matrix, nine numbers
P_P: Final = 9  # position of the centre of mass
P_V: Final = 12  # its velocity
P_W: Final = 15  # angular velocity, body axes
P_ANGLE: Final = 18  # planar bodies: unwrapped angle
P_COLUMNS: Final = 19

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
RV_COLUMNS: Final = 9

# options of a method: each piece has eight numbers of its own
O_FORMULATION: Final = 0
O_SCHEME: Final = 8
O_STABILISATION: Final = 16
O_LINSOLVE: Final = 24
OPTIONS: Final = 32

# quadratures: the work of forces and motions follows
W_DISSIPATED: Final = 0

# clock of a run
T_NOW: Final = 0
T_ORIGIN: Final = 1  # of the step grid
T_INDEX: Final = 2  # grid points passed
T_STEP: Final = 3  # step of the grid, or the largest step of an adaptive scheme
T_NEXT: Final = 4  # step that an adaptive scheme proposes; 0 at the start
T_USED: Final = 5  # size of the last accepted step
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
LD_INFO: Final = 2  # first number: smallest ratio of pivot to diagonal
LD_COLUMNS: Final = 3

# Work.energy
EN_KINETIC: Final = 0
EN_GRAVITY: Final = 1
EN_ELASTIC: Final = 2
EN_COLUMNS: Final = 3

# Work.counters
C_EVALUATIONS: Final = 0
C_FACTORISATIONS: Final = 1
C_ITERATIONS: Final = 2
C_REJECTED: Final = 3
C_NEAR_SINGULAR: Final = 4
C_GUILTY: Final = 5  # row or body that stopped the run
C_STEPS: Final = 6
C_COLUMNS: Final = 8


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
    StepStatus.NOT_FINITE: "a number is no longer finite; try a smaller step or look for a force without bound",
    StepStatus.NOT_CONVERGED: "the constraints could not be closed again after a step; try a smaller step",
    StepStatus.SINGULAR: "the mass of a free motion is zero; give the body mass or inertia",
    StepStatus.STEP_TOO_SMALL: "the step size control fell below its limit; loosen the tolerance or look for a jump",
    StepStatus.OUTSIDE_TABLE: "time left the range of a table; extend it or choose another rule outside",
}


class Kinds(NamedTuple):
    """Compiled functions per kind. Kinds that a scene does not use are stood in for and never called."""

    evaluate: tuple[Any, ...]  # per primitive kind
    tangent: tuple[Any, ...]
    force: tuple[Any, ...]  # per force law
    force_tangent: tuple[Any, ...]


class Pieces(NamedTuple):
    """The compiled functions that evaluate a mechanism.

    A function in a named tuple only keeps its signature inside a tuple of its own, hence the one-element tuples:
    call `pieces.factor[0](system, work)`.
    """

    kinds: Kinds
    constraints: tuple[Any]
    forces: tuple[Any]
    factor: tuple[Any]  # linear algebra
    solve: tuple[Any]
    feedback: tuple[Any]  # stabilisation: may change γ before the accelerations are solved for


class Inner(NamedTuple):
    """What a scheme drives: the formulation's rate, and what brings a finished step back to the constraints."""

    rate: tuple[Any]
    settle: tuple[Any]


class Outer(NamedTuple):
    """What `advance` drives. Direct methods are whole: they ignore `Inner`."""

    start: tuple[Any]
    step: tuple[Any]
    report: tuple[Any]


I1, I2 = types.Array(types.int64, 1, "C"), types.Array(types.int64, 2, "C")
F1, F2, F3 = (types.Array(types.float64, n, "C") for n in (1, 2, 3))


def _members(owner: type, three: tuple[str, ...], two: tuple[str, ...]) -> tuple[Any, ...]:
    kinds = []
    for name, annotation in owner.__annotations__.items():
        n = 3 if name in three else 2 if name in two else 1
        kinds.append(types.Array(types.int64 if "Ints" in str(annotation) else types.float64, n, "C"))
    return tuple(kinds)


SYSTEM_TABLES = ("bodies", "body_reals", "entries", "entry_reals", "gauges", "links", "rows", "row_reals", "forces",
                 "force_reals", "ranges", "incidence")  # fmt: skip
WORK_TABLES = ("pose", "accel", "gauge", "grad", "row", "vectors", "matrix", "diagonal", "stiffness", "damping",
               "stages", "stack")  # fmt: skip

SYSTEM = types.NamedTuple(_members(System, (), SYSTEM_TABLES), System)
WORK = types.NamedTuple(_members(Work, ("tangent",), WORK_TABLES), Work)
STATUS = types.int64

# evaluate(entries, reals, links, link_reals, pose, gauge, grad, begin, end)
EVALUATE = types.void(I2, F2, I2, F1, F2, F2, F2, types.int64, types.int64)
# tangent(entries, reals, links, link_reals, bodies, pose, accel, gauge, grad, tangent, weight, stiffness, begin, end)
TANGENT = types.void(I2, F2, I2, F1, I2, F2, F2, F2, F2, F3, F1, F2, types.int64, types.int64)
# force(system, work, t, begin, end): adds to Q, energies, powers and weights
FORCE = types.void(SYSTEM, WORK, types.float64, types.int64, types.int64)
# force_tangent(system, work, t, begin, end): adds to ∂Q/∂q and ∂Q/∂v what does not come from the weights
FORCE_TANGENT = FORCE
# factor(system, work) -> status
FACTOR = STATUS(SYSTEM, WORK)
# solve(system, work, refinements) -> status:  M x = f + Jᵀλ, J x = c  with f, x in V_FREE and c, λ in RV_SOLVE
SOLVE = STATUS(SYSTEM, WORK, types.int64)
# feedback(system, work): add the stabilising terms to γ
FEEDBACK = types.void(SYSTEM, WORK)


class Signatures(NamedTuple):
    """Signatures that depend on how many kinds are registered."""

    kinds: Any
    pieces: Any
    constraints: Any  # constraints(system, work, kinds, t, q, v): poses, gauges and rows
    forces: Any  # forces(system, work, kinds, t): Q, energies, powers, weights
    rate: Any  # rate(system, work, pieces, t, y, dy) -> status: also leaves a, λ and powers in work
    settle: Any  # settle(system, work, pieces, t, y) -> status: normalise, project
    inner: Any
    start: Any  # start(system, work, pieces, inner, clock, y) -> status: after every jump
    step: Any  # step(system, work, pieces, inner, clock, h, y) -> status: from T_NOW by T_USED, at most h
    report: Any  # report(system, work, pieces, clock, y, sample): t, q, v, a, λ, work, turns, diagnostics
    outer: Any


def _one(signature: Any) -> Any:
    return types.UniTuple(types.FunctionType(signature), 1)


@cache
def signatures(primitives: int, laws: int) -> Signatures:
    """All signatures for so many kinds of primitives and force laws."""
    number = types.float64
    kinds = types.NamedTuple(
        (
            types.UniTuple(types.FunctionType(EVALUATE), primitives),
            types.UniTuple(types.FunctionType(TANGENT), primitives),
            types.UniTuple(types.FunctionType(FORCE), laws),
            types.UniTuple(types.FunctionType(FORCE_TANGENT), laws),
        ),
        Kinds,
    )
    constraints = types.void(SYSTEM, WORK, kinds, number, F1, F1)
    forces = types.void(SYSTEM, WORK, kinds, number)
    parts = (constraints, forces, FACTOR, SOLVE, FEEDBACK)
    pieces = types.NamedTuple((kinds, *map(_one, parts)), Pieces)
    rate = STATUS(SYSTEM, WORK, pieces, number, F1, F1)
    settle = STATUS(SYSTEM, WORK, pieces, number, F1)
    inner = types.NamedTuple((_one(rate), _one(settle)), Inner)
    start = STATUS(SYSTEM, WORK, pieces, inner, F1, F1)
    step = STATUS(SYSTEM, WORK, pieces, inner, F1, number, F1)
    report = types.void(SYSTEM, WORK, pieces, F1, F1, F1)
    outer = types.NamedTuple((_one(start), _one(step), _one(report)), Outer)
    return Signatures(kinds, pieces, constraints, forces, rate, settle, inner, start, step, report, outer)


def check_arrays(system: System, work: Work) -> None:
    """Fail early and clearly when an array does not have the type that the kernels were compiled for."""
    for value, expected in ((system, SYSTEM), (work, WORK)):
        for name, array, kind in zip(value._fields, value, expected.types, strict=True):
            if numba.typeof(array) != kind:
                raise TypeError(f"{type(value).__name__}.{name} is {numba.typeof(array)}, expected {kind}")


class Option(NamedTuple):
    """A number of a method that the user may set."""

    name: str
    slot: int  # in Work.options
    default: float
    title: str
    unit: str = ""
    minimum: float = 0.0
