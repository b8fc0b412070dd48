"""Classics of mechanics in closed form: each motion is known without integrating its equations."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import ellipj, ellipkinc

from engine import Scene, set_value, simulate
from engine.analyses.base import Question
from engine.analyses.registry import ANALYSES
from tests.verification.runs import G, finished, shipped, tight


def test_duffings_oscillator_is_an_elliptic_cosine() -> None:
    """x″ = −α x − β x³ from rest at A: x = A cn(√(α + βA²) t, k² = βA²/(2(α + βA²)))."""
    alpha, beta, amplitude = 3.0, 40.0, 0.5
    scene = (
        Scene(space="planar", gravity=(0.0, 0.0))
        .with_body("mass", mass=1.0, inertia=[1.0], position=[amplitude, 0.0])
        .with_joint(
            "prismatic",
            "rail",
            a={"body": "world", "point": [0.0, 0.0]},
            b={"body": "mass", "point": [0.0, 0.0]},
            start={"displacement": {"value": amplitude}},
        )
        .with_force(
            "motor", "law", joint="rail", coordinate="displacement", effort=f"-{alpha}*x - {beta}*x^3"
        )
    )
    run = tight(scene, 5.0)
    square = alpha + beta * amplitude**2
    cosine = ellipj(math.sqrt(square) * run.t, 0.5 * beta * amplitude**2 / square)[1]
    np.testing.assert_allclose(run.channel("body.mass.pos.x"), amplitude * cosine, atol=1e-11)


STEEP, LENGTH = 1.2, 2.0  # rad from the floor, m


def ladder() -> Scene:
    """In a corner without friction, at rest; its foot is the end at −x of its frame."""
    return Scene(space="planar", gravity=(0.0, -G)).with_body(
        "ladder",
        mass=3.0,
        inertia=[3.0 * LENGTH**2 / 12.0],
        position=[0.5 * LENGTH * math.cos(STEEP), 0.5 * LENGTH * math.sin(STEEP)],
        angle=math.pi - STEEP,
    )


def test_a_ladder_presses_on_the_wall_down_to_two_thirds_of_its_height() -> None:
    """θ′² = 3 g (sin θ₀ − sin θ)/l; the wall pushes by ¾ m g cos θ (3 sin θ − 2 sin θ₀)."""
    half, world = 0.5 * LENGTH, {"body": "world"}
    scene = ladder()
    for name, axis, end in (("floor", [1.0, 0.0], -half), ("wall", [0.0, 1.0], half)):
        line = {**world, "axis": axis}
        scene = scene.with_joint("point_on_line", name, a=line, b={"body": "ladder", "point": [end, 0.0]})
    run = tight(scene, 0.7)
    angle = math.pi - run.channel("body.ladder.angle")
    fallen = math.sin(STEEP) - np.sin(angle)
    np.testing.assert_allclose(run.channel("body.ladder.omega.z") ** 2, 3.0 * G / LENGTH * fallen, atol=1e-10)
    push = 0.75 * 3.0 * G * np.cos(angle) * (3.0 * np.sin(angle) - 2.0 * math.sin(STEEP))
    np.testing.assert_allclose(run.channel("joint.wall.reaction.fx"), push, atol=1e-9)


def test_a_ladder_leaves_the_wall_when_the_push_is_gone() -> None:
    """Until sin θ = ⅔ sin θ₀ it moves as a pendulum of the length ⅔ l upside down, by Legendre's integral."""
    half, scene = 0.5 * LENGTH, ladder()
    for name, normal, end in (("floor", [0.0, 1.0], -half), ("wall", [1.0, 0.0], half)):
        scene = scene.with_force(
            "contact",
            name,
            a={"body": "world", "reference": normal},
            b={"body": "ladder", "point": [end, 0.0]},
            shape_a="plane",
            shape_b="point",
            law="rigid",
            restitution=0.0,
        )
    run = simulate(scene, method="rk4", dt=1e-3, duration=0.7)
    (left,) = [event for event in run.events if event.kind == "leave"]
    # with ψ = π/2 − θ a pendulum upside down: ψ′² = (6 g/l)(sin² ψ/2 − sin² ψ₀/2); cos ψ/2 = cos ψ₀/2 · sin ξ
    first = 0.5 * math.pi - STEEP
    last = math.acos(2.0 / 3.0 * math.cos(first))
    k = math.cos(0.5 * first)
    xi = math.asin(math.cos(0.5 * last) / k)
    way = ellipkinc(0.5 * math.pi, k * k) - ellipkinc(xi, k * k)
    assert left.element == "wall"
    assert left.t == pytest.approx(2.0 * way / math.sqrt(6.0 * G / LENGTH), abs=1e-8)


