"""Binds a compiled mechanism to a method: compiled pieces, work arrays, state; and runs `advance`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
from numba import types

from engine.analyses.mobility.mobility import generic_ranks
from engine.compiled.arenas import pack
from engine.compiled.columns import body_reals as BODY_REAL
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import diagonals as DIAGONAL
from engine.compiled.columns import forces as LAW
from engine.compiled.columns import ranges as SPAN
from engine.compiled.columns import rows as ROW
from engine.compiled.columns import sizes as SIZE
from engine.compiled.dispatch import KIND_PLACES, EmptyPlace, new_table
from engine.compiled.guards import GuardedVector, WorkGuard
from engine.compiled.kernel import compiled
from engine.compiled.layout import F1, F2, PACKED, Array, Ints, Packed, StepStatus, System
from engine.compiled.states import motion_of
from engine.compiled.work_needs import check_needs
from engine.elements.laws import LAWS
from engine.elements.laws.base import LawKind
from engine.errors import MethodError, Problem, SceneError
from engine.results.sample_layout import SampleLayout
from engine.results.stepping import for_method
from engine.simulation.stepping.active_rows import ActiveRows
from engine.simulation.stepping.advance import LANDED, advance
from engine.simulation.stepping.complete_rate import complete_rate
from engine.simulation.stepping.held_rows import rows_held, states_with_rows
from engine.simulation.stepping.law_demands import refuse_demands
from engine.simulation.stepping.shared_multipliers import Sharing
from engine.simulation.stepping.watched_gaps import watch_only_near
from engine.solvers.catalogue import USUAL_METHOD, Method
from engine.solvers.direct import step_control
from engine.solvers.formulations.recursive import NO_TREE
from engine.solvers.formulations.udwadia_kalaba import NO_INVERSE
from engine.solvers.integrators import sparse_stage
from engine.solvers.integrators.embedded_pairs import HORIZON
from engine.solvers.linsolve import SOLVERS
from engine.system.compiling.mechanism import Mechanism
from engine.system.compiling.work import kind_functions, new_work
from engine.system.equations import equations
from engine.system.equations.law_states import has_law_states
from engine.system.equations.switches import each_margin, smallest_margin

FAULT_REMEDY = "choose another method, and tell its author"
# what the functions of a method may return
STATUSES = {StepStatus.OK, *(status for status in StepStatus if status.failed and not status.is_fault)}
STEPPED = {StepStatus.FINISHED, StepStatus.SWITCHED}  # what the loop around its steps may return beside
BY_NUMBER = {int(status): status for status in StepStatus}
REALS = np.dtype(np.float64)
MARGIN = types.float64(PACKED, types.int64)
MARGINS = types.void(PACKED, F1)
ADVANCE = types.UniTuple(types.int64, 2)(PACKED, F1, F1, F1, types.float64, types.int64, types.int64, F2)

RANKS = [SIZE.RANK, SIZE.RANK_POSITION]


FULL_BYTES = 1_000_000_000  # the largest matrix over the state
FULL_STAGE = 60  # velocities: up to here an implicit scheme has a full one, whatever the formulation


def refuse_unfit(mechanism: Mechanism, method: Method) -> None:
    """Raise SceneError with the reason where the method cannot compute this mechanism."""
    reason = method.refuses(mechanism.system)
    remedy = "choose another method; `trammel list methods` names them"
    if reason == NO_INVERSE:
        inverses = mechanism.system.body_reals[: len(mechanism.bodies), BODY_REAL.INERTIA_INV :][:, :9]
        names = [name for name, inverse in zip(mechanism.bodies, inverses, strict=True) if not inverse.any()]
        reason = f"{reason}, and there is no mass or no inertia in body {', '.join(map(repr, names))}"
        remedy = "give it both, or choose another method, such as 'lagrange/rk4/projection'"
    if reason == NO_TREE:
        reason = f"{reason}, and {mechanism.no_tree}"
        remedy = f"choose another method, such as {USUAL_METHOD!r}"
    order = full_order(mechanism.system, method)
    if not reason and 8 * order**2 > FULL_BYTES:
        reason = (
            "its matrix is full by nature, as every acceleration depends on all of the state: of order "
            f"{order} it takes {8e-9 * order**2:.0f} GB"
        )
        remedy = "take a direct method, such as 'radau' or 'generalized_alpha', whose matrices are sparse"
    if reason:
        raise SceneError([Problem("simulation.method", method.name, reason, remedy)])


def full_order(system: System, method: Method) -> int:
    """Order of the full matrix over the state that an implicit scheme has; 0 for other methods."""
    full = method.implicit and not is_sparse_stage(system, method)
    return method.newton_blocks * method.size(system) if full else 0


def is_sparse_stage(system: System, method: Method) -> bool:
    """Whether the equations of a stage have a sparse matrix.

    Numbers of laws that follow differential equations act on each other and on forces, which it leaves out.
    """
    large = int(system.sizes[SIZE.NV]) > FULL_STAGE
    return method.sparse_stages and large and not has_law_states(system)


class Driver:
    """One mechanism, one method, one state: what a run is made of on the engine side.

    What a run writes beside its state (ranks, the pull of the mouse) goes into `system`, a copy of the arrays
    of the mechanism, which others look at meanwhile.
    """

    def __init__(
        self, mechanism: Mechanism, method: Method, *, dt: float, options: Mapping[str, float] | None = None
    ) -> None:
        refuse_demands(mechanism, method)
        refuse_unfit(mechanism, method)
        self.method = method
        self._kinds: list[LawKind] = []  # of the lines of the table of forces
        self._options = method.numbers(options or {}, dt)
        system_ints, system_reals = self._take(mechanism)
        self.layout = SampleLayout(self.mechanism)
        size, room = method.size(self.system), method.room(self.system)
        sparse = is_sparse_stage(self.system, method)
        tangents = method.tangents or sparse
        self.work, ints, reals = new_work(
            mechanism,
            stages=method.stages,
            state=size,
            tangents=tangents,
            options=self._options,
            history=method.history,
            room=room._replace(factors=room.factors + sparse_stage.FACTORS) if sparse else room,
            newton=0 if sparse or not method.implicit else method.newton_blocks,
        )
        solver = SOLVERS[mechanism.solver]
        functions: dict[str, Any] = {
            "constraints": equations.constraints,
            "forces": equations.forces,
            "factor": solver.factor,
            "solve": solver.solve,
            "accelerate": solver.accelerate,
            **method.functions,
        }
        stage: dict[str, Any] = {}
        if method.stage_matrices is not None:
            pair = method.stage_matrices.sparse if sparse else method.stage_matrices.full
            stage = dict(zip(("stage_factor", "stage_solve"), pair, strict=True))
        if tangents:
            functions["tangents"] = equations.tangents
        try:
            check_needs([*method.functions.values(), *stage.values()], self.work)
            table = new_table(functions | stage, kind_functions(mechanism, tangents=tangents))
            self._rate = complete_rate(mechanism, method, table)
        except MethodError as error:
            raise faulty(method, str(error)) from error
        self.packed = Packed(system_ints, system_reals, ints, reals, table)
        compiled(advance, ADVANCE)
        watched = range(0 if method.time_stepping else len(self.system.forces))
        # lines of the table of forces
        self.switching = np.array([i for i in watched if self.law_kind(i).switches], np.int64)
        # those of them that act by rows of their own
        self.with_rows = np.array(
            [i for i in self.switching if self.law_kind(int(i)).row is not None], np.int64
        )
        conditional = [
            (int(line), row, state)
            for line in self.with_rows
            for state in states_with_rows(self.law_kind(int(line)))
            for row in rows_held(self.law_kind(int(line)), self.system.forces[line], state)
        ]
        # rows that hold while the law of a line has a state; a line of the table for each
        self._conditional = np.array(conditional, np.int64).reshape(-1, 3)
        self.clock = np.zeros(CLOCK.COLUMNS)
        self.clock[CLOCK.STEP] = dt
        self.sharings: tuple[Sharing, ...] = ()  # of multipliers that repeat others
        self._state = GuardedVector(size)
        self.y = self._state.numbers
        self._backup = np.zeros(size)
        self._guard = WorkGuard(self.work, ints, reals)
        self.fault = ""  # what is wrong with the method, after a status that `is_fault`

    def _take(self, mechanism: Mechanism) -> tuple[Ints, Array]:
        """A mechanism with numbers of our own; gives their arenas."""
        self.mechanism = for_method(mechanism, self.method, self._options)
        self._generic: Ints | None = None  # ranks of the rows of joints and motions alone
        self.system: System
        self.system, ints, reals = pack(System, mechanism.system._asdict(), whole="params")
        self._rows = ActiveRows(self.system)
        watch_only_near(self.system)
        if self.method.time_stepping:
            self._leave_states_to_the_method()
        self._rows.follow()
        return ints, reals

    def _leave_states_to_the_method(self) -> None:
        """Time stepping finds impulses of limits and friction itself: their laws have no force."""
        self.system.sizes[SIZE.SWITCHES] = 0
        for line in range(len(self.system.forces)):
            kind = self.law_kind(line)
            if kind.row is not None and kind.holds:
                self.system.forces[line, LAW.X] = min(kind.holds)

    @property
    def t(self) -> float:
        return float(self.clock[CLOCK.NOW])

    @property
    def divides(self) -> bool:
        """Whether a step whose equations are not solved may be taken in parts (`divided_steps.py`)."""
        controlled = self.method.controllable and self.work.options[step_control.CONTROL] != 0.0
        return self.method.divides and not controlled

    @property
    def width(self) -> int:
        """Numbers in one sample."""
        return self.layout.width

    def start(
        self,
        t: float,
        q: Array,
        v: Array,
        angles: Array | None = None,
        works: Array | None = None,
        *,
        held: Ints | None = None,
    ) -> StepStatus:
        """Begin, or begin again after a jump, at a consistent state.

        Laws have the states that fit, unless these are given to be `held`.

        The method finds q and v at the front of its state vector and the work integrals at the end.
        """
        self.clock[CLOCK.NOW] = self.clock[CLOCK.ORIGIN] = t
        self.clock[CLOCK.INDEX] = self.clock[CLOCK.NEXT] = self.clock[CLOCK.FREQUENCY] = 0.0
        self.work.history[:] = 0.0
        self.y[:] = 0.0
        state = motion_of(self.system, self.y)
        state.q[:], state.v[:] = q, v
        if works is not None:
            state.works[:] = works
        if angles is not None:
            self.work.coordinate[self.system.tracked, COORDINATE_VALUE.REFERENCE] = angles
        if self.method.ranks and self.system.sizes[SIZE.RANK] < 0:
            ranks = generic_ranks(
                self.mechanism,
                t,
                state.q,
                self.work.coordinate[self.system.tracked, COORDINATE_VALUE.REFERENCE],
            )
            self.system.sizes[RANKS] = ranks
        # angles that take no part in the motion are not evaluated by `start`
        self.work.coordinate[self.system.tracked, COORDINATE_VALUE.VALUE] = self.work.coordinate[
            self.system.tracked, COORDINATE_VALUE.REFERENCE
        ]
        self.held = np.zeros(len(self.switching), np.int64) if held is None else held
        if self.method.remembers:
            project = self.method.functions["project"]
            self._checked("project", lambda: project(self.packed, self.t, self.y))
        status = self._checked(
            "start", lambda: self.method.functions["start"](self.packed, self.clock, self.y)
        )
        if (self.held == 0).any():
            self.settle()
        return status

    # states of laws, held within a step

    def law_kind(self, line: int) -> LawKind:
        """The kind of a line of the table of forces."""
        if not self._kinds:
            spans = self.system.ranges[int(self.system.sizes[SIZE.PRIMITIVES]) :]
            counts = spans[:, SPAN.END] - spans[:, SPAN.BEGIN]
            self._kinds = [LAWS[name] for name, n in zip(LAWS.names, counts, strict=True) for _ in range(n)]
        return self._kinds[line]

    @property
    def rows_that_hold(self) -> Ints:
        """Conditional rows, by the present states of their laws."""
        line, row, state = self._conditional.T
        return np.asarray(row[self.system.forces[line, LAW.X] == state])

    @property
    def held(self) -> Ints:
        """States of the laws that have several, in the order of `switching`; 0 where the law decides."""
        return np.asarray(self.system.forces[self.switching, LAW.X])

    @held.setter
    def held(self, states: Ints) -> None:
        self.system.forces[self.switching, LAW.X] = states
        self.system.rows[self._conditional[:, 1], ROW.ACTIVE] = 0
        self.system.rows[self.rows_that_hold, ROW.ACTIVE] = 1
        self._rows.follow()

    def activate(self, rows: Ints) -> None:
        """Let these of the conditional rows hold, and no others."""
        self.system.rows[len(self.mechanism.rows) :, ROW.ACTIVE] = 0
        self.system.rows[rows, ROW.ACTIVE] = 1
        self._rows.follow()

    def law_name(self, line: int) -> str:
        """Name of the element that a line of the table of forces belongs to."""
        wanted = int(self.system.forces[line, LAW.QUADRATURE])
        return next(name for (_, name), column in self.mechanism.quadratures.items() if column == wanted)

    def rows_changed(self, added: Callable[[Any], int]) -> None:
        """Other rows are active from now on; `added` says by how much they raise the rank of a choice of the
        permanent ones."""
        self.work.diagonal[[DIAGONAL.INFO, DIAGONAL.MASK]] = 0.0  # what is usual is learnt anew
        if self.method.ranks and self.system.sizes[SIZE.RANK] >= 0:
            if self._generic is None:
                self._generic = self.system.sizes[RANKS].copy()
            positions = np.array([not row.velocity for row in self.mechanism.rows], dtype=bool)
            more = added(slice(None)), added(positions)
            self.system.sizes[RANKS] = self._generic + more

    def margins(self) -> Array:
        """By how much each of the held states fits the present one, in the order of `switching`."""
        out, reals = np.ones(len(self.system.forces)), self.system.force_reals.copy()
        compiled(each_margin, MARGINS)(self.packed, out)
        self.system.force_reals[:] = reals  # directions of slip follow accepted steps alone
        return out[self.switching]

    def margin(self) -> float:
        """By how much the held states fit the present one; negative: one does not."""
        return float(compiled(smallest_margin, MARGIN)(self.packed, 0))

    def settle(self) -> None:
        """Laws whose states do not fit take those that do."""
        compiled(smallest_margin, MARGIN)(self.packed, 1)

    @contextmanager
    def holding(self) -> Iterator[None]:
        """Go on without looking whether the held states fit."""
        watched = int(self.system.sizes[SIZE.SWITCHES])
        self.system.sizes[SIZE.SWITCHES] = 0
        try:
            yield
        finally:
            self.system.sizes[SIZE.SWITCHES] = watched

    def _checked(self, name: str, run: Callable[[], int]) -> StepStatus:
        """The status of a function of the method, or what the method did that no method may do."""
        try:
            status = int(run())
        except EmptyPlace as error:
            fault = f"calls {error}, which is not there: {_remedy(error)}"
            return self._at_fault(StepStatus.MISSING_FUNCTION, fault)
        except IndexError as error:  # in kernels that were compiled to check
            return self._at_fault(
                StepStatus.OUT_OF_BOUNDS, f"uses an index outside an array in {name}: {error}"
            )
        left = self._guard.overrun() or (self._state.overrun() and f"its state of {len(self.y)} numbers")
        if left:
            return self._at_fault(StepStatus.OUT_OF_BOUNDS, f"writes outside {left} in {name}")
        if status not in STATUSES and not (name == "step" and status in STEPPED):
            return self._at_fault(
                StepStatus.UNKNOWN_STATUS, f"returns {status} from {name}, which is no status"
            )
        return BY_NUMBER[status]

    def _at_fault(self, status: StepStatus, fault: str) -> StepStatus:
        self.fault = f"it {fault}"
        return status

    def take_ranks(self, other: Driver) -> None:
        """Those that another run of the same mechanism has found."""
        self.system.sizes[RANKS] = other.system.sizes[RANKS]

    def resume(self, sample: Array, *, t: float | None = None) -> StepStatus:
        """Begin again at a recorded state, and at another instant if given; the step grid stays."""
        origin = float(self.clock[CLOCK.ORIGIN])
        then, q, v, angles, works = self.layout.state(sample)
        status = self.start(then if t is None else t, q, v, angles, works, held=self.held)
        self.clock[CLOCK.ORIGIN] = origin
        self.clock[CLOCK.INDEX] = np.floor((self.t - origin) / self.clock[CLOCK.STEP] + LANDED)
        return status

    def refresh(self) -> StepStatus:
        """Evaluate the present state anew, after a step that failed."""
        if self._rate is not None:
            return self._checked("rate", lambda: self._rate(self.packed, self.t, self.y, self.work.stages[0]))
        start = self.method.functions["start"]
        return self._checked("start", lambda: start(self.packed, self.clock, self.y))

    def refill(self, mechanism: Mechanism) -> None:
        """Go on with other numbers; the structure must be the same. Call `start` or `resume` next."""
        assert self.mechanism.same_structure(mechanism)
        ints, reals = self._take(mechanism)
        self.packed = self.packed._replace(system_ints=ints, system_reals=reals)

    def sample(self) -> Array:
        """The present state as one complete sample."""
        row = GuardedVector(self.width)
        report = self.method.functions["report"]

        def run() -> int:
            report(self.packed, self.clock, self.y, row.numbers)
            return int(StepStatus.OK)

        if self._checked("report", run) is not StepStatus.OK:
            raise faulty(self.method, self.fault)
        if row.overrun():
            raise faulty(self.method, f"it writes outside its sample of {self.width} numbers in report")
        self._share(row.numbers.reshape(1, -1))
        return row.numbers

    def _share(self, samples: Array) -> None:
        for sharing in self.sharings:
            sharing.take(samples[:, self.layout.multipliers])

    def advance(
        self,
        t_stop: float,
        samples: Array,
        *,
        most_steps: int = 1 << 40,
        every: int = 1,
        horizon: float | None = None,
    ) -> tuple[StepStatus, int]:
        """Steps up to t_stop into the rows of `samples`.

        Schemes that go ahead of their samples do so to the horizon; None: t_stop.
        """
        self.work.options[HORIZON] = t_stop if horizon is None else horizon
        if samples.dtype != REALS or not samples.flags.c_contiguous:
            raise TypeError("samples must be rows of float64, one behind the other")
        written = 0

        def run() -> int:
            nonlocal written
            status, written = advance(
                self.packed,
                self.clock,
                self.y,
                self._backup,
                float(t_stop),
                int(most_steps),
                int(every),
                samples,
            )
            return int(status)

        status = self._checked("step", run)
        if self.fault and status.is_fault:
            self.y[:] = self._backup
        elif (status is StepStatus.FINISHED and self.t != float(t_stop)) or (
            status is StepStatus.SWITCHED and not self.system.sizes[SIZE.SWITCHES]
        ):
            # only the loop itself may say so: it was the step that returned this number
            fault = f"returns {int(status)} from step, which is no status"
            status = self._at_fault(StepStatus.UNKNOWN_STATUS, fault)
        if self.sharings:
            self._share(samples[:written])
        return status, int(written)


def faulty(method: Method, fault: str) -> SceneError:
    """A method that is written wrongly, told as a scene that cannot be run with it."""
    message = f"method {method.name!r} is written wrongly: {fault}"
    return SceneError([Problem("simulation.method", method.name, message, FAULT_REMEDY)])


def _remedy(place: EmptyPlace) -> str:
    """What to do about a function that is missing."""
    name = str(place)
    if name in ("tangents", "tangent", "force_tangent"):
        return "ask for tangents=True in its record"
    if name in KIND_PLACES:
        return "the mechanism has no such kind"
    return "methods of its sort have none"
