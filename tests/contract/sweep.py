"""Many evaluations in one compiled call: what differences are made of."""

from typing import Any, NamedTuple

import numpy as np
from numba import types

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import rows as ROW
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.kernel import compiled, kernel
from engine.compiled.layout import F1, F2, F3, PACKED, Array, Packed
from engine.system.equations import equations
from engine.system.equations.evaluator import Evaluator

# of fourth-order differences: rounding is about 1e-11 of the value, and truncation no more where a function
# changes over a twentieth of a radian, as that of a wheel that almost lies flat
STEP = 1e-4


class Samples(NamedTuple):
    """Results, the first axis being the sample."""

    phi: Array
    rate: Array
    gamma: Array
    J: Array
    Q: Array
    coordinate_functions: Array  # value, rate, bias
    energy: Array


@kernel
def _sweep(
    packed: Packed,
    t: Array,
    q: Array,
    v: Array,
    rows: Array,
    J: Array,
    Q: Array,
    coordinate_functions: Array,
    energy: Array,
) -> None:
    system, work = open_system(packed), open_work(packed)
    for i in range(len(t)):
        equations.constraints_and_coordinates(packed, t[i], q[i], v[i])
        equations.forces(packed, t[i])
        equations.energies(packed)
        for r in range(rows.shape[1]):
            rows[i, r, 0], rows[i, r, 1] = work.row[r, ROW_VALUE.PHI], work.row[r, ROW_VALUE.RATE]
            rows[i, r, 2] = work.row[r, ROW_VALUE.GAMMA]
            begin = system.coordinate_functions[system.rows[r, ROW.COORDINATE], COORDINATE.BLOCK]
            for block in range(
                begin, begin + system.coordinate_functions[system.rows[r, ROW.COORDINATE], COORDINATE.BLOCKS]
            ):
                body = system.block_bodies[block]
                at = system.bodies[body, BODY.V]
                for c in range(system.bodies[body, BODY.NV] if at >= 0 else 0):
                    J[i, r, at + c] += work.grad[block, c]
        for c in range(Q.shape[1]):
            Q[i, c] = work.vectors[VECTOR.Q, c]
        for g in range(coordinate_functions.shape[1]):
            for c in range(3):
                coordinate_functions[i, g, c] = work.coordinate[g, c]
        for c in range(energy.shape[1]):
            energy[i, c] = work.energy[c]


def sweep(ev: Evaluator, t: Array, q: Array, v: Array) -> Samples:
    """Rows, forces, coordinate functions and energies at many (t, q, v)."""
    k, m, n, g = len(t), len(ev.mechanism.rows), ev.mechanism.nv, len(ev.system.coordinate_functions)
    rows, J, Q = np.zeros((k, m, 3)), np.zeros((k, m, n)), np.zeros((k, n))
    coordinate_functions, energy = np.zeros((k, g, 3)), np.zeros((k, len(ev.work.energy)))
    call: Any = compiled(_sweep, types.void(PACKED, F1, F2, F2, F3, F3, F2, F3, F2))
    call(ev._packed, t, q, v, rows, J, Q, coordinate_functions, energy)
    return Samples(rows[..., 0], rows[..., 1], rows[..., 2], J, Q, coordinate_functions, energy)


def stencil(ev: Evaluator, t: float, q: Array, v: Array, *, dt: Array, dq: Array, dv: Array) -> Samples:
    """Derivatives of all results by ε along (dt, dq, dv), one direction per row; of fourth order."""
    weights = np.array([8.0, -8.0, -1.0, 1.0]) / (12.0 * STEP)
    steps = np.array([1.0, -1.0, 2.0, -2.0]) * STEP
    n = len(dt)
    times = (t + steps[:, None] * dt).ravel()
    poses = np.array([ev.retract(q, h * d) for h in steps for d in dq]).reshape(4 * n, -1)
    speeds = (v + steps[:, None, None] * dv).reshape(4 * n, -1)
    found = sweep(ev, times, poses, speeds)
    return Samples(*(np.tensordot(weights, x.reshape(4, n, *x.shape[1:]), 1) for x in found))
