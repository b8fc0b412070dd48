"""Numbers of independent rows at a generic pose, as null-space methods need them."""

import numpy as np
import pytest

from engine.analyses.mobility import mobility
from engine.analyses.mobility.mobility import generic_ranks
from engine.compiled.columns import rows as ROW
from engine.solvers.linsolve.nullspace import apply_orthogonal, decompose_levels, least_norm
from engine.system.assembly.assemble import assemble
from engine.system.compiling.compile import compile_scene
from tests.engine.system.mechanisms import hinge, scene, shipped


@pytest.fixture(params=["singular values", "sparse factors"])
def by(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways to the ranks: that of small mechanisms, and that of large ones."""
    monkeypatch.setattr(mobility, "LARGE", 0 if request.param == "sparse factors" else 10**6)


@pytest.mark.usefixtures("by")
@pytest.mark.parametrize(
    ("name", "dof", "more_for_positions"),
    # the bicycle: two wheels that roll, each with two conditions on velocities alone
    [("bricard", 1, 0), ("double_four_bar", 1, 0), ("spatial_four_bar", 1, 0), ("bicycle", 3, 4)],
)
def test_generic_ranks_of_shipped_scenes(name: str, dof: int, more_for_positions: int) -> None:
    mechanism = compile_scene(shipped(name))
    start = assemble(mechanism)
    rank, of_positions = generic_ranks(mechanism, 0.0, start.q, start.angles)
    assert mechanism.nv - rank == dof
    assert rank - of_positions == more_for_positions


@pytest.mark.usefixtures("by")
def test_a_singular_start_has_the_generic_rank() -> None:
    """A parallelogram on one line has two degrees of freedom of velocity; everywhere else it has one."""
    bar = {"mass": 1.0, "inertia": [0.1]}
    flat = scene(
        "planar",
        [
            {"name": "left", "position": [0.5, 0], **bar},
            {"name": "top", "position": [2, 0], **bar},
            {"name": "right", "position": [2.5, 0], **bar},
        ],
        [
            hinge("A", "world", [0, 0], "left", [-0.5, 0]),
            hinge("B", "left", [0.5, 0], "top", [-1, 0]),
            hinge("C", "top", [1, 0], "right", [0.5, 0]),
            hinge("D", "right", [-0.5, 0], "world", [2, 0]),
        ],
    )
    mechanism = compile_scene(flat)
    start = assemble(mechanism)
    assert generic_ranks(mechanism, 0.0, start.q, start.angles) == (8, 8)


def test_one_factor_serves_both_levels() -> None:
    """Rows 0, 2, 4 (one of them repeated) bind positions, rows 1 and 3 velocities only."""
    J = np.random.default_rng(1).normal(size=(5, 7))
    J[4] = J[0] - 2.0 * J[2]
    rows = np.zeros((5, ROW.COLUMNS), np.int64)
    rows[[1, 3], ROW.VELOCITY] = 1
    matrix, scale, order = np.zeros((7, 7)), np.zeros(7), np.zeros(7, np.int64)
    matrix[:5] = J
    assert 0.0 < decompose_levels(matrix, rows, 7, 2, 4, scale, order) < 1.0

    def column(place: int) -> np.ndarray:
        x = np.zeros(7)
        x[place] = 1.0
        apply_orthogonal(matrix, 7, 4, scale, x)
        return x

    Q = np.array([column(k) for k in range(7)]).T
    np.testing.assert_allclose(Q.T @ Q, np.eye(7), atol=1e-14)
    np.testing.assert_allclose(J @ Q[:, 4:], 0.0, atol=1e-14)
    np.testing.assert_allclose(J[[0, 2, 4]] @ Q[:, 2:4], 0.0, atol=1e-14)
    right, x = np.zeros((5, 2)), np.zeros(7)
    right[:, 1] = J @ np.arange(7.0)
    for rank, level in ((2, [0, 2, 4]), (4, range(5))):
        least_norm(matrix, 7, rank, scale, order, right, 1, x)
        np.testing.assert_allclose(x, np.linalg.pinv(J[level]) @ right[level, 1], atol=1e-13)
