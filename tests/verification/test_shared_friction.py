"""Held frictions that hold one and the same motion share its load, and let go together at Σ F_i |rate_i|."""

import math
from typing import Any

import numpy as np
import pytest

from engine.model.scene import Scene
from engine.results.trajectory import Trajectory
from engine.simulation.simulation import simulate

DRIVE = 10.0  # N·m/s, or N/s: by which the load grows
HELD: dict[str, Any] = {"model": "held", "stribeck_speed": 0.0}


def run(scene: Scene, duration: float, method: str = "lagrange/rk4/projection") -> Trajectory:
    found = simulate(scene, method=method, dt=1e-2, duration=duration)
    assert found.status.name == "FINISHED", found.message
    return found


def told(found: Trajectory) -> list[tuple[str, str]]:
    return [(event.kind, event.element) for event in found.events]


# two shafts and a gear pair between them


def shafts(ratio: float, static: tuple[float, float], load: str = f"{DRIVE} * t") -> Scene:
    """The load turns A, and B goes `ratio` times as slowly."""
    scene = Scene(space="planar", gravity=(0.0, 0.0))
    for name, x, most in zip("AB", (0.0, 1.0), static, strict=True):
        body = name.lower()
        scene = scene.with_body(body, position=[x, 0.0], mass=1.0, inertia=[0.5])
        scene = scene.with_joint("revolute", name, a={"body": "world", "point": [x, 0.0]}, b={"body": body})
        numbers = {"static": most, "kinetic": most * 2.0 / 3.0, **HELD}
        scene = scene.with_force("friction", f"of {body}", joint=name, **numbers)
    scene = scene.with_joint("gear", "mesh", joint_a="A", joint_b="B", ratio=ratio)
    return scene.with_force("torque", "drive", body="a", components=[0, 0, load])


METHODS = ("lagrange/rk4/projection", "null_space/rk4/none", "generalized_alpha", "radau")


@pytest.mark.parametrize("method", METHODS)
def test_two_geared_shafts_break_loose_at_the_sum(method: str) -> None:
    found = run(shafts(1.0, (6.0, 6.0)), 1.5, method)
    assert told(found) == [("slip", "of a"), ("slip", "of b")]
    assert [event.t for event in found.events] == pytest.approx([12.0 / DRIVE] * 2, abs=1e-9)
    before = found.t < 1.2 - 1e-9
    for body in "ab":
        np.testing.assert_allclose(
            np.abs(found.channel(f"force.of {body}.effort")[before]), 0.5 * DRIVE * found.t[before], atol=1e-9
        )
    # ∫ (10 t − 8) dt over J_A + J_B = 1
    speed = 5.0 * (1.5**2 - 1.2**2) - 8.0 * 0.3
    assert found.channel("body.a.omega.z")[-1] == pytest.approx(speed, abs=1e-9 if "rk4" in method else 1e-4)


def test_shares_are_those_of_the_bounds_and_the_gear_carries_its_own() -> None:
    """With ratio 2: M = F_a + F_b/2, each at the same share of its bound."""
    found = run(shafts(2.0, (3.0, 10.0)), 1.0)
    assert [event.t for event in found.events] == pytest.approx([8.0 / DRIVE] * 2, abs=1e-9)
    before = found.t < 0.8 - 1e-9
    share = DRIVE * found.t[before] / 8.0
    of_a, of_b = (found.channel(f"force.of {body}.effort")[before] for body in "ab")
    np.testing.assert_allclose(of_a, -3.0 * share, atol=1e-9)
    np.testing.assert_allclose(np.abs(of_b), 10.0 * share, atol=1e-9)
    # B rests under its friction and what the mesh puts on it: rate_a − 2 rate_b = 0
    mesh = found.channel("joint.mesh.effort")[before]
    np.testing.assert_allclose(np.abs(mesh), np.abs(of_a + DRIVE * found.t[before]), atol=1e-9)


@pytest.mark.parametrize("load", ["5.0", "11.9", "11.9 * sin(20 * t)"])
def test_nothing_happens_below_the_sum(load: str) -> None:
    found = run(shafts(1.0, (6.0, 6.0), load), 1.0)
    assert found.events == ()
    assert np.abs(found.channel("body.a.omega.z")).max() < 1e-13


def test_both_stick_again_at_once() -> None:
    """12.5 N·m for 1 s, then 0.5: with J = 1 in all they slow down with 7.5 from 4.5 on."""
    found = run(shafts(1.0, (6.0, 6.0), "if(t < 1, 12.5, 0.5)"), 2.0)
    sticks = [event.t for event in found.events if event.kind == "stick"]
    assert sorted(told(found)) == [("stick", "of a"), ("stick", "of b")]
    assert sticks == pytest.approx([1.6, 1.6], abs=1e-2)
    assert found.channel("force.of a.effort")[-1] == pytest.approx(-0.25, abs=1e-9)


