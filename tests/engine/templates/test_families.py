"""Families of any size: what is known of them in closed form."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine import check_scene, compile_scene, simulate
from engine.system.assembly.assemble import assemble
from engine.templates import TEMPLATES


@pytest.mark.parametrize(
    ("name", "size", "bodies", "mobility"),
    [
        ("net", 7, 7 * 8 + 7 * 7, 7),
        ("row_of_four_bars", 30, 61, 1),
        ("scissor_lift", 12, 25, 1),
        ("tether", 25, 25, 73),
        ("stewart_farm", 9, 9 * 14, 54),
        ("pendulum_chain", 80, 80, 80),
    ],
)
def test_bodies_and_degrees_of_freedom_by_size(name: str, size: int, bodies: int, mobility: int) -> None:
    made = TEMPLATES[name].make(count=size)
    assert len(made.scene.bodies) == bodies
    report = check_scene(made.scene)
    assert report.mobility.mobility == made.mobility == mobility
    assert report.mobility.redundant == 0
    assert report.start.violation_before < 1e-10


def test_a_chain_of_a_thousand_bars_closes() -> None:
    made = TEMPLATES["pendulum_chain"].make(count=1000, length=0.01, start=0.4)
    start = assemble(compile_scene(made.scene))
    assert start.violation_before < 1e-10
    assert made.mobility == 1000


def test_rows_of_a_net_are_pendulums_at_the_same_angle() -> None:
    """All rods of a row stay parallel, and the bars between them do not turn."""
    run = simulate(TEMPLATES["net"].make(count=3, start=0.4, bend=-0.1).scene, duration=0.5)
    for row in range(3):
        angles = [run.channel(f"body.rod {row}-{j}.angle") for j in range(4)]
        for other in angles[1:]:
            np.testing.assert_allclose(other, angles[0], atol=1e-9)
        np.testing.assert_allclose(run.channel(f"body.bar {row}-0.angle"), 0.0, atol=1e-9)
    error = run.channel("energy.error")
    assert np.abs(error).max() < 1e-6 * np.ptp(run.channel("energy.potential"))


def test_the_platform_of_a_lift_goes_up_by_the_sine() -> None:
    """Its height is n L sin θ, whatever the number of stages."""
    n, arm, start, stroke = 3, 0.5, math.radians(20), math.radians(30)
    made = TEMPLATES["scissor_lift"].make(count=n, arm=arm, start=start, stroke=stroke, pace=math.pi)
    run = simulate(made.scene, duration=1.0)
    theta = start + stroke * (1.0 - np.cos(math.pi * run.t)) / 2.0
    np.testing.assert_allclose(
        run.channel("body.platform.pos.y"), n * arm * np.sin(theta), atol=1e-7 * n * arm
    )
    np.testing.assert_allclose(run.channel("body.platform.angle"), 0.0, atol=1e-8)


def test_a_kick_along_the_tether_keeps_energy_and_comes_to_the_wall() -> None:
    run = simulate(TEMPLATES["tether"].make(count=6).scene, duration=1.0)
    total = run.channel("energy.total")
    assert np.ptp(total) < 1e-6 * total[0]
    assert np.abs(run.channel("joint.J1.angle")).max() > 1e-3


def test_a_vehicle_settles_where_its_springs_carry_it() -> None:
    """At rest the tyres carry the weight of all bodies, and left and right carry alike."""
    run = simulate(TEMPLATES["vehicle"].make(steer=0.0, damping=6000.0).scene, duration=4.0)
    mechanism = run.mechanism
    weight = 9.81 * float(mechanism.system.body_reals[: len(mechanism.bodies), 0].sum())
    wheels = [f"{place} {side}" for place in ("front", "rear") for side in ("left", "right")]
    loads = [float(run.channel(f"force.tyre {wheel}.fz")[-1]) for wheel in wheels]
    assert sum(loads) == pytest.approx(weight, rel=5e-3)
    assert loads[0] == pytest.approx(loads[1], rel=1e-6)
    assert loads[2] == pytest.approx(loads[3], rel=1e-6)


def test_steering_turns_both_front_wheels_the_same_way() -> None:
    run = simulate(TEMPLATES["vehicle"].make().scene, duration=0.9)
    left, right = (run.channel(f"body.front {side}.omega.z") for side in ("left", "right"))
    k = int(np.argmax(np.abs(left)))
    assert abs(left[k]) > 0.1
    assert left[k] * right[k] > 0.0
