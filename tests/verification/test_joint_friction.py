"""Friction in planar and ball joints, wheels that slip and resist rolling, thrust faces, losses of meshes."""

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from engine.errors import SceneError
from engine.model.scene import Scene
from engine.model.validate import validate
from engine.results.trajectory import Trajectory
from engine.simulation.simulation import simulate

G, M, MU = 9.81, 2.0, 0.2
HELD: dict[str, Any] = {"model": "held", "normal": "reaction", "stribeck_speed": 0.0}


def run(scene: Scene, dt: float = 1e-2, duration: float = 1.0) -> Trajectory:
    found = simulate(scene, method="lagrange/rk4/projection", dt=dt, duration=duration)
    assert found.status.name == "FINISHED", found.message
    assert np.abs(found.channel("energy.error")).max() < 1e-6
    return found


# a puck on a table


def puck(speed: tuple[float, float], degrees: float = 0.0, **fields: Any) -> Scene:
    """On a table that falls towards x."""
    angle = math.radians(degrees)
    scene = Scene(gravity=(G * math.sin(angle), 0.0, -G * math.cos(angle)))
    scene = scene.with_body("puck", velocity=[*speed, 0.0], mass=M, inertia=[0.1, 0.1, 0.1])
    scene = scene.with_joint(
        "planar", "table", a={"body": "world", "point": [0, 0, 0], "axis": [0, 0, 1]}, b={"body": "puck"}
    )
    given = {**HELD, "coefficient": MU, **fields}
    return scene.with_force("friction", "felt", joint="table", coordinate="slide", **given)


def test_a_puck_stops_where_it_should_in_any_direction() -> None:
    speed = math.hypot(1.0, 0.5)
    found = run(puck((1.0, 0.5)))
    (stick,) = found.events
    assert stick.t == pytest.approx(speed / (MU * G), abs=1e-11)
    assert found.channel("body.puck.pos.x")[-1] == pytest.approx(speed / (2.0 * MU * G), rel=1e-12)
    assert found.channel("energy.loss.friction.felt")[-1] == pytest.approx(0.5 * M * speed**2, rel=1e-12)


def test_a_puck_on_a_shallow_table_does_not_move() -> None:
    found = run(puck((0.0, 0.0), 10.0), dt=0.5, duration=60.0)
    assert np.abs(found.channel("body.puck.pos.x")).max() < 1e-12
    assert found.channel("force.felt.effort")[-1] == pytest.approx(M * G * math.sin(math.radians(10.0)))


def test_a_puck_turns_downhill_as_it_slides() -> None:
    angle = math.radians(15.0)

    def rate(t: float, state: np.ndarray) -> list[float]:
        u = state[2:]
        a = np.array([G * math.sin(angle), 0.0]) - MU * G * math.cos(angle) * u / np.linalg.norm(u)
        return [*u, *a]

    exact = solve_ivp(rate, (0.0, 1.0), [0.0, 0.0, 0.0, 1.0], rtol=1e-11, atol=1e-13).y[:, -1]
    found = run(puck((0.0, 1.0), 15.0), dt=5e-3)
    assert found.channel("body.puck.pos.x")[-1] == pytest.approx(exact[0], abs=1e-9)
    assert found.channel("body.puck.pos.y")[-1] == pytest.approx(exact[1], abs=1e-9)


def test_a_puck_that_turns_downhill_comes_to_rest() -> None:
    """On 8°, where it ends in one direction with the deceleration g (µ cos − sin)."""
    found = run(puck((0.0, 1.0), 8.0), dt=5e-3, duration=2.0)
    assert [event.kind for event in found.events] == ["stick"]
    assert np.ptp(found.channel("body.puck.pos.x")[found.t > found.events[0].t]) < 1e-12


# a ball in its socket


