"""Channels against finite differences, against each other, and what is said about wrong names."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from engine import SceneError, simulate
from engine.elements.measures.expression import ExpressionMeasure
from tests.engine.simulation.scenes import damped_arm, driven_crank, rod_pendulum, shipped

# five-point differences on a grid of 0.25 ms: their error falls with h⁴ and is below 1e-6 for these motions
STEP, DIFFERENCE = 0.00025, 1e-6


def derivative(t, y):
    h = t[1] - t[0]
    return (y[:-4] - 8 * y[1:-3] + 8 * y[3:-1] - y[4:]) / (12 * h)


@pytest.fixture(scope="module", params=["four_bar", "spatial_slider_crank", "bicycle"])
def run(request):
    return simulate(shipped(request.param), duration=0.3, dt=STEP, sample_every=1)


@pytest.fixture(scope="module")
def arm():
    return simulate(damped_arm(), duration=0.2, dt=STEP)


def follows(trajectory, value, rate):
    found, wanted = derivative(trajectory.t, trajectory.channel(value)), trajectory.channel(rate)[2:-2]
    # accelerations satisfy J a = γ as well as the solver does: differences cannot agree better
    left = 2.0 * trajectory.channel("violation.acceleration").max()
    atol = DIFFERENCE * max(1.0, np.abs(wanted).max()) + left
    assert_allclose(found, wanted, rtol=0.0, atol=atol, err_msg=rate)


def check_rates(trajectory):
    names = set(trajectory.names())
    pairs = [(n, n.replace(".pos.", ".vel.")) for n in names if ".pos." in n]
    pairs += [(n, n.replace(".vel.", ".acc.")) for n in names if ".vel." in n]
    pairs += [(n, n.replace(".com.", ".com.vel.")) for n in names if ".com." in n and n.count(".") == 3]
    pairs += [(n, n.replace(".omega.", ".alpha.")) for n in names if ".omega." in n]
    pairs += [
        (n, n.removesuffix("angle") + "speed")
        for n in names
        if n.startswith("joint.") and n.endswith(".angle")
    ]
    pairs += [
        (n, n.removesuffix("speed") + "acceleration")
        for n in names
        if n.startswith("joint.") and n.endswith("speed")
    ]
    worked = [n for n in names if n.startswith("energy.work.") and f"motion.{n[12:]}.power" in names]
    pairs += [(n, f"motion.{n[12:]}.power") for n in worked]
    worked = [n for n in names if n.startswith("energy.work.") and f"force.{n[12:]}.effort" in names]
    pairs += [(n, f"force.{n[12:]}.power") for n in worked]
    assert len(pairs) > 10
    for value, rate in pairs:
        assert rate in names
        follows(trajectory, value, rate)


def test_rates_are_derivatives(run):
    check_rates(run)


def test_rates_are_derivatives_in_a_spatial_arm(arm):
    check_rates(arm)


def test_rates_are_derivatives_where_things_are_driven():
    check_rates(simulate(driven_crank(), duration=0.2, dt=STEP))


def test_angular_velocity_turns_the_quaternion(run):
    # q' = q ⊗ (0, ω_B)/2
    if run.mechanism.planar:
        name = run.mechanism.bodies[0]
        follows(run, f"body.{name}.angle", f"body.{name}.omega.z")
        return
    for name in run.mechanism.bodies:
        w, x, y, z = (run.channel(f"body.{name}.quat.{c}")[2:-2] for c in "wxyz")
        a, b, c = (run.channel(f"body.{name}.omega_body.{c}")[2:-2] for c in "xyz")
        found = derivative(run.t, run.channel(f"body.{name}.quat.w"))
        assert_allclose(found, -(x * a + y * b + z * c) / 2, rtol=0.0, atol=1e-5)
        world = np.array([run.channel(f"body.{name}.omega.{c}") for c in "xyz"])
        body = np.array([run.channel(f"body.{name}.omega_body.{c}") for c in "xyz"])
        assert_allclose(np.linalg.norm(world, axis=0), np.linalg.norm(body, axis=0), rtol=1e-12, atol=1e-12)
        assert_allclose(w * w + x * x + y * y + z * z, 1.0, rtol=1e-12)


def test_energy_channels_add_up(arm):
    e = {
        k: arm.channel(f"energy.{k}") for k in ("kinetic", "gravity", "elastic", "potential", "total", "work")
    }
    assert_allclose(e["potential"], e["gravity"] + e["elastic"], rtol=1e-14)
    assert_allclose(e["total"], e["kinetic"] + e["potential"], rtol=1e-14)
    single = sum(arm.channel(n) for n in arm.names() if n.startswith("energy.work."))
    assert_allclose(e["work"], single, rtol=1e-14)


def test_dissipation_is_the_power_of_the_dampers(arm):
    elastic = derivative(arm.t, arm.channel("energy.elastic"))
    power = sum(arm.channel(f"{kind}.power") for kind in ("spring.coil", "spring.drag", "force.mount"))
    assert_allclose(
        -derivative(arm.t, arm.channel("energy.dissipated")) - elastic, power[2:-2], rtol=0.0, atol=1e-5
    )


def test_spring_force_is_its_law(arm):
    x, v = arm.channel("spring.coil.length"), arm.channel("spring.coil.speed")
    assert_allclose(arm.channel("spring.coil.force"), 30.0 * (x - 0.8) + 1.5 * v + 2.0, rtol=1e-12)
    angle, speed = arm.channel("spring.drag.angle"), arm.channel("spring.drag.speed")
    assert_allclose(
        arm.channel("spring.drag.torque"), -3.0 * (angle - 0.2) - 0.7 * speed, rtol=0.0, atol=1e-12
    )


def test_measures():
    scene = (
        rod_pendulum(points=[{"name": "tip", "position": [1.2, 0.0]}])
        .with_body("post", position=[0.5, 1.0], fixed=True)
        .with_measure("distance", "gap", a={"body": "post"}, b={"body": "rod", "point": "tip"})
        .with_measure("angle", "slope", a={"body": "world", "axis": [0.0, -1.0]}, b={"body": "rod"})
        .with_measure("expression", "both", expression="measure.gap^2 + g*if(t > 0.1, 1, 0)", unit="m²")
        .with_measure("expression", "quoted", expression='max(body.rod.point.tip.pos.y, measure."both", -1)')
        .with_parameter("g", 2.0)
    )
    run = simulate(scene, duration=0.2)
    x, y = run.channel("body.rod.point.tip.pos.x"), run.channel("body.rod.point.tip.pos.y")
    gap = np.hypot(x - 0.5, y - 1.0)
    assert_allclose(run.channel("measure.gap"), gap, rtol=1e-14)
    assert_allclose(
        run.channel("measure.slope"), np.pi / 2 + run.channel("body.rod.angle"), rtol=0.0, atol=1e-12
    )
    assert_allclose(run.channel("measure.both"), gap**2 + 2.0 * (run.t > 0.1), rtol=1e-14)
    assert_allclose(run.channel("measure.quoted"), run.channel("measure.both"), rtol=1e-14)
    assert run.unit("measure.gap") == "m"
    assert run.unit("measure.both") == "m²"


def test_a_ring_of_measures_is_refused():
    scene = rod_pendulum().add(
        ExpressionMeasure(name="a", expression="measure.b + 1"),
        ExpressionMeasure(name="b", expression="2*measure.a"),
    )
    with pytest.raises(SceneError, match="depends on itself"):
        simulate(scene, duration=0.0)


def test_an_unknown_channel_gets_a_hint():
    run = simulate(rod_pendulum(), duration=0.0)
    with pytest.raises(KeyError, match=r"did you mean 'body\.rod\.pos\.x'"):
        run.channel("body.rod.pos.xx")
    with pytest.raises(SceneError, match=r"body\.rod\.angle"):
        simulate(rod_pendulum().with_measure("expression", "m", expression="body.rod.angel"), duration=0.0)


def test_planar_scenes_have_no_z():
    names = simulate(rod_pendulum(), duration=0.0).names()
    assert not [
        n for n in names if n.endswith((".z", ".fz", ".tx", ".ty")) and "omega" not in n and "alpha" not in n
    ]
    assert "joint.hinge.reaction.tz" in names


def test_every_channel_has_finite_values_and_a_unit(run):
    table = run.table(run.names())
    assert np.isfinite(table).all()
    assert all(isinstance(run.unit(name), str) for name in run.names())
