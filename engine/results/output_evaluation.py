"""Everything that channels need of many samples at once: one compiled pass, no Python loop over samples.

coordinate function:     s, s', s'' = grad·a + bias
row:       Φ, Φ', Φ'' = J a − γ
reaction:  wrench Σ λ_r grad_r of the joint's rows on body B, moved from the centre of mass to the marker
law:       effort along its coordinate function, or force and torque on its body; power
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numba import types

from engine.compiled.arenas import open_system, open_work, pack
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import energies as ENERGY
from engine.compiled.columns import forces as LAW
from engine.compiled.columns import poses as POSE
from engine.compiled.columns import ranges as SPAN
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import rows as ROW
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.dispatch import call_constraints, call_force, new_table
from engine.compiled.kernel import compiled, inlined, kernel
from engine.compiled.layout import F2, F3, I1, I2, PACKED, Array, Ints, Packed, System, Work
from engine.elements.laws import LAWS
from engine.maths.rotations import Z, about, of_quaternion
from engine.results.sample_layout import SampleLayout
from engine.system.compiling.mechanism import Mechanism
from engine.system.compiling.work import kind_functions, new_work
from engine.system.equations import equations
from engine.system.equations.law_states import has_law_states, take_law_states

SLICE = 4096  # samples in one pass
SLICE_BYTES = 1 << 25  # of the tables that one pass fills: fewer samples of large mechanisms
# columns of the table of laws; one along several functions has its efforts one behind the other
LAW_EFFORT, LAW_FORCE, LAW_TORQUE, LAW_POWER, LAW_COLUMNS = 0, 1, 4, 7, 8
# where the parts of a sample begin, and the ends of joints: body B, its rows
AT_Q, AT_V, AT_A, AT_LAMBDA, AT_ANGLES, AT_WORKS = range(6)
J_BODY, J_BEGIN, J_END = range(3)


@inlined
def _to_world(pose: Array, x: Array, at: int) -> None:
    """Turn three numbers of x from body axes to world axes."""
    a, b, c = x[at], x[at + 1], x[at + 2]
    for i in range(3):
        x[at + i] = pose[POSE.R + 3 * i] * a + pose[POSE.R + 3 * i + 1] * b + pose[POSE.R + 3 * i + 2] * c


@inlined
def _coordinate_functions(system: System, work: Work, a: Array, out: Array) -> None:
    for g in range(system.coordinate_functions.shape[0]):
        begin, total = (
            system.coordinate_functions[g, COORDINATE.BLOCK],
            work.coordinate[g, COORDINATE_VALUE.BIAS],
        )
        for block in range(begin, begin + system.coordinate_functions[g, COORDINATE.BLOCKS]):
            body = system.block_bodies[block]
            at = system.bodies[body, BODY.V]
            if at >= 0:
                for c in range(system.bodies[body, BODY.NV]):
                    total += work.grad[block, c] * a[at + c]
        out[g, 0], out[g, 1], out[g, 2] = (
            work.coordinate[g, COORDINATE_VALUE.VALUE],
            work.coordinate[g, COORDINATE_VALUE.RATE],
            total,
        )


@inlined
def _rows(system: System, work: Work, coordinate_functions: Array, out: Array) -> None:
    for r in range(system.rows.shape[0]):
        g = system.rows[r, ROW.COORDINATE]
        out[r, 0], out[r, 1] = work.row[r, ROW_VALUE.PHI], work.row[r, ROW_VALUE.RATE]
        out[r, 2] = (
            coordinate_functions[g, 2]
            - work.coordinate[g, COORDINATE_VALUE.BIAS]
            - work.row[r, ROW_VALUE.GAMMA]
        )


@inlined
def _reactions(
    system: System, work: Work, joints: Ints, points: Array, multipliers: Array, out: Array
) -> None:
    for j in range(joints.shape[0]):
        body, wrench, pose = joints[j, J_BODY], out[j], work.pose[joints[j, J_BODY]]
        wrench[:] = 0.0
        if body < 0:
            continue
        planar = system.bodies[body, BODY.PLANAR]
        for r in range(joints[j, J_BEGIN], joints[j, J_END]):
            begin = system.coordinate_functions[system.rows[r, ROW.COORDINATE], COORDINATE.BLOCK]
            for block in range(
                begin, begin + system.coordinate_functions[system.rows[r, ROW.COORDINATE], COORDINATE.BLOCKS]
            ):
                if system.block_bodies[block] == body:
                    if planar:
                        wrench[0] += multipliers[r] * work.grad[block, 0]
                        wrench[1] += multipliers[r] * work.grad[block, 1]
                        wrench[5] += multipliers[r] * work.grad[block, 2]
                    else:
                        for c in range(6):
                            wrench[c] += multipliers[r] * work.grad[block, c]
        _to_world(pose, wrench, 3)
        # from the centre of mass to the marker:  t_P = t_C − (P − C) × f
        x = pose[POSE.R] * points[j, 0] + pose[POSE.R + 1] * points[j, 1] + pose[POSE.R + 2] * points[j, 2]
        y = (
            pose[POSE.R + 3] * points[j, 0]
            + pose[POSE.R + 4] * points[j, 1]
            + pose[POSE.R + 5] * points[j, 2]
        )
        z = (
            pose[POSE.R + 6] * points[j, 0]
            + pose[POSE.R + 7] * points[j, 1]
            + pose[POSE.R + 8] * points[j, 2]
        )
        wrench[3] -= y * wrench[2] - z * wrench[1]
        wrench[4] -= z * wrench[0] - x * wrench[2]
        wrench[5] -= x * wrench[1] - y * wrench[0]


@inlined
def _laws(packed: Packed, system: System, work: Work, t: float, functions: Ints, out: Array) -> None:
    """Every law by itself: what it adds to an emptied place is its own."""
    force, first = work.vectors[VECTOR.Q], system.sizes[SIZE.PRIMITIVES]
    for k in range(system.ranges.shape[0] - first):
        for i in range(system.ranges[first + k, SPAN.BEGIN], system.ranges[first + k, SPAN.END]):
            target, quadrature = system.forces[i, LAW.A], system.forces[i, LAW.QUADRATURE]
            out[i, :] = 0.0
            if functions[i] == 0:
                at = system.bodies[target, BODY.V]
                for c in range(system.bodies[target, BODY.NV]):
                    force[at + c] = 0.0
                work.power[quadrature] = 0.0
                call_force(packed, k, t, i, i + 1)
                out[i, LAW_FORCE], out[i, LAW_FORCE + 1] = force[at], force[at + 1]
                if system.bodies[target, BODY.PLANAR]:
                    out[i, LAW_TORQUE + 2] = force[at + 2]
                else:
                    out[i, LAW_FORCE + 2] = force[at + 2]
                    for c in range(3):
                        out[i, LAW_TORQUE + c] = force[at + 3 + c]
                    _to_world(work.pose[target], out[i], LAW_TORQUE)
                out[i, LAW_POWER] = work.power[quadrature]
            else:
                for c in range(functions[i]):
                    work.weight[target + c] = 0.0
                call_force(packed, k, t, i, i + 1)
                for c in range(functions[i]):
                    effort = work.weight[target + c]
                    out[i, LAW_EFFORT + c] = effort
                    out[i, LAW_POWER] += effort * work.coordinate[target + c, COORDINATE_VALUE.RATE]


@kernel
def evaluation(
    packed: Packed,
    samples: Array,
    at: Ints,
    joints: Ints,
    points: Array,
    functions: Ints,
    coordinate_functions: Array,
    rows: Array,
    reactions: Array,
    laws: Array,
    energies: Array,
) -> None:
    system, work = open_system(packed), open_work(packed)
    nq, nv, m = at[AT_V] - at[AT_Q], at[AT_A] - at[AT_V], system.rows.shape[0]
    for k in range(samples.shape[0]):
        sample = samples[k]
        t, q, v = sample[0], sample[at[AT_Q] : at[AT_Q] + nq], sample[at[AT_V] : at[AT_V] + nv]
        a, multipliers = sample[at[AT_A] : at[AT_A] + nv], sample[at[AT_LAMBDA] : at[AT_LAMBDA] + m]
        for i in range(system.tracked.shape[0]):
            work.coordinate[system.tracked[i], COORDINATE_VALUE.REFERENCE] = sample[at[AT_ANGLES] + i]
        take_law_states(system, sample[at[AT_WORKS] :])
        call_constraints(packed, t, q, v)
        _coordinate_functions(system, work, a, coordinate_functions[k])
        _rows(system, work, coordinate_functions[k], rows[k])
        _reactions(system, work, joints, points, multipliers, reactions[k])
        work.energy[:] = 0.0
        for r in range(m):  # on which friction may depend
            work.row[r, ROW_VALUE.LAMBDA] = multipliers[r]
        _laws(packed, system, work, t, functions, laws[k])
        equations.energies(packed)
        energies[k, 0], energies[k, 1] = work.energy[ENERGY.KINETIC], work.energy[ENERGY.GRAVITY]
        energies[k, 2] = work.energy[ENERGY.ELASTIC]


EVALUATION = types.void(PACKED, F2, I1, I2, F2, I1, F3, F3, F3, F3, F2)


class Tables(NamedTuple):
    """Results of one pass, samples first."""

    coordinate_functions: Array  # (n, g, 3): value, rate, acceleration
    rows: Array  # (n, m, 3): violation of position, velocity, acceleration
    reactions: Array  # (n, joints, 6): force and torque on B at its marker, world axes
    laws: Array  # (n, laws, LAW_COLUMNS)
    energies: Array  # (n, 3): kinetic, gravity, elastic


def functions_of_laws(mechanism: Mechanism) -> Ints:
    """Per law: how many coordinate functions it acts along, 0 when it acts on a body."""
    counts = np.ones(len(mechanism.system.forces), np.int64)
    for kind, span in zip(
        LAWS, mechanism.system.ranges[int(mechanism.system.sizes[SIZE.PRIMITIVES]) :], strict=True
    ):
        for i in range(span[SPAN.BEGIN], span[SPAN.END]):
            counts[i] = 0 if kind.on_body else kind.functions_of(mechanism.system.forces[i])
    return counts


class OutputEvaluator:
    """Looks at samples of one mechanism."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        self.layout = SampleLayout(mechanism)
        self.joints = tuple(mechanism.joint_rows)
        layout = self.layout
        parts = (layout.q, layout.v, layout.a, layout.multipliers, layout.angles, layout.works)
        self._at = np.array([part.start for part in parts], np.int64)
        self._ends = np.full((len(self.joints), 3), -1, np.int64)
        self._points = np.zeros((len(self.joints), 3))
        for j, name in enumerate(self.joints):
            span, frames = mechanism.joint_rows[name], mechanism.joint_frames.get(name)
            self._ends[j] = (-1 if frames is None else frames[1].body, span.begin, span.end)
            if frames is not None:
                self._points[j] = frames[1].point
        self._functions = functions_of_laws(mechanism)

    @cached_property
    def _packed(self) -> Packed:
        _, ints, reals = new_work(self.mechanism)
        table = new_table(
            {"constraints": equations.constraints_and_coordinates}, kind_functions(self.mechanism)
        )
        arenas = self.mechanism.arenas
        if has_law_states(self.mechanism.system):  # which are written from sample to sample
            arenas = pack(System, self.mechanism.system._asdict(), whole="params")[1:]
        return Packed(*arenas, ints, reals, table)

    @cached_property
    def _shapes(self) -> tuple[tuple[int, ...], ...]:
        """Of the tables of one sample."""
        system = self.mechanism.system
        return (
            (len(system.coordinate_functions), 3),
            (len(system.rows), 3),
            (len(self.joints), 6),
            (len(system.forces), LAW_COLUMNS),
            (3,),
        )

    @property
    def table_bytes(self) -> int:
        """What the tables of one sample take in memory."""
        return 8 * sum(math.prod(shape) for shape in self._shapes)

    def look(self, samples: Array) -> Tables:
        """One pass over the samples, shape (n, width)."""
        function, n = compiled(evaluation, EVALUATION), len(samples)
        tables = Tables(*(np.zeros((n, *shape)) for shape in self._shapes))
        samples = np.ascontiguousarray(samples, dtype=float)
        function(self._packed, samples, self._at, self._ends, self._points, self._functions, *tables)
        return tables


