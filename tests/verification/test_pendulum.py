"""Simple pendulum [IFToMM 2015, A01]: a point mass without inertia, so the linear solver cannot invert M.

θ'' = −g cos θ; RK4 at 1 ms, ω ≈ 4.4 1/s: error of the order (ω h)⁴ t ω / 120 ≈ 1e-10 in θ after 10 s.
"""

import pytest
from numpy.testing import assert_allclose

from tests.verification import references as ref
from tests.verification.runs import energy_error, shipped, shipped_run, tight


def test_pendulum_has_the_published_values():
    run = shipped_run("pendulum", "rk4", 1e-3, 10.0)
    assert run.mechanism.solver == "augmented"
    names = ["body.bob.com.x", "body.bob.com.y", "body.bob.com.vel.x", "body.bob.com.vel.y"]
    wanted = [
        [0.986291751132, -0.165010853126, 0.296905515916, 1.774643641113],
        [-0.275087462576, -0.961419205099, 4.175598100951, -1.194749054562],
    ]
    assert_allclose(run.table(names)[[1000, 10000]], wanted, rtol=0.0, atol=1e-9)
    assert energy_error(run) < 5e-5  # IFToMM's limit


def test_double_pendulum_follows_the_reference():
    run = tight(shipped("double_pendulum"), 2.0)
    theta1, theta2, *_ = ref.double_pendulum_angles(run.t[::20])
    # tolerance 1e-12 per step, chaos magnifies by about e^(3 t) over 2 s
    assert run.channel("body.upper.angle")[::20] == pytest.approx(theta1, abs=1e-9)
    assert run.channel("body.lower.angle")[::20] == pytest.approx(theta2, abs=1e-9)
