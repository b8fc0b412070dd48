"""Assembly from bad guesses, wishes that are honoured, and mechanisms that cannot be assembled."""

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.errors import CompileError
from engine.model.files.scene_file import dumps, loads
from engine.model.scene import Scene
from engine.system.assembly.assemble import Start, assemble
from engine.system.compiling.compile import compile_scene
from engine.system.compiling.mechanism import Mechanism
from engine.system.equations.evaluator import Evaluator
from tests.engine.system.mechanisms import bar, four_bar, hinge, scene, shipped, solid

CLOSED = 1e-12
SHIPPED = ["four_bar", "slider_crank", "bricard", "stewart_platform", "andrews", "bicycle", "cardan_shaft"]
_cache: dict[str, tuple[Mechanism, Evaluator]] = {}


def compiled(name: str) -> tuple[Mechanism, Evaluator]:
    if name not in _cache:
        mechanism = compile_scene(shipped(name))
        _cache[name] = (mechanism, Evaluator(mechanism))
    return _cache[name]


def disturbed(name: str, seed: int, metres: float, radians: float) -> tuple[Start, Mechanism, Evaluator]:
    mechanism, evaluator = compiled(name)
    size = [metres] * 2 + [radians] if mechanism.planar else [metres] * 3 + [radians] * 3
    step = np.random.default_rng(seed).uniform(-1.0, 1.0, mechanism.nv) * np.tile(size, len(mechanism.bodies))
    guess = evaluator.retract(mechanism.q, step)
    return assemble(mechanism, q=guess, evaluator=evaluator), mechanism, evaluator


def value(mechanism: Mechanism, start: Start, joint: str, coordinate: str = "angle") -> tuple[float, float]:
    """Joint coordinate and its rate at the start."""
    work = Evaluator(mechanism).at(0.0, start.q, start.v, start.angles).work
    coordinate_function = mechanism.coordinates[joint, coordinate]
    return float(work.coordinate[coordinate_function, COORDINATE_VALUE.VALUE]), float(
        work.coordinate[coordinate_function, COORDINATE_VALUE.RATE]
    )


def of(built: Scene) -> tuple[Mechanism, Start]:
    mechanism = compile_scene(built)
    return mechanism, assemble(mechanism)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_closed_scene_is_not_touched(name: str) -> None:
    mechanism, evaluator = compiled(name)
    start = assemble(mechanism, evaluator=evaluator)
    assert np.array_equal(start.q, mechanism.q)
    assert np.array_equal(start.v, mechanism.v)
    assert not start.velocity_changed
    assert set(start.moved.values()) == {0.0}


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("seed", range(3))
def test_a_very_bad_guess_is_closed(name: str, seed: int) -> None:
    start, *_ = disturbed(name, seed, 0.3, 1.0)
    assert start.violation_before > 0.01
    assert start.violation_after <= CLOSED
    assert start.rate_after <= 1e-11 * max(1.0, start.rate_before)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_small_disturbance_keeps_the_branch(name: str) -> None:
    start, mechanism, evaluator = disturbed(name, 0, 1e-4, 1e-3)
    assert start.violation_after <= CLOSED
    assert np.max(np.abs(evaluator.difference(mechanism.q, start.q))) < 2e-2


