"""State vectors by name: the views of a layout lie one behind the other, and make up the whole of y."""

from typing import NamedTuple

import numpy as np

from engine.compiled.columns import sizes as SIZE
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, System
from engine.compiled.states import Coordinates, PerRow, Velocities, Works, open_motion, state_size, state_view
from engine.system.compiling.compile import compile_scene
from tests.engine.system.mechanisms import shipped


class Full(NamedTuple):
    q: Coordinates
    v: Velocities
    multipliers: PerRow
    power: Works
    works: Works


open_full = state_view(Full)


@kernel
def number(system: System, y: Array) -> None:
    """Each part gets its own number."""
    state = open_full(system, y)
    state.q[:] = 1.0
    state.v[:] = 2.0
    state.multipliers[:] = 3.0
    state.power[:] = 4.0
    state.works[:] = 5.0


@kernel
def ends(system: System, y: Array) -> tuple[float, float, float]:
    state = open_motion(system, y)
    return state.q[0], state.v[state.v.shape[0] - 1], state.works[0]


def test_parts_cover_the_vector_in_order() -> None:
    system = compile_scene(shipped("spatial_four_bar")).system
    nq, nv, m, nw = (int(system.sizes[k]) for k in (SIZE.NQ, SIZE.NV, SIZE.ROWS, SIZE.QUADRATURES))
    y = np.zeros(state_size(Full)(system))
    number(system, y)
    np.testing.assert_array_equal(y, np.repeat([1.0, 2.0, 3.0, 4.0, 5.0], [nq, nv, m, nw, nw]))
    assert m == len(system.rows) > 0
    # q and v in front, the work integrals at the end, whatever stands between
    assert ends(system, y) == (1.0, 2.0, 5.0)
