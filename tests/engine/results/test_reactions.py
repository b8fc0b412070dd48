"""Reactions against Newton and Euler's equations of every body, and a closed form."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from engine import simulate
from engine.model.mass import mass_properties
from tests.engine.simulation.scenes import G, rod_pendulum, shipped

AXES = "xyz"
SOLVED = 1e-9  # RK4 at 1 ms and a projection to 1e-10 or better


def vectors(run, prefix, words):
    """Channels side by side, zero where a planar scene has none."""
    known = set(run.names())
    columns = [run.channel(f"{prefix}{w}") if f"{prefix}{w}" in known else np.zeros(len(run)) for w in words]
    return np.stack(columns, axis=1)


@pytest.mark.parametrize(
    "name", ["four_bar", "spatial_four_bar", "spatial_slider_crank", "slider_crank", "bricard"]
)
def test_reactions_balance_every_body(name):
    # m a = m g + Σ f,   R (J α + ω × J ω) = Σ t + (P − C) × f,   about the centre of mass C
    run = simulate(shipped(name), duration=0.2)
    mechanism, scene = run.mechanism, run.mechanism.scene
    assert not scene.forces
    assert not scene.motions
    evaluation = run.segments[0].channels.evaluation(run.samples)
    world = len(mechanism.bodies)
    force = np.zeros((world + 1, len(run), 3))
    torque = np.zeros_like(force)
    centre = [evaluation.position(b, np.zeros(3)) for b in range(world)] + [np.zeros((len(run), 3))]
    for joint, (A, B) in mechanism.joint_frames.items():
        f = vectors(run, f"joint.{joint}.reaction.", ("fx", "fy", "fz"))
        t = vectors(run, f"joint.{joint}.reaction.", ("tx", "ty", "tz"))
        marker = (
            np.broadcast_to(B.point, f.shape) if B.body == world else evaluation.position(B.body, B.point)
        )
        for body, sign in ((A.body, -1.0), (B.body, 1.0)):
            force[body] += sign * f
            torque[body] += sign * (t + np.cross(marker - centre[body], f))
    for b, body in enumerate(mechanism.bodies):
        mass = mass_properties(scene.body(body), scene.space)
        a = vectors(run, f"body.{body}.com.acc.", AXES)
        found, atol = force[b] + mass.mass * np.array(scene.gravity), 1e-9 * (1.0 + np.abs(force).max())
        assert_allclose(found, mass.mass * a, rtol=0.0, atol=atol)
        R = evaluation.rotation(b)
        J = R @ mass.inertia @ np.swapaxes(R, 1, 2)
        omega = vectors(run, f"body.{body}.omega.", AXES)
        alpha = vectors(run, f"body.{body}.alpha.", AXES)
        spin = np.einsum("nij,nj->ni", J, omega)
        wanted = np.einsum("nij,nj->ni", J, alpha) + np.cross(omega, spin)
        kept = slice(2, 3) if mechanism.planar else slice(0, 3)
        assert_allclose(
            torque[b][:, kept], wanted[:, kept], rtol=0.0, atol=1e-9 * (1.0 + np.abs(torque).max())
        )


def test_hinge_force_of_a_pendulum():
    # θ'² = −(3 g/L) sin θ,  θ'' = −(3 g/2L) cos θ;  along the rod and across it, on the rod:
    # f_r = m g sin θ − m (L/2) θ'² = (5/2) m g sin θ,   f_n = m g cos θ + m (L/2) θ'' = m g cos θ/4
    run = simulate(rod_pendulum(), duration=0.6)
    theta, m = run.channel("body.rod.angle"), 3.0
    fx, fy = run.channel("joint.hinge.reaction.fx"), run.channel("joint.hinge.reaction.fy")
    radial = np.cos(theta) * fx + np.sin(theta) * fy
    normal = -np.sin(theta) * fx + np.cos(theta) * fy
    assert_allclose(radial, 2.5 * m * G * np.sin(theta), rtol=0.0, atol=SOLVED * 2.5 * m * G)
    assert_allclose(normal, 0.25 * m * G * np.cos(theta), rtol=0.0, atol=SOLVED * 2.5 * m * G)
    assert_allclose(run.channel("joint.hinge.reaction.tz"), 0.0, atol=1e-12)


def test_effort_of_a_motion_is_what_inverse_dynamics_asks_for():
    # I θ'' = τ − m g l cos θ  for a prescribed θ(t)
    scene = rod_pendulum().with_motion("joint_motion", "swing", joint="hinge", function="0.5*sin(2*t)")
    run = simulate(scene, duration=0.5)
    t, inertia = run.t, 3.0 * 1.2**2 / 3.0
    theta = 0.5 * np.sin(2 * t)
    torque = inertia * -2.0 * np.sin(2 * t) + 3.0 * G * 0.6 * np.cos(theta)
    assert_allclose(run.channel("motion.swing.effort"), torque, rtol=SOLVED)
    assert_allclose(run.channel("motion.swing.power"), torque * np.cos(2 * t), rtol=0.0, atol=SOLVED * 20.0)
    assert_allclose(run.channel("joint.hinge.power"), torque * np.cos(2 * t), rtol=0.0, atol=SOLVED * 20.0)
