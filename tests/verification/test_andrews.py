"""Andrews' squeezer mechanism against [Mazzia 2006]: q and q' at 0.03 s to seven digits, and reactions.

Reactions at a state are algebra: with the published q and q' the Newton-Euler equations of the seven bodies
give all joint forces. They are solved here in NumPy, from the scene's numbers but without the engine's
equations. The multipliers that the test set prints agree with them to 2e-6 only, so they are compared to the
digits they share.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from engine import resolve
from engine.compiled.layout import Array
from tests.verification import references as ref
from tests.verification.runs import energy_error, finished, shipped, tight

DIGITS = 1e-7
TREE = (
    "O",
    "F",
    "B",
    "A5",
    "G",
    "A7",
    "H",
)  # joints that place K1, K2, K3, K5, K4, K7, K6 one after the other
# λ(0.03) of the test set, by the joint at E that closes each loop
PUBLISHED = {
    "E3": (199.1753333731910, -29.75531228015052),
    "E4": (23.06654119098399, 31.45271365475927),
    "E6": (22.64249232082739, 11.61740700019673),
}


@pytest.fixture(scope="module")
def run():
    return tight(shipped("andrews"), ref.ANDREWS_TIME, dt=1e-3)


def newton_euler(angles: Array, rates: Array) -> dict[str, Array]:
    """Force of every joint on its body B, world axes, from M a = Q + Jᵀλ, J a = γ with 21 + 20 unknowns."""
    scene = resolve(shipped("andrews"))
    index = {body.name: k for k, body in enumerate(scene.bodies)}
    points = {(b.name, p.name): np.array(p.position[:2], float) for b in scene.bodies for p in b.points}
    joints = {joint.name: joint for joint in scene.joints}
    com = [np.array(body.com[:2], float) for body in scene.bodies]
    turn = [np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]) for a in angles]

    def local(anchor) -> Array:
        return (
            points[anchor.body, anchor.point]
            if isinstance(anchor.point, str)
            else np.array(anchor.point[:2], float)
        )

    def arm(anchor) -> Array:
        """From the centre of mass to the anchor, world axes."""
        return turn[index[anchor.body]] @ (local(anchor) - com[index[anchor.body]])

    # positions of the centres of mass along the tree
    centre: dict[str, Array] = {}
    for name in TREE:
        a, b = joints[name].a, joints[name].b
        known, new = (a, b) if a.body == "world" or a.body in centre else (b, a)
        at = local(known) if known.body == "world" else centre[known.body] + arm(known)
        centre[new.body] = at - arm(new)

    M, Q = np.zeros(21), np.zeros(21)
    for k, body in enumerate(scene.bodies):
        M[3 * k : 3 * k + 3] = body.mass, body.mass, body.inertia[0]
    Q[2] = 0.033  # drive on K1
    spring = next(force for force in scene.forces if force.name == "spring")
    fixed, moving = (spring.a, spring.b) if spring.a.body == "world" else (spring.b, spring.a)
    k, lever = index[moving.body], arm(moving)
    d = local(fixed) - centre[moving.body] - lever
    pull = 4530.0 * (1 - 0.07785 / np.linalg.norm(d)) * d
    Q[3 * k : 3 * k + 3] = *pull, lever[0] * pull[1] - lever[1] * pull[0]

    J, gamma = np.zeros((2 * len(joints), 21)), np.zeros(2 * len(joints))
    for row, joint in enumerate(joints.values()):
        for sign, anchor in ((-1.0, joint.a), (1.0, joint.b)):
            if anchor.body != "world":
                k, s = index[anchor.body], arm(anchor)
                # p = r + s:  p'' = r'' + θ'' (−s_y, s_x) − θ'² s
                J[2 * row : 2 * row + 2, 3 * k : 3 * k + 3] = sign * np.array([[1, 0, -s[1]], [0, 1, s[0]]])
                gamma[2 * row : 2 * row + 2] += sign * rates[k] ** 2 * s
    matrix = np.block([[np.diag(M), -J.T], [J, np.zeros((len(J), len(J)))]])
    forces = np.linalg.solve(matrix, np.concatenate([Q, gamma]))[21:].reshape(-1, 2)
    return dict(zip(joints, forces, strict=True))


def test_positions_to_seven_digits(run):
    found = [run.channel(f"body.K{k}.angle")[-1] for k in range(1, 8)]
    assert_allclose(found, ref.andrews_body_angles(ref.ANDREWS_POSITION), rtol=DIGITS, atol=0.0)


def test_velocities_to_seven_digits(run):
    found = [run.channel(f"body.K{k}.omega.z")[-1] for k in range(1, 8)]
    assert_allclose(found, ref.andrews_body_rates(ref.ANDREWS_VELOCITY), rtol=DIGITS, atol=0.0)


def test_reactions_at_the_published_state(run):
    exact = newton_euler(
        ref.andrews_body_angles(ref.ANDREWS_POSITION), ref.andrews_body_rates(ref.ANDREWS_VELOCITY)
    )
    for joint in PUBLISHED:
        found = np.array([run.channel(f"joint.{joint}.reaction.f{axis}")[-1] for axis in "xy"])
        assert_allclose(np.abs(found), np.abs(exact[joint]), rtol=DIGITS, atol=0.0)


def test_published_multipliers_to_the_digits_they_share(run):
    for joint, wanted in PUBLISHED.items():
        found = [run.channel(f"joint.{joint}.reaction.f{axis}")[-1] for axis in "xy"]
        assert_allclose(found, wanted, rtol=2e-6, atol=0.0)


def test_energy_balance_of_the_benchmark():
    # [IFToMM 2015, A03]: drift of T + V − τ (β − β0) below 1e-5 J over 0.05 s
    assert energy_error(finished(shipped("andrews"), "rk4", 1e-5, 0.05)) < 1e-5