def test_two_frictions_on_one_coordinate() -> None:
    scene = Scene(space="planar", gravity=(0.0, 0.0)).with_body("a", mass=1.0, inertia=[1.0])
    scene = scene.with_joint("revolute", "A", a={"body": "world", "point": [0.0, 0.0]}, b={"body": "a"})
    for name, most in (("seal", 2.0), ("bearing", 6.0)):
        scene = scene.with_force("friction", name, joint="A", static=most, kinetic=0.5 * most, **HELD)
    scene = scene.with_force("torque", "drive", body="a", components=[0, 0, f"{DRIVE} * t"])
    found = run(scene, 1.0)
    assert told(found) == [("slip", "seal"), ("slip", "bearing")]
    assert [event.t for event in found.events] == pytest.approx([0.8, 0.8], abs=1e-9)
    at = int(np.searchsorted(found.t, 0.4))
    assert found.channel("force.seal.effort")[at] == pytest.approx(-1.0, abs=1e-9)
    assert found.channel("force.bearing.effort")[at] == pytest.approx(-3.0, abs=1e-9)


def test_redundant_friction_on_parallel_guides() -> None:
    """A carriage on two rails: the frictions of both hold it, 3 to 5."""
    scene = Scene(space="planar", gravity=(0.0, 0.0)).with_body("carriage", mass=2.0, inertia=[1.0])
    for name, y, most in (("low", -0.5, 3.0), ("high", 0.5, 5.0)):
        rail = {"body": "world", "point": [0.0, y], "axis": [1.0, 0.0]}
        own = {"body": "carriage", "point": [0.0, y], "axis": [1.0, 0.0]}
        scene = scene.with_joint("prismatic", name, a=rail, b=own)
        slide: dict[str, Any] = {"joint": name, "coordinate": "displacement", **HELD}
        scene = scene.with_force("friction", f"on {name}", static=most, kinetic=most, **slide)
    scene = scene.with_force("force", "pull", body="carriage", components=[f"{DRIVE} * t", 0, 0])
    found = run(scene, 1.0)
    assert sorted(told(found)) == [("slip", "on high"), ("slip", "on low")]
    assert [event.t for event in found.events] == pytest.approx([0.8, 0.8], abs=1e-9)
    at = int(np.searchsorted(found.t, 0.4))
    assert found.channel("force.on low.effort")[at] == pytest.approx(-1.5, abs=1e-9)
    assert found.channel("force.on high.effort")[at] == pytest.approx(-2.5, abs=1e-9)
    # ∫ (10 t − 8) dt over m
    assert found.channel("body.carriage.vel.x")[-1] == pytest.approx(0.2**2 * 5.0 / 2.0, abs=1e-9)


# a four-bar with friction at all pins


def four_bar(most: tuple[float, ...], load: str = f"{DRIVE} * t") -> tuple[Scene, float]:
    """And the torque on the crank at which virtual work lets it go: M ω = Σ F_i |rate_i|."""
    crank, coupler, rocker, frame = 0.3, 1.0, 0.7, 1.1
    angle = math.radians(65.0)
    A, D = np.zeros(2), np.array([frame, 0.0])
    B = crank * np.array([math.cos(angle), math.sin(angle)])
    way = D - B
    reach, towards = math.hypot(*way), math.atan2(way[1], way[0])
    inner = math.acos((coupler**2 + reach**2 - rocker**2) / (2.0 * coupler * reach))
    C = B + coupler * np.array([math.cos(towards + inner), math.sin(towards + inner)])

    # v_C = ω × AB + ω_2 × BC = ω_3 × DC, with ω = 1
    def turned(v: np.ndarray) -> np.ndarray:
        return np.array([-v[1], v[0]])

    second, third = np.linalg.solve(np.column_stack([turned(C - B), -turned(C - D)]), -turned(B - A))
    rates = (1.0, second - 1.0, third - second, third)
    scene = Scene(space="planar", gravity=(0.0, 0.0))
    for name, P, Q in (("crank", A, B), ("coupler", B, C), ("rocker", D, C)):
        turn = math.atan2(Q[1] - P[1], Q[0] - P[0])
        pose = {"position": list(0.5 * (P + Q)), "angle": turn}
        scene = scene.with_body(name, mass=1.0, inertia=[0.05], **pose)
    half = {"crank": 0.5 * crank, "coupler": 0.5 * coupler, "rocker": 0.5 * rocker}
    pins = (
        ("A", {"body": "world", "point": [0.0, 0.0]}, {"body": "crank", "point": [-half["crank"], 0.0]}),
        (
            "B",
            {"body": "crank", "point": [half["crank"], 0.0]},
            {"body": "coupler", "point": [-half["coupler"], 0.0]},
        ),
        (
            "C",
            {"body": "coupler", "point": [half["coupler"], 0.0]},
            {"body": "rocker", "point": [half["rocker"], 0.0]},
        ),
        ("D", {"body": "world", "point": [frame, 0.0]}, {"body": "rocker", "point": [-half["rocker"], 0.0]}),
    )
    for (name, a, b), friction in zip(pins, most, strict=True):
        scene = scene.with_joint("revolute", name, a=a, b=b)
        both = {"static": friction, "kinetic": friction, **HELD}
        scene = scene.with_force("friction", f"of {name}", joint=name, **both)
    scene = scene.with_force("torque", "drive", body="crank", components=[0, 0, load])
    return scene, sum(f * abs(rate) for f, rate in zip(most, rates, strict=True))


