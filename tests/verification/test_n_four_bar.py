"""Rows of N four-bars [IFToMM 2015, A02]: one degree of freedom at almost all poses, N + 1 with all bars in
one line.

On the parallelogram branch ((N+1)/3 + N) θ'' = −((N+1)/2 + N) g cos θ. With RK4 at 1 ms the error of the
smooth problem is (ω h)⁴ t ≈ (7e-3)⁴·10 / 120 ≈ 2e-10; another branch would be off by its whole size.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from engine import Scene
from scenes.generators.n_four_bar import n_four_bar
from tests.verification import references as ref
from tests.verification.runs import energy_error, finished, shipped_run

POINT = [f"body.crank0.point.B0.{what}" for what in ("pos.x", "pos.y", "vel.x", "vel.y")]
BRANCH = 1e-8  # m, m/s: what the criterion asks for


def row_of_four_bars(n: int, space: str) -> Scene:
    return n_four_bar(n, space=space)


def test_double_four_bar_has_the_published_values():
    # benchmarks.md 4b: x, y, vx, vy of B0
    run = shipped_run("double_four_bar", "rk4", 1e-3, 10.0)
    found = run.table(POINT)[[1000, 10000]]
    wanted = [
        [-0.195020301950, -0.980799205662, -6.676678036881, 1.327578325162],
        [0.328458111533, 0.944518538181, 1.423051470189, -0.494868845467],
    ]
    assert_allclose(found[:, :2], np.array(wanted)[:, :2], rtol=0.0, atol=BRANCH)
    assert_allclose(found[:, 2:], np.array(wanted)[:, 2:], rtol=0.0, atol=10 * BRANCH)  # speed 7: ω as large


def test_double_four_bar_stays_on_its_branch_all_the_way():
    run = shipped_run("double_four_bar", "rk4", 1e-3, 10.0)
    every = slice(None, None, 100)
    x, y, *_ = ref.n_four_bar_point(run.t[every])
    assert_allclose(run.table(POINT[:2])[every], np.column_stack([x, y]), rtol=0.0, atol=BRANCH)
    assert (run.conditioning.dof, run.conditioning.redundant) == (1, 6)
    assert run.near_singular > 0


def test_double_four_bar_keeps_its_energy():
    assert energy_error(shipped_run("double_four_bar", "rk4", 1e-3, 10.0)) < 0.1  # IFToMM's limit
    assert energy_error(shipped_run("double_four_bar", "rk4", 1e-2, 10.0)) < 0.1  # at the usual step too


@pytest.mark.parametrize(
    ("n", "space", "duration"),
    [(1, "planar", 10.0), (2, "planar", 10.0), (40, "planar", 1.0), (40, "spatial", 1.0)],
)
def test_other_rows_stay_on_their_branch(n, space, duration):
    run = finished(row_of_four_bars(n, space), "rk4", 1e-3, duration)
    every = slice(None, None, 100)
    x, y, *_ = ref.n_four_bar_point(run.t[every], n)
    assert_allclose(run.table(POINT[:2])[every], np.column_stack([x, y]), rtol=0.0, atol=BRANCH)


@pytest.mark.parametrize("method", ["newmark_nullspace", "central_differences", "generalized_alpha"])
def test_sparse_factors_carry_direct_methods_through_redundant_rows(method):
    # 13 bodies, 26 redundant rows; the crank is at its first singular configuration after 0.7 s
    errors = []
    for dt in (2e-3, 1e-3):
        run = finished(row_of_four_bars(6, "spatial"), method, dt, 0.3)
        x, y, *_ = ref.n_four_bar_point(run.t, 6)
        errors.append(np.abs(run.table(POINT[:2]) - np.column_stack([x, y])).max())
        assert run.channel("violation.position").max() < 1e-10
    assert errors[1] < 1e-5
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.1)