def test_a_top_precesses_steadily_at_the_spin_that_it_needs() -> None:
    """A Ω² cos θ − C ω₃ Ω + m g l = 0: no nutation, and the azimuth grows as Ω t."""
    m, length, about, along, tilt, rate = 1.2, 0.3, 0.02, 0.008, 0.5, 4.0
    spin = ((about + m * length**2) * math.cos(tilt) * rate**2 + m * G * length) / (along * rate)
    axis = np.array([math.sin(tilt), 0.0, math.cos(tilt)])
    omega = rate * np.array([0.0, 0.0, 1.0]) + (spin - rate * math.cos(tilt)) * axis
    scene = (
        Scene(gravity=(0.0, 0.0, -G))
        .with_body(
            "top",
            mass=m,
            com=[0.0, 0.0, length],
            inertia=[about, about, along],
            orientation={"axis": [0.0, 1.0, 0.0], "angle": tilt},
            angular_velocity=omega.tolist(),
        )
        .with_joint("spherical", "tip", a={"body": "world"}, b={"body": "top", "point": [0.0, 0.0, 0.0]})
    )
    run = tight(scene, 2.0)
    x, y, z = run.table([f"body.top.com.{k}" for k in "xyz"]).T
    assert np.ptp(z) < 1e-11
    np.testing.assert_allclose(np.unwrap(np.arctan2(y, x)), rate * run.t, atol=1e-10)


def test_a_free_body_turns_by_jacobis_functions() -> None:
    """Euler's equations with 2T I₂ < L²: ω₁ ∝ cn, ω₂ ∝ sn, ω₃ ∝ dn."""
    inertia, start = np.array([0.1, 0.2, 0.3]), np.array([1.0, 0.0, 2.0])
    scene = Scene(gravity=(0.0, 0.0, 0.0)).with_body(
        "body", mass=1.0, inertia=inertia.tolist(), angular_velocity=start.tolist()
    )
    run = tight(scene, 10.0, dt=0.02)
    quaternion = run.table([f"body.body.quat.{k}" for k in "wxyz"])
    omega = run.table([f"body.body.omega.{k}" for k in "xyz"])
    w, u = quaternion[:, :1], quaternion[:, 1:]
    turned = omega - 2.0 * w * np.cross(u, omega) + 2.0 * np.cross(u, np.cross(u, omega))  # to body axes
    energy, momentum = float(inertia @ start**2), float(inertia**2 @ start**2)
    a, b, c = inertia
    rate = math.sqrt((c - b) * (momentum - energy * a) / (a * b * c))
    modulus = (b - a) * (energy * c - momentum) / ((c - b) * (momentum - energy * a))
    sn, cn, dn, _ = ellipj(rate * run.t, modulus)
    across = math.sqrt(a * (c - a) / (b * (c - b)))
    wanted = np.stack([start[0] * cn, start[0] * across * sn, start[2] * dn], axis=1)
    np.testing.assert_allclose(turned, wanted, atol=1e-10)