@pytest.mark.parametrize(
    "fields",
    [HELD, {"normal": "reaction", "smoothing_speed": 0.01}, {"preload": M * G, "smoothing_speed": 0.01}],
)
def test_a_ball_joint_brakes_about_any_axis(fields: dict[str, Any]) -> None:
    """ω falls by µ m g r/J, whichever way it points."""
    torque, spin = 0.3 * M * G * 0.04, (3.0, 0.0, 4.0)
    scene = Scene(gravity=(0.0, 0.0, -G)).with_body(
        "ball", angular_velocity=[*spin], mass=M, inertia=[0.05, 0.05, 0.05]
    )
    scene = scene.with_joint(
        "spherical", "socket", a={"body": "world", "point": [0, 0, 0]}, b={"body": "ball"}
    )
    scene = scene.with_force(
        "friction", "rub", joint="socket", coordinate="swivel", coefficient=0.3, radius=0.04, **fields
    )
    found = run(scene, duration=1.2 if fields is HELD else 1.0)
    omega = np.sqrt(sum(found.channel(f"body.ball.omega.{c}") ** 2 for c in "xyz"))
    fast = found.t < 0.9
    np.testing.assert_allclose(omega[fast], 5.0 - torque / 0.05 * found.t[fast], atol=1e-9)
    if fields is HELD:
        assert found.events[0].t == pytest.approx(5.0 * 0.05 / torque, abs=1e-9)
        assert omega[-1] < 1e-12


# wheels


def wheel(degrees: float, mu: float, speed: float = 0.0) -> Scene:
    angle = math.radians(degrees)
    scene = Scene(space="planar", gravity=(G * math.sin(angle), -G * math.cos(angle)))
    rolls = {"velocity": [speed, 0.0], "angular_velocity": [0.0, 0.0, -speed / 0.1]}
    scene = scene.with_body("wheel", position=[0, 0.1], mass=M, inertia=[0.5 * M * 0.01], **rolls)
    scene = scene.with_joint(
        "rolling",
        "contact",
        a={"body": "world", "point": [0, 0], "axis": [0, 1]},
        b={"body": "wheel"},
        radius=0.1,
        can_slip=True,
    )
    return scene.with_force("friction", "grip", joint="contact", coordinate="slip", coefficient=mu, **HELD)


def test_a_wheel_rolls_where_friction_holds_and_slips_where_it_does_not() -> None:
    """A disc rolls down with 2/3 g sin α up to tan α = 3 µ."""
    angle = math.radians(30.0)
    rolls = run(wheel(30.0, 0.2))
    assert rolls.channel("body.wheel.vel.x")[-1] == pytest.approx(2.0 / 3.0 * G * math.sin(angle), rel=1e-12)
    assert rolls.channel("energy.loss.friction.grip")[-1] == 0.0
    slips = run(wheel(30.0, 0.19))
    assert slips.channel("body.wheel.vel.x")[-1] == pytest.approx(
        G * (math.sin(angle) - 0.19 * math.cos(angle)), rel=1e-12
    )
    assert slips.channel("body.wheel.omega.z")[-1] == pytest.approx(
        -0.19 * G * math.cos(angle) / (0.5 * 0.1), rel=1e-12
    )


def test_rolling_resistance_brings_a_wheel_to_rest() -> None:
    """The torque c m g r brakes m + J/r²: it rolls v² (m + J/r²)/(2 c m g) far."""
    scene = wheel(0.0, 0.5, speed=1.0).with_force(
        "friction", "resistance", joint="contact", coordinate="roll", coefficient=0.02, radius=0.1, **HELD
    )
    found = run(scene, dt=2e-2, duration=9.0)
    assert found.channel("body.wheel.pos.x")[-1] == pytest.approx(1.5 / (2.0 * 0.02 * G), rel=1e-9)
    assert found.events[-1].element == "resistance"


def test_a_wheel_that_cannot_slip_has_nothing_to_brake() -> None:
    scene = Scene(space="planar").with_body("wheel", position=[0, 0.1], mass=M, inertia=[0.01])
    scene = scene.with_joint(
        "rolling",
        "contact",
        a={"body": "world", "point": [0, 0], "axis": [0, 1]},
        b={"body": "wheel"},
        radius=0.1,
    )
    scene = scene.with_force("friction", "grip", joint="contact", coordinate="slip", coefficient=0.3, **HELD)
    (problem,) = validate(scene)
    assert "rolls without slip" in problem.message
    assert problem.edits[0].path == "joints.contact.can_slip"


# faces