class OutputEvaluation:
    """Samples of one mechanism, with what has been computed from them so far."""

    def __init__(
        self,
        output_evaluator: OutputEvaluator,
        samples: Array,
        *,
        start_energy: float = 0.0,
        edits: float = 0.0,
    ) -> None:
        self.mechanism, self.layout = output_evaluator.mechanism, output_evaluator.layout
        self.samples = samples
        self.start_energy = start_energy  # kinetic and potential energy at the start of the run
        self.edits = edits  # energy that live edits have added before these samples
        self.values: dict[str, Array] = {}  # of channels that expressions have asked for
        self._output_evaluator = output_evaluator
        self._rotations: dict[int, Array] = {}

    def __len__(self) -> int:
        return len(self.samples)

    @cached_property
    def tables(self) -> Tables:
        return self._output_evaluator.look(self.samples)

    @property
    def t(self) -> Array:
        return self.samples[:, self.layout.t]

    @property
    def works(self) -> Array:
        return self.samples[:, self.layout.works]

    @property
    def multipliers(self) -> Array:
        return self.samples[:, self.layout.multipliers]

    def carried(self, name: str) -> Array:
        """Numbers of the method's own, shape (n, k)."""
        return self.samples[:, self.layout.carried[name]]

    # kinematics of bodies, in the world

    def coordinates(self, body: int) -> Array:
        """q of a body, shape (n, 7) or (n, 3)."""
        width = 3 if self.mechanism.planar else 7
        return self.samples[:, self.layout.q][:, body * width : (body + 1) * width]

    def rates(self, body: int, *, second: bool = False) -> tuple[Array, Array]:
        """Velocity of the centre of mass (world) and spin (body axes), or their derivatives; (n, 3) each."""
        part = self.samples[:, self.layout.a if second else self.layout.v]
        if not self.mechanism.planar:
            own = part[:, 6 * body : 6 * body + 6]
            return own[:, :3], own[:, 3:]
        own, linear, turning = (
            part[:, 3 * body : 3 * body + 3],
            np.zeros((len(part), 3)),
            np.zeros((len(part), 3)),
        )
        linear[:, :2], turning[:, 2] = own[:, :2], own[:, 2]
        return linear, turning

    def rotation(self, body: int) -> Array:
        """R_WB, shape (n, 3, 3)."""
        if body not in self._rotations:
            q = self.coordinates(body)
            self._rotations[body] = about(Z, q[:, 2]) if self.mechanism.planar else of_quaternion(q[:, 3:7])
        return self._rotations[body]

    def to_world(self, body: int, vectors: Array) -> Array:
        """Body axes to world axes, for one vector or one per sample."""
        each = np.broadcast_to(vectors, (len(self), 3))
        return np.asarray(np.einsum("nij,nj->ni", self.rotation(body), each))

    def position(self, body: int, p_B: Array) -> Array:
        """World position of a point given from the centre of mass, shape (n, 3)."""
        centre = np.zeros((len(self), 3))
        width = 2 if self.mechanism.planar else 3
        centre[:, :width] = self.coordinates(body)[:, :width]
        return centre + self.to_world(body, p_B)

    def velocity(self, body: int, p_B: Array) -> Array:
        """v = v_C + ω × d."""
        v, w_B = self.rates(body)
        return v + self.to_world(body, np.cross(w_B, p_B))

    def acceleration(self, body: int, p_B: Array) -> Array:
        """a = a_C + α × d + ω × (ω × d)."""
        _, w_B = self.rates(body)
        a, alpha_B = self.rates(body, second=True)
        return a + self.to_world(body, np.cross(alpha_B, p_B) + np.cross(w_B, np.cross(w_B, p_B)))
