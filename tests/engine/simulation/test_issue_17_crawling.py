"""A stiff problem under an explicit scheme with controlled steps is told while it happens."""

from engine import Scene, simulate
from engine.compiled.columns import counters as COUNT
from engine.compiled.layout import StepStatus
from engine.simulation.live.live_simulation import LiveSimulation
from engine.simulation.step_control.crawling import CHANGES, STRETCH, STRETCHES, Crawl
from engine.system.compiling.compile import compile_scene
from tests.engine.simulation.scenes import rod_pendulum


def stiff() -> Scene:
    """Time constant of the damper: inertia/damping ≈ 1e-7 s; the motion takes seconds."""
    return rod_pendulum().with_force(
        "rotational_spring", "k", joint="hinge", stiffness=1e6, damping=1e6, free_angle=0.3
    )


def test_a_crawl_is_told_beside_the_progress_and_in_the_end() -> None:
    told: list[str] = []
    run = simulate(
        stiff(),
        method="dopri5",
        dt=0.01,
        duration=1.0,
        progress=lambda share, words: told.append(words),
        cancel=lambda: "crawling" in "".join(told[-1:]),
    )
    assert run.status is StepStatus.CANCELLED
    assert "crawling by steps of" in told[-1]
    assert run.message.startswith("lagrange/dopri5/projection crawls, at t = ")


def test_a_motion_that_asks_for_tiny_steps_is_named() -> None:
    """Nothing is stiff: a turn takes 6e-9 s, and the steps follow it."""
    told: list[str] = []
    run = simulate(
        rod_pendulum(angular_velocity=[0.0, 0.0, 1e9]),
        method="dopri5",
        dt=0.01,
        duration=1.0,
        progress=lambda share, words: told.append(words),
        cancel=lambda: "crawling" in "".join(told[-1:]),
    )
    assert "body 'rod' turns with 1e+09 rad/s" in run.message
    assert "stiff" not in run.message
    assert "velocities" in told[-1]


def test_a_run_that_would_take_days_is_given_up() -> None:
    run = simulate(rod_pendulum(angular_velocity=[0.0, 0.0, 1e9]), method="dopri5", dt=0.01, duration=100.0)
    assert run.status is StepStatus.STEP_TOO_SMALL
    assert "body 'rod' turns with 1e+09 rad/s" in run.message
    assert "check velocities and forces, or end the run earlier. gave up at t = " in run.message
    assert run.t[-1] < 1e-4


def test_the_remedy_works() -> None:
    run = simulate(stiff(), method="hht", dt=0.01, duration=1.0)
    assert run.status is StepStatus.FINISHED
    assert "crawls" not in run.message


def test_a_run_that_is_not_stiff_does_not_crawl() -> None:
    run = LiveSimulation(rod_pendulum(), method="dopri5", dt=0.01, options={"rtol": 1e-12, "atol": 1e-12})
    while run.driver.work.counters[COUNT.STEPS] < STRETCH and run.t < 20.0:
        run.advance()
    assert not run.crawl.step


def test_a_contact_that_changes_its_state_again_and_again_is_told() -> None:
    scene = Scene(space="planar", gravity=(0.0, 1e12)).with_body("block", mass=1.0, inertia=[0.1])
    scene = scene.with_joint("prismatic", "slide", a={"body": "world", "axis": [0, 1]}, b={"body": "block"})
    ends = {"a": {"body": "world", "point": [1.0, 0.0]}, "b": {"body": "block", "point": [0.0, 0.0]}}
    scene = scene.with_force("rope", "line", longest=1.0005, law="hunt_crossley", stiffness=1e4, **ends)
    told: list[str] = []
    run = simulate(
        scene,
        duration=1.0,
        progress=lambda share, words: told.append(words),
        cancel=lambda: "crawling" in "".join(told[-1:]) or len(told) > 4000,
    )
    assert "the run crawls, at t = " in run.message
    assert "force 'line' changes its state every" in run.message
    assert "softer" in told[-1]


def test_changes_without_end_are_told_by_their_elements_bounces_are_not() -> None:
    """A ball with restitution 0.99 bounces 2000 times before its flights are nanoseconds, all within 40 s."""
    mechanism = compile_scene(rod_pendulum())
    chatter, bounces = Crawl(mechanism), Crawl(mechanism)
    for k in range(STRETCHES * CHANGES):
        assert not chatter.endless(1.0)
        chatter.watch_changes(["left", "right"] if k % 2 else ["left"], 1e-3, 1e-8 * k)
    assert "'left', 'right'" in chatter.endless(1.0)
    assert not chatter.endless(1e-3)
    t, flight = 0.0, 0.4
    for _ in range(2000):
        t, flight = t + flight, 0.99 * flight
        bounces.watch_changes(["ball"], 1e-3, t)
        assert not bounces.endless(100.0)
