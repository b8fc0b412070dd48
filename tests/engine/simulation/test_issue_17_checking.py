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