@settings(max_examples=15)
@given(angle=st.floats(0.05, 6.2), guess=st.floats(-0.15, 0.15))
def test_four_bar_closes_on_the_branch_of_its_guess(angle: float, guess: float) -> None:
    """Exact angles by the law of cosines; the coupler and rocker are given wrong by up to 0.15 rad."""
    mechanism, evaluator = compiled("four_bar")
    L1, L2, L3, L4 = 0.1, 0.4, 0.3, 0.4
    x, y = L4 - L1 * math.cos(angle), -L1 * math.sin(angle)
    r = math.hypot(x, y)
    phi2 = math.atan2(y, x) + math.acos((L2**2 + r**2 - L3**2) / (2 * L2 * r))
    phi3 = math.pi + math.atan2(y, x) - math.acos((L3**2 + r**2 - L2**2) / (2 * L3 * r))
    angles = np.array([angle, phi2 + guess, phi3 - guess])
    starts = [(0.0, 0.0), (L1 * math.cos(angle), L1 * math.sin(angle)), (L4, 0.0)]
    lengths = (L1, L2, L3)
    q = np.ravel(
        [
            (p[0] + length / 2 * math.cos(a), p[1] + length / 2 * math.sin(a), a)
            for p, length, a in zip(starts, lengths, angles, strict=True)
        ]
    )
    start = assemble(mechanism, q=q, evaluator=evaluator)
    # at the crank angle that was found, the exact solution of the same branch
    found = start.q[2::3]
    x, y = L4 - L1 * math.cos(found[0]), -L1 * math.sin(found[0])
    r = math.hypot(x, y)
    exact = math.atan2(y, x) + math.acos((L2**2 + r**2 - L3**2) / (2 * L2 * r))
    assert found[1] == pytest.approx(exact, abs=1e-10)


# what the scene asks for


def test_a_held_body_stays_where_it_is() -> None:
    mechanism, start = of(four_bar(crank={"hold": "pose"}))
    assert np.array_equal(start.q[:3], mechanism.q[:3])
    assert start.moved["crank"] == 0.0
    assert start.moved["coupler"] > 1e-3
    assert start.violation_after <= CLOSED


def test_a_held_body_moves_when_nothing_else_can() -> None:
    built = scene(
        "planar",
        [bar("arm", (0.1, 0.2), 0.0, hold="pose")],
        [hinge("A", "world", [0, 0], "arm", [0, 0])],
    )
    _, start = of(built)
    assert start.violation_after <= CLOSED


@pytest.mark.parametrize("turns", [0, 1, -2])
def test_a_start_value_is_met_with_its_whole_turns(turns: int) -> None:
    wanted = 0.7 + 2 * math.pi * turns
    built = scene(
        "spatial",
        [solid("arm", [0.3, 0, 0])],
        [
            {
                **hinge("A", "world", [0, 0, 0], "arm", [-0.3, 0, 0]),
                "start": {"angle": {"value": wanted, "speed": 3.0}},
            }
        ],
    )
    mechanism, start = of(built)
    assert value(mechanism, start, "A") == (pytest.approx(wanted, abs=1e-12), pytest.approx(3.0, abs=1e-12))


def test_planar_start_values_and_speeds_are_met() -> None:
    mechanism, start = of(four_bar(start={"angle": {"value": 1.0, "speed": 5.0}}))
    assert value(mechanism, start, "A") == (pytest.approx(1.0, abs=1e-12), pytest.approx(5.0, abs=1e-11))
    assert start.velocity_changed
    assert start.rate_after < 1e-12


def test_free_angles_start_within_half_a_turn() -> None:
    start, *_ = disturbed("bricard", 4, 0.3, 1.0)
    assert np.all(np.abs(start.angles) <= math.pi)


def test_a_gear_follows_a_start_value_by_whole_turns() -> None:
    def wheel(name: str, x: float) -> dict[str, Any]:
        return solid(name, [x, 0, 0])

    built = scene(
        "spatial",
        [wheel("pinion", 0.0), wheel("gear", 0.3)],
        [
            {
                **hinge("P", "world", [0, 0, 0], "pinion", [0, 0, 0]),
                "start": {"angle": {"value": 7.0}},
            },
            hinge("G", "world", [0.3, 0, 0], "gear", [0, 0, 0]),
            {"name": "mesh", "kind": "gear", "joint_a": "P", "joint_b": "G", "ratio": 2.0},
        ],
    )
    mechanism, start = of(built)
    assert value(mechanism, start, "P")[0] == pytest.approx(7.0, abs=1e-11)
    assert value(mechanism, start, "G")[0] == pytest.approx(-3.5, abs=1e-11)


