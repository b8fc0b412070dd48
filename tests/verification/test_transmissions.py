"""Couplings between joints, in closed form.

A constant torque gives a constant acceleration, for which RK4 is exact: what is left is rounding, 1e-16 per
step and relative to the state, that is below 1e-12 over 100 steps.
"""

import numpy as np
import pytest

from engine import Scene, Trajectory
from tests.verification.runs import G, finished, shipped

ROUNDING = 1e-12
TORQUE, INERTIA_A, INERTIA_B = 0.7, 0.3, 0.8


def two_wheels() -> Scene:
    """Two discs on fixed axles, a torque on the first."""
    scene = Scene(space="planar", gravity=(0.0, 0.0))
    for name, x, inertia in (("a", 0.0, INERTIA_A), ("b", 1.0, INERTIA_B)):
        scene = scene.with_body(name, position=[x, 0.2], mass=1.3, inertia=[inertia]).with_joint(
            "revolute",
            f"J{name}",
            a={"body": "world", "point": [x, 0.2]},
            b={"body": name, "point": [0.0, 0.0]},
        )
    return scene.with_force("torque", "drive", body="a", components=[0.0, 0.0, TORQUE])


def angles_at_end(run: Trajectory) -> tuple[float, float]:
    return float(run.channel("joint.Ja.angle")[-1]), float(run.channel("joint.Jb.angle")[-1])


@pytest.mark.parametrize(
    ("kind", "fields", "factor"),
    [
        # angle_b = factor · angle_a
        ("gear", {"joint_a": "Ja", "joint_b": "Jb", "ratio": 2.5}, -1 / 2.5),
        ("gear", {"joint_a": "Ja", "joint_b": "Jb", "ratio": 2.5, "internal": True}, 1 / 2.5),
        ("belt", {"joint_a": "Ja", "joint_b": "Jb", "radius_a": 0.2, "radius_b": 0.5}, 0.4),
        ("belt", {"joint_a": "Ja", "joint_b": "Jb", "radius_a": 0.2, "radius_b": 0.5, "crossed": True}, -0.4),
        (
            "coupler",
            {
                "terms": [
                    {"joint": "Ja", "coordinate": "angle", "factor": 3.0},
                    {"joint": "Jb", "coordinate": "angle", "factor": -2.0},
                ]
            },
            1.5,
        ),
    ],
)
def test_coupled_wheels(kind, fields, factor):
    # (I_a + factor² I_b) α = τ,  angle_a = α t²/2
    run = finished(two_wheels().with_joint(kind, "link", **fields), "rk4", 0.01, 1.0)
    angle = TORQUE / (INERTIA_A + factor**2 * INERTIA_B) / 2
    assert angles_at_end(run) == pytest.approx((angle, factor * angle), abs=ROUNDING)


def test_coupler_follows_its_function():
    # θ_a + θ_b = 0.3 sin 2t and I_a θ_a'' − I_b θ_b'' = τ: both wheels feel the same reaction
    terms = [{"joint": name, "coordinate": "angle", "factor": 1.0} for name in ("Ja", "Jb")]
    scene = two_wheels().with_joint("coupler", "link", terms=terms, value="0.3*sin(2*t)")
    for name in ("a", "b"):  # the rate that the function has at the start, shared as inertia shares it
        share = (INERTIA_B if name == "a" else INERTIA_A) / (INERTIA_A + INERTIA_B)
        scene = _with_spin(scene, name, 0.6 * share)
    run = finished(scene, "rk4", 0.005, 1.0)
    total = INERTIA_A + INERTIA_B
    t = run.t
    wanted = (INERTIA_B * 0.3 * np.sin(2 * t) + TORQUE * t * t / 2) / total
    # RK4: (2 h)⁴ · 0.3 / 120 ≈ 3e-11
    assert run.channel("joint.Ja.angle") == pytest.approx(wanted, abs=3e-10)
    both = run.channel("joint.Ja.angle") + run.channel("joint.Jb.angle")
    assert both == pytest.approx(0.3 * np.sin(2 * t), abs=ROUNDING)


def _with_spin(scene: Scene, body: str, rate: float) -> Scene:
    from engine import set_value

    return set_value(scene, f"bodies.{body}.angular_velocity", [0.0, 0.0, rate])


def test_rack_and_pinion():
    # (I + m r²) α = τ, x = r θ
    mass, radius = 1.7, 0.15
    scene = (
        two_wheels()
        .with_body("rack", position=[0.0, 0.5], mass=mass, inertia=[0.1])
        .with_joint("prismatic", "slide", a={"body": "world", "point": [0.0, 0.5]}, b={"body": "rack"})
        .with_joint("rack_pinion", "mesh", pinion="Ja", rack="slide", radius=radius)
    )
    run = finished(scene, "rk4", 0.01, 1.0)
    angle = TORQUE / (INERTIA_A + mass * radius**2) / 2
    assert run.channel("joint.Ja.angle")[-1] == pytest.approx(angle, abs=ROUNDING)
    assert run.channel("joint.slide.displacement")[-1] == pytest.approx(radius * angle, abs=ROUNDING)


def test_screw_falls_and_turns():
    # z = p θ / 2π:  (m + I (2π/p)²) z'' = −m g
    mass, inertia, pitch = 2.0, 0.05, 0.4
    scene = (
        Scene()
        .with_body("nut", mass=mass, inertia=[0.07, 0.06, inertia])
        .with_joint(
            "screw", "thread", a={"body": "world", "axis": [0.0, 0.0, 1.0]}, b={"body": "nut"}, pitch=pitch
        )
    )
    run = finished(scene, "rk4", 0.001, 1.0)
    z = -mass * G / (mass + inertia * (2 * np.pi / pitch) ** 2) / 2
    # the quaternion turns at up to 2π z'/p ≈ 15 rad/s: (ω h)⁴ / 120 per step of h, 2e-10 in all
    assert run.channel("body.nut.pos.z")[-1] == pytest.approx(z, abs=1e-9)
    assert run.channel("joint.thread.angle")[-1] == pytest.approx(2 * np.pi * z / pitch, abs=1e-8)


def test_cardan_shaft_turns_unevenly_in_the_middle():
    # The input's arm is (0, cos θ, sin θ), the middle shaft u = (cos β, 0, −sin β) carries the other arm,
    # u × arm. Seen along u that arm has turned by φ with tan φ = cos β tan θ, so φ'/θ' =
    # cos β / (1 − sin² β sin² θ): the known cos β / (1 − sin² β cos² θ) with θ counted from the plane of the
    # shafts. The second joint undoes the first: the output turns like the input.
    run = finished(shipped("cardan_shaft"), "rk4", 1e-3, 3.0)
    beta, theta = np.pi / 6, run.channel("joint.input bearing.angle")
    speed = run.channel("joint.input bearing.speed")
    spin = [run.channel(f"body.middle.omega.{axis}") for axis in "xyz"]
    middle = np.sqrt(spin[0] ** 2 + spin[1] ** 2 + spin[2] ** 2)
    wanted = np.abs(speed) * np.cos(beta) / (1 - np.sin(beta) ** 2 * np.sin(theta) ** 2)
    assert middle == pytest.approx(wanted, abs=1e-10)  # geometry: holds to the tolerance of the projection
    assert np.abs(run.channel("joint.output bearing.speed")) == pytest.approx(np.abs(speed), abs=1e-10)