@pytest.mark.parametrize("method", METHODS[:3])
def test_a_four_bar_breaks_loose_where_virtual_work_says(method: str) -> None:
    most = (2.0, 1.0, 3.0, 1.5)
    scene, torque = four_bar(most)
    found = run(scene, torque / DRIVE + 0.1, method)
    assert sorted(told(found)) == [("slip", f"of {pin}") for pin in "ABCD"]
    assert [event.t for event in found.events] == pytest.approx([torque / DRIVE] * 4, abs=1e-8)
    before = found.t < torque / DRIVE - 1e-9
    for pin, friction in zip("ABCD", most, strict=True):
        share = np.abs(found.channel(f"force.of {pin}.effort")[before]) / friction
        np.testing.assert_allclose(share, DRIVE * found.t[before] / torque, atol=1e-8)
    # crank at rest: moment about A of what pin B puts on it, with the torques of both frictions
    found_at = int(before.sum()) - 1
    t = found.t[found_at]
    arm = 0.3 * np.array([math.cos(math.radians(65.0)), math.sin(math.radians(65.0))])
    pull = [-found.channel(f"joint.B.reaction.f{c}")[found_at] for c in "xy"]
    torques = found.channel("force.of A.effort")[found_at] - found.channel("force.of B.effort")[found_at]
    assert arm[0] * pull[1] - arm[1] * pull[0] + torques + DRIVE * t == pytest.approx(0.0, abs=1e-7)


def test_all_pins_stick_and_slip_together() -> None:
    """Under 8 sin 6t the bar comes to rest, waits for the load to grow the other way, and goes back."""
    scene, torque = four_bar((2.0, 1.0, 3.0, 1.5), "8 * sin(6 * t)")
    found = simulate(scene, method="lagrange/rk4/projection", dt=5e-3, duration=0.7)
    kinds = [kind for kind, _ in told(found)]
    assert kinds == ["slip"] * 4 + ["stick"] * 4 + ["slip"] * 4
    at = np.array([event.t for event in found.events]).reshape(3, 4)
    assert np.ptp(at, axis=1).max() == 0.0
    assert at[0, 0] == pytest.approx(math.asin(torque / 8.0) / 6.0, abs=1e-8)
    rests = (found.t > at[1, 0]) & (found.t < at[2, 0])
    assert np.abs(found.channel("body.crank.omega.z")[rests]).max() < 1e-12


# where nothing says how they share


TOLD = "hold the same motion, and nothing says how they share"


def warnings(scene: Scene) -> str:
    return simulate(scene, method="lagrange/rk4/projection", dt=1e-2, duration=0.02).message


def test_frictions_by_reactions_that_hold_one_motion_are_told() -> None:
    scene = shafts(1.0, (6.0, 6.0))
    assert TOLD not in warnings(scene)
    by_reaction = {"normal": "reaction", "coefficient": 0.2, "radius": 0.05, **HELD}
    scene = Scene(space="planar", gravity=(0.0, -9.81))
    for name, x in zip("AB", (0.0, 1.0), strict=True):
        body = name.lower()
        scene = scene.with_body(body, position=[x, 0.0], mass=1.0, inertia=[0.5])
        scene = scene.with_joint("revolute", name, a={"body": "world", "point": [x, 0.0]}, b={"body": body})
        scene = scene.with_force("friction", f"of {body}", joint=name, **by_reaction)
    assert TOLD not in warnings(scene)  # two motions
    told = warnings(scene.with_joint("gear", "mesh", joint_a="A", joint_b="B", ratio=1.0))
    assert TOLD in told
    assert "'of a', 'of b'" in told


def test_frictions_of_two_motions_that_act_on_one_are_told() -> None:
    """Three coordinates of two motions: that of the third is the sum of the others."""
    scene = Scene(space="planar", gravity=(0.0, 0.0))
    for name, x in zip("ABC", (0.0, 1.0, 2.0), strict=True):
        body = name.lower()
        scene = scene.with_body(body, position=[x, 0.0], mass=1.0, inertia=[0.5])
        scene = scene.with_joint("revolute", name, a={"body": "world", "point": [x, 0.0]}, b={"body": body})
        scene = scene.with_force("friction", f"of {body}", joint=name, static=2.0, kinetic=1.0, **HELD)
    assert TOLD not in warnings(scene)
    terms = [
        {"joint": name, "coordinate": "angle", "factor": factor}
        for name, factor in zip("ABC", (1.0, 1.0, -1.0), strict=True)
    ]
    assert TOLD in warnings(scene.with_joint("coupler", "sum", terms=terms))
