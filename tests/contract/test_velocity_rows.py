"""Rolling and knife edge against rigid-body kinematics written down independently."""

import numpy as np
import pytest
from hypothesis import given

from tests.contract.cases import JOINT_CASES, NAME, Case
from tests.contract.numerics import evaluate, few, motion, poses, random_state, same, seeds

ROLLING = [case for case in JOINT_CASES if case.kind == "rolling"]
KNIFE_EDGE = [case for case in JOINT_CASES if case.kind == "knife_edge"]


@pytest.mark.parametrize("case", ROLLING, ids=lambda case: case.id)
@few
@given(seed=seeds)
def test_rolling_rows_are_the_velocity_of_the_contact_point(case: Case, seed: int) -> None:
    """The lowest point of the disc lies at −ρ(n − κa)/σ from its centre; its velocity times σ."""
    ev = case.evaluator
    state = random_state(ev, seed)
    evaluate(ev, state)
    plane, wheel = case.mechanism.joint_frames[NAME]
    radius = float(case.mechanism.scene.joint(NAME).radius)  # type: ignore[attr-defined]
    where, ways = poses(ev), [motion(ev, body, state.v) for body in range(len(poses(ev)))]
    where, ways = [*where, (np.eye(3), np.zeros(3))], [*ways, (np.zeros(3), np.zeros(3))]  # the world
    (R, r), (velocity, spin) = where[wheel.body], ways[wheel.body]
    (R_A, r_A), (velocity_A, spin_A) = where[plane.body], ways[plane.body]
    n, origin = R_A @ plane.axis("x" if case.mechanism.planar else "z"), r_A + R_A @ plane.point
    a = R @ wheel.axis("z")
    kappa = n @ a
    sigma = np.sqrt(1.0 - kappa**2)
    contact = r + R @ wheel.point - radius * (n - kappa * a) / sigma
    slip = velocity + np.cross(spin, contact - r) - velocity_A - np.cross(spin_A, contact - r_A)
    heading = np.cross(a, n) / sigma
    across = np.cross(n, heading)
    rates, J = ev.phi_rate, ev.jacobian
    same("forwards", np.array(sigma * heading @ slip), (J @ state.v)[1])
    same("height", np.array(n @ (contact - origin)), ev.phi[0])
    same("rate of the height", np.array(n @ slip), rates[0])
    if not case.mechanism.planar:
        same("sideways", np.array(sigma * across @ slip), rates[2])


@pytest.mark.parametrize("case", KNIFE_EDGE, ids=lambda case: case.id)
@few
@given(seed=seeds)
def test_a_knife_edge_is_the_velocity_of_its_point_along_its_axis(case: Case, seed: int) -> None:
    ev = case.evaluator
    state = random_state(ev, seed)
    evaluate(ev, state)
    _, blade = case.mechanism.joint_frames[NAME]
    (R, _), (velocity, spin) = poses(ev)[0], motion(ev, 0, state.v)
    axis = R @ blade.axis("x" if case.mechanism.planar else "z")
    same("slip", np.array(axis @ (velocity + np.cross(spin, R @ blade.point))), ev.phi_rate[0])