def test_a_chain_of_bars_hangs_in_equal_steps_of_its_slope() -> None:
    """Each hinge adds the weight of a bar to the vertical pull; the horizontal one follows from the span."""
    bars, length, mass, span = 12, 0.25, 0.4, 2.0
    steps = np.arange(bars) - 0.5 * (bars - 1)
    pull = brentq(lambda h: length * np.cos(np.arctan(steps * mass * G / h)).sum() - span, 0.1, 1e4)
    tilt = math.acos(span / (bars * length))
    scene, at, held = Scene(space="planar", gravity=(0.0, -G)), np.zeros(2), ("world", [0.0, 0.0])
    for k in range(bars):
        angle = -tilt if k < bars / 2 else tilt
        along = length * np.array([math.cos(angle), math.sin(angle)])
        scene = scene.with_body(
            f"bar{k}",
            mass=mass,
            inertia=[mass * length**2 / 12.0],
            position=(at + 0.5 * along).tolist(),
            angle=angle,
        ).with_joint(
            "revolute",
            f"hinge{k}",
            a={"body": held[0], "point": held[1]},
            b={"body": f"bar{k}", "point": [-0.5 * length, 0.0]},
        )
        at, held = at + along, (f"bar{k}", [0.5 * length, 0.0])
    scene = scene.with_joint(
        "revolute", "end", a={"body": "world", "point": [span, 0.0]}, b={"body": held[0], "point": held[1]}
    )
    static = ANALYSES["static"]
    found = static.run(Question(scene, static.options(), simulate=simulate)).motions[0].q[-1]
    np.testing.assert_allclose(found.reshape(-1, 3)[:, 2], np.arctan(steps * mass * G / pull), atol=1e-9)


def test_oldhams_coupling_turns_evenly_and_its_disc_runs_round_twice() -> None:
    apart, speed = 0.03, 6.0
    scene = Scene(space="planar", gravity=(0.0, 0.0))
    for name, x in (("driver", 0.0), ("disc", apart), ("driven", apart)):
        scene = scene.with_body(name, mass=1.0, inertia=[0.1], position=[x, 0.0])
    for name, body, x in (("left", "driver", 0.0), ("right", "driven", apart)):
        bearing = {"body": "world", "point": [x, 0.0]}
        scene = scene.with_joint("revolute", name, a=bearing, b={"body": body, "point": [0.0, 0.0]})
    for name, body, axis in (("front", "driver", [1.0, 0.0]), ("back", "driven", [0.0, 1.0])):
        slot = {"body": body, "point": [0.0, 0.0], "axis": axis}
        scene = scene.with_joint(
            "prismatic", name, a=slot, b={"body": "disc", "point": [0.0, 0.0], "axis": axis}
        )
    scene = scene.with_motion("joint_motion", "turn", joint="left", function=f"{speed}*t")
    run = finished(scene, "rk4", 1e-3, 1.0)
    np.testing.assert_allclose(run.channel("joint.right.angle"), speed * run.t, atol=1e-12)
    x, y = run.table(["body.disc.com.x", "body.disc.com.y"]).T
    np.testing.assert_allclose(np.hypot(x - 0.5 * apart, y), 0.5 * apart, atol=1e-12)
    np.testing.assert_allclose(np.unwrap(np.arctan2(y, x - 0.5 * apart)), 2.0 * speed * run.t, atol=1e-9)


