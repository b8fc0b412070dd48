"""`check` passes nothing that a run refuses; a stop condition that is never met is told."""

import pytest

from engine import Scene, SceneError, check_scene, simulate
from engine.compiled.layout import StepStatus
from tests.engine.simulation.scenes import rod_pendulum, shipped

SCENE = rod_pendulum()
REFUSED = (
    SCENE.with_simulation(method="rk5"),
    SCENE.with_simulation(method="hht", options={"rho": 0.9}),
    SCENE.with_simulation(method="penalty/rk4/baumgarte", options={"penalty": 0.0}),
    SCENE.with_simulation(stop_when=["body.rot.angle"]),
    SCENE.with_measure("expression", "double", expression="2*body.rod.angel"),
    SCENE.with_force(
        "force",
        "chatter",
        body="rod",
        components=[{"points": [[0, 0], [1e-12, 1], [2e-12, 0]], "outside": "periodic"}, 0, 0],
    ),
    # a singular configuration ahead, which this method does not pass
    shipped("slider_crank").with_simulation(method="lagrange/bdf2/baumgarte"),
)


@pytest.mark.parametrize("scene", REFUSED)
def test_check_refuses_with_the_words_of_the_run(scene: Scene) -> None:
    with pytest.raises(SceneError) as running:
        simulate(scene)
    with pytest.raises(SceneError) as checking:
        check_scene(scene)
    assert checking.value.problems == running.value.problems


def test_a_stop_condition_that_is_never_met_is_told() -> None:
    run = simulate(SCENE.with_simulation(stop_when=["body.rod.pos.y > 5"]), duration=0.1)
    assert run.status is StepStatus.FINISHED
    assert "without its stop condition: body.rod.pos.y > 5" in run.message


def test_check_tells_what_a_run_tells_at_its_start() -> None:
    scene = SCENE.with_force("torque", "T", body="rod", components=[0, 0, "1/t"])
    with pytest.raises(SceneError) as checking:
        check_scene(scene)
    assert checking.value.problems == (simulate(scene, duration=0.01).problem,)


def test_a_method_that_inverts_the_masses_names_the_body_without_one() -> None:
    """Its pseudo-inverse would divide by zero; the multipliers carry such a body."""
    scene = SCENE.with_body("link", mass=0.0, inertia=[0.0], position=[1.2, 0.0])
    scene = scene.with_joint("fixed", "weld", a={"body": "rod", "point": [1.2, 0.0]}, b={"body": "link"})
    with pytest.raises(SceneError, match="in body 'link'") as refusal:
        check_scene(scene.with_simulation(method="udwadia_kalaba/rk4/projection"))
    # the remedy works when it is followed, and the link changes nothing
    assert "lagrange/rk4/projection" in refusal.value.problems[0].remedy
    carried = simulate(scene, method="lagrange/rk4/projection", duration=0.1).channel("body.rod.angle")
    alone = simulate(SCENE, duration=0.1).channel("body.rod.angle")
    assert carried[-1] == pytest.approx(alone[-1], abs=1e-10)
