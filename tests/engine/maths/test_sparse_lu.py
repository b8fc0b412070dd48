"""The static sparse factor of general matrices against LAPACK: chains, loops, stars and random couplings."""

import numpy as np
import pytest

from engine.compiled.columns import velocity_blocks as BLOCK
from engine.compiled.layout import Array, Ints
from engine.maths.sparse import lu
from engine.maths.sparse.pattern import Pattern
from engine.maths.sparse.symbolic import FIRST, SIZE, START, WIDTH, analyse_groups
from engine.system.compiling.velocity_layout import DENSE, SPARSE, velocity_layout

COUPLINGS = {
    "chain": [(i, i + 1) for i in range(11)],
    "loop": [(i, (i + 1) % 9) for i in range(9)],
    "star": [(0, i) for i in range(1, 10)],
    "two parts": [(0, 1), (1, 2), (3, 4)],
    "random": [tuple(pair) for pair in np.random.default_rng(4).integers(14, size=(24, 2)).tolist()],
}


def mechanism(coupled: list[tuple[int, int]], width: int) -> tuple[Ints, Ints, Ints]:
    """Bodies, coordinate functions and blocks as the compiler lays them out."""
    count = 1 + max(max(pair) for pair in coupled)
    bodies = np.array([(width == 3, 7 * b, width * b, 7, width) for b in range(count)] + [(0, -1, -1, 0, 0)])
    functions = np.array([(2 * k, 2, 0) for k in range(len(coupled))])
    return bodies, functions, np.array(coupled).ravel()


def dense(arrays: dict[str, Ints], values: Array, n: int, width: int) -> Array:
    out = np.zeros((n, n))
    for block in arrays["velocity_blocks"].tolist():
        for u in range(width):
            for w in range(width):
                at = block[BLOCK.START] + u * block[BLOCK.ROW_STEP] + w * block[BLOCK.COLUMN_STEP]
                out[block[BLOCK.ROW_VELOCITY] + u, block[BLOCK.COLUMN_VELOCITY] + w] = values[at]
    return out


@pytest.mark.parametrize("store", [DENSE, SPARSE])
@pytest.mark.parametrize("width", [3, 6])
@pytest.mark.parametrize("name", COUPLINGS)
def test_general_matrices_agree_with_lapack(name: str, width: int, store: str) -> None:
    bodies, functions, blocks = mechanism(COUPLINGS[name], width)
    arrays, _ = velocity_layout(bodies, functions, blocks, range(len(functions)), store)
    n, nodes, random = width * (len(bodies) - 1), arrays["velocity_nodes"], np.random.default_rng(1)
    assert (len(nodes) == 2) == (store == DENSE)
    values = np.zeros(int(nodes[-1, START]) * (1 if len(nodes) == 2 else 2))
    filled = np.zeros_like(values)
    for block in arrays["velocity_blocks"].tolist():
        places = block[BLOCK.START] + np.add.outer(
            np.arange(width) * block[BLOCK.ROW_STEP], np.arange(width) * block[BLOCK.COLUMN_STEP]
        )
        filled[places] += 1.0
        values[places] = random.normal(size=places.shape)
        if block[BLOCK.ROW_VELOCITY] == block[BLOCK.COLUMN_VELOCITY]:
            # an inverse everywhere, but its largest entries beside the diagonal
            values[places] += 20.0 * np.roll(np.eye(width), 1, axis=0)
    assert filled.max() == 1.0  # no two entries in one place
    A, b = dense(arrays, values, n, width), random.normal(size=n)
    pivots, line, order = np.zeros(n, np.int64), np.zeros(n), arrays["velocity_order"]
    found = lu.factor(nodes, arrays["velocity_updates"], arrays["velocity_places"], values, pivots, line)
    assert found == lu.FACTORED
    x = b[order].copy()
    lu.solve(nodes, arrays["velocity_updates"], values, pivots, x)
    np.testing.assert_allclose(x, np.linalg.solve(A, b)[order], rtol=1e-10, atol=1e-11)


@pytest.mark.parametrize("name", COUPLINGS)
def test_stages_share_the_structure_of_one(name: str) -> None:
    """Each line of a structure that stands for three: the same as a structure that has them."""
    stages, width, random = 3, 2, np.random.default_rng(2)
    count = 1 + max(max(pair) for pair in COUPLINGS[name])
    near = [{b} | {x for pair in COUPLINGS[name] if b in pair for x in pair} for b in range(count)]
    shared, own = (
        analyse_groups([range(size * b, size * (b + 1)) for b in range(count)], Pattern.of_rows(near, count))
        for size in (width, stages * width)
    )
    n, values = stages * width * count, random.normal(size=lu.values_length(own))
    assert len(values) == stages**2 * lu.values_length(shared)
    for first, size, wide, start in own.nodes[:-1, [FIRST, SIZE, WIDTH, START]].tolist():
        panel = values[start : start + size * wide].reshape(size, wide)
        panel[:, :size] += 20.0 * np.roll(np.eye(size), 1, axis=0)
        assert first % size == 0
    x, found = random.normal(size=n), []
    for symbolic, repeated in ((own, 1), (shared, stages)):
        factored, solved, pivots = values.copy(), x.copy(), np.zeros(n, np.int64)
        nodes, updates = symbolic.nodes, symbolic.updates
        assert (
            lu.factor(nodes, updates, symbolic.places, factored, pivots, np.zeros(n), repeated) == lu.FACTORED
        )
        lu.solve(nodes, updates, factored, pivots, solved, repeated)
        found.append((factored, pivots, solved))
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_body_without_inverse_is_named() -> None:
    bodies, functions, blocks = mechanism(COUPLINGS["chain"], 3)
    arrays, _ = velocity_layout(bodies, functions, blocks, range(len(functions)), SPARSE)
    nodes, n = arrays["velocity_nodes"], 3 * (len(bodies) - 1)
    values = np.zeros(2 * int(nodes[-1, START]))
    for block in arrays["velocity_blocks"][: n // 3].tolist():
        for c in range(3):
            values[block[BLOCK.START] + c * (block[BLOCK.ROW_STEP] + 1)] = float(
                block[BLOCK.ROW_VELOCITY] != 12
            )
    place = lu.factor(
        nodes,
        arrays["velocity_updates"],
        arrays["velocity_places"],
        values,
        np.zeros(n, np.int64),
        np.zeros(n),
    )
    assert 12 <= arrays["velocity_order"][place] < 15