def test_a_thrust_bearing_rubs_at_its_face() -> None:
    """A disc on a standing shaft carries m g along its axis: µ m g r_face."""
    scene = Scene(gravity=(0.0, 0.0, -G)).with_body(
        "disc", angular_velocity=[0.0, 0.0, 6.0], mass=M, inertia=[0.02, 0.02, 0.04]
    )
    scene = scene.with_joint(
        "revolute", "shaft", a={"body": "world", "point": [0, 0, 0], "axis": [0, 0, 1]}, b={"body": "disc"}
    )
    bearing = {"coefficient": 0.1, "radius": 0.01, "face_radius": 0.03, **HELD}
    found = run(scene.with_force("friction", "bearing", joint="shaft", **bearing), duration=5.0)
    torque = 0.1 * M * G * 0.03
    assert found.channel("force.bearing.effort")[1] == pytest.approx(-torque, rel=1e-12)
    assert found.events[0].t == pytest.approx(6.0 * 0.04 / torque, abs=1e-9)


# gears

RATIO, EFFICIENCY, BACK = 2.0, 0.8, 0.6


def gears(drive: float, load: float, *, inertias: tuple[float, float] = (0.02, 0.08), **loss: float) -> Scene:
    """The torque `drive` on A, `load` on B; both turn it the way it does not go when the other wins."""
    scene = Scene(space="planar", gravity=(0.0, 0.0))
    for name, x, inertia in (("a", 0.0, inertias[0]), ("b", 1.0, inertias[1])):
        scene = scene.with_body(name, position=[x, 0.0], mass=1.0, inertia=[inertia])
        scene = scene.with_joint(
            "revolute", name.upper(), a={"body": "world", "point": [x, 0.0]}, b={"body": name}
        )
    scene = scene.with_joint("gear", "mesh", joint_a="A", joint_b="B", ratio=RATIO)
    for body, torque in (("a", drive), ("b", load)):
        scene = scene.with_force("torque", f"on {body}", body=body, components=[0, 0, torque])
    given = {"efficiency": EFFICIENCY, "efficiency_back": BACK, **loss}
    return scene.with_force("mesh_loss", "loss", joint="mesh", **given)


@pytest.mark.parametrize("load", [0.0, 1.0])
def test_a_gear_passes_on_its_efficiency(load: float) -> None:
    """B gets η i (T − J_A α_A), against its load."""
    found = run(gears(1.0, load))
    alpha = (EFFICIENCY * RATIO - load) / (0.08 / RATIO + EFFICIENCY * RATIO * 0.02)
    assert found.channel("body.a.omega.z")[-1] == pytest.approx(alpha, rel=1e-12)
    lost = 0.2 * (1.0 - 0.02 * alpha) * 0.5 * alpha
    assert found.channel("energy.loss.friction.loss")[-1] == pytest.approx(lost, rel=1e-9)


@pytest.mark.parametrize(
    ("load", "inertias", "back"),
    [(4.0, (0.02, 0.08), BACK), (40.0, (2.0, 0.001), 0.2)],
)
def test_a_gear_that_is_driven_back_has_the_other_efficiency(
    load: float, inertias: tuple[float, float], back: float
) -> None:
    found = run(gears(1.0, load, inertias=inertias, efficiency_back=back), dt=5e-2)
    alpha = (back / RATIO * load - 1.0) / (inertias[0] * RATIO + back / RATIO * inertias[1])
    assert found.channel("body.b.omega.z")[-1] == pytest.approx(alpha, rel=1e-9)


@pytest.mark.parametrize("load", [1.7, 3.2])
def test_a_gear_holds_between_its_two_ways(load: float) -> None:
    """From η i T = 1.6 N·m to i T/η' = 3.33 N·m neither side can move the other."""
    found = run(gears(1.0, load))
    assert np.abs(found.channel("body.b.omega.z")).max() < 1e-13


def test_meshes_alone_have_losses() -> None:
    scene = gears(1.0, 0.0)
    (problem,) = validate(scene.with_force("mesh_loss", "wrong", joint="A"))
    assert "does not couple two coordinates" in problem.message


def test_time_stepping_refuses_friction_in_several_directions() -> None:
    with pytest.raises(SceneError, match=r"depends on reactions|several directions"):
        simulate(puck((1.0, 0.0)), method="moreau_jean", dt=1e-3, duration=0.1)