def test_a_spatial_four_bar_with_two_ball_joints_follows_its_equation() -> None:
    """|B(ψ) − A(φ)| = l of the rod is K cos ψ + S sin ψ = C: ψ = atan2(S, K) + arccos(C/√(K² + S²))."""
    a, c, rod, d, h, speed = 0.1, 0.25, 0.45, 0.3, 0.2, 7.0

    def output(phi: np.ndarray) -> np.ndarray:
        across, up = -2.0 * c * a * np.sin(phi), 2.0 * c * h
        rest = rod**2 - (d - a * np.cos(phi)) ** 2 - c**2 - (a * np.sin(phi)) ** 2 - h**2
        return np.unwrap(np.arctan2(up, across) + np.arccos(rest / np.hypot(across, up)))

    psi = float(output(np.zeros(1))[0])
    first, second = np.array([a, 0.0, 0.0]), np.array([d, c * math.cos(psi), h + c * math.sin(psi)])
    foot, middle = np.array([d, 0.0, h]), 0.5 * (first + second)
    scene = Scene(gravity=(0.0, 0.0, 0.0))
    for name, at in (("crank", np.zeros(3)), ("rod", middle), ("rocker", foot)):
        scene = scene.with_body(name, mass=0.3, inertia=[2e-3, 3e-3, 2.5e-3], position=at.tolist())
    for name, at, axis, body in (("P", np.zeros(3), [0, 0, 1], "crank"), ("Q", foot, [1, 0, 0], "rocker")):
        here = {"body": "world", "point": at.tolist(), "axis": axis}
        scene = scene.with_joint("revolute", name, a=here, b={"body": body, "axis": axis, "point": [0, 0, 0]})
    for name, at, body, foot_of in (("A", first, "crank", np.zeros(3)), ("B", second, "rocker", foot)):
        end = {"body": body, "point": (at - foot_of).tolist()}
        scene = scene.with_joint("spherical", name, a=end, b={"body": "rod", "point": (at - middle).tolist()})
    scene = scene.with_motion("joint_motion", "turn", joint="P", function=f"{speed}*t")
    run = finished(scene, "rk4", 1e-3, 1.0)
    e = 1e-3
    steps = [output(speed * (run.t + k * e)) for k in (-2, -1, 0, 1, 2)]
    np.testing.assert_allclose(run.channel("joint.Q.angle"), steps[2] - psi, atol=1e-11)
    rate = (steps[0] - 8.0 * steps[1] + 8.0 * steps[3] - steps[4]) / (12.0 * e)
    np.testing.assert_allclose(run.channel("joint.Q.speed"), rate, atol=1e-7)
    second_rate = (-steps[0] + 16.0 * steps[1] - 30.0 * steps[2] + 16.0 * steps[3] - steps[4]) / (12.0 * e**2)
    np.testing.assert_allclose(run.channel("body.rocker.alpha.x"), second_rate, atol=1e-4)


# published for the bicycle at 5 m/s [Meijaard 2007, table 2]: weave, capsize, castering
WEAVE, CAPSIZE, CASTERING = -0.775341882195845 + 4.46486771378823j, -0.322866429004087, -14.07838969279822


@pytest.mark.parametrize(
    ("speed", "wanted"),
    [
        (5.0, [WEAVE, WEAVE.conjugate(), CAPSIZE, CASTERING]),
        (4.29238253634111, [3.43503384866144j, -3.43503384866144j]),  # where the weave ceases to grow
        (6.02426201538837, [0.0]),  # and where the capsize begins to
    ],
)
def test_a_small_lean_of_the_bicycle_has_the_published_exponents(speed: float, wanted: list[complex]) -> None:
    """Lean and steer obey a recurrence of four terms: its roots are e^(sh)."""
    scene = set_value(set_value(shipped("bicycle"), "parameters.v0", speed), "parameters.roll_rate", 1e-4)
    scene = set_value(scene, "simulation.sample_every", 1)
    h = 0.04
    run = tight(scene, 1.2, dt=h, tolerance=1e-13)
    w, x, y, z = run.table([f"body.frame.quat.{k}" for k in "wxyz"]).T
    swings = (2.0 * (y * z + w * x), run.channel("joint.head.angle"))
    windows = np.concatenate([np.lib.stride_tricks.sliding_window_view(s, 5) for s in swings])
    recurrence, *_ = np.linalg.lstsq(windows[:, :4], windows[:, 4], rcond=None)
    exponents = np.log(np.roots([1.0, *(-recurrence[::-1])]).astype(complex)) / h
    for exponent in wanted:
        assert np.abs(exponents - exponent).min() < 2e-3
