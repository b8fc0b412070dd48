"""Bricard's mechanism [IFToMM 2015, A04]: counts to no degree of freedom, has one, one row repeats the
others."""

import pytest

from tests.verification.runs import energy_error, shipped_run


def test_energy_and_freedom_over_ten_seconds():
    run = shipped_run("bricard", "rk4", 1e-3, 10.0)
    assert energy_error(run) < 1e-3
    assert (run.conditioning.dof, run.conditioning.redundant) == (1, 1)


def test_p2_stays_in_its_range():
    # recomputed by a separate program: x ∈ [−1, 1], y ∈ [−1, −0.8660], z ∈ [−0.5, 0]
    run = shipped_run("bricard", "rk4", 1e-3, 10.0)
    ranges = {"x": (-1.0, 1.0), "y": (-1.0, -(0.75**0.5)), "z": (-0.5, 0.0)}
    for axis, (low, high) in ranges.items():
        track = run.channel(f"body.rod2.point.P2.pos.{axis}")
        assert low - 1e-4 < track.min() < low + 0.01  # reached, as far as samples of 1 ms can tell
        assert high - 0.01 < track.max() < high + 1e-4


def test_energy_at_the_step_of_the_published_runs():
    # [UPV Newmark, table 8.5] and [Urkullu 2019, tables 8.15 and 8.36] use 5 to 10 ms
    for dt in (5e-3, 1e-2):
        assert energy_error(shipped_run("bricard", "rk4", dt, 10.0)) < 1e-3


@pytest.mark.parametrize("formulation", ["independent_velocities", "independent_coordinates", "null_space"])
def test_reduced_equations_keep_the_order_of_the_rule(formulation: str) -> None:
    """Multipliers lose 2.4e-8 J at 10 ms, so a rule of order four loses some 2.4e-12 J at 1 ms."""
    stabilisation = "projection" if formulation == "null_space" else "none"
    run = shipped_run("bricard", f"{formulation}/rk4/{stabilisation}", 1e-3, 3.0)
    assert energy_error(run) < 1e-11