def test_held_velocities_are_kept_and_the_rest_follows() -> None:
    crank = {"hold": "both", "angular_velocity": [0, 0, 10.0]}
    mechanism, start = of(four_bar(crank=crank))
    assert value(mechanism, start, "A")[1] == pytest.approx(10.0, abs=1e-12)
    assert start.rate_after < 1e-12


def test_velocities_change_least_in_the_metric_of_the_mass() -> None:
    """v − v₀ = M⁻¹Jᵀμ for the least change: it does no work on motions that the constraints allow."""
    mechanism, start = of(four_bar(crank={"angular_velocity": [0, 0, 10.0]}))
    evaluator = Evaluator(mechanism)
    J = evaluator.at(0.0, start.q, start.v).jacobian
    impulse = evaluator.mass_matrix() @ (start.v - mechanism.v)
    null = np.linalg.svd(J)[2][8:].T
    assert np.max(np.abs(null.T @ impulse)) < 1e-12
    assert 0.0 < value(mechanism, start, "A")[1] < 10.0


def test_issue_17_a_light_body_beside_a_heavy_one_is_closed_as_if_alone() -> None:
    """The blow of the hinge keeps the angular momentum about it: ω = (m r × v + I ω₀)/(I + m r²)."""
    m, r, inertia, v, spin = 1e-6, 0.1, 4e-9, 0.7, 3.0
    light = {"position": [r, 0.0], "mass": m, "inertia": [inertia], "velocity": [0.2, v]}
    built = (
        Scene(space="planar")
        .with_body("far", position=[50.0, 3.0], mass=1e3, inertia=[1e3])
        .with_body("light", angular_velocity=[0.0, 0.0, spin], **light)
        .with_joint("revolute", "A", a={"body": "world"}, b={"body": "light"})
    )
    mechanism, start = of(built)
    exact = (m * r * v + inertia * spin) / (inertia + m * r**2)
    assert value(mechanism, start, "A")[1] == pytest.approx(exact, rel=1e-9)


def test_a_motion_that_begins_after_many_turns() -> None:
    built = scene(
        "spatial",
        [solid("arm", [0.3, 0, 0])],
        [hinge("A", "world", [0, 0, 0], "arm", [-0.3, 0, 0])],
        motions=[{"name": "M", "kind": "joint_motion", "joint": "A", "function": "20 + 3*t"}],
    )
    mechanism, start = of(built)
    assert value(mechanism, start, "A") == (pytest.approx(20.0, abs=1e-12), pytest.approx(3.0, abs=1e-12))


def driven_four_bar(coupler: float = 0.4, **more: Any) -> Scene:
    """The crank of 0.1 m stands at 90° and turns at a speed; the loop is open as given."""
    built = four_bar(coupler)
    turning = {"name": "M", "kind": "joint_motion", "joint": "A", "level": "velocity", "function": 2.0}
    raw = {"motions": [turning], **more}
    return loads(json.dumps({**json.loads(dumps(built)), **raw}))


@pytest.mark.parametrize("coupler", [0.35, 0.4, 0.5])
def test_issue_18_closing_keeps_the_angle_that_a_motion_turns(coupler: float) -> None:
    """Coupler and rocker by the law of cosines, from the crank as it was given."""
    mechanism, start = of(driven_four_bar(coupler))
    assert start.q[2] == pytest.approx(math.pi / 2, abs=1e-12)
    assert value(mechanism, start, "A") == (pytest.approx(0.0, abs=1e-12), pytest.approx(2.0, abs=1e-11))
    B, D = 0.1j, 0.4
    r = abs(D - B)
    exact = np.angle(D - B) + math.acos((coupler**2 + r**2 - 0.3**2) / (2 * coupler * r))
    assert start.q[5] == pytest.approx(exact, abs=1e-10)
    assert start.notes == ()


