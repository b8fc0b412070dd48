"""A compiled mechanism can be shared: what a run changes is the run's own."""

import numpy as np

from engine.compiled.columns import sizes as SIZE
from engine.compiled.layout import StepStatus
from engine.model.scene import Scene
from engine.simulation.live.live_simulation import LiveSimulation
from engine.simulation.stepping.method_driver import Driver
from engine.solvers.catalogue import find_method
from engine.system.assembly.assemble import assemble
from engine.system.compiling.compile import compile_scene
from engine.system.mouse_pulls import Pull, with_mouse
from tests.linkages import jansen_leg


def test_ranks_that_a_method_asks_for_belong_to_its_run() -> None:
    mechanism = compile_scene(jansen_leg())
    given = [arena.copy() for arena in mechanism.arenas]
    start = assemble(mechanism)
    driver = Driver(mechanism, find_method("null_space/rk4/projection"), dt=1e-3)
    assert driver.start(0.0, start.q, start.v, start.angles) is StepStatus.OK
    assert driver.system.sizes[SIZE.RANK] > 0
    for arena, before in zip(mechanism.arenas, given, strict=True):
        np.testing.assert_array_equal(arena, before)


def test_a_pull_is_seen_by_its_own_run_only() -> None:
    """Two runs of one mechanism, as a fork and the run it came from may be."""
    scene = Scene(gravity=[0.0, 0.0, 0.0]).with_body("block", mass=2.0, inertia=[0.2, 0.3, 0.25])
    mechanism = with_mouse(compile_scene(scene))

    class Sharing(LiveSimulation):
        def compile(self, scene: Scene):  # type: ignore[no-untyped-def]
            return mechanism

    pulled, left_alone = Sharing(scene), Sharing(scene)
    assert pulled.pull(Pull("block", (0.0, 0.0, 0.0), (0.5, 0.0, 0.0), 50.0, 0.0))
    for run in (pulled, left_alone):
        while run.t < 0.05 - 1e-12:
            assert run.advance(0.05) is StepStatus.OK
    assert pulled.channels.values("body.block.pos.x", pulled.sample[None])[0] > 0.01
    assert pulled.channels.values("mouse.fx", pulled.sample[None])[0] > 20.0
    assert left_alone.channels.values("body.block.pos.x", left_alone.sample[None])[0] == 0.0
    assert left_alone.channels.values("mouse.fx", left_alone.sample[None])[0] == 0.0