@pytest.mark.parametrize(
    "drive",
    [
        {"motions": [], "forces": [{"name": "T", "kind": "motor", "joint": "A", "effort": 1.0}]},
        {
            "motions": [
                {
                    "name": "M",
                    "kind": "body_motion",
                    "body": "crank",
                    "coordinate": "angle",
                    "level": "velocity",
                    "function": 2.0,
                }
            ]
        },
    ],
    ids=["motor", "body motion"],
)
def test_issue_18_motors_and_motions_of_bodies_keep_their_coordinates(drive: dict[str, Any]) -> None:
    _, start = of(driven_four_bar(0.37, **drive))
    assert start.q[2] == pytest.approx(math.pi / 2, abs=1e-12)


def test_issue_18_a_motion_goes_before_a_motor_and_both_before_a_held_body() -> None:
    """The linkage has one degree of freedom: the load on the rocker gives way to the motion of the crank."""
    load = [{"name": "T", "kind": "motor", "joint": "D", "effort": 1.0}]
    held = json.loads(dumps(four_bar(0.37)))["bodies"]
    held[2]["hold"] = "pose"
    _, start = of(driven_four_bar(0.37, forces=load, bodies=held))
    assert start.q[2] == pytest.approx(math.pi / 2, abs=1e-12)
    assert len(start.notes) == 1
    assert "joint 'D': angle is driven, but no closed pose was found" in start.notes[0]
    _, start = of(driven_four_bar(0.37, forces=load, motions=[]))
    assert start.q[8] == pytest.approx(1.7, abs=1e-12)


def test_issue_18_a_driven_angle_that_cannot_be_is_moved_and_told() -> None:
    """With the crank up, B is 0.412 m from D: coupler and rocker of 0.1 + 0.3 m do not reach."""
    mechanism, start = of(driven_four_bar(0.1))
    assert start.violation_after <= CLOSED
    assert abs(value(mechanism, start, "A")[0]) > 1e-3
    assert "joint 'A': angle is driven" in start.notes[0]


def test_a_start_value_goes_before_what_is_driven() -> None:
    built = four_bar(start={"angle": {"value": 1.0}})
    motion = json.loads(dumps(driven_four_bar()))["motions"]
    mechanism, start = of(loads(json.dumps({**json.loads(dumps(built)), "motions": motion})))
    assert value(mechanism, start, "A")[0] == pytest.approx(1.0, abs=1e-12)


def test_massless_bodies_tied_to_massive_ones_are_legal() -> None:
    _, start = of(shipped("slider_crank"))
    assert start.violation_after <= CLOSED


# what cannot be


def rods(length: float) -> Scene:
    return scene(
        "planar",
        [bar("arm", (0.0, 0.0), 0.0)],
        [
            hinge("short", "world", [-0.5, 0], "arm", [0, 0], kind="distance", length=0.5),
            hinge("long", "world", [-0.5, 0], "arm", [0, 0], kind="distance", length=length),
        ],
    )


def parallelogram(wrong: float) -> Scene:
    """Two cranks and a third one that is too long: five bars."""
    cranks = [
        bar(name, (x, 0.0), math.pi / 2) for name, x in (("left", 0.0), ("middle", 0.5), ("right", 1.0))
    ]
    lengths = (0.5, 0.5 + wrong, 0.5)
    joints = [
        joint
        for crank, x, length in zip(cranks, (0.0, 0.5, 1.0), lengths, strict=True)
        for joint in (
            hinge(f"foot {crank['name']}", "world", [x, 0], crank["name"], [0, 0]),
            hinge(f"head {crank['name']}", crank["name"], [length, 0], "beam", [x, 0]),
        )
    ]
    joints.append(hinge("stay", "world", [-0.5, 0.5], "beam", [0, 0], kind="distance", length=0.5))
    return scene("planar", [*cranks, bar("beam", (0.0, 0.5), 0.0)], joints)


def two_locks() -> Scene:
    joints = [
        hinge("A", "world", [0, 0, 0], "arm", [-0.3, 0, 0]),
        hinge("B", "world", [0, 0.2, 0], "arm", [-0.3, 0, 0], kind="spherical"),
    ]
    return scene("spatial", [solid("arm", [0.3, 0, 0])], joints)


def driven_twice() -> Scene:
    motions = [
        {"name": "M1", "kind": "joint_motion", "joint": "A", "function": "t"},
        {"name": "M2", "kind": "body_motion", "body": "arm", "coordinate": "angle", "function": "2*t"},
    ]
    return scene(
        "planar", [bar("arm", (0.0, 0.0), 0.0)], [hinge("A", "world", [0, 0], "arm", [0, 0])], motions=motions
    )


def weightless() -> Scene:
    arm = bar("arm", (0.0, 0.0), 0.0)
    tip = {"name": "tip", "position": [0.2, 0], "mass": 0.0, "inertia": [0.0]}
    joints = [hinge("A", "world", [0, 0], "arm", [0, 0]), hinge("B", "arm", [0.2, 0], "tip", [0, 0])]
    return scene("planar", [arm, tip], joints)


def two_held() -> Scene:
    bodies = [
        bar("left", (0.0, 0.0), 0.0, hold="velocity", angular_velocity=[0, 0, 1.0]),
        bar("right", (0.2, 0.0), 0.0, hold="velocity", angular_velocity=[0, 0, 1.0]),
    ]
    joints = [hinge("A", "world", [0, 0], "left", [0, 0]), hinge("B", "left", [0.2, 0], "right", [0, 0])]
    return scene("planar", bodies, joints)


def impossible_start() -> Scene:
    # the rocker of a crank-rocker does not turn round
    built = four_bar()
    joints = [
        hinge("A", "world", [0, 0], "crank", [0, 0]),
        hinge("B", "crank", [0.1, 0], "coupler", [0, 0]),
        hinge("C", "coupler", [0.4, 0], "rocker", [0.3, 0]),
        hinge("D", "world", [0.4, 0], "rocker", [0, 0], start={"angle": {"value": 0.2}}),
    ]
    bars = [
        bar("crank", (0.0, 0.0), math.pi / 2),
        bar("coupler", (0.0, 0.1), 0.45),
        bar("rocker", (0.4, 0.0), 1.7),
    ]
    # b gives the frame of the rocker itself, so that the angle counts from the world's x
    joints[3]["b"]["reference"] = [1, 0]
    return scene(built.space, bars, joints)


BROKEN: dict[str, tuple[Any, list[str], str]] = {
    "contradictory rods": (lambda: rods(0.6), ["'short'", "'long'", "stays open by 0.05 m"], "lengths"),
    "wrong length in a redundant loop": (
        lambda: parallelogram(0.05),
        ["'foot", "'head", "open by"],
        "lengths",
    ),
    "contradictory joints": (two_locks, ["'A'", "'B'", "stays open by 0.1 m"], "anchors"),
    "impossible lengths": (lambda: four_bar(coupler=0.9), ["'B'", "'C'", "stays open by"], "lengths"),
    "contradictory motions": (driven_twice, ["'M1'", "'M2'"], "motions agree"),
    "zero mass degree of freedom": (weightless, ["body 'tip'", "without moving any mass"], "inertia"),
    "contradictory held velocities": (two_held, ["body 'right'", "contradicts"], "velocities"),
    "contradictory speeds": (
        lambda: four_bar(crank={"hold": "velocity"}, start={"angle": {"speed": 3.0}}),
        ["contradicts the constraints", "'A'"],
        "velocities",
    ),
    "impossible start value": (impossible_start, ["joint 'D'", "cannot start at 0.2 rad"], "leave it out"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_what_cannot_be_is_told_with_names_and_a_cure(case: str) -> None:
    make, parts, remedy = BROKEN[case]
    with pytest.raises(CompileError) as caught:
        of(make())
    text = str(caught.value)
    for part in parts:
        assert part in text, text
    assert any(remedy in problem.remedy for problem in caught.value.problems), text
    assert len(text.splitlines()) < 24


def test_start_values_that_nearly_fit_are_met_as_nearly_as_can_be() -> None:
    exact = of(four_bar())[1].q
    built = four_bar(start={"angle": {"value": float(round(exact[2] - math.pi / 2, 2))}})
    assert of(built)[1].violation_after <= CLOSED
